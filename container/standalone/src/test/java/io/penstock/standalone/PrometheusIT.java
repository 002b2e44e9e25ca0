package io.penstock.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.testing.NeedsProgram;
import io.penstock.testing.Program;
import io.restassured.path.json.JsonPath;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the metrics of {@code penstock.jar} with a real Prometheus server. The metrics in Prometheus must match the requests of the
 * clients. The dashboard and the alert rules must work with these metrics.
 */
@NeedsProgram({Program.PROMETHEUS, Program.PROMTOOL})
class PrometheusIT {
    private static final Path DOCS = Path.of("..", "..", "docs");
    private static final String TOKEN = "prometheus-may-see-this";
    private static final int SERVED = 60;
    private static final int REFUSED = 5;
    private static final int UPLOADED = 7;
    private static final byte[] UPLOAD = new byte[300_000];

    /**
     * The keys are dashboard expressions that may have no data. The values are the reasons. The test also checks the metric names in these
     * expressions.
     */
    private static final Map<String, String> MAY_BE_EMPTY = Map.of();

    private static JarProcess jar;
    private static PrometheusProcess prometheus;
    private static int port;
    private static int adminPort;

    @TempDir
    static Path folder;

    @BeforeAll
    static void startAndSendRequests() throws Exception {
        Path site = Files.createDirectory(folder.resolve("site"));
        Files.writeString(site.resolve("hello.txt"), "Hello");
        jar = JarProcess.run(
                Map.of("PENSTOCK_ADMIN_TOKEN", TOKEN),
                "0",
                "--admin-port=0",
                "--workers=2",
                "--access-log=" + folder.resolve("access.log"),
                site.toString());
        String line = jar.startLine();
        port = JarProcess.port(line);
        adminPort = JarProcess.port(line.substring(line.indexOf("flow board at")));
        prometheus = PrometheusProcess.scraping(adminPort, TOKEN, DOCS.resolve("alerts.yml"));
        patiently().until(() -> prometheus.value("up{job=\"penstock\"}") == 1);
        for (int i = 0; i < SERVED; i++) {
            assertEquals(200, status(request("/hello.txt").build()));
        }
        for (int i = 0; i < REFUSED; i++) {
            assertEquals(414, status(request("/" + "x".repeat(10_000)).build()));
        }
        for (int i = 0; i < UPLOADED; i++) {
            assertEquals(
                    405,
                    status(request("/hello.txt")
                            .POST(BodyPublishers.ofByteArray(UPLOAD))
                            .build()));
        }
        double all = SERVED + REFUSED + UPLOADED;
        patiently().until(() -> prometheus.value("sum(penstock_requests_total)") == all);
        // The dashboard needs rates. Prometheus computes a rate from two scrapes with different values.
        patiently().until(() -> prometheus.value("sum(rate(penstock_requests_total[30s]))") > 0);
    }

    @AfterAll
    static void end() throws Exception {
        if (prometheus != null) {
            prometheus.close();
        }
        if (jar != null) {
            jar.close();
        }
    }

    private static ConditionFactory patiently() {
        return Awaitility.await();
    }

    private static HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .version(HttpClient.Version.HTTP_1_1);
    }

    private static int status(HttpRequest request) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .statusCode();
    }

    private static String scrape(String accept) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + adminPort + "/metrics"))
                .version(HttpClient.Version.HTTP_1_1)
                .header("Authorization", "Bearer " + TOKEN)
                .header("Accept", accept)
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .body();
    }

    @Test
    void prometheusStoresEachSampleThatTheServerSends() throws Exception {
        JsonPath targets = prometheus.get("/api/v1/targets?state=active");
        assertEquals(List.of("up"), targets.getList("data.activeTargets.health"));
        assertEquals(List.of(""), targets.getList("data.activeTargets.lastError"));
        long samples = scrape("application/openmetrics-text")
                .lines()
                .filter(line -> !line.startsWith("#"))
                .count();
        assertTrue(samples > 300, () -> "number of samples: " + samples);
        assertEquals(samples, prometheus.value("scrape_samples_scraped"));
        assertEquals(samples, prometheus.value("scrape_samples_post_metric_relabeling"));
    }

    /** Checks that Prometheus has used OpenMetrics. Only this format contains units. */
    @Test
    void prometheusScrapesTheOpenMetricsFormat() throws Exception {
        JsonPath bytes = prometheus.get("/api/v1/targets/metadata?metric=penstock_pipe_bytes");
        assertEquals(List.of("bytes"), bytes.getList("data.unit"));
        assertEquals(List.of("gauge"), bytes.getList("data.type"));
        JsonPath times = prometheus.get("/api/v1/targets/metadata?metric=http_server_request_duration_seconds");
        assertEquals(List.of("seconds"), times.getList("data.unit"));
        assertEquals(List.of("histogram"), times.getList("data.type"));
        JsonPath counts = prometheus.get("/api/v1/targets/metadata?metric=penstock_queue_full");
        assertEquals(List.of("counter"), counts.getList("data.type"));
    }

    @Test
    void theMetricsContainTheExactNumberOfRequestsOfTheClients() throws Exception {
        assertEquals(SERVED, prometheus.value("penstock_responses_total{http_response_status_code=\"200\"}"));
        assertEquals(SERVED + UPLOADED, prometheus.value("penstock_requests_total{outcome=\"answered\"}"));
        assertEquals(REFUSED, prometheus.value("penstock_requests_total{outcome=\"refused\"}"));
        assertEquals(
                REFUSED,
                prometheus.value(
                        "penstock_refusals_total{http_response_status_code=\"414\",reason=\"request-line-limit\"}"));
        assertEquals(REFUSED, prometheus.value("penstock_request_line_too_long_total"));
        assertEquals((double) UPLOADED * UPLOAD.length, prometheus.value("penstock_request_body_bytes_total"));
        assertEquals(
                UPLOADED,
                prometheus.value("http_server_request_duration_seconds_count{http_request_method=\"POST\","
                        + "http_response_status_code=\"405\",url_scheme=\"http\"}"));
        assertEquals(0, prometheus.value("sum(http_server_active_requests)"));
        assertEquals(2, prometheus.value("penstock_workers"));
        assertEquals(20_000, prometheus.value("penstock_limit{key=\"queue\"}"));
        double half = prometheus.value("histogram_quantile(0.5, sum by (le) "
                + "(http_server_request_duration_seconds_bucket{http_request_method=\"GET\"}))");
        assertTrue(half > 0 && half < 1, () -> "median duration of the GET requests: " + half + " s");
        double service = prometheus.value("penstock_request_stage_duration_seconds_count{stage=\"service\"}");
        assertEquals(SERVED + UPLOADED, service);
        assertEquals(UPLOADED, prometheus.value("penstock_request_stage_duration_seconds_count{stage=\"body\"}"));
    }

    @Test
    void promtoolFindsNoProblemInTheMetrics() throws Exception {
        Path text = Files.writeString(folder.resolve("metrics.prom"), scrape("text/plain;version=0.0.4"));
        assertEquals("", PrometheusProcess.promtool(text, "check", "metrics"));
    }

    @Test
    void theAlertRulesPassTheirTestsInPromtool() throws Exception {
        Path nothing = Files.writeString(folder.resolve("nothing"), "");
        String checked = PrometheusProcess.promtool(
                nothing, "check", "rules", DOCS.resolve("alerts.yml").toString());
        assertTrue(checked.contains("SUCCESS"), checked);
        String tested = PrometheusProcess.promtool(
                nothing,
                "test",
                "rules",
                Path.of("src", "test", "prometheus", "alerts-test.yml").toString());
        assertTrue(tested.contains("SUCCESS"), tested);
    }

    @Test
    void prometheusEvaluatesEachAlertRuleAndNoAlertFires() throws Exception {
        patiently()
                .until(() ->
                        prometheus
                                .get("/api/v1/rules?type=alert")
                                .getList("data.groups.rules.flatten().health")
                                .stream()
                                .allMatch("ok"::equals));
        JsonPath rules = prometheus.get("/api/v1/rules?type=alert");
        Set<String> fires =
                new TreeSet<>(rules.getList("data.groups.rules.flatten().findAll{it.state=='firing'}.name"));
        assertEquals(Set.of(), fires);
        List<String> expressions = rules.getList("data.groups.rules.flatten().query");
        assertTrue(expressions.size() > 8);
        assertMetricNamesExist(expressions);
    }

    @Test
    void eachPanelOfTheDashboardHasData() throws Exception {
        JsonPath dashboard =
                JsonPath.from(DOCS.resolve("grafana-dashboard.json").toFile());
        List<String> expressions = dashboard.getList("panels.findAll{it.targets}.targets.flatten().expr");
        assertTrue(expressions.size() > 50);
        List<String> empty = new ArrayList<>();
        for (String expression : expressions) {
            String asked = expression.replace("$__rate_interval", "30s").replace("$instance", ".*");
            assertFalse(asked.contains("$"), asked);
            if (prometheus.query(asked).isEmpty()) {
                empty.add(expression);
            }
        }
        empty.removeIf(MAY_BE_EMPTY::containsKey);
        assertEquals(List.of(), empty);
        assertMetricNamesExist(expressions);
    }

    /** Checks that all metric names in the expressions exist. Prometheus reports no error for an unknown name. */
    private static void assertMetricNamesExist(List<String> expressions) throws Exception {
        Set<String> known =
                new TreeSet<>(prometheus.get("/api/v1/label/__name__/values").getList("data"));
        Set<String> missing = expressions.stream()
                .flatMap(expression -> Pattern.compile("\\b(penstock|http_server|process|jvm)_[a-z_]+")
                        .matcher(expression)
                        .results()
                        .map(found -> found.group()))
                .filter(name -> !known.contains(name) && !name.matches("(jvm_memory_type|jvm_gc_name)"))
                .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(Set.of(), missing);
    }
}
