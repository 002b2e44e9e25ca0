package io.penstock.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.example.shop.OrderServlet;
import io.penstock.DeployException;
import io.penstock.Penstock;
import io.penstock.testing.NeedsProgram;
import io.penstock.testing.Patience;
import io.penstock.testing.Program;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the flow board (the page of the admin port) in a browser. The server is idle, under load, has slow clients, or is overloaded. The
 * board must show the state of the server and the cause of this state.
 */
@NeedsProgram({Program.CHROMIUM, Program.CHROMEDRIVER})
class FlowBoardBrowserIT {
    private static final byte[] QUICK_REQUEST =
            "GET /quick HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

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

    @Test
    void theBoardShowsAnIdleServer() throws Exception {
        try (Penstock server = BoardServer.withShop().start()) {
            page.open(server);
            page.awaitSentence("Quiet: nobody is connected\\.");
            assertEquals("Calm", page.tone());
            assertEquals(List.of(), page.markedParts());
            for (String tank : List.of("connections", "connections-body", "queued", "connections-draining")) {
                assertEquals(0, page.level(tank), "the level of the tank " + tank);
            }
            assertEquals("0 of 2 busy", page.text("#st-workers .big"));
            assertEquals("Nothing is held for any client.", page.text("#no-pipes"));
            assertEquals("No worker has been at one request for 50 ms.", page.text("#no-work"));
            assertTrue(page.text("#no-holders").startsWith("No servlet or path has been"), page.text("#no-holders"));
            assertEquals("No application has failed since this page was opened.", page.text("#no-failures"));
            page.assertAccessible();
            page.assertSelfContained(server);
        }
    }

    @Test
    void theBoardShowsTheRequestRateUnderLoad() throws Exception {
        try (Penstock server = BoardServer.withShop().start();
                Client client = new Client(server)) {
            page.open(server);
            page.awaitSentence("[\\d,.]+ requests a second are answered\\.");
            page.awaitText("#details", "Times: p50 ");
            assertEquals("Calm", page.tone());
            assertEquals(List.of(), page.markedParts());
            page.await(() -> !page.text("#st-queue .rate").startsWith("0 "));
            page.await(() -> page.text("#times tr:nth-child(4)").matches("(?s)Is served.*\\d.*s.*"));
            assertTrue(page.text("#p-rate").matches("at most [\\d,.]+ answered a second"), page.text("#p-rate"));
            assertLayoutIsStable();
            assertTrue(client.isRunning());
            page.assertSelfContained(server);
        }
    }

    /**
     * Checks that the layout does not move when the figures change. The figures change twice a second. The browser measures the movement
     * with the Layout Instability API.
     */
    private static void assertLayoutIsStable() {
        page.script("window.jumps = 0; window.looks = 0; window.moved = []; new PerformanceObserver(list =>"
                + " list.getEntries().forEach(one => { window.jumps += one.value; window.moved.push(one.value + ': ' +"
                + " one.sources.map(from => from.node ? (from.node.nodeName + ' ' + (from.node.id || from.node.className)"
                + " + ' ' + from.previousRect.y + ' to ' + from.currentRect.y) : '').join(', ')); }))"
                + ".observe({type: 'layout-shift'});"
                + " new MutationObserver(() => window.looks++).observe(document.getElementById('words'), {childList: true,"
                + " characterData: true, subtree: true});");
        page.await(() -> page.number("window.looks") >= 6);
        double jumps = Double.parseDouble(String.valueOf(page.script("return window.jumps")));
        assertTrue(jumps < 0.01, () -> "the layout has moved: " + page.script("return window.moved.join('\\n')"));
    }

    @Test
    void theBoardShowsThatSlowClientsOccupyNoWorker() throws Exception {
        // A pipe is the buffer between client and worker. The responses are larger than its capacity, so the server
        // writes them to disk.
        try (Penstock server =
                        BoardServer.withShop().set("pipe-capacity", "64K").start();
                SlowClients clients = new SlowClients(server)) {
            page.open(server);
            clients.sendHalfBodies(12);
            clients.send(8, "GET /quick HTTP/1.1\r\nHos");
            clients.get(11, "/large?token=secret");
            page.awaitSentence("20 clients send slowly, 11 take their answers slowly\\.");
            page.awaitText("#details", "No worker waits for them.");
            assertEquals("Slow clients", page.tone());
            assertEquals(List.of("Arriving", "Draining"), page.markedParts());
            assertTrue(page.level("connections-body") > page.level("connections-head"));
            // The scale fits the 31 clients, not the limit of 20,000.
            page.await(() -> page.level("connections-draining") == 11 / 50.0);
            assertEquals("full at 50", page.text("#st-draining .full-at"));
            // On a busy machine up to eleven requests have waited for the two workers.
            assertTrue(page.text("#st-queue .full-at").matches("full at (10|20)"), page.text("#st-queue .full-at"));
            // On the page, a tank shows a number of connections or of waiting requests. A tank that is not empty has at
            // least three filled pixels. An animation raises the level to this height.
            page.await(() -> page.filledPixels("connections-draining") >= 3);
            // On a busy machine some requests wait for the two workers at first.
            page.await(() -> page.level("queued") == 0 && page.filledPixels("queued") == 0);
            page.awaitText("#st-workers .big", "0 of 2 busy");
            page.awaitText("#busiest", "GET /large");
            String pipes = page.text("#busiest");
            assertTrue(pipes.contains("takes its answer"), pipes);
            assertTrue(pipes.contains("disk"), pipes);
            assertFalse(pipes.contains("secret"), pipes);
            page.awaitText("#busiest", "POST /upload");
            page.assertAccessible();
            page.assertSelfContained(server);
        }
    }

    /**
     * A pipe is the buffer between client and worker. Its capacity can be several megabytes, but the page must also show a content of a few
     * kilobytes.
     */
    @Test
    void theBoardShowsEvenASmallAmountOfBufferedData() throws Exception {
        try (Penstock server = BoardServer.withShop().start();
                SlowClients clients = new SlowClients(server)) {
            page.open(server);
            clients.sendHalfBodies(1);
            page.awaitText("#busiest", "POST /upload");
            page.awaitText(".pipes .scale", "A full bar is 4 MB in memory (pipe-capacity).");
            page.await(() -> Boolean.TRUE.equals(
                    page.script("return document.querySelector('#busiest .tube i').matches('.some')")));
            page.assertAccessible();
        }
    }

    @Test
    void theReasonIsShownForEachClientThatTimedOut() throws Exception {
        try (Penstock server =
                        BoardServer.withShop().set("body-stall-timeout", "1s").start();
                SlowClients clients = new SlowClients(server)) {
            page.open(server);
            clients.sendHalfBodies(3);
            awaitEvents("#refusals", "408\\s+body stalled 1 s", "client", 3);
        }
    }

    /**
     * Waits until the list contains {@code times} events. A line can stand for several events, and contains their number. On a busy
     * machine, the list may have several lines, so this method adds the numbers of all lines.
     */
    private static void awaitEvents(String list, String what, String noun, int times) {
        Pattern line = Pattern.compile("\\d\\d:\\d\\d:\\d\\d\\s+" + what + ", (\\d+) " + noun + "s? in \\d+ s");
        page.await(() -> line.matcher(page.text(list))
                        .results()
                        .mapToInt(found -> Integer.parseInt(found.group(1)))
                        .sum()
                == times);
    }

    @Test
    void aFailedDeploymentIsShownUntilADeploymentSucceeds(@TempDir Path folder) throws Exception {
        Path webInf = Files.createDirectories(folder.resolve("shop/WEB-INF"));
        Files.writeString(webInf.resolve("web.xml"), "<web-app><servlt/></web-app>");
        try (Penstock server = BoardServer.withShop().start()) {
            page.open(server);
            assertEquals("", page.text("#failed"));
            assertThrows(DeployException.class, () -> server.deploy("/", folder.resolve("shop")));
            page.awaitText("#failed", "<servlt> is not an element of <web-app>");
            String line = page.text("#failed");
            assertTrue(
                    line.matches("/ was not deployed at \\d\\d:\\d\\d:\\d\\d, its former version stays in service: .*"),
                    line);
            page.assertAccessible();
            page.assertNoHorizontalScrolling();
            Files.writeString(webInf.resolve("web.xml"), "<web-app/>");
            server.deploy("/", folder.resolve("shop"));
            page.await(() -> page.text("#failed").isEmpty());
        }
    }

    @Test
    void aFailureOfTheApplicationIsNotCountedAsARefusal() throws Exception {
        try (Penstock server = BoardServer.withShop()
                        .context("/bad", context -> context.servlet("fail", new Failing(), "/fail"))
                        .start();
                SlowClients clients = new SlowClients(server)) {
            page.open(server);
            page.awaitSentence("Quiet: .*");
            clients.get(3, "/bad/fail");
            awaitEvents("#failures", "500\\s+/bad failed", "request", 3);
            assertEquals("", page.text("#p-lost"));
            assertTrue(page.text("#p-fail").matches("at most [\\d.]+ failed a second"), page.text("#p-fail"));
            page.assertAccessible();
        }
    }

    private static final class Failing extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) {
            throw new IllegalStateException("on purpose");
        }
    }

    private static boolean matches(List<String> patterns, List<String> lines) {
        return lines.size() == patterns.size()
                && IntStream.range(0, lines.size()).allMatch(i -> lines.get(i).matches(patterns.get(i)));
    }

    @Test
    void theBoardShowsTheCauseOfAnOverload() throws Exception {
        OrderServlet orders = new OrderServlet();
        try (Penstock server = BoardServer.withShop(orders)
                        .set("queue", "3")
                        .set("queue-age", "600s")
                        .start();
                SlowClients clients = new SlowClients(server)) {
            page.open(server);
            clients.get(5, "/orders/17");
            page.awaitText("#st-queue .big", "3 of 3");
            // The refused request itself can be among the waiting ones that the board has counted.
            List<String> expected = List.of(
                    "All 2 workers are in OrderServlet\\.load, for up to .*\\.",
                    "3 requests for / orders /orders/\\* wait, the oldest for .*\\.",
                    "[\\d.]+ requests? a second (is|are) refused\\.");
            page.await(() -> {
                sendRefusedRequest(server);
                return page.tone().equals("Trouble") && matches(expected, page.lines("#details"));
            });
            assertEquals("The application is slow in OrderServlet.load.", page.sentence());
            assertEquals(List.of("Workers"), page.markedParts());
            assertEquals("2 of 2 busy", page.text("#st-workers .big"));
            assertEquals(2, page.number("document.querySelectorAll('.cell.calls').length"));
            assertTrue(
                    page.text("#holders").matches("(?s)/ orders /orders/\\*\\s+2\\s.*\\s3\\s.*"),
                    page.text("#holders"));
            assertEquals(1, page.level("queued"));
            assertEquals(true, page.script("return document.querySelector('[data-tank=queued]').matches('.over')"));
            assertTrue(
                    page.text("#refusals").matches("(?s).*503\\s+the queue was full \\(3\\), \\d+ requests?.*"),
                    page.text("#refusals"));
            assertTrue(page.text("#work").contains("GET /orders/17"), page.text("#work"));
            page.assertAccessible();
            page.assertSelfContained(server);
            sendRefusedRequest(server); // on a busy machine, the checks can take longer than the page shows a refusal
            orders.releaseDatabase();
            page.awaitText("#details", "Quiet: ");
            assertTrue(page.sentence().startsWith("The server refuse"), page.sentence());
            assertEquals("Attention", page.tone());
            assertEquals(List.of("The server refuses"), page.markedParts());
        }
    }

    /** Sends a request for the servlet that fills the queue. A request for another servlet would get one of its places. */
    private static void sendRefusedRequest(Penstock server) {
        try (Socket socket = new Socket("127.0.0.1", server.port())) {
            socket.getOutputStream()
                    .write("GET /orders/18 HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
            assertTrue(socket.getInputStream().read() >= 0);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A client that sends requests until it is closed. */
    private static final class Client implements AutoCloseable {
        private final ExecutorService thread = Executors.newSingleThreadExecutor();
        private final Future<?> asking;

        Client(Penstock server) {
            asking = thread.submit(() -> {
                byte[] answer = new byte[4096];
                try (Socket socket = new Socket("127.0.0.1", server.port())) {
                    while (!Thread.currentThread().isInterrupted()) {
                        socket.getOutputStream().write(QUICK_REQUEST);
                        if (socket.getInputStream().read(answer) < 0) {
                            break;
                        }
                    }
                }
                return null;
            });
        }

        boolean isRunning() {
            return !asking.isDone();
        }

        @Override
        public void close() throws InterruptedException {
            thread.shutdownNow();
            assertTrue(thread.awaitTermination(Patience.PATIENCE.toSeconds(), TimeUnit.SECONDS));
        }
    }
}
