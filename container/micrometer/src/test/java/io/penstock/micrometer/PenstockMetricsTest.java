package io.penstock.micrometer;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.penstock.Penstock;
import io.penstock.StartException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Tests the names and the values of the meters of a running server. {@link PenstockMetrics#close} must remove all these meters. */
class PenstockMetricsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final class Hello extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter().print("hello");
        }
    }

    private static Penstock start() throws StartException {
        return Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .set("admin-port", "0")
                .context("/", context -> context.servlet("hello", new Hello(), "/hello"))
                .start();
    }

    private static HttpResponse<String> get(int port, String path, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .version(HttpClient.Version.HTTP_1_1);
        if (headers.length > 0) {
            request.headers(headers);
        }
        return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static double value(SimpleMeterRegistry registry, String name, String... tags) {
        Meter meter = registry.find(name).tags(tags).meter();
        assertNotNull(meter, name);
        return meter.measure().iterator().next().getValue();
    }

    @Test
    void metersHaveTheValuesOfTheServer() throws Exception {
        try (Penstock server = start();
                PenstockMetrics metrics = new PenstockMetrics(server, Tags.of("server", "shop"))) {
            SimpleMeterRegistry registry = new SimpleMeterRegistry();
            metrics.bindTo(registry);
            assertEquals(2, value(registry, "penstock.workers", "server", "shop"));
            assertEquals(2, value(registry, "penstock.workers.started"));
            assertEquals(0, value(registry, "penstock.mapping.workers.busy", "mapping", "other"));
            assertEquals(0, value(registry, "penstock.mapping.queued", "mapping", "other"));
            assertEquals(0, value(registry, "penstock.mapping.refused", "mapping", "other"));
            for (int i = 0; i < 3; i++) {
                assertEquals(200, get(server.port(), "/hello").statusCode());
            }
            await().atMost(PATIENCE)
                    .until(
                            () -> value(registry, "penstock.requests", "outcome", "answered"),
                            answered -> answered == 3);
            assertEquals(3, value(registry, "penstock.responses", "http.response.status_code", "200"));
            FunctionTimer service = registry.get("penstock.request.stage.duration")
                    .tag("stage", "service")
                    .functionTimer();
            assertEquals(3, service.count());
            assertTrue(service.totalTime(TimeUnit.MICROSECONDS) > 1);
            double longest = value(registry, "penstock.request.stage.duration.max", "stage", "service");
            assertTrue(
                    longest > 0 && longest <= service.totalTime(TimeUnit.SECONDS) * 1.001,
                    () -> "the longest service time is " + longest + " s");
            assertEquals(
                    3, value(registry, "penstock.request.stage.duration.within", "stage", "service", "le", "60.0"));
            assertEquals(
                    3, value(registry, "penstock.request.stage.duration.within", "stage", "service", "le", "+Inf"));
            assertEquals(
                    3,
                    registry.get("http.server.request.duration")
                            .tags(
                                    "http.request.method",
                                    "GET",
                                    "http.response.status_code",
                                    "200",
                                    "error.type",
                                    "none")
                            .functionTimer()
                            .count());
            assertEquals(
                    "bytes",
                    registry.get("penstock.pipe.budget.bytes").gauge().getId().getBaseUnit());
            assertEquals(20_000, value(registry, "penstock.limit", "key", "queue"));
        }
    }

    /** The server has sent no response with status 404 before the registry is bound. So the meter for this status is new. */
    @Test
    void newMetersAreRegisteredWhenTheRegistryIsRead() throws Exception {
        try (Penstock server = start();
                PenstockMetrics metrics = new PenstockMetrics(server)) {
            SimpleMeterRegistry registry = new SimpleMeterRegistry();
            metrics.bindTo(registry);
            int before = registry.getMeters().size();
            assertEquals(404, get(server.port(), "/nowhere").statusCode());
            await().atMost(PATIENCE).until(() -> {
                value(registry, "penstock.connections");
                return registry.find("penstock.responses")
                                .tag("http.response.status_code", "404")
                                .meter()
                        != null;
            });
            assertEquals(1, value(registry, "penstock.responses", "http.response.status_code", "404"));
            int after = registry.getMeters().size();
            assertTrue(after > before);
            value(registry, "penstock.connections");
            assertEquals(after, registry.getMeters().size());
        }
    }

    private static Set<String> families(String text, Predicate<String> wanted) {
        return text.lines()
                .filter(line -> line.startsWith("# TYPE "))
                .map(line -> line.split(" ")[2])
                .filter(wanted)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * Dashboards for the admin port must also work with a Prometheus registry, so the registry must have the same names. It has two more
     * names for each histogram, because Micrometer cannot read the values of histograms from the server.
     */
    @Test
    void aPrometheusRegistryHasTheSameMetricNamesAsTheAdminPort() throws Exception {
        try (Penstock server = start();
                PenstockMetrics metrics = new PenstockMetrics(server)) {
            PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
            registry.config().onMeterRegistrationFailed((id, reason) -> {
                throw new AssertionError(id + ": " + reason);
            });
            assertEquals(200, get(server.port(), "/hello").statusCode());
            assertEquals(404, get(server.port(), "/nowhere").statusCode());
            metrics.bindTo(registry);
            int admin = server.adminAddress().orElseThrow().getPort();
            String count = "penstock_request_stage_duration_seconds_count{stage=\"service\"} 2\n";
            await().atMost(PATIENCE).until(() -> get(admin, "/metrics").body().contains(count));
            String own = get(admin, "/metrics").body();
            Predicate<String> ours = name -> name.startsWith("penstock_") || name.startsWith("http_server_");
            Set<String> expected = families(own, ours);
            assertTrue(expected.size() > 70, expected::toString);
            String bridged = registry.scrape();
            Predicate<String> more = name -> name.endsWith("_max_seconds") || name.endsWith("_within_total");
            assertEquals(expected, families(bridged, ours.and(more.negate())));
            assertEquals(
                    Set.of(
                            "http_server_request_duration_within_total",
                            "http_server_request_duration_max_seconds",
                            "penstock_request_stage_duration_within_total",
                            "penstock_request_stage_duration_max_seconds"),
                    families(bridged, more));
            assertTrue(bridged.contains(count), bridged);
        }
    }

    @Test
    void noMeterOfTheServerRemainsInTheRegistryAfterClose() throws Exception {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        registry.counter("somebody.elses").increment();
        WeakReference<Penstock> gone = bindAndClose(registry);
        assertEquals(Set.of("somebody.elses"), names(registry));
        await().atMost(PATIENCE).until(() -> {
            System.gc();
            return gone.get() == null;
        });
    }

    private static WeakReference<Penstock> bindAndClose(SimpleMeterRegistry registry) throws Exception {
        try (Penstock server = start()) {
            PenstockMetrics metrics = new PenstockMetrics(server);
            metrics.bindTo(registry);
            assertTrue(names(registry).size() > 70);
            metrics.close();
            metrics.close();
            assertThrows(IllegalStateException.class, () -> metrics.bindTo(registry));
            return new WeakReference<>(server);
        }
    }

    private static Set<String> names(SimpleMeterRegistry registry) {
        return registry.getMeters().stream()
                .map(meter -> meter.getId().getName())
                .collect(Collectors.toSet());
    }

    /** Most programs do not store a reference to the binder (PenstockMetrics), so the garbage collector must not remove the meters. */
    @Test
    void theMetersStillWorkIfTheProgramStoresNoReferenceToTheBinder() throws Exception {
        try (Penstock server = start()) {
            SimpleMeterRegistry registry = new SimpleMeterRegistry();
            WeakReference<Object> witness = bindWithoutReference(server, registry);
            assertEquals(200, get(server.port(), "/hello").statusCode());
            await().atMost(PATIENCE).until(() -> {
                System.gc();
                return witness.get() == null;
            });
            await().atMost(PATIENCE)
                    .until(
                            () -> value(registry, "penstock.requests", "outcome", "answered"),
                            answered -> answered == 1);
            assertEquals(2, value(registry, "penstock.workers"));
        }
    }

    /** Binds the registry, and stores no reference to the binder. When the returned reference is cleared, a garbage collection has run. */
    private static WeakReference<Object> bindWithoutReference(Penstock server, SimpleMeterRegistry registry) {
        new PenstockMetrics(server).bindTo(registry);
        return new WeakReference<>(new Object());
    }
}
