package io.penstock.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.example.shop.OrderServlet;
import io.penstock.Penstock;
import io.penstock.testing.NeedsProgram;
import io.penstock.testing.Program;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WindowType;

/**
 * Tests the flow board (the page of the admin port) with a keyboard, with a screen reader, on a phone, with hostile clients, in several
 * windows, and with a server that stops and restarts.
 */
@NeedsProgram({Program.CHROMIUM, Program.CHROMEDRIVER})
class FlowBoardUseIT {
    private static BoardPage page;

    @BeforeAll
    static void startBrowser() {
        page = BoardPage.start();
    }

    @AfterAll
    static void stopBrowser() {
        if (page != null) {
            page.close();
        }
    }

    @BeforeEach
    void resetAppearance() {
        page.resetWidth();
        page.setColours(BoardPage.Colours.LIGHT);
    }

    // ---- keyboard and screen reader

    @Test
    void theKeyboardReachesAllControlsAndTheFocusIsVisible() throws Exception {
        try (Penstock server = BoardServer.withShop().start()) {
            page.open(server);
            page.tab();
            assertEquals("Skip to what happens now", page.focused().getText());
            assertTrue(page.focused().getLocation().getY() >= 0, "the focused element is not visible");
            for (String name : List.of("/", "Flow board", "Dump", "Metrics", "Configuration", "Contexts", "Pause")) {
                page.tab();
                assertEquals(name, page.focused().getText());
                assertEquals("solid", page.focused().getCssValue("outline-style"));
                assertEquals("3px", page.focused().getCssValue("outline-width"));
            }
            page.press(Keys.SPACE);
            assertEquals("true", page.focused().getDomAttribute("aria-pressed"));
            page.awaitText("#seen", "paused");
            String held = page.text("#up");
            page.await(() -> page.number("performance.now()") > 4_000);
            assertEquals(held, page.text("#up"), "the paused page has changed");
            page.press(Keys.SPACE);
            page.await(() -> !page.text("#up").equals(held));
            assertFalse(page.text("#seen").contains("paused"));
        }
    }

    @Test
    void theSkipLinkMovesTheFocusToTheCurrentState() throws Exception {
        try (Penstock server = BoardServer.withShop().start()) {
            page.open(server);
            page.tab();
            page.press(Keys.ENTER);
            page.await(() -> "now".equals(page.focused().getDomAttribute("id")));
        }
    }

    @Test
    void eachPartOfThePageHasAHeading() throws Exception {
        // The page hides the heading for bulkheads (worker limits of single paths), because this server has none.
        String shown = ":is(h1, h2, h3):not([hidden] *)";
        try (Penstock server = BoardServer.withShop().start()) {
            page.open(server);
            List<String> headings = page.browser().findElements(By.cssSelector(shown)).stream()
                    .map(heading -> heading.getTagName() + " "
                            + heading.getDomProperty("textContent")
                                    .replaceAll(" look here", "")
                                    .strip())
                    .toList();
            assertEquals(
                    List.of(
                            "h1 Penstock flow board",
                            "h2 Now",
                            "h2 The flow",
                            "h3 Clients",
                            "h3 Arriving",
                            "h3 Queue",
                            "h3 Workers",
                            "h3 Draining",
                            "h2 Pipes of the busiest clients",
                            "h2 Who holds the workers",
                            "h2 At work for longest",
                            "h2 Reserves",
                            "h2 Applications",
                            "h2 Failed and refused",
                            "h3 Applications fail",
                            "h3 The server refuses",
                            "h2 Where the time goes"),
                    headings);
        }
    }

    /** The figures change all the time. If a screen reader announced each new figure, it would never stop. */
    @Test
    void screenReadersAnnounceNewStatesButNoNewFigures() throws Exception {
        OrderServlet orders = new OrderServlet();
        try (Penstock server = BoardServer.withShop(orders).start();
                SlowClients clients = new SlowClients(server)) {
            page.open(server);
            page.script(
                    "window.said = []; window.read = new Set();"
                            + "new MutationObserver(() => said.push(document.getElementById('said').textContent))"
                            + ".observe(document.getElementById('said'), {childList: true});"
                            + "new MutationObserver(() => read.add(document.getElementById('details').textContent))"
                            + ".observe(document.getElementById('details'), {childList: true, characterData: true, subtree: true});");
            clients.get(3, "/orders/1");
            page.await(() -> page.number("window.read.size") >= 6);
            List<?> said = (List<?>) page.script("return window.said");
            assertEquals(1, said.size(), () -> String.valueOf(said));
            assertTrue(String.valueOf(said.get(0)).startsWith("Busy. The application is slow"), said::toString);
            orders.releaseDatabase();
        }
    }

    @Test
    void animationsStopIfTheUserPrefersReducedMotion() throws Exception {
        OrderServlet orders = new OrderServlet();
        orders.releaseDatabase();
        try (Penstock server = BoardServer.withShop(orders).start();
                SlowClients clients = new SlowClients(server)) {
            page.open(server);
            AtomicInteger connected = new AtomicInteger();
            page.await(() -> {
                connected.addAndGet(10);
                get(clients, 10); // an animation is short, so each look needs new figures
                return page.number("document.getAnimations().length") > 0;
            });
            page.emulate("prefers-reduced-motion", "reduce");
            page.await(() -> page.number("document.getAnimations().length") == 0);
            get(clients, 40);
            page.awaitText("#st-clients .big", String.valueOf(connected.addAndGet(40)));
            assertEquals(0, page.number("document.getAnimations().length"));
        }
    }

    private static void get(SlowClients clients, int count) {
        try {
            clients.get(count, "/quick");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    // ---- phone, and hostile clients

    @Test
    void thePageNeedsNoHorizontalScrollingOnAPhone() throws Exception {
        try (Penstock server = BoardServer.withShop().start();
                SlowClients clients = new SlowClients(server)) {
            page.width(390);
            page.open(server);
            clients.sendHalfBodies(12);
            clients.get(12, "/large");
            page.awaitText("#busiest", "takes its answer");
            for (int width : new int[] {390, 320, 820}) {
                page.width(width);
                page.assertNoHorizontalScrolling();
            }
            page.width(390);
            page.assertNoHorizontalScrolling();
            assertEquals(
                    0,
                    page.number(
                            "[...document.querySelectorAll('.scroll')].filter(one => one.scrollWidth > one.clientWidth).length"),
                    "a table needs horizontal scrolling");
            String label = String.valueOf(
                    page.script("return getComputedStyle(document.querySelector('#busiest td'), '::before').content"));
            assertEquals("\"Client\"", label, "the cell of the client has no label");
            page.assertAccessible();
        }
    }

    /** The longest figures that the limits allow stand in for those of a busy server, and each part is marked. */
    @Test
    void noLabelsOverlapInWindowsOfAnyWidth() throws Exception {
        OrderServlet orders = new OrderServlet();
        try (Penstock server = BoardServer.withShop(orders).start();
                SlowClients clients = new SlowClients(server)) {
            page.open(server);
            clients.sendHalfBodies(6);
            clients.get(6, "/large");
            page.awaitText("#busiest", "takes its answer");
            page.awaitText("#busiest", "body arrives");
            clients.get(3, "/orders/17");
            page.awaitText("#holders", "/orders/*");
            page.awaitText("#work", "GET /orders/17");
            page.script("document.getElementById('pause').click();"
                    + " document.querySelectorAll('[data-level], [data-bound], [data-scale], [data-crew], #arriving, #crew-clients, #crew-not-started,"
                    + " #clients-working').forEach(one => one.textContent = '20,000');"
                    + " document.querySelectorAll('.label').forEach(one => one.textContent = one.textContent.replace(/^[0-9,]+/, '20,000'));"
                    + " document.querySelectorAll('.here').forEach(one => one.hidden = false);");
            for (int width : new int[] {360, 400, 600, 750, 900, 1200, 1320, 1440}) {
                page.width(width);
                page.assertNoOverlappingLabels();
                page.assertNoHorizontalScrolling();
            }
            orders.releaseDatabase();
        }
    }

    @Test
    void theChartOfTheLastMinuteNamesItsAxes() throws Exception {
        try (Penstock server = BoardServer.withShop().start();
                SlowClients clients = new SlowClients(server)) {
            page.open(server);
            assertEquals(
                    List.of("1/s", "0", "100 ms", "0", "60 s ago", "now"),
                    page.lines(".minute .chart").stream()
                            .filter(line -> !line.isEmpty())
                            .toList());
            page.await(() -> {
                get(clients, 40);
                return page.text("#y-rate").matches("(20|50|100|200|500)/s");
            });
        }
    }

    // ---- links

    @Test
    void theBoardLinksToTheApplications() throws Exception {
        try (Penstock server = BoardServer.withShop()
                .context("/other caf\u00e9", context -> context.displayName("Another"))
                .start()) {
            page.open(server);
            String root = "http://localhost:" + server.port() + "/";
            for (String list : List.of("#places", "#applications")) {
                page.await(() -> page.number("document.querySelectorAll('" + list + " li').length") >= 2);
                List<?> links = (List<?>) page.script(
                        "return [...document.querySelectorAll(arguments[0] + ' a')]"
                                + ".filter(one => !one.matches('[aria-current]')).map(one => one.href).sort()",
                        list);
                assertEquals(List.of(root, root + "other%20caf%C3%A9/"), links, list);
            }
            assertEquals(List.of("/", "Another", "Flow board"), page.lines("#places"));
        }
        try (Penstock server =
                BoardServer.withShop().set("tls-self-signed", "on").start()) {
            page.open(server);
            assertEquals(
                    "https://localhost:" + server.port() + "/",
                    page.script("return document.querySelector('#places a').href"));
        }
    }

    @Test
    void targetsOfHostileAndLongRequestsAreShownAsText() throws Exception {
        String hostile =
                "/orders/%3Cimg%20src=x%20onerror=window.hacked=1%3E%22'%3C/td%3E%3Cscript%3Ewindow.hacked=1%3C/script%3E";
        OrderServlet orders = new OrderServlet();
        try (Penstock server = BoardServer.withShop(orders).start();
                SlowClients clients = new SlowClients(server)) {
            page.open(server);
            clients.send(
                    1,
                    "GET " + hostile + " HTTP/1.1\r\nHost: x\r\nUser-Agent: <script>window.hacked=1</script>\r\n"
                            + "Authorization: Basic PHNjcmlwdD46eA==\r\n\r\n");
            clients.get(1, "/orders/" + "long".repeat(1_750));
            clients.send(
                    1, "POST /upload/" + "%3Cb%3E".repeat(900) + " HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nab");
            page.awaitText("#work", "onerror");
            page.awaitText("#work", "longlong");
            for (int width : new int[] {1440, 390}) {
                page.width(width);
                page.assertNoHorizontalScrolling();
            }
            assertEquals(0, page.number("document.querySelectorAll('main img, main script').length"));
            assertEquals("undefined", page.script("return typeof window.hacked"));
            page.assertSelfContained(server);
            orders.releaseDatabase();
        }
    }

    @Test
    void theRequestRateIsShownAsUnknownIfRequestMetricsAreOff() throws Exception {
        try (Penstock server =
                        BoardServer.withShop().set("request-metrics", "off").start();
                SlowClients clients = new SlowClients(server)) {
            page.open(server);
            clients.get(2, "/quick");
            page.awaitSentence("2 clients are connected\\. The request rate is unknown: requests are not measured\\.");
            assertTrue(page.text(".minute").contains("request-metrics is off"), page.text(".minute"));
            assertFalse(page.browser().findElement(By.id("times")).isDisplayed());
            page.assertAccessible();
        }
    }

    // ---- restarts, and several windows

    @Test
    void theBoardReportsAStoppedServerAndDetectsTheRestart() throws Exception {
        int port;
        try (Penstock server = BoardServer.withShop().start()) {
            page.open(server);
            page.awaitSentence("Quiet: .*");
            page.await(() -> !page.text("#up").startsWith("< "));
            port = server.adminAddress().orElseThrow().getPort();
        }
        page.awaitSentence("The server has not answered since \\d\\d:\\d\\d:\\d\\d\\.");
        page.awaitText("#details", "The figures below are from that time.");
        assertEquals("No answer", page.tone());
        assertEquals("No answer \u00b7 Flow board", page.browser().getTitle());
        assertTrue(page.text("#seen").contains("no news since"), page.text("#seen"));
        page.await(() -> page.text("#said").isEmpty()
                || String.valueOf(page.script("return document.getElementById('said').textContent"))
                        .startsWith("No answer"));
        try (Penstock again =
                BoardServer.withShop().set("admin-port", Integer.toString(port)).start()) {
            page.awaitSentence("Quiet: .*");
            assertEquals("Calm", page.tone());
            assertTrue(page.text("#up").endsWith(", restarted"), page.text("#up"));
            assertEquals(port, again.adminAddress().orElseThrow().getPort());
        }
        // The browser has logged an error for each refused connection. The next test must not find these expected
        // errors.
        page.clearConsole();
    }

    @Test
    void aBoardAboveTheLimitShowsAnErrorUntilAnotherBoardIsClosed() throws Exception {
        String first = page.browser().getWindowHandle();
        try (Penstock server =
                BoardServer.withShop().set("admin-listeners", "1").start()) {
            page.open(server);
            page.browser().switchTo().newWindow(WindowType.WINDOW);
            page.browser().get(BoardPage.url(server));
            page.awaitSentence("The server refuses to send its state to this page\\.");
            page.awaitText("#details", "too many flow boards are open (admin-listeners)");
            assertEquals("No answer", page.tone());
            Set<String> windows = new TreeSet<>(page.browser().getWindowHandles());
            assertEquals(2, windows.size());
            String second = page.browser().getWindowHandle();
            assertNotEquals(first, second);
            page.browser().switchTo().window(first).navigate().to("about:blank");
            page.browser().switchTo().window(second);
            page.awaitSentence("Quiet: .*");
            page.browser().close();
        } finally {
            page.browser().switchTo().window(first);
            page.clearConsole();
        }
    }

    @Test
    void twoTabsShowTheSameState() throws Exception {
        String first = page.browser().getWindowHandle();
        try (Penstock server = BoardServer.withShop().start();
                SlowClients clients = new SlowClients(server)) {
            page.open(server);
            page.browser().switchTo().newWindow(WindowType.TAB);
            page.open(server);
            clients.sendHalfBodies(2);
            page.awaitText("#st-arriving .big", "2");
            String second = page.browser().getWindowHandle();
            page.browser().switchTo().window(first);
            page.awaitText("#st-arriving .big", "2");
            assertEquals("Calm", page.tone());
            page.assertSelfContained(server);
            page.browser().switchTo().window(second).close();
        } finally {
            page.browser().switchTo().window(first);
        }
    }
}
