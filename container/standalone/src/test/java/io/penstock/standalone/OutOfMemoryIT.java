package io.penstock.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An application fills the heap. The server reports the full heap, and its process ends. After that, a service manager can restart the
 * server.
 */
class OutOfMemoryIT {
    private static final String LAST_LINE =
            "penstock: out of memory, and the heap stays full; the process ends with exit code 3. A larger heap: -Xmx";

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final Pattern ADMIN = Pattern.compile("flow board at (http://[^/]+)/");

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @TempDir
    Path folder;

    private JarProcess jar;
    private String server;
    private String admin;

    @BeforeEach
    void makeApplication() throws IOException {
        Path classes = Files.createDirectories(folder.resolve("app/WEB-INF/classes/io/penstock/standalone"));
        String name = HeapServlet.class.getSimpleName() + ".class";
        Files.write(
                classes.resolve(name),
                HeapServlet.class.getResourceAsStream(name).readAllBytes());
    }

    private JarProcess start() throws IOException {
        jar = JarProcess.withMemory(
                List.of("-Xmx64m"),
                "--host=127.0.0.1",
                "--port=0",
                "--admin-port=0",
                "--workers=4",
                "/=" + folder.resolve("app"));
        String line = jar.startLine();
        server = "http://127.0.0.1:" + JarProcess.port(line);
        Matcher operators = ADMIN.matcher(line);
        assertTrue(operators.find(), line);
        admin = operators.group(1);
        return jar;
    }

    private HttpResponse<String> get(String address) throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(URI.create(address)).timeout(PATIENCE).build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private void assertEndedWithOneOutOfMemoryMessage() throws IOException, InterruptedException, TimeoutException {
        Ran ran = jar.ended();
        assertEquals(3, ran.exitCode(), ran.err());
        List<String> said =
                ran.err().lines().filter(line -> line.contains(LAST_LINE)).toList();
        assertEquals(List.of(LAST_LINE), said);
    }

    @Test
    void theServerIsUnhealthyAfterOneOutOfMemoryErrorAndEndsAfterMoreErrors() throws Exception {
        try (JarProcess running = start()) {
            assertEquals(200, get(admin + "/health/live").statusCode());
            assertEquals(500, get(server + "/heap/fill").statusCode());
            HttpResponse<String> health = get(admin + "/health/live");
            assertEquals(503, health.statusCode());
            assertEquals("out of memory\n", health.body());
            assertEquals("here", get(server + "/heap/other").body());
            List<IOException> cutOff = new ArrayList<>();
            for (int i = 0; running.isAlive() && i < 100; i++) {
                try {
                    get(server + "/heap/fill");
                } catch (IOException e) {
                    // The server closes the connection without a response.
                    cutOff.add(e);
                }
            }
            assertEndedWithOneOutOfMemoryMessage();
            assertTrue(!cutOff.isEmpty());
        }
    }

    /** With a completely full heap, each thread of the server can fail at any point. The process must still end. */
    @Test
    void theProcessEndsIfTheHeapIsCompletelyFull() throws Exception {
        try (JarProcess running = start()) {
            List<IOException> cutOff = new ArrayList<>();
            for (int i = 0; running.isAlive() && i < 100; i++) {
                try {
                    get(server + "/heap/fill-all");
                } catch (IOException e) {
                    // The server has no memory for a response, or has ended.
                    cutOff.add(e);
                }
            }
            assertEndedWithOneOutOfMemoryMessage();
        }
    }

    @Test
    void theServerStaysHealthyAfterRequestsThatCreateATooLargeArray() throws Exception {
        try (JarProcess running = start()) {
            for (int i = 0; i < 10; i++) {
                assertEquals(500, get(server + "/heap/huge").statusCode());
            }
            assertEquals("here", get(server + "/heap/other").body());
            assertEquals(200, get(admin + "/health/live").statusCode());
            String metrics = get(admin + "/metrics").body();
            assertTrue(metrics.contains("penstock_out_of_memory_total 10"), metrics);
            assertTrue(get(admin + "/dump").body().contains("out-of-memory"));
            assertTrue(running.isAlive());
        }
    }
}
