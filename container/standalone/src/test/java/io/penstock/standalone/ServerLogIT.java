package io.penstock.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.example.shop.FailingServlet;
import io.restassured.path.json.JsonPath;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the log of {@code penstock.jar}. The records of libraries have the same format as the records of the server. A failed request has
 * one record. The log contains the beginning and the end of the server stop.
 */
class ServerLogIT {
    @TempDir
    Path folder;

    private Path shop() throws IOException {
        String file = FailingServlet.class.getName().replace('.', '/') + ".class";
        Path copy = folder.resolve("shop/WEB-INF/classes").resolve(file);
        Files.createDirectories(copy.getParent());
        try (InputStream in =
                Objects.requireNonNull(FailingServlet.class.getClassLoader().getResourceAsStream(file))) {
            Files.write(copy, in.readAllBytes());
        }
        return folder.resolve("shop");
    }

    /** Starts the server, sends a request that fails, and stops the server. Returns the lines of the log. */
    private List<String> log(String... options) throws Exception {
        String[] args = new String[options.length + 3];
        System.arraycopy(options, 0, args, 0, options.length);
        args[options.length] = "--port";
        args[options.length + 1] = "0";
        args[options.length + 2] = shop().toString();
        try (JarProcess jar = JarProcess.run(args)) {
            URI uri = URI.create("http://localhost:" + JarProcess.port(jar.startLine()) + "/fail");
            HttpResponse<Void> response = HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.discarding());
            assertEquals(500, response.statusCode());
            jar.terminate();
            return jar.ended().err().lines().toList();
        }
    }

    private static String record(List<String> lines, String part) {
        List<String> found = lines.stream().filter(line -> line.contains(part)).toList();
        assertEquals(1, found.size(), () -> part + " must be in exactly one line: " + lines);
        return found.get(0);
    }

    @Test
    void aFailedRequestHasOneLogRecordWithoutStackFramesOfTheContainer() throws Exception {
        List<String> lines = log();
        String failed = record(lines, "GET /fail failed in the application at /");
        assertTrue(failed.contains(" ERROR "), failed);
        int at = lines.indexOf(failed);
        assertEquals("  java.lang.IllegalStateException: on purpose", lines.get(at + 1));
        assertEquals(lines.get(at + 1), record(lines, "on purpose"), "the line of the exception must occur once");
        assertTrue(lines.get(at + 2).contains("com.example.shop.FailingServlet.doGet("), lines.get(at + 2));
        assertTrue(lines.get(at + 3).matches("    \\.\\.\\. \\d+ of the container"), lines.get(at + 3));
        assertTrue(lines.get(at + 4).matches("\\d{4}-.*"), "a new log record must follow the stack trace");
        assertTrue(record(lines, "said by java.util.logging").contains(" WARN "));
    }

    @Test
    void theLogContainsTheBeginningAndTheEndOfTheServerStop() throws Exception {
        List<String> lines = log("--shutdown-timeout", "20s");
        int begins = lines.indexOf(record(lines, "Stopping: requests that run have 20000 ms to end"));
        int ends = lines.indexOf(record(lines, "Stopped after "));
        assertTrue(begins < ends, lines::toString);
        assertEquals(lines.size() - 1, ends);
    }

    @Test
    void eachLogRecordInTheJsonFormatIsOneLine() throws Exception {
        List<String> lines = log("--log-format", "json");
        for (String line : lines) {
            assertFalse(JsonPath.from(line).getString("message").isEmpty(), line);
        }
        JsonPath failure = JsonPath.from(record(lines, "failed in the application"));
        assertEquals("ERROR", failure.getString("level"));
        assertEquals("java.lang.IllegalStateException: on purpose", failure.getString("error"));
        assertTrue(failure.getString("stack").matches("(?s).*FailingServlet.*\\d+ of the container"));
        assertEquals(
                "WARN",
                JsonPath.from(record(lines, "said by java.util.logging")).getString("level"));
    }

    @Test
    void theLogLevelCanBeConfiguredForEachLogger() throws Exception {
        List<String> lines = log("--log-level", "off, com.example=error, io.penstock.dispatch=warn");
        assertTrue(lines.get(0).contains("failed in the application"), lines::toString);
        assertTrue(lines.stream().skip(1).allMatch(line -> line.startsWith("  ")), lines::toString);
    }
}
