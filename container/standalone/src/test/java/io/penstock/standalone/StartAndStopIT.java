package io.penstock.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StartAndStopIT {

    /** The exit code after SIGTERM: 128 plus the number of the signal. */
    private static final int TERMINATED = 143;

    private static final String SAMPLE =
            System.getProperty("sample.webapp", "../../sample-webapp/target/sample-webapp.war");

    @TempDir
    Path folder;

    @Test
    void aFolderIsServedAndTheExitCodeAfterSigtermIs143() throws Exception {
        Files.writeString(folder.resolve("hello.txt"), "Hello");
        try (JarProcess jar = JarProcess.run("0", folder.toString())) {
            String line = jar.startLine();
            assertTrue(
                    line.matches("Penstock \\S+ serves / at http://localhost:[0-9]+/ and every other address of this"
                            + " machine, started in [0-9]+ ms"),
                    line);
            assertEquals("Hello", get(JarProcess.port(line), "/hello.txt"));
            jar.terminate();
            Ran ran = jar.ended();
            assertEquals(TERMINATED, ran.exitCode());
            assertEquals("", ran.out());
        }
    }

    @Test
    void eachApplicationIsServedAtTheGivenPathOrByDefaultAtTheNameOfItsFolder() throws Exception {
        Path one = Files.createDirectory(folder.resolve("one"));
        Files.writeString(one.resolve("a.txt"), "A");
        Path root = Files.createDirectory(folder.resolve("ROOT"));
        Files.writeString(root.resolve("b.txt"), "B");
        try (JarProcess jar = JarProcess.run("--port", "0", one.toString(), root.toString(), "/two=" + one)) {
            String line = jar.startLine();
            assertTrue(line.contains(" serves /one, /two, / at "), line);
            int port = JarProcess.port(line);
            assertEquals("A", get(port, "/one/a.txt"));
            assertEquals("B", get(port, "/b.txt"));
            assertEquals("A", get(port, "/two/a.txt"));
        }
    }

    @Test
    void sigtermClosesTheListenerAndARunningRequestStillCompletes() throws Exception {
        try (JarProcess jar = JarProcess.run("--port", "0", SAMPLE)) {
            int port = JarProcess.port(jar.startLine());
            String whole = get(port, "/slow-text?paragraphs=100&pause=10");
            HttpResponse<InputStream> running = HttpClient.newHttpClient()
                    .send(
                            request(port, "/slow-text?paragraphs=100&pause=100"),
                            HttpResponse.BodyHandlers.ofInputStream());
            byte[] first = running.body().readNBytes(1);
            jar.terminate();
            Awaitility.await().until(() -> refusesConnections(port));
            assertTrue(jar.isAlive());
            String text = new String(first, StandardCharsets.UTF_8)
                    + new String(running.body().readAllBytes(), StandardCharsets.UTF_8);
            assertEquals(whole, text);
            assertEquals(TERMINATED, jar.ended().exitCode());
        }
    }

    @Test
    void aRequestThatExceedsTheShutdownTimeoutIsAborted() throws Exception {
        try (JarProcess jar = JarProcess.run("--port", "0", "--shutdown-timeout", "200ms", SAMPLE)) {
            int port = JarProcess.port(jar.startLine());
            HttpResponse<InputStream> running = HttpClient.newHttpClient()
                    .send(
                            request(port, "/slow-text?paragraphs=2000&pause=2000"),
                            HttpResponse.BodyHandlers.ofInputStream());
            running.body().readNBytes(1);
            jar.terminate();
            assertEquals(TERMINATED, jar.ended().exitCode());
            assertThrows(IOException.class, () -> running.body().readAllBytes());
        }
    }

    private static boolean refusesConnections(int port) throws IOException {
        try (Socket socket = new Socket("localhost", port)) {
            return !socket.isConnected();
        } catch (ConnectException e) {
            return true;
        }
    }

    private static String get(int port, String path) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(request(port, path), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    private static HttpRequest request(int port, String path) {
        return HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                .build();
    }
}
