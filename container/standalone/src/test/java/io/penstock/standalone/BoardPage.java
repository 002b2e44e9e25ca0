package io.penstock.standalone;

import static io.penstock.testing.Patience.PATIENCE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.Penstock;
import io.penstock.testing.HeadlessBrowser;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.logging.Level;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.openqa.selenium.support.ui.WebDriverWait;

/** The flow board (the page of the admin port) in a browser. {@link #close} ends the browser. */
final class BoardPage implements AutoCloseable {
    /** A script that runs the accessibility checker axe. The result has one line for each problem. */
    private static final String CHECK = "const done = arguments[arguments.length - 1];"
            + "axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']})"
            + ".then(found => done(found.violations.map(one => one.id + ': ' + one.nodes.slice(0, 3)"
            + ".map(node => node.html + ' ' + node.failureSummary).join(' | '))), broken => done([String(broken)]));";

    /**
     * A script that returns one line for each pair of texts that overlap or touch, and for each text over a pipe, a tank, a bar or another
     * drawn part that it does not belong to. Texts of one paragraph, cell or heading are one text.
     */
    private static final String OVERLAPS = """
            const texts = [];
            const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
            while (walker.nextNode()) {
              const node = walker.currentNode;
              const parent = node.parentElement;
              if (!node.data.trim() || !parent.checkVisibility({visibilityProperty: true}) || parent.closest('.away, .skip')) continue;
              const range = document.createRange();
              range.selectNodeContents(node);
              for (const whole of range.getClientRects()) {
                const box = {left: whole.left, right: whole.right, top: whole.top, bottom: whole.bottom};
                // Only the part inside of all boxes that cut their content is visible.
                for (let outer = parent; outer; outer = outer.parentElement) {
                  const style = getComputedStyle(outer);
                  if (style.overflowX !== 'visible') {
                    const edge = outer.getBoundingClientRect();
                    // The dots at the end of a text that is cut off stand before the padding.
                    const dots = style.textOverflow === 'ellipsis' ? parseFloat(style.paddingRight) : 0;
                    box.left = Math.max(box.left, edge.left);
                    box.right = Math.min(box.right, edge.right - dots);
                    box.top = Math.max(box.top, edge.top);
                    box.bottom = Math.min(box.bottom, edge.bottom);
                  }
                }
                if (box.right - box.left > 1 && box.bottom - box.top > 1) {
                  texts.push({node, box, of: parent.closest('p, li, dt, dd, h1, h2, h3, td, th') || node, text: node.data.trim().slice(0, 40)});
                }
              }
            }
            const meet = (a, b, gap) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > -gap
                && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3;
            const found = [];
            texts.forEach((a, at) => texts.slice(at + 1).forEach(b => {
              if (a.of !== b.of && meet(a.box, b.box, 3)) found.push(a.text + ' | ' + b.text);
            }));
            for (const part of document.querySelectorAll('.pipe, .tank, .cells, .here, button, .bar, .meter i, .tube i, .track')) {
              const box = part.getBoundingClientRect();
              for (const text of texts) {
                if (part.checkVisibility() && !part.contains(text.node) && meet(text.box, box, -0.5)) found.push(text.text + ' over ' + part.className);
              }
            }
            for (const label of document.querySelectorAll('.label')) {
              if (label.getBoundingClientRect().right > label.parentElement.getBoundingClientRect().right) found.push(label.textContent + ' is cut off');
            }
            return found;
            """;

    private final ChromeDriver browser;

    /** The color scheme that the browser reports to the page. */
    enum Colours {
        LIGHT,
        DARK
    }

    private BoardPage(ChromeDriver browser) {
        this.browser = browser;
    }

    static BoardPage start() {
        LoggingPreferences console = new LoggingPreferences();
        console.enable(LogType.BROWSER, Level.ALL);
        return new BoardPage(HeadlessBrowser.start(options -> {
            options.addArguments("--window-size=1440,1100");
            options.setCapability("goog:loggingPrefs", console);
        }));
    }

    @Override
    public void close() {
        browser.quit();
    }

    // ---- navigation

    static String url(Penstock server) {
        return "http://localhost:" + server.adminAddress().orElseThrow().getPort() + "/";
    }

    /** Opens the page and waits for the first figures. */
    void open(Penstock server) {
        // Until then, the page of an earlier test asks for its events again, which the console reports.
        browser.get("about:blank");
        clearConsole();
        browser.get(url(server));
        await(() -> !tone().equals("Waiting"));
    }

    void width(int pixels) {
        browser.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", pixels, "height", 900, "deviceScaleFactor", 1, "mobile", false));
    }

    void resetWidth() {
        browser.executeCdpCommand("Emulation.clearDeviceMetricsOverride", Map.of());
    }

    void setColours(Colours colours) {
        emulate("prefers-color-scheme", colours == Colours.DARK ? "dark" : "light");
    }

    void emulate(String feature, String value) {
        browser.executeCdpCommand(
                "Emulation.setEmulatedMedia", Map.of("features", List.of(Map.of("name", feature, "value", value))));
    }

    void press(CharSequence... keys) {
        browser.switchTo().activeElement().sendKeys(keys);
    }

    void tab() {
        press(Keys.TAB);
    }

    ChromeDriver browser() {
        return browser;
    }

    // ---- reading

    String text(String css) {
        return String.valueOf(script("return document.querySelector(arguments[0]).innerText", css))
                .replace('\u00a0', ' ')
                .trim();
    }

    /** Returns the word beside the status symbol. */
    String tone() {
        return String.valueOf(script("return document.getElementById('tone').textContent"));
    }

    String sentence() {
        return text("#words");
    }

    void awaitSentence(String regex) {
        Pattern pattern = Pattern.compile(regex);
        await(() -> pattern.matcher(sentence()).matches());
    }

    void awaitText(String css, String part) {
        await(() -> text(css).contains(part));
    }

    void await(Condition condition) {
        new WebDriverWait(browser, PATIENCE, Duration.ofMillis(100)).until(driver -> condition.holds());
    }

    /** A condition that must become true. */
    @FunctionalInterface
    interface Condition {
        boolean holds();
    }

    /** Returns the headings of the parts of the page that are marked with "look here". */
    List<String> markedParts() {
        return browser.findElements(By.cssSelector("[data-part] .here")).stream()
                .filter(WebElement::isDisplayed)
                .map(here -> String.valueOf(script("return arguments[0].parentNode.firstChild.textContent", here))
                        .trim())
                .toList();
    }

    /** Returns the level of a tank, from 0 to 1. A tank is a picture of a queue or of a set of connections. */
    double level(String tank) {
        return ((Number) Objects.requireNonNull(script(
                        "return Number(getComputedStyle(document.querySelector('[data-tank=' + arguments[0] + ']'))"
                                + ".getPropertyValue('--full'))",
                        tank)))
                .doubleValue();
    }

    /** Returns the height of the filled part of a tank, in pixels. */
    double filledPixels(String tank) {
        return ((Number) Objects.requireNonNull(script(
                        "const tank = document.querySelector('[data-tank=' + arguments[0] + ']');"
                                + " return Math.round(tank.getBoundingClientRect().bottom - 2"
                                + " - tank.firstElementChild.getBoundingClientRect().top)",
                        tank)))
                .doubleValue();
    }

    WebElement focused() {
        return browser.switchTo().activeElement();
    }

    Object script(String text, Object... arguments) {
        return browser.executeScript(text, arguments);
    }

    long number(String expression) {
        return ((Number) Objects.requireNonNull(script("return " + expression))).longValue();
    }

    /** Writes a screenshot of the whole page to the file. */
    void picture(Path file) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        browser.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", 1440, "height", 1300, "deviceScaleFactor", 1, "mobile", false));
        String seen = text("#seen");
        // After the next update of #seen, the browser has drawn the page with the new size.
        await(() -> !text("#seen").equals(seen));
        Files.write(file, browser.getScreenshotAs(OutputType.BYTES));
        resetWidth();
    }

    // ---- checks

    void clearConsole() {
        browser.manage().logs().get(LogType.BROWSER);
    }

    /**
     * Checks that no script has failed, that no request has violated the content security policy, and that all requests went to the server.
     */
    void assertSelfContained(Penstock server) {
        List<LogEntry> problems = browser.manage().logs().get(LogType.BROWSER).getAll().stream()
                .filter(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue())
                .toList();
        assertTrue(problems.isEmpty(), problems::toString);
        List<?> asked = (List<?>)
                Objects.requireNonNull(script("return performance.getEntriesByType('resource').map(one => one.name)"));
        assertTrue(asked.stream().allMatch(name -> name.toString().startsWith(url(server))), asked::toString);
        assertTrue(asked.size() >= 2, asked::toString);
    }

    void assertNoHorizontalScrolling() {
        long width = number("innerWidth");
        assertTrue(
                number("document.documentElement.scrollWidth") <= width,
                () -> "the page is wider than its window of " + width + ": "
                        + script(
                                "return [...document.querySelectorAll('body *')].filter(one =>"
                                        + " one.getBoundingClientRect().right > innerWidth).map(one => one.outerHTML.slice(0, 80)).slice(0, 5)"));
    }

    /** Checks that no text of the page overlaps another text, or a drawn part to which it does not belong. */
    void assertNoOverlappingLabels() {
        assertEquals(List.of(), script(OVERLAPS), "labels overlap at a width of " + number("innerWidth"));
    }

    /** Checks with axe that the page is accessible, in the light and in the dark color scheme. */
    void assertAccessible() {
        try (InputStream axe = Objects.requireNonNull(BoardPage.class.getResourceAsStream("/axe.min.js"))) {
            script(new String(axe.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        browser.manage().timeouts().scriptTimeout(PATIENCE);
        for (Colours colours : Colours.values()) {
            setColours(colours);
            List<?> violations = (List<?>) Objects.requireNonNull(browser.executeAsyncScript(CHECK));
            assertEquals(List.of(), violations, "accessibility problems in the color scheme " + colours);
        }
        setColours(Colours.LIGHT);
    }

    /** Returns the lines of a list or of a table. */
    List<String> lines(String css) {
        return Stream.of(text(css).split("\n")).map(String::trim).toList();
    }
}
