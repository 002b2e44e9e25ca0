package io.penstock.standalone;

import static io.penstock.testing.Patience.PATIENCE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.testing.HeadlessBrowser;
import io.penstock.testing.NeedsProgram;
import io.penstock.testing.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.WindowType;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.openqa.selenium.support.ui.ExpectedCondition;
import org.openqa.selenium.support.ui.ExpectedConditions;
import org.openqa.selenium.support.ui.WebDriverWait;

/** Opens and uses the pages of the sample web application in a browser. */
@NeedsProgram({Program.CHROMIUM, Program.CHROMEDRIVER})
class SampleWebappBrowserIT {
    @TempDir
    static Path files;

    private static SampleServer server;
    private static ChromeDriver browser;

    @BeforeAll
    static void startServerAndBrowser() throws IOException {
        server = SampleServer.start();
        LoggingPreferences console = new LoggingPreferences();
        console.enable(LogType.BROWSER, Level.ALL);
        browser = HeadlessBrowser.start(options -> {
            options.addArguments("--window-size=1200,900");
            options.setCapability("goog:loggingPrefs", console);
        });
    }

    @AfterAll
    static void stopBrowserAndServer() throws InterruptedException {
        if (browser != null) {
            browser.quit();
        }
        if (server != null) {
            server.close();
        }
    }

    @Test
    void eachLinkInTheNavigationOpensItsPageAndIsMarkedAsCurrent() {
        open("/");
        List<String> names = browser.findElements(By.cssSelector("nav a")).stream()
                .map(WebElement::getText)
                .toList();
        assertEquals(13, names.size());
        for (String name : names) {
            browser.findElement(By.linkText(name)).click();
            WebElement current =
                    waitFor(ExpectedConditions.visibilityOfElementLocated(By.cssSelector("nav a[aria-current=page]")));
            assertEquals(name, current.getText());
            assertFalse(text("h1").isEmpty());
        }
        assertNoProblemsInTheConsole();
    }

    @Test
    void theFooterOfAPageShowsTheDurationOfTheServlet() {
        open("/hello");
        waitForText("#timing", "The servlet took");
    }

    @Test
    void theHelloPageCanShowTheSourceCodeOfItsServlet() {
        open("/hello");
        browser.findElement(By.cssSelector("details.source summary")).click();
        waitForText("details.source pre", "public class HelloServlet extends HttpServlet");
        assertNoProblemsInTheConsole();
    }

    @Test
    void theHelloPageShowsAGreetingInTheSelectedLanguage() {
        open("/hello");
        type("input[name=name]", "Ada <i>");
        browser.findElement(By.cssSelector("option[value=fr]")).click();
        click("main form button");
        waitForText("#greeting", "Bonjour, Ada <i>!");
    }

    @Test
    void aGuestBookEntryCanBeAddedAndTheSessionCanBeEnded() {
        open("/guestbook");
        type("input[name=name]", "Grace");
        type("textarea", "From a browser, <b>boldly</b>");
        click("main form[action=guestbook] button");
        waitForText("#welcome", "Thank you, Grace. You have signed once");
        assertTrue(text("#entries").contains("From a browser, <b>boldly</b>"));
        browser.navigate().refresh();
        waitForText("#welcome", "signed once");
        click("#welcome button");
        waitFor(ExpectedConditions.invisibilityOfElementLocated(By.cssSelector("#welcome")));
        assertTrue(text("#entries").contains("From a browser"));
    }

    @Test
    void theUploadPageShowsThePartsOfAnUpload() throws IOException {
        Path file = Files.write(files.resolve("blob.bin"), new byte[200_000]);
        open("/upload.html");
        browser.findElement(By.cssSelector("input[type=file]")).sendKeys(file.toString());
        type("input[name=remark]", "zeros");
        click("main form button");
        waitForText("#parts", "200000");
        assertTrue(text("#parts").contains("blob.bin"));
    }

    @Test
    void theClockPageUpdatesTheTimeAndCanBeStopped() {
        open("/clock.html");
        waitForText("#state", "Connected.");
        waitForText("#watchers", "watching");
        String first = text("#time");
        waitFor(driver -> !text("#time").equals(first));
        click("#toggle");
        waitForText("#state", "Stopped.");
        assertNoProblemsInTheConsole();
    }

    /** The page starts 100 slow uploads, but the server has only four workers. The uploads must not occupy all of them. */
    @Test
    void normalRequestsAreServedWhile100SlowClientsAreConnected() {
        open("/slow-clients.html");
        waitForText("#now", "ms");
        waitFor(driver -> browser.findElement(By.id("start")).isEnabled());
        click("#start");
        waitForText("#state", "100 slow clients hold a connection");
        waitFor(driver -> text("#connected").equals("100"));
        String before = curve();
        // A new point in the curve means that a normal request has received its response.
        waitFor(driver -> !curve().equals(before));
        waitFor(driver -> Integer.parseInt(text("#busy")) < SampleServer.WORKERS);
        click("#stop");
        waitForText("#state", "The slow clients have disconnected. You can start others in");
        waitFor(driver -> text("#connected").equals("0"));
        assertNoProblemsInTheConsole();
    }

    /** A server that has just started answers its first requests slowly, which says nothing about slow clients. */
    @Test
    void theFirstRequestsOfTheSlowClientsPageDoNotCount() {
        String requests =
                "return performance.getEntriesByType('resource').filter(one => one.name.endsWith('/hello')).length";
        delayAnswers(2000);
        try {
            open("/slow-clients.html");
            waitForText("#state", " of 20 requests, which do not count.");
            assertFalse(browser.findElement(By.id("start")).isEnabled());
            assertEquals("", curve());
            delayAnswers(100);
            waitFor(driver -> !curve().isEmpty());
            assertTrue(
                    (long) browser.executeScript(requests) > 20, "a request before the end of the warm-up was drawn");
            waitFor(driver -> browser.findElement(By.id("start")).isEnabled());
        } finally {
            delayAnswers(0);
        }
    }

    @Test
    void theScaleOfTheSlowClientsPageIsTheSameForQuickAndForSlowAnswers() {
        open("/slow-clients.html");
        waitFor(driver -> !curve().isEmpty());
        assertEquals("500 ms\n250 ms\n0 ms", text(".chart .up"));
        assertEquals("30 s ago\nnow", text(".chart .across"));
        delayAnswers(800);
        try {
            waitFor(driver -> text("#now").matches("([89]|\\d\\d)\\d\\d ms"));
            assertEquals("500 ms\n250 ms\n0 ms", text(".chart .up"));
            // The answer is above the end of the scale, so its point is at the upper edge.
            assertTrue(curve().endsWith(" 4.0"), curve());
            assertEquals(text("#now"), text("#alone"));
            assertEquals("–", text("#beside"));
        } finally {
            delayAnswers(0);
        }
    }

    /** Makes the browser wait before it reads each answer. */
    private static void delayAnswers(int millis) {
        browser.executeCdpCommand("Network.enable", Map.of());
        browser.executeCdpCommand(
                "Network.emulateNetworkConditions",
                Map.of("offline", false, "latency", millis, "downloadThroughput", -1, "uploadThroughput", -1));
    }

    @Test
    void sampleAndChatAndFlowBoardAreLinkedAndHaveOneLook() {
        open("/");
        Map<?, ?> look = look();
        waitFor(ExpectedConditions.elementToBeClickable(By.linkText("Chat"))).click();
        waitForText("h1", "Chat");
        // The browser does not end a connection that it is still making when it leaves the page.
        waitForText("#state", "Connected as guest");
        assertEquals(look, look(), "the look of the chat");
        waitFor(ExpectedConditions.elementToBeClickable(By.linkText("Flow board")))
                .click();
        waitFor(ExpectedConditions.visibilityOfElementLocated(By.cssSelector("#sentence")));
        assertEquals(look, look(), "the look of the flow board");
        waitFor(ExpectedConditions.elementToBeClickable(By.linkText("Penstock sample chat")))
                .click();
        waitForText("h1", "Chat");
        waitForText("#state", "Connected as guest");
        waitFor(ExpectedConditions.elementToBeClickable(By.linkText("Sample"))).click();
        waitForText("h1", "Sample application");
        assertNoProblemsInTheConsole();
    }

    /** The colours and fonts of a page and of its header. */
    private static Map<?, ?> look() {
        return (Map<?, ?>) browser.executeScript("const of = css => getComputedStyle(document.querySelector(css));"
                + " const style = (css, ...names) => names.map(name => of(css)[name]).join(' ');"
                + " return {page: style('body', 'backgroundColor', 'color', 'fontFamily'),"
                + " header: style('.top', 'backgroundColor', 'borderBottomColor', 'paddingLeft', 'paddingTop'),"
                + " brand: style('.brand', 'fontSize', 'fontWeight', 'color') + ' ' + style('.brand span', 'color'),"
                + " mark: style('.brand img', 'width', 'height'),"
                + " here: style('.places [aria-current]', 'color', 'fontSize', 'fontWeight', 'borderBottomColor')};");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/slow-clients.html"})
    void theLinkToTheFlowBoardOpensTheFlowBoard(String page) {
        open(page);
        WebElement link = waitFor(ExpectedConditions.visibilityOfElementLocated(By.cssSelector("[data-board] a")));
        browser.get(String.valueOf(link.getDomProperty("href")));
        waitFor(ExpectedConditions.visibilityOfElementLocated(By.cssSelector("#sentence")));
    }

    @Test
    void theJspPageShowsTheTableThatTheJspCreates() {
        open("/jsp.html");
        waitForText("#state", "The page has arrived.");
        assertTrue(text("#result caption").startsWith("Made by Penstock/"), text("#result caption"));
        assertEquals("100", text("#result tbody tr:last-child td:last-child"));
        assertNoProblemsInTheConsole();
    }

    @Test
    void aChatMessageIsShownInTwoBrowserTabs() {
        open("/websocket.html");
        waitForText("#state", "The chat is in service here.");
        assertNoProblemsInTheConsole();
        assertTrue(browser.findElement(By.id("chat")).isDisplayed());
        // The page hides the button if there is no chat. The style of the button must not make the hidden button
        // visible.
        browser.executeScript("document.getElementById('chat').hidden = true");
        assertFalse(browser.findElement(By.id("chat")).isDisplayed());
        browser.executeScript("document.getElementById('chat').hidden = false");
        click("#chat");
        waitForText("#state", "Nobody else is here.");
        String first = browser.getWindowHandle();
        browser.switchTo().newWindow(WindowType.TAB);
        try {
            open("/chat/");
            waitForText("#state", "2 guests are here.");
            type("input[name=text]", "Hello, <b>you</b>");
            click("#send");
            waitForText("#messages", "You Hello, <b>you</b>");
            assertEquals(true, browser.executeScript("return document.documentElement.scrollWidth <= innerWidth"));
            browser.switchTo().window(first);
            waitForText("#messages", "Hello, <b>you</b>");
            assertTrue(text("#messages").startsWith("Guest "), text("#messages"));
            assertNoProblemsInTheConsole();
        } finally {
            browser.getWindowHandles().stream()
                    .filter(window -> !window.equals(first))
                    .forEach(window -> browser.switchTo().window(window).close());
            browser.switchTo().window(first);
        }
        waitForText("#state", "Nobody else is here.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/slow-clients.html", "/jsp.html", "/websocket.html", "/chat/"})
    void pagesNeedNoHorizontalScrollingOnAPhone(String path) {
        browser.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", 360, "height", 800, "deviceScaleFactor", 1, "mobile", false));
        try {
            open(path);
            waitFor(driver -> !text("#state").isEmpty());
            assertEquals(
                    true,
                    browser.executeScript("return document.documentElement.scrollWidth <= innerWidth"),
                    path + " is wider than the screen of a phone");
        } finally {
            browser.executeCdpCommand("Emulation.clearDeviceMetricsOverride", Map.of());
        }
    }

    @Test
    void theSlowTextPageCanStopReceivingATextAndThenReceiveAnotherTextCompletely() {
        open("/slow-text.html");
        click("#start");
        waitForText("#state", "Receiving");
        assertTrue(browser.findElement(By.id("stop")).isEnabled());
        click("#stop");
        waitForText("#state", "Stopped");
        type("input[name=paragraphs]", "5");
        click("#start");
        waitForText("#state", "Complete");
        assertEquals("5", browser.findElement(By.id("progress")).getDomProperty("value"));
    }

    @Test
    void theSensorPageDrawsTheCurveAndSendsTheValuesBack() {
        open("/sensor.html");
        waitForText("#state", "2000 floats, 8000 bytes received.");
        String curve = curve();
        assertEquals(2000, curve.split("[ML]", -1).length - 1);
        click("#send");
        waitForText("#state", "8000 bytes sent back.");
        assertEquals(text("#browser").replace("Browser", ""), text("#server").replace("Server", ""));
        type("input[name=count]", "500");
        click("#form button:not([type=button])");
        waitForText("#state", "500 floats");
        assertNotEquals(curve, curve());
        assertNoProblemsInTheConsole();
    }

    @Test
    void theButtonsForErrorsOpenTheErrorPages() {
        open("/errors.html");
        click("#missing");
        waitForText("h1", "404 Nothing here");
        browser.findElement(By.linkText("Back to the errors")).click();
        waitForText("h1", "Errors");
        click("#failing");
        waitForText("h1", "500 That went wrong");
        // The console contains an entry for each of the two errors. This call removes the entries, because another test
        // fails if the console contains an error.
        browser.manage().logs().get(LogType.BROWSER);
    }

    private static void open(String path) {
        browser.get(server.url() + path);
    }

    private static void click(String css) {
        browser.findElement(By.cssSelector(css)).click();
    }

    private static void type(String css, String text) {
        WebElement field = browser.findElement(By.cssSelector(css));
        field.clear();
        field.sendKeys(text);
    }

    private static String text(String css) {
        return browser.findElement(By.cssSelector(css)).getText();
    }

    private static String curve() {
        return browser.findElement(By.id("curve")).getDomAttribute("d");
    }

    private static void waitForText(String css, String text) {
        waitFor(ExpectedConditions.textToBePresentInElementLocated(By.cssSelector(css), text));
    }

    private static <T> T waitFor(ExpectedCondition<T> condition) {
        return new WebDriverWait(browser, PATIENCE, Duration.ofMillis(20)).until(condition);
    }

    /** Checks that no script has failed, and that no request has violated the content security policy. */
    private static void assertNoProblemsInTheConsole() {
        List<LogEntry> problems = browser.manage().logs().get(LogType.BROWSER).getAll().stream()
                .filter(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue())
                .toList();
        assertTrue(problems.isEmpty(), problems::toString);
    }
}
