package io.penstock.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.Penstock;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares {@code docs/kubernetes.yaml} with the server, and with the page that explains it. */
class KubernetesDocumentTest {
    private static final Path DOCS = Path.of("..", "..", "docs");

    /** The memory of the JVM beside heap and buffers in MB, as in {@code docs/operations.md}. */
    private static final int JVM = 120;

    @TempDir
    Path folder;

    private static String manifest() throws IOException {
        return Files.readString(DOCS.resolve("kubernetes.yaml"));
    }

    private static List<String> found(String text, String pattern) {
        return Pattern.compile(pattern, Pattern.MULTILINE)
                .matcher(text)
                .results()
                .map(match -> match.group(1))
                .toList();
    }

    private static int number(String pattern) throws IOException {
        return Integer.parseInt(found(manifest(), pattern).get(0));
    }

    private static String properties() throws IOException {
        String block =
                found(manifest(), "penstock\\.properties: \\|\n((?: {4}.*\n)+)").get(0);
        return block.replaceAll("(?m)^ {4}", "");
    }

    @Test
    void theServerAcceptsTheConfigurationAndTheVariables() throws Exception {
        Map<String, String> environment = new HashMap<>(Map.of("PENSTOCK_WEBAPPS", folder.toString()));
        List<String> variables = found(manifest(), "- name: (PENSTOCK_\\w+)$");
        assertEquals(List.of("PENSTOCK_NODE_NAME", "PENSTOCK_ADMIN_TOKEN"), variables);
        variables.forEach(name -> environment.put(name, "shop-6d4cf56db6-9qx8k"));
        Path file = Files.writeString(folder.resolve("penstock.properties"), properties());
        Ran ran = Ran.with(environment, "--check", "--config", file.toString());
        assertEquals("", ran.err());
        assertEquals(0, ran.exitCode(), ran.out());
    }

    @Test
    void theProbesAndPrometheusAskThePathsOfTheAdminPort() throws Exception {
        String manifest = manifest();
        List<String> health = found(manifest, "path: (/health.*)$");
        assertEquals(List.of("/health/ready", "/health/ready", "/health/live"), health);
        try (Penstock server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .set("admin-port", "0")
                .start()) {
            int port = server.adminAddress().orElseThrow().getPort();
            for (String path : health) {
                assertEquals(200, status(port, path), path);
            }
            assertEquals(
                    200,
                    status(port, found(manifest, "prometheus.io/path: (.*)$").get(0)));
        }
    }

    private static int status(int port, String path) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + port + path);
        HttpRequest request = HttpRequest.newBuilder(uri).build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).statusCode();
    }

    @Test
    void thePortsOfTheContainerAreThoseOfTheConfiguration() throws Exception {
        String manifest = manifest();
        String properties = properties();
        List<String> ports = List.of(
                found(properties, "^port = (\\d+)$").get(0),
                found(properties, "^admin-port = (\\d+)$").get(0));
        assertEquals(ports, found(manifest, "containerPort: (\\d+)$"));
        assertEquals(
                ports.get(1), found(manifest, "prometheus.io/port: \"(\\d+)\"$").get(0));
        assertEquals(List.of("admin", "admin", "admin"), found(manifest, "^ +port: ([a-z]+)$"));
        assertTrue(properties.contains("admin-host = 0.0.0.0\n"), properties);
    }

    @Test
    void theServerStopsWithinTheGracePeriodAndAfterTheReadinessProbeHasFailed() throws Exception {
        int delay = number("shutdown-delay = (\\d+)s$");
        int stop = delay + number("shutdown-timeout = (\\d+)s$");
        assertTrue(number("terminationGracePeriodSeconds: (\\d+)$") > stop + 10);
        String readiness =
                found(manifest(), "readinessProbe:\n((?: {12}.*\n)+)").get(0);
        int period = Integer.parseInt(found(readiness, "periodSeconds: (\\d+)$").get(0));
        int failures =
                Integer.parseInt(found(readiness, "failureThreshold: (\\d+)$").get(0));
        assertTrue(delay > period * (failures + 1));
    }

    @Test
    void heapAndBuffersFitIntoTheMemoryOfTheContainerAndBodiesIntoItsVolume() throws Exception {
        int process = number("-Xmx(\\d+)m") + number("-XX:MaxDirectMemorySize=(\\d+)m") + JVM;
        assertTrue(process < number("limits:\n +memory: (\\d+)Gi$") * 1024, process + " MB");
        assertTrue(number("spool-limit = (\\d+)G$") < number("sizeLimit: (\\d+)Gi$"));
    }

    @Test
    void thePageShowsPartsOfTheManifest() throws Exception {
        String page = Files.readString(DOCS.resolve("guide/kubernetes.md"));
        List<String> parts = found(page, "```yaml\n((?:.*\n)+?)```");
        assertEquals(2, parts.size());
        for (String part : parts) {
            assertTrue(manifest().contains(part), part);
        }
    }
}
