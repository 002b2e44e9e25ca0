package io.penstock.standalone;

import static io.penstock.testing.Patience.PATIENCE;

import io.penstock.testing.FreePort;
import io.penstock.testing.Program;
import io.restassured.path.json.JsonPath;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * Runs the installed Prometheus in a new process, with a temporary configuration and data folder. Prometheus scrapes one admin port each
 * second, and evaluates the given alert rules.
 *
 * <p>{@link #close} ends the process, and deletes the folder with the configuration and the data.
 */
final class PrometheusProcess implements AutoCloseable {
    private static final String CONFIGURATION = """
            global:
              scrape_interval: 1s
              evaluation_interval: 1s
            rule_files:
              - %s
            scrape_configs:
              - job_name: penstock
                authorization:
                  credentials: %s
                static_configs:
                  - targets: ['127.0.0.1:%d']
            """;

    private final Process process;
    private final Path folder;
    private final int port;

    private PrometheusProcess(Process process, Path folder, int port) {
        this.process = process;
        this.folder = folder;
        this.port = port;
    }

    static PrometheusProcess scraping(int adminPort, String token, Path rules) throws IOException {
        Path folder = Files.createTempDirectory("penstock-prometheus");
        Path configuration = Files.writeString(
                folder.resolve("prometheus.yml"),
                CONFIGURATION.formatted(rules.toAbsolutePath().normalize(), token, adminPort));
        int port = FreePort.next();
        Process process = new ProcessBuilder(
                        Program.PROMETHEUS.path().toString(),
                        "--config.file=" + configuration,
                        "--storage.tsdb.path=" + folder.resolve("data"),
                        "--web.listen-address=127.0.0.1:" + port,
                        "--log.level=warn")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output.log").toFile())
                .start();
        PrometheusProcess prometheus = new PrometheusProcess(process, folder, port);
        try {
            Awaitility.await().until(prometheus::isReady);
        } catch (RuntimeException | Error e) {
            process.destroyForcibly();
            throw e;
        }
        return prometheus;
    }

    /** Runs {@code promtool}, and returns its output. Fails if the exit code of {@code promtool} is not 0. */
    static String promtool(Path input, String... arguments) throws IOException, InterruptedException {
        List<String> command = Stream.concat(Stream.of(Program.PROMTOOL.path().toString()), Stream.of(arguments))
                .toList();
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(input.toFile())
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new AssertionError(String.join(" ", command) + ": " + said);
        }
        return said;
    }

    private boolean isReady() throws IOException, InterruptedException {
        if (!process.isAlive()) {
            throw new IllegalStateException("Prometheus has ended: " + log());
        }
        try {
            return send("/-/ready").statusCode() == 200;
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns the output of Prometheus. */
    String log() throws IOException {
        return Files.readString(folder.resolve("output.log"));
    }

    private HttpResponse<String> send(String target) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + target))
                .version(HttpClient.Version.HTTP_1_1)
                .timeout(PATIENCE)
                .build();
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    }

    /** Returns a response of Prometheus' HTTP API. Fails if the response is an error. */
    JsonPath get(String target) throws IOException, InterruptedException {
        HttpResponse<String> response = send(target);
        if (response.statusCode() != 200) {
            throw new AssertionError(target + ": " + response.body());
        }
        return JsonPath.from(response.body());
    }

    /** Returns the current values of an expression, one value for each series. */
    List<Double> query(String expression) throws IOException, InterruptedException {
        JsonPath answer = get("/api/v1/query?query=" + URLEncoder.encode(expression, StandardCharsets.UTF_8));
        List<List<Object>> values = answer.getList("data.result.value");
        return values.stream()
                .map(pair -> Double.valueOf(pair.get(1).toString().replace("Inf", "Infinity")))
                .toList();
    }

    /** Returns the value of an expression, or NaN if the expression does not have exactly one value. */
    double value(String expression) throws IOException, InterruptedException {
        List<Double> values = query(expression);
        return values.size() == 1 ? values.get(0) : Double.NaN;
    }

    @Override
    public void close() throws IOException, InterruptedException {
        process.destroyForcibly().waitFor();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
