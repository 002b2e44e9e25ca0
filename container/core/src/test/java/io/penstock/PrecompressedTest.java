package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the setting {@code compression} with precompressed files. A precompressed file such as {@code app.js.gz} is in the same folder as
 * {@code app.js}.
 */
class PrecompressedTest {
    private static final String SCRIPT = "console.log('precompressed');\n".repeat(2_000);

    @TempDir
    Path folder;

    @BeforeEach
    void write() throws IOException {
        Files.writeString(folder.resolve("app.js"), SCRIPT);
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
            gzip.write(SCRIPT.getBytes(StandardCharsets.US_ASCII));
        }
        Files.write(folder.resolve("app.js.gz"), compressed.toByteArray());
    }

    private Penstock server(String key, String value) throws StartException {
        return Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .set(key, value)
                .context("/", context -> context.resources(folder))
                .context("/other", context -> context.resources(folder))
                .start();
    }

    private static List<String> coding(Penstock server, String target) throws IOException {
        RawExchange answer = RawExchange.get(server, target, "Accept-Encoding: gzip, deflate, br");
        assertEquals(200, answer.status(), answer.head());
        List<String> coding = answer.values("Content-Encoding");
        byte[] body = answer.body().getBytes(StandardCharsets.ISO_8859_1);
        assertEquals(List.of(Integer.toString(body.length)), answer.values("Content-Length"));
        assertEquals(SCRIPT, coding.isEmpty() ? answer.body() : decoded(body));
        return coding;
    }

    private static String decoded(byte[] gzip) throws IOException {
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(gzip))) {
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    @Test
    void theCompressionKeyAppliesToAllApplications() throws Exception {
        try (Penstock server = server("compression", "precompressed")) {
            assertEquals(List.of("gzip"), coding(server, "/app.js"));
            assertEquals(List.of("gzip"), coding(server, "/other/app.js"));
        }
    }

    @Test
    void compressionCanBeSetForOneApplication() throws Exception {
        try (Penstock server = server("/other:compression", "precompressed")) {
            assertEquals(List.of(), coding(server, "/app.js"));
            assertEquals(List.of("gzip"), coding(server, "/other/app.js"));
        }
    }

    @Test
    void compressionCanBeSetForAnApplicationThatIsDeployedLater() throws Exception {
        try (Penstock server = server("/files:compression", "precompressed")) {
            server.deploy("/files", folder);
            assertEquals(List.of("gzip"), coding(server, "/files/app.js"));
            assertEquals(List.of(), coding(server, "/app.js"));
        }
    }
}
