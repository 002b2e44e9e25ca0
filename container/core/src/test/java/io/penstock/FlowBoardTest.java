package io.penstock;

import static io.penstock.PromptWaits.PATIENCE;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.admin.JsonValue;
import io.penstock.limits.Counter;
import io.penstock.metrics.Gauge;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Tests the event stream of the flow board (the page of the admin port): the content of the events, the limit on clients, and clients that
 * do not read.
 */
class FlowBoardTest {
    @RegisterExtension
    final LeakCheck nothingLeft = new LeakCheck();

    private final CountDownLatch leave = new CountDownLatch(1);

    /** Answers after the test opens a latch. */
    private final class Waiting extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            try {
                leave.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            response.getWriter().print("done");
        }
    }

    private Penstock.Builder local() {
        return Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(1)
                .set("admin-port", "0")
                .context("/", context -> context.servlet("wait", new Waiting(), "/wait/*"));
    }

    /** Waits for the first event whose value at {@code path} contains {@code part}. */
    private static Object awaitEvent(AdminPort.Following page, String part, Object... path) throws IOException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        Object moment = page.next();
        while (!JsonValue.at(moment, path).toString().contains(part)) {
            assertTrue(System.nanoTime() < deadline, "no event contains " + part + "; the last event is " + moment);
            moment = page.next();
        }
        return moment;
    }

    @Test
    void theEventsShowRunningAndQueuedAndRefusedRequests() throws Exception {
        String request = "GET /wait/a?secret=1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
        try (Penstock server = local().set("queue", "1").start();
                AdminPort.Following page = AdminPort.of(server).follow()) {
            assertEquals(200, page.status());
            Object quiet = awaitEvent(page, "Quiet", "sentence");
            assertEquals("calm", JsonValue.at(quiet, "tone"));
            assertEquals("ready", JsonValue.at(quiet, "health"));
            try (Socket first = RawExchange.begin(server, request)) {
                await().until(() -> server.gauges().get(Gauge.WORKERS_BUSY.id()) == 1);
                try (Socket second = RawExchange.begin(server, request);
                        Socket body = RawExchange.begin(
                                server, "POST /wait HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc")) {
                    Object moment = awaitEvent(page, "1 request for / wait /wait/a waits, for ", "details");
                    assertEquals("busy", JsonValue.at(moment, "tone"));
                    assertEquals(1.0, JsonValue.at(moment, "levels", "queued"));
                    assertEquals("waits", JsonValue.at(moment, "workers", 0, "doing"));
                    assertTrue(
                            JsonValue.at(moment, "workers", 0, "job").toString().endsWith(" GET /wait/a"));
                    moment = awaitEvent(page, "requestInMemory=3.0", "busiest");
                    assertEquals("body", JsonValue.at(moment, "busiest", 0, "state"));
                    assertTrue(JsonValue.at(moment, "busiest", 0, "request")
                            .toString()
                            .endsWith(" POST /wait"));
                    assertFalse(
                            moment.toString().contains("secret"), "the event must not contain the query of a request");
                    assertEquals(503, RawExchange.get(server, "/wait/b").status());
                    moment = awaitEvent(page, "the queue was full (1)", "incidents");
                    assertEquals(503.0, JsonValue.at(moment, "incidents", 0, "status"));
                    assertEquals(1.0, JsonValue.at(moment, "incidents", 0, "times"));
                    leave.countDown();
                    assertTrue(new String(second.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)
                            .endsWith("done"));
                    body.setSoLinger(true, 0);
                }
                first.getInputStream().readAllBytes();
            }
            Object after = awaitEvent(page, "Quiet", "details");
            assertEquals("attention", JsonValue.at(after, "tone"), "the tone after a refused request");
            assertTrue(JsonValue.at(after, "sentence").toString().startsWith("The server refuse"), after::toString);
            nothingLeft.awaitIn(server);
        }
    }

    /** With 16 workers, one servlet gets 14 of them: seven eighths. */
    @Test
    void theEventsShowWhichServletHoldsTheWorkersAndWhatWaitsBehindIt() throws Exception {
        String request = "GET /wait/a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
        List<Socket> clients = new ArrayList<>();
        try (Penstock server = local().workers(16).start();
                AdminPort.Following page = AdminPort.of(server).follow()) {
            awaitEvent(page, "most=16.0, started=2.0", "crew");
            for (int i = 0; i < 20; i++) {
                clients.add(RawExchange.begin(server, request));
            }
            Object moment = awaitEvent(page, "6 requests for / wait /wait/a wait, the oldest for ", "details");
            assertTrue(
                    JsonValue.at(moment, "details").toString().contains("14 of 16 workers are in "), moment::toString);
            assertTrue(JsonValue.at(moment, "details").toString().contains("Others are served."), moment::toString);
            assertEquals(14.0, JsonValue.at(moment, "crew", "waits"));
            assertEquals(0.0, JsonValue.at(moment, "crew", "busy"));
            assertEquals("/ wait /wait/a", JsonValue.at(moment, "mappings", 0, "name"));
            assertEquals(14.0, JsonValue.at(moment, "mappings", 0, "running"));
            assertEquals(6.0, JsonValue.at(moment, "mappings", 0, "waiting"));
            assertTrue((double) JsonValue.at(moment, "mappings", 0, "oldestMillis") > 0, moment::toString);
            leave.countDown();
            for (Socket client : clients) {
                client.getInputStream().readAllBytes();
                client.close();
            }
            nothingLeft.awaitIn(server);
        }
    }

    /** Answers at once, unless the request has a query. */
    private final class Page extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            if (request.getQueryString() != null) {
                new Waiting().doGet(request, response);
            }
        }
    }

    /** All JSP pages are one servlet, for example. A page that hangs must not stop the others. */
    @Test
    void theRequestsOfAServletForASuffixCountByTheirPaths() throws Exception {
        try (Penstock server = local().workers(4)
                        .context("/pages", context -> context.servlet("page", new Page(), "*.page"))
                        .start();
                AdminPort.Following page = AdminPort.of(server).follow()) {
            assertEquals(200, RawExchange.get(server, "/pages/reports/a.page").status());
            assertEquals(200, RawExchange.get(server, "/pages/b.page").status());
            try (Socket slow = RawExchange.begin(
                    server, "GET /pages/reports/a.page?slow HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")) {
                awaitEvent(page, "name=/pages page /reports/a.page, running=1.0", "mappings");
                leave.countDown();
                slow.getInputStream().readAllBytes();
            }
            nothingLeft.awaitIn(server);
        }
    }

    /** Throws an exception for each request. */
    private static final class Failing extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) {
            throw new IllegalStateException("on purpose");
        }
    }

    @Test
    void failedRequestsAreCountedSeparatelyFromRefusedRequests() throws Exception {
        try (Penstock server = local().context("/bad", context -> context.servlet("fail", new Failing(), "/fail"))
                        .start();
                AdminPort.Following page = AdminPort.of(server).follow()) {
            awaitEvent(page, "Quiet", "sentence");
            assertEquals(500, RawExchange.get(server, "/bad/fail").status());
            Object moment = awaitEvent(page, "/bad failed", "incidents");
            assertEquals(500.0, JsonValue.at(moment, "incidents", 0, "status"));
            assertEquals(1.0, JsonValue.at(moment, "incidents", 0, "times"));
            assertEquals("/bad", JsonValue.at(moment, "applications", 0, "path"));
            assertTrue((double) JsonValue.at(moment, "applications", 0, "failed") > 0, moment::toString);
            assertTrue((double) JsonValue.at(moment, "pace", "failed") > 0, moment::toString);
            assertEquals(0.0, JsonValue.at(moment, "pace", "refused"));
            assertEquals(1.0, JsonValue.at(moment, "lost", "failed"));
            assertTrue(
                    JsonValue.at(moment, "sentence").toString().startsWith("The application /bad fail"),
                    moment::toString);
            assertEquals(
                    1,
                    AdminPort.of(server).metrics().value("penstock_failures_total{http_response_status_code=\"500\"}"));
        }
    }

    @Test
    void markupInRequestPathsIsEscapedInTheEvents() throws Exception {
        try (Penstock server = local().start();
                AdminPort.Following page = AdminPort.of(server).follow();
                Socket hostile = RawExchange.begin(
                        server, "GET /wait/%22%7D%3Cscript%3Ealert(1)%3C/script%3E HTTP/1.1\r\nHost: x\r\n\r\n")) {
            await().until(() -> server.gauges().get(Gauge.WORKERS_BUSY.id()) == 1);
            String text = page.nextText();
            // Other parts of an event can name the path before the list of workers does.
            while (!JsonValue.at(JsonValue.read(text), "workers").toString().contains("alert(1)")) {
                assertFalse(text.contains("<script"), text);
                text = page.nextText();
            }
            assertFalse(text.contains("<script"), text);
            leave.countDown();
            assertTrue(hostile.getInputStream().read() >= 0);
        }
    }

    @Test
    void theNumberOfClientsOfTheEventStreamIsLimited() throws Exception {
        try (Penstock server = local().set("admin-listeners", "2").start()) {
            AdminPort admin = AdminPort.of(server);
            List<AdminPort.Following> pages = new ArrayList<>(List.of(admin.follow(), admin.follow()));
            for (AdminPort.Following page : pages) {
                assertEquals(200, page.status());
                page.next();
            }
            RawExchange refused = admin.get("/events");
            assertEquals(503, refused.status());
            assertEquals(List.of("10"), refused.values("Retry-After"));
            assertEquals(1, server.counters().get(Counter.ADMIN_LISTENERS_REFUSED.id()));
            pages.remove(0).close();
            await().until(() -> {
                try (AdminPort.Following next = admin.follow()) {
                    return next.status() == 200;
                }
            });
            pages.get(0).next();
            pages.get(0).close();
        }
    }

    @Test
    void otherClientsAreNotDelayedByAClientThatDoesNotRead() throws Exception {
        try (Penstock server = local().start()) {
            AdminPort admin = AdminPort.of(server);
            try (AdminPort.Following stuck = admin.followWithReceiveBuffer(1024);
                    AdminPort.Following other = admin.follow()) {
                assertEquals(200, stuck.status());
                double before = (double) JsonValue.at(other.next(), "at");
                double at = before;
                while (at < before + 2_000) {
                    at = (double) JsonValue.at(other.next(), "at");
                }
                assertEquals(200, admin.get("/metrics").status());
                assertEquals(200, admin.get("/dump").status());
            }
        }
    }

    @Test
    void theEventStreamEndsWhenTheServerStops() throws Exception {
        try (AdminPort.Following page = eventStreamOfAStoppedServer()) {
            assertThrows(IOException.class, () -> {
                while (true) {
                    page.next();
                }
            });
        }
    }

    private AdminPort.Following eventStreamOfAStoppedServer() throws Exception {
        try (Penstock server = local().start()) {
            AdminPort.Following page = AdminPort.of(server).follow();
            page.next();
            return page;
        }
    }
}
