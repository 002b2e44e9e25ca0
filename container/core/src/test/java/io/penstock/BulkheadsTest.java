package io.penstock;

import static io.penstock.PromptWaits.PATIENCE;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.admin.JsonValue;
import io.penstock.limits.Counter;
import io.penstock.metrics.Gauge;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Tests bulkheads. A bulkhead limits the workers of an application, or of a path inside an application. While the requests of one bulkhead
 * hang, the server must serve all other requests.
 */
class BulkheadsTest {
    private static final int HANGING = 200;
    private static final int WORKERS = 8;

    @RegisterExtension
    final LeakCheck nothingLeft = new LeakCheck();

    private final Semaphore database = new Semaphore(0);

    /** Waits until the test releases the semaphore {@code database}, and then sends a report. */
    private final class Report extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            try {
                database.acquire();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            response.getWriter().print("report");
        }
    }

    /** Waits like {@link Report}, but in an asynchronous task. The worker that called the servlet does not wait. */
    private final class LaterReport extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) {
            AsyncContext later = request.startAsync();
            later.start(() -> {
                database.acquireUninterruptibly();
                later.complete();
            });
        }
    }

    private static final class Hello extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter().print("hello");
        }
    }

    private Penstock.Builder server() {
        return Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(WORKERS)
                .set("admin-port", "0")
                .set("queue-age", "10m")
                .context("/", context -> context.servlet("hello", new Hello(), "/hello", "/reports-of-others"))
                .context("/reports", context -> {
                    context.servlet("report", new Report(), "/*");
                    context.servlet("later", new LaterReport(), "/later");
                })
                .context("/shop", context -> {
                    context.servlet("hello", new Hello(), "/*");
                    context.servlet("export", new Report(), "/export/*");
                });
    }

    private static String get(String path) {
        return "GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    }

    private static List<Socket> begin(Penstock server, String path, int count) throws IOException {
        List<Socket> clients = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            clients.add(RawExchange.begin(server, get(path)));
        }
        return clients;
    }

    private static String all(Socket client) throws IOException {
        return new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }

    private static double figure(Penstock server, String name, String path) throws IOException {
        String row = name + "{bulkhead=\"" + path + "\"} ";
        return AdminPort.of(server)
                .get("/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith(row))
                .mapToDouble(line -> Double.parseDouble(line.substring(row.length())))
                .findFirst()
                .orElseThrow();
    }

    /**
     * Four of the 200 requests occupy four of the eight workers. 100 requests wait in the queue of the bulkhead. The bulkhead refuses the
     * remaining 96 requests.
     */
    @Test
    void twoHundredHangingRequestsDoNotAffectOtherApplications() throws Exception {
        try (Penstock server = server().set("/reports:max-workers", "4").start()) {
            List<Socket> hanging = begin(server, "/reports/sales", HANGING);
            await().atMost(PATIENCE)
                    .until(() -> figure(server, "penstock_bulkhead_refused_total", "/reports") == HANGING - 104);
            assertEquals(4, figure(server, "penstock_bulkhead_workers_busy", "/reports"));
            assertEquals(4, figure(server, "penstock_bulkhead_workers_limit", "/reports"));
            assertEquals(100, figure(server, "penstock_bulkhead_queued", "/reports"));
            assertEquals(100, figure(server, "penstock_bulkhead_queued_limit", "/reports"));
            for (int i = 0; i < 1000; i++) {
                assertEquals("hello", RawExchange.get(server, "/hello").body());
            }
            assertEquals(200, RawExchange.get(server, "/reports-of-others").status());
            await().atMost(PATIENCE).until(() -> server.gauges().get(Gauge.WORKERS_BUSY.id()) == 4);
            assertEquals(0, server.gauges().get(Gauge.QUEUED.id()));
            assertEquals(HANGING - 104L, server.counters().get(Counter.BULKHEAD_FULL.id()));
            assertEquals(0, server.counters().get(Counter.OVERLOADED.id()));
            assertEquals(0, server.counters().get(Counter.QUEUE_FULL.id()));
            database.release(HANGING);
            int served = 0;
            int refused = 0;
            for (Socket client : hanging) {
                String answer = all(client);
                if (answer.endsWith("report")) {
                    served++;
                } else {
                    assertTrue(answer.startsWith("HTTP/1.1 503 "), answer);
                    assertTrue(answer.contains("\r\nRetry-After: "), answer);
                    refused++;
                }
                client.close();
            }
            assertEquals(104, served);
            assertEquals(HANGING - 104, refused);
            nothingLeft.awaitIn(server);
        }
    }

    @Test
    void aPathInsideAnApplicationCanHaveASeparateBulkhead() throws Exception {
        try (Penstock server = server().set("/shop/export:max-workers", "1")
                .set("/shop/export:max-queued", "0")
                .start()) {
            List<Socket> hanging = begin(server, "/shop/export/a", 1);
            await().atMost(PATIENCE).until(() -> figure(server, "penstock_bulkhead_workers_busy", "/shop/export") == 1);
            assertEquals(503, RawExchange.get(server, "/shop/export/b").status());
            assertEquals(503, RawExchange.get(server, "/shop/export").status());
            assertEquals(503, RawExchange.get(server, "/shop/%65xport/c;x=y").status());
            assertEquals(200, RawExchange.get(server, "/shop/exports").status());
            assertEquals(200, RawExchange.get(server, "/shop/").status());
            database.release(1);
            assertTrue(all(hanging.get(0)).endsWith("report"));
            hanging.get(0).close();
            nothingLeft.awaitIn(server);
        }
    }

    /**
     * The servlet returns at once, and its worker is free. Then the asynchronous task of each request needs a worker of the bulkhead.
     */
    @Test
    void asynchronousTasksUseOnlyTheWorkersOfTheirBulkhead() throws Exception {
        try (Penstock server = server().set("/reports:max-workers", "2").start()) {
            List<Socket> hanging = begin(server, "/reports/later", 20);
            await().atMost(PATIENCE).until(() -> figure(server, "penstock_bulkhead_workers_busy", "/reports") == 2);
            await().atMost(PATIENCE).until(() -> figure(server, "penstock_bulkhead_queued", "/reports") == 18);
            for (int i = 0; i < 100; i++) {
                assertEquals(200, RawExchange.get(server, "/hello").status());
            }
            assertEquals(2, figure(server, "penstock_bulkhead_workers_busy", "/reports"));
            database.release(20);
            for (Socket client : hanging) {
                assertTrue(all(client).startsWith("HTTP/1.1 200 "));
                client.close();
            }
            nothingLeft.awaitIn(server);
        }
    }

    @Test
    void limitsOfTheRootApplicationDoNotApplyToOtherApplications() throws Exception {
        try (Penstock server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(WORKERS)
                .set("admin-port", "0")
                .set("/:max-workers", "1")
                .set("/:max-queued", "0")
                .context("/", context -> context.servlet("report", new Report(), "/*"))
                .context("/shop", context -> context.servlet("hello", new Hello(), "/*"))
                .start()) {
            List<Socket> hanging = begin(server, "/a", 1);
            await().atMost(PATIENCE).until(() -> figure(server, "penstock_bulkhead_workers_busy", "/") == 1);
            assertEquals(503, RawExchange.get(server, "/b").status());
            assertEquals(200, RawExchange.get(server, "/shop/").status());
            database.release(1);
            assertTrue(all(hanging.get(0)).endsWith("report"));
            hanging.get(0).close();
            nothingLeft.awaitIn(server);
        }
    }

    @Test
    void anApplicationOfAVirtualHostCanHaveASeparateBulkhead() throws Exception {
        try (Penstock server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(WORKERS)
                .set("admin-port", "0")
                .set("//www.example.org/shop:max-workers", "1")
                .set("//www.example.org/shop:max-queued", "0")
                .context("/shop", context -> context.servlet("hello", new Hello(), "/*"))
                .context("//www.example.org/shop", context -> context.servlet("report", new Report(), "/*"))
                .start()) {
            String request = "GET /shop/ HTTP/1.1\r\nHost: www.example.org\r\nConnection: close\r\n\r\n";
            try (Socket hanging = RawExchange.begin(server, request)) {
                await().atMost(PATIENCE)
                        .until(() -> figure(server, "penstock_bulkhead_workers_busy", "//www.example.org/shop") == 1);
                assertEquals(503, RawExchange.of(server, request).status());
                assertEquals(200, RawExchange.get(server, "/shop/").status());
                database.release(1);
                assertTrue(all(hanging).endsWith("report"));
            }
            nothingLeft.awaitIn(server);
        }
    }

    /** The server stops while one request hangs, and two requests wait in the queue of the bulkhead. */
    @Test
    void hangingAndWaitingRequestsGet503WhenTheServerStops() throws Exception {
        List<Socket> hanging;
        Penstock server = server().set("/reports:max-workers", "1")
                .set("shutdown-timeout", "1ms")
                .start();
        try (server) {
            hanging = begin(server, "/reports/sales", 3);
            await().atMost(PATIENCE).until(() -> figure(server, "penstock_bulkhead_queued", "/reports") == 2);
        }
        database.release(3);
        int unavailable = 0;
        for (Socket client : hanging) {
            if (all(client).startsWith("HTTP/1.1 503 ")) {
                unavailable++;
            }
            client.close();
        }
        assertEquals(3, unavailable);
    }

    @Test
    void theAdminPortShowsTheStateOfBulkheads() throws Exception {
        try (Penstock server = server().set("/reports:max-workers", "1")
                        .set("/reports:max-spool-writes", "3")
                        .set("/shop:max-spool-writes", "2")
                        .start();
                AdminPort.Following page = AdminPort.of(server).follow()) {
            List<Socket> hanging = begin(server, "/reports/sales", 2);
            long deadline = System.nanoTime() + PATIENCE.toNanos();
            Object event = page.next();
            while (!JsonValue.at(event, "sentence").toString().contains("The bulkhead /reports")) {
                assertTrue(System.nanoTime() < deadline, "no event of the admin port shows the bulkhead: " + event);
                event = page.next();
            }
            assertEquals("The bulkhead /reports has its one worker busy.", JsonValue.at(event, "sentence"));
            String details = JsonValue.at(event, "details").toString();
            assertTrue(details.contains("1 request waits there. Other requests are served."), details);
            assertEquals("/reports", JsonValue.at(event, "bulkheads", 0, "path"));
            assertEquals(1.0, JsonValue.at(event, "bulkheads", 0, "running"));
            assertEquals(1.0, JsonValue.at(event, "bulkheads", 0, "queued"));
            assertEquals(2.0, JsonValue.at(event, "bulkheads", 1, "maxSpoolWrites"));
            String dump = AdminPort.of(server).get("/dump").body();
            assertTrue(dump.contains("1 of 1 workers, 1 of 100 wait, 0 refused, 0 of 3 writes to disk"), dump);
            assertTrue(dump.contains("all workers, 0 of 2 writes to disk"), dump);
            String metrics = AdminPort.of(server).get("/metrics").body();
            assertTrue(metrics.contains("penstock_bulkhead_spool_writes_limit{bulkhead=\"/shop\"} 2"), metrics);
            database.release(2);
            for (Socket client : hanging) {
                assertTrue(all(client).endsWith("report"));
                client.close();
            }
            nothingLeft.awaitIn(server);
        }
    }
}
