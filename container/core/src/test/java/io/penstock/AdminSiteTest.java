package io.penstock;

import static io.penstock.PromptWaits.PATIENCE;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.admin.JsonValue;
import io.penstock.limits.Counter;
import io.penstock.limits.Key;
import io.penstock.metrics.Gauge;
import io.penstock.metrics.Metric;
import io.penstock.metrics.MetricsText;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the pages and the data of the admin port, and the requests that the admin port refuses. */
class AdminSiteTest {
    private static final String TOKEN = "a-token-that-is-long";

    @RegisterExtension
    final LeakCheck nothingLeft = new LeakCheck();

    private final CountDownLatch mayContinue = new CountDownLatch(1);

    /** Waits until the test opens the latch, and then responds with "done". */
    private final class Waiting extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            waitInTheApplication();
            response.getWriter().print("done");
        }

        private void waitInTheApplication() throws IOException {
            try {
                mayContinue.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }
    }

    private Penstock.Builder local() {
        return Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(1)
                .set("admin-port", "0")
                .context("/shop", context -> context.servlet("wait", new Waiting(), "/wait"));
    }

    private static void awaitLevel(Penstock server, Gauge gauge, long value) {
        await().until(() -> server.gauges().get(gauge.id()) == value);
    }

    @Test
    void theAdminPortIsDisabledByDefault() throws Exception {
        try (Penstock server = Penstock.builder().host("127.0.0.1").port(0).start()) {
            assertTrue(server.adminAddress().isEmpty());
        }
    }

    @Test
    void theServerDoesNotStartIfTheAdminPortIsInUse() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(taken.getLocalPort());
            StartException refusal = assertThrows(
                    StartException.class, () -> local().set("admin-port", port).start());
            assertTrue(
                    refusal.getMessage().startsWith("admin-port: cannot listen on 127.0.0.1:" + port),
                    refusal.getMessage());
        }
    }

    @Test
    void theReadinessCheckSucceedsOnlyBetweenTheStartAndTheStopOfTheServer() throws Exception {
        int free = UnusedPort.next();
        AdminPort admin = new AdminPort(free);
        CountDownLatch starts = new CountDownLatch(1);
        ServletContextListener slow = new ServletContextListener() {
            @Override
            public void contextInitialized(ServletContextEvent event) {
                starts.countDown();
                try {
                    mayContinue.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        };
        FutureTask<Penstock> start = new FutureTask<>(() -> local().set("admin-port", Integer.toString(free))
                .set("shutdown-delay", "1h")
                .context("/", context -> context.listener(slow))
                .start());
        new Thread(start, "starter").start();
        assertTrue(starts.await(PATIENCE.toSeconds(), TimeUnit.SECONDS));
        assertEquals(200, admin.get("/health/live").status());
        assertEquals(503, admin.get("/health/ready").status());
        assertEquals("starting\n", admin.get("/health/ready").body());
        mayContinue.countDown();
        Penstock server = start.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertEquals(200, admin.get("/health/ready").status());
        assertEquals(404, admin.get("/health/other").status());
        Thread end = new Thread(server::close, "ender");
        end.start();
        await().until(() -> !server.isReady());
        assertEquals("ending\n", admin.get("/health/ready").body());
        assertEquals(503, admin.get("/health/ready").status());
        assertEquals(200, admin.get("/health/live").status());
        end.interrupt(); // ends the shutdown delay
        end.join();
        assertThrows(IOException.class, () -> admin.get("/health/live"));
    }

    @Test
    void theAdminPortRespondsWhileTheRequestQueueIsFullAndTheWorkerIsBusy() throws Exception {
        String request = "GET /shop/wait?secret=1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
        try (Penstock server = local().queue(1).set("queue-age", "5m").start();
                Socket first = RawExchange.begin(server, request)) {
            awaitLevel(server, Gauge.WORKERS_BUSY, 1);
            try (Socket second = RawExchange.begin(server, request)) {
                awaitLevel(server, Gauge.QUEUED, 1);
                assertEquals(503, RawExchange.get(server, "/shop/wait").status());
                AdminPort admin = AdminPort.of(server);
                assertEquals(200, admin.get("/health/ready").status());
                MetricsText metrics = admin.metrics();
                assertEquals(1, metrics.value("penstock_queued"));
                assertEquals(1, metrics.value("penstock_workers_busy"));
                assertEquals(0, metrics.value("penstock_workers_idle"));
                assertEquals(1, metrics.value("penstock_workers_started"));
                assertEquals(1, metrics.value("penstock_mapping_workers_busy{mapping=\"/shop wait\"}"));
                assertEquals(1, metrics.value("penstock_mapping_queued{mapping=\"/shop wait\"}"));
                assertEquals(1, metrics.value("penstock_mapping_refused_total{mapping=\"/shop wait\"}"));
                assertEquals(0, metrics.value("penstock_mapping_workers_busy{mapping=\"other\"}"));
                assertEquals(
                        1,
                        metrics.value("penstock_refusals_total{http_response_status_code=\"503\",reason=\"queue\"}"));
                Object dump = admin.json("/dump");
                assertEquals("worker-1", JsonValue.at(dump, "workers", 0, "name"));
                assertEquals("waits", JsonValue.at(dump, "workers", 0, "doing"));
                assertEquals("/shop wait", JsonValue.at(dump, "mappings", 0, "name"));
                assertEquals(1.0, JsonValue.at(dump, "mappings", 0, "running"));
                assertEquals(1.0, JsonValue.at(dump, "mappings", 0, "waiting"));
                assertEquals(1.0, JsonValue.at(dump, "mappings", 0, "refused"));
                assertTrue(JsonValue.at(dump, "workers", 0, "stack").toString().contains("waitInTheApplication"));
                String connections = JsonValue.at(dump, "connections").toString();
                assertTrue(connections.contains("state=running, waitsFor=the application"), connections);
                assertTrue(connections.contains("state=queued, waitsFor=a worker"), connections);
                assertTrue(connections.contains("otherRequests=[]"), connections);
                assertEquals(1.0, JsonValue.at(dump, "gauges", "queued"));
                assertEquals(1.0, JsonValue.at(dump, "counters", "queue-full"));
                assertEquals("1", JsonValue.at(dump, "limits", "queue", "value"));
                assertEquals(1.0, JsonValue.at(dump, "limits", "queue", "reached"));
                assertEquals("503", JsonValue.at(dump, "limits", "queue", "beyond"));
                assertFalse(dump.toString().contains("secret"), "the dump shows a query, which can contain secrets");
                String text = admin.get("/dump").whole();
                assertTrue(text.contains("worker-1 for "), text);
                assertTrue(text.contains("the application"), text);
                assertTrue(text.contains("limits, and how often each was reached"), text);
                assertEquals(1.0, JsonValue.at(admin.json("/contexts?format=json"), "serving", 0, "requests"));
                mayContinue.countDown();
                assertTrue(
                        new String(second.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).endsWith("done"));
            }
            assertTrue(new String(first.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).endsWith("done"));
            nothingLeft.awaitIn(server);
        }
    }

    @Test
    void metricsHaveTheRequestedFormatAndContainAllCountersAndGauges() throws Exception {
        mayContinue.countDown();
        try (Penstock server = local().start()) {
            AdminPort admin = AdminPort.of(server);
            assertEquals(
                    List.of("application/openmetrics-text;version=1.0.0;charset=utf-8"),
                    admin.get("/metrics", "Accept: application/openmetrics-text;version=1.0.0,*/*;q=0.1")
                            .values("Content-Type"));
            RawExchange plain = admin.get("/metrics");
            assertEquals(List.of("text/plain;version=0.0.4;charset=utf-8"), plain.values("Content-Type"));
            assertEquals(List.of("Accept"), plain.values("Vary"));
            assertFalse(plain.whole().contains("# EOF"));
            assertEquals(200, RawExchange.get(server, "/shop/wait").status());
            assertEquals(404, RawExchange.get(server, "/nowhere").status());
            assertEquals(400, RawExchange.of(server, "nonsense\r\n\r\n").status());
            await().until(() -> admin.metrics().value("penstock_requests_total{outcome=\"refused\"}") == 2);
            MetricsText metrics = admin.metrics();
            assertEquals(1, metrics.value("penstock_requests_total{outcome=\"answered\"}"));
            String duration = "http_server_request_duration_seconds_%s{url_scheme=\"http\",http_request_method=\"%s\","
                    + "http_response_status_code=\"%d\"%s}";
            assertEquals(1, metrics.value(duration.formatted("count", "GET", 200, "")));
            assertEquals(1, metrics.value(duration.formatted("count", "GET", 404, "")));
            assertEquals(1, metrics.value(duration.formatted("bucket", "GET", 404, ",le=\"10.0\"")));
            assertEquals(1, metrics.value(duration.formatted("count", "_OTHER", 400, "")));
            assertEquals(
                    0, metrics.value("http_server_active_requests{url_scheme=\"http\",http_request_method=\"GET\"}"));
            assertEquals(
                    0, metrics.value("penstock_refusals_total{http_response_status_code=\"503\",reason=\"queue\"}"));
            assertEquals(20_000, metrics.value("penstock_limit{key=\"queue\"}"));
            assertEquals(10, metrics.value("penstock_limit_seconds{key=\"queue-age\"}"));
            assertEquals(4 << 20, metrics.value("penstock_limit_bytes{key=\"pipe-capacity\"}"));
            for (String stage : List.of("head", "queue", "service")) {
                assertTrue(
                        metrics.value("penstock_request_stage_duration_seconds_count{stage=\"" + stage + "\"}") >= 1,
                        "no request was counted in the histogram of the stage " + stage);
            }
            assertEquals(0, metrics.value("penstock_request_stage_duration_seconds_count{stage=\"body\"}"));
            assertEquals(1, metrics.value("penstock_responses_total{http_response_status_code=\"200\"}"));
            assertEquals(
                    1, metrics.value("penstock_refusals_total{http_response_status_code=\"404\",reason=\"other\"}"));
            assertTrue(metrics.value("penstock_received_bytes_total") > 100);
            assertTrue(metrics.value("penstock_sent_bytes_total") > 300);
            for (Counter counter : Counter.values()) {
                metrics.value(Metric.of(counter).total());
            }
            for (Gauge gauge : Gauge.values()) {
                metrics.value(Metric.of(gauge).name());
            }
            assertEquals(1, metrics.value("penstock_workers"));
            assertTrue(metrics.value("process_start_time_seconds") > 0);
            assertTrue(metrics.value("jvm_memory_used_bytes{jvm_memory_type=\"heap\"}") > 0);
            assertEquals("histogram", metrics.types().get("penstock_request_stage_duration_seconds"));
        }
    }

    @Test
    void requestMetricsCanBeDisabled() throws Exception {
        mayContinue.countDown();
        try (Penstock server = local().set("request-metrics", "off").start()) {
            assertEquals(200, RawExchange.get(server, "/shop/wait").status());
            assertFalse(AdminPort.of(server).metrics().types().containsKey("penstock_requests"));
        }
    }

    @Test
    void theConfigPageShowsTheOriginOfEachValueAndHidesSecrets() throws Exception {
        try (Penstock server = local().set("admin-token", TOKEN)
                .set("queue", "17", "the operator's note")
                .start()) {
            RawExchange shown =
                    AdminPort.of(server).get("/config", "Authorization: Bearer " + TOKEN, "Accept: application/json");
            Object config = JsonValue.read(shown.whole());
            assertEquals("17", JsonValue.at(config, "queue", "value"));
            assertEquals("the operator's note", JsonValue.at(config, "queue", "origin"));
            assertEquals("code", JsonValue.at(config, "workers", "origin"));
            assertEquals("default", JsonValue.at(config, "body-limit", "origin"));
            assertEquals("(hidden)", JsonValue.at(config, "admin-token", "value"));
            for (Key key : Key.values()) {
                JsonValue.at(config, key.id(), "value");
            }
            assertFalse(shown.text().contains(TOKEN));
            assertFalse(server.dump().contains(TOKEN));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/board.js", "/events", "/metrics", "/dump", "/config", "/contexts", "/none"})
    void onlyHealthChecksAreAllowedWithoutTheAdminToken(String target) throws Exception {
        try (Penstock server = local().set("admin-token", TOKEN).start()) {
            AdminPort admin = AdminPort.of(server);
            RawExchange refused = admin.get(target);
            assertEquals(401, refused.status());
            assertEquals(
                    List.of("Bearer realm=\"Penstock\"", "Basic realm=\"Penstock\", charset=\"UTF-8\""),
                    refused.values("WWW-Authenticate"));
            assertEquals("The admin token is required\n", refused.whole());
            assertEquals(
                    401,
                    admin.get(target, "Authorization: Bearer " + TOKEN + "x").status());
            assertEquals(200, admin.get("/health/live").status());
            assertNotEquals(200, admin.get("/health/../dump").status());
        }
    }

    @Test
    void requestsWithAnUnknownNameInTheHostFieldAreRefused() throws Exception {
        try (Penstock server = local().start()) {
            AdminPort admin = AdminPort.of(server);
            RawExchange rebound = admin.send("GET", "/dump", "evil.example");
            assertEquals(403, rebound.status());
            assertFalse(rebound.text().contains("workers"), rebound.text());
            assertEquals(
                    403,
                    admin.send("GET", "/health/live", "evil.example:" + admin.port())
                            .status());
            assertEquals(
                    200, admin.send("GET", "/dump", "127.0.0.1:" + admin.port()).status());
            assertEquals(200, admin.send("GET", "/dump", "[::1]").status());
        }
    }

    @Test
    void theAdminSiteIsReadOnlyAndForbidsInlineScripts() throws Exception {
        try (Penstock server = local().start()) {
            AdminPort admin = AdminPort.of(server);
            for (String method : List.of("POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE")) {
                assertEquals(
                        405,
                        admin.send(method, "/dump", "localhost").status(),
                        "the status of the response to the method " + method);
            }
            assertEquals(
                    413,
                    admin.send("GET", "/dump", "localhost", "Content-Length: 1").status());
            for (String target : List.of("/", "/metrics", "/none", "/health/live")) {
                RawExchange answer = admin.get(target);
                String policy = answer.values("Content-Security-Policy").get(0);
                assertTrue(policy.startsWith("default-src 'none'; script-src 'self'"), policy);
                assertFalse(policy.contains("unsafe"), policy);
                assertEquals(List.of("nosniff"), answer.values("X-Content-Type-Options"), target);
                assertEquals(List.of("no-store"), answer.values("Cache-Control"), target);
                assertEquals(List.of(), answer.values("Access-Control-Allow-Origin"), target);
            }
            String page = admin.get("/").whole();
            assertFalse(page.contains("<style") || page.contains(" style=") || page.contains(" onclick="), page);
            assertFalse(page.contains("http://") || page.contains("https://"), "the page refers to another server");
        }
    }

    @Test
    void theAdminPortHasSeparateThreads() throws Exception {
        try (Penstock server = local().start()) {
            assertEquals(200, AdminPort.of(server).get("/metrics").status());
            List<String> names = new ArrayList<>();
            Thread.getAllStackTraces().keySet().forEach(thread -> names.add(thread.getName()));
            assertTrue(
                    names.containsAll(
                            List.of("worker-1", "reactor-1", "admin-worker-1", "admin-worker-2", "admin-reactor-1")),
                    names::toString);
        }
    }
}
