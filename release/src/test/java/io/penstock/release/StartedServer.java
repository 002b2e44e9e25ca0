package io.penstock.release;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A server that was started from an archive, image or package of the release. {@link #close} ends the server. */
final class StartedServer implements AutoCloseable {
    /** The exit code of a JVM after SIGTERM. */
    static final int TERMINATED = 143;

    private static final Pattern PORT = Pattern.compile("http://[^/\\s]+:([0-9]+)/");

    private final Process process;
    private final Path log;
    private final int port;

    /** Starts the server, and returns when the server is ready. */
    StartedServer(Path folder, Map<String, String> environment, List<String> command) throws IOException {
        log = Files.createTempFile("penstock", ".log");
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(folder.toFile()).redirectError(log.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("JAVA") || name.startsWith("JDK_"));
        builder.environment().put("PENSTOCK_PORT", "0");
        builder.environment().putAll(environment);
        process = builder.start();
        BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        String line = out.readLine();
        Matcher address = PORT.matcher(line == null ? "" : line);
        if (!address.find()) {
            process.destroyForcibly();
            throw new IOException("the first line of output has no URL: " + line + ": " + Files.readString(log));
        }
        port = Integer.parseInt(address.group(1));
    }

    /** Returns the process of the JVM. The start script replaces its shell with the JVM ({@code exec}). */
    ProcessHandle process() {
        return process.toHandle();
    }

    /** Checks that the server serves the sample at {@code /}, and the chat at {@code /chat/}. */
    void assertServesTheSample() throws Exception {
        assertHas("Penstock sample", get("http://127.0.0.1:" + port + "/"));
        assertHas("<title>Chat", get("http://127.0.0.1:" + port + "/chat/"));
    }

    /**
     * Checks that the sample returns the URL of the flow board (the page of the admin port), and that the server serves the flow board at
     * this URL.
     */
    void assertLinksToTheFlowBoard() throws Exception {
        String url = board().replaceAll(".*\"(http://127\\.0\\.0\\.1:[0-9]+/)\".*", "$1");
        assertHas("<title>Flow board", get(url));
    }

    /** Returns the JSON text in which the sample reports the URL of the flow board. */
    String board() throws Exception {
        return get("http://127.0.0.1:" + port + "/board").body();
    }

    HttpResponse<String> get(String url) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString());
    }

    private static void assertHas(String text, HttpResponse<String> response) {
        assertEquals(200, response.statusCode());
        assertTrue(response.body().contains(text), response.body());
    }

    int port() {
        return port;
    }

    /** Returns the line with the given name from {@code /proc/PID/status}. */
    String status(String name) throws IOException {
        return Files.readAllLines(Path.of("/proc", String.valueOf(process.pid()), "status")).stream()
                .filter(line -> line.startsWith(name + ":"))
                .findFirst()
                .orElseThrow();
    }

    List<String> commandLine() throws IOException {
        return List.of(Files.readString(Path.of("/proc", String.valueOf(process.pid()), "cmdline"))
                .split("\0"));
    }

    /** Ends the server with SIGTERM, like a service manager, and returns the exit code of the server. */
    int terminate() throws InterruptedException {
        process.toHandle().destroy();
        return process.waitFor();
    }

    @Override
    public void close() throws IOException, InterruptedException {
        process.destroy();
        if (!process.waitFor(1, TimeUnit.MINUTES)) {
            process.destroyForcibly().waitFor();
        }
        Files.delete(log);
    }
}
