package io.penstock.boot.sample;

import static io.penstock.testing.Patience.PATIENCE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.boot.PenstockWebServer;
import io.penstock.testing.HeadlessBrowser;
import io.penstock.testing.NeedsProgram;
import io.penstock.testing.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Cookie;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebDriverException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.support.ui.ExpectedConditions;
import org.openqa.selenium.support.ui.WebDriverWait;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Tests the pages of the sample application {@link Workshop} on Penstock with a browser. The test writes screenshots to
 * {@code target/workshop}.
 */
@NeedsProgram({Program.CHROMIUM, Program.CHROMEDRIVER})
class WorkshopBrowserIT {
    private static final Path PICTURES = Path.of("target", "workshop");

    private static ConfigurableApplicationContext application;
    private static ChromeDriver browser;
    private static int port;

    @TempDir
    Path folder;

    @BeforeAll
    static void start() {
        application = new SpringApplication(Workshop.class).run("--spring.config.name=workshop");
        port = ((PenstockWebServer) ((WebServerApplicationContext) application).getWebServer()).getPort();
        browser = HeadlessBrowser.start(options -> options.addArguments("--window-size=800,600"));
        browser.manage().timeouts().scriptTimeout(PATIENCE);
    }

    @AfterAll
    static void stop() {
        if (browser != null) {
            browser.quit();
        }
        if (application != null) {
            application.close();
        }
    }

    @BeforeEach
    void deleteCookies() {
        open("/");
        browser.manage().deleteAllCookies();
    }

    private static void open(String path) {
        browser.get("http://127.0.0.1:" + port + path);
    }

    private static String path() {
        return browser.getCurrentUrl().substring(("http://127.0.0.1:" + port).length());
    }

    private static WebElement element(String id) {
        return browser.findElement(By.id(id));
    }

    private static String heading() {
        return browser.findElement(By.tagName("h1")).getText();
    }

    private static void logIn(String password) {
        browser.findElement(By.name("username")).sendKeys("ada");
        browser.findElement(By.name("password")).sendKeys(password);
        click(browser.findElement(By.tagName("button")));
    }

    /** Clicks an element, and waits for the next page. */
    private static void click(WebElement element) {
        WebElement page = browser.findElement(By.tagName("html"));
        element.click();
        WebDriverWait next = new WebDriverWait(browser, PATIENCE);
        // While the browser changes the page, its driver can answer with an error instead.
        next.ignoring(WebDriverException.class);
        next.until(ExpectedConditions.stalenessOf(page));
        next.until(shown -> "complete".equals(browser.executeScript("return document.readyState")));
    }

    private static void picture(String name) throws IOException {
        Files.createDirectories(PICTURES);
        Files.write(PICTURES.resolve(name + ".png"), browser.getScreenshotAs(OutputType.BYTES));
    }

    /** Requests a path with JavaScript in the current page. Returns the value of the JavaScript expression {@code result}. */
    private static Object fetched(String path, String result) {
        return browser.executeAsyncScript("const done = arguments[arguments.length - 1];" + "fetch('" + path
                + "').then(async response => done(" + result + ")).catch(e => done('' + e));");
    }

    @Test
    void aUserCanLogInWithRememberMeAndLogOut() throws IOException {
        open("/orders");
        assertEquals("/login", path(), "the page was shown without a login");
        Cookie before = browser.manage().getCookieNamed("JSESSIONID");
        assertEquals("Lax", before.getSameSite());
        assertTrue(before.isHttpOnly());
        logIn("wrong");
        assertEquals("/login?error", path());
        assertEquals("Wrong name or password", element("refused").getText());
        browser.findElement(By.name("remember-me")).click();
        picture("login");
        logIn("engine");
        assertEquals("/orders", path().replaceFirst("[?;].*", ""));
        assertEquals("ada", element("user").getText());
        Cookie after = browser.manage().getCookieNamed("JSESSIONID");
        assertFalse(before.getValue().equals(after.getValue()), "the login did not change the session id");

        browser.manage().deleteCookieNamed("JSESSIONID");
        open("/orders");
        assertEquals("ada", element("user").getText(), "the user was not remembered");

        click(element("logout"));
        assertEquals("/login?logout", path());
        assertEquals("You have left", element("left").getText());
        assertNull(browser.manage().getCookieNamed("remember-me"));
        open("/orders");
        assertEquals("/login", path());
    }

    @Test
    void aFormShowsInputErrorsAndIsRejectedWithoutACsrfToken() throws IOException {
        open("/orders");
        logIn("engine");
        assertEquals("ada", element("user").getText());
        picture("orders");
        element("pieces").clear();
        element("pieces").sendKeys("100");
        element("email").sendKeys("nobody");
        click(element("send"));
        assertEquals("must not be blank", element("article-error").getText());
        assertEquals("must be less than or equal to 99", element("pieces-error").getText());
        assertTrue(
                element("email-error").getText().contains("email address"),
                element("email-error").getText());
        assertEquals("100", element("pieces").getAttribute("value"));
        picture("errors");

        element("article").sendKeys("Kurbel für Größe 7");
        element("pieces").clear();
        element("pieces").sendKeys("7");
        element("email").clear();
        element("email").sendKeys("ada@example.org");
        click(element("send"));
        assertEquals("7 × Kurbel für Größe 7", element("done").getText());
        picture("ordered");

        browser.executeScript("document.querySelector('#order input[name=_csrf]').remove()");
        click(element("send"));
        assertEquals("This is not allowed", element("problem").getText());
        picture("forbidden");
    }

    @Test
    void aSmallFileIsStoredAndALargeFileLeadsToAnErrorPage() throws IOException {
        open("/orders");
        logIn("engine");
        open("/drawing");
        Path small = Files.write(folder.resolve("Größe.txt"), new byte[60_000]);
        browser.findElement(By.name("file")).sendKeys(small.toString());
        click(element("send"));
        assertEquals("Größe.txt, 60000 bytes", element("stored").getText());

        // The first size exceeds the limit for a file, the second also the limit for a request, and the third also the
        // limit of the server.
        for (int size : new int[] {150_000, 600_000, 5_000_000}) {
            open("/drawing");
            Path large = Files.write(folder.resolve("large.txt"), new byte[size]);
            browser.findElement(By.name("file")).sendKeys(large.toString());
            click(element("send"));
            if (size < 1_000_000) {
                assertEquals("This file is too large", element("problem").getText(), "a file of " + size + " bytes");
                assertEquals("413 /drawing", element("status").getText());
            } else {
                String page = browser.findElement(By.tagName("body")).getText();
                assertTrue(page.contains("413"), page);
            }
            picture("too-large-" + size);
        }
    }

    @Test
    void eventsAndMessagesReachTheBrowser() throws IOException {
        open("/orders");
        logIn("engine");
        open("/live");
        new WebDriverWait(browser, PATIENCE)
                .until(shown -> browser.findElements(By.tagName("li")).size() == 3);
        List<String> heard = browser.findElements(By.tagName("li")).stream()
                .map(WebElement::getText)
                .sorted()
                .toList();
        assertEquals(List.of("1 step 1", "2 step 2", "heard: Grüße"), heard);
        picture("live");
    }

    @Test
    void theUserCanChangeTheLanguage() throws IOException {
        open("/?lang=de");
        assertEquals("Werkstatt", heading());
        assertEquals(
                "Wir fertigen, was Sie zeichnen – auch größere Stücke.",
                element("welcome").getText());
        open("/");
        assertEquals("Werkstatt", heading(), "the language was not kept in a cookie");
        picture("german");
        open("/?lang=en");
        assertEquals("Workshop", heading());
    }

    @Test
    void theErrorPagesOfTheApplicationAreShown() throws IOException {
        open("/orders");
        logIn("engine");
        open("/nothing");
        assertEquals("There is no such page", element("problem").getText());
        assertEquals("404 /nothing", element("status").getText());
        picture("missing");
        open("/broken");
        assertEquals("We have failed", element("problem").getText());
        assertEquals("500 /broken", element("status").getText());
    }

    @Test
    void staticFilesAreCacheableAndJsonResponsesAreNot() {
        open("/orders");
        logIn("engine");
        assertEquals(
                "rgb(20, 40, 60)",
                browser.findElement(By.tagName("body"))
                        .getCssValue("color")
                        .replace("rgba(20, 40, 60, 1)", "rgb(20, 40, 60)"));
        assertEquals("max-age=3600, public", fetched("/workshop.css", "response.headers.get('cache-control')"));
        assertNotNull(fetched("/workshop.css", "response.headers.get('last-modified')"));
        assertEquals(
                304L,
                browser.executeAsyncScript("const done = arguments[arguments.length - 1];"
                        + "fetch('/workshop.css').then(first => fetch('/workshop.css', {cache: 'no-store',"
                        + " headers: {'If-Modified-Since': first.headers.get('last-modified')}}))"
                        + ".then(second => done(second.status));"));
        assertEquals(
                "{\"article\":\"valve\",\"state\":\"in the lathe\"}",
                fetched("/api/orders/valve", "await response.text()"));
        assertTrue(fetched("/api/orders/valve", "response.headers.get('cache-control')")
                .toString()
                .contains("no-store"));
        assertEquals(
                400L,
                browser.executeAsyncScript("const done = arguments[arguments.length - 1];"
                        + "const token = document.querySelector('input[name=_csrf]').value;"
                        + "fetch('/api/orders', {method: 'POST', body: '{\"article\":\"\"}',"
                        + " headers: {'Content-Type': 'application/json', 'X-CSRF-TOKEN': token}})"
                        + ".then(response => done(response.status));"));
    }

    @Test
    void healthAndMetricsAreAvailable() {
        assertEquals(
                "{\"groups\":[\"liveness\",\"readiness\"],\"status\":\"UP\"}",
                fetched("/actuator/health", "await response.text()"));
        open("/orders");
        logIn("engine");
        String workers = fetched("/actuator/metrics/penstock.workers", "await response.text()")
                .toString();
        assertTrue(workers.contains("\"name\":\"penstock.workers\""), workers);
        String requests = fetched("/actuator/metrics/http.server.requests?tag=uri:/login", "await response.text()")
                .toString();
        assertTrue(requests.contains("\"statistic\":\"COUNT\""), requests);
    }
}
