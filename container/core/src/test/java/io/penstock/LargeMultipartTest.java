package io.penstock;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.Part;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests multipart forms that are too large for memory. The server stores such a form in one temporary file (spool file), and deletes the
 * file after the request.
 */
final class LargeMultipartTest {
    private static final String BOUNDARY = "limit-of-parts";
    private static final int LARGE = 3_000_000;

    @TempDir
    Path folder;

    /** Stores the part {@code file} in a folder of the test, and answers with the names and sizes of all parts. */
    private final class FormServlet extends HttpServlet {
        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response)
                throws IOException, ServletException {
            Part file = request.getPart("file");
            file.write(folder.resolve("stored").toString());
            StringBuilder seen = new StringBuilder();
            for (Part part : request.getParts()) {
                try (InputStream in = part.getInputStream()) {
                    in.skipNBytes(Math.min(1, part.getSize()));
                    seen.append(part.getName())
                            .append(' ')
                            .append(part.getSize())
                            .append(' ');
                    seen.append(in.readAllBytes().length).append('\n');
                }
            }
            seen.append(request.getParameter("note"));
            Part empty = request.getPart("empty");
            empty.delete();
            seen.append('\n').append(empty.getInputStream().read());
            response.getWriter().print(seen);
        }
    }

    private static byte[] form(byte[] file) throws IOException {
        ByteArrayOutputStream form = new ByteArrayOutputStream();
        part(form, "name=\"note\"", "a note".getBytes(StandardCharsets.US_ASCII));
        part(form, "name=\"file\"; filename=\"large.bin\"", file);
        part(form, "name=\"empty\"; filename=\"empty.bin\"", new byte[0]);
        form.writeBytes(("--" + BOUNDARY + "--\r\n").getBytes(StandardCharsets.US_ASCII));
        return form.toByteArray();
    }

    private static void part(ByteArrayOutputStream form, String disposition, byte[] content) {
        String head = "--" + BOUNDARY + "\r\nContent-Disposition: form-data; " + disposition + "\r\n\r\n";
        form.writeBytes(head.getBytes(StandardCharsets.US_ASCII));
        form.writeBytes(content);
        form.writeBytes("\r\n".getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void thePartsOfALargeFormAreReadFromASpoolFile() throws Exception {
        byte[] file = new byte[LARGE];
        new Random(4).nextBytes(file);
        Path spool = Files.createDirectory(folder.resolve("spool"));
        try (Penstock server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .set("spool-dir", spool.toString())
                .context(
                        "/",
                        context -> context.servlet("form", new FormServlet(), new MultipartConfigElement(""), "/form"))
                .start()) {
            for (int i = 0; i < 3; i++) {
                HttpResponse<String> answer = HttpClient.newHttpClient()
                        .send(
                                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/form"))
                                        .header("Content-Type", "multipart/form-data; boundary=" + BOUNDARY)
                                        .POST(HttpRequest.BodyPublishers.ofByteArray(form(file)))
                                        .build(),
                                HttpResponse.BodyHandlers.ofString());
                assertEquals(
                        List.of("note 6 5", "file " + LARGE + " " + (LARGE - 1), "empty 0 0", "a note", "-1"),
                        Arrays.asList(answer.body().split("\n")));
                assertArrayEquals(file, Files.readAllBytes(folder.resolve("stored")));
            }
            assertEquals(3L, server.counters().get("spool-files"));
            await().until(() -> filesIn(spool) == 2); // the folder that the server has created, and its lock file
        }
        assertEquals(0, filesIn(spool));
    }

    @Test
    void aFormLargerThanTheSpoolLimitGets503() throws Exception {
        try (Penstock server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .set("streaming-paths", "/form")
                .set("spool-limit", "1000000")
                .context(
                        "/",
                        context -> context.servlet("form", new FormServlet(), new MultipartConfigElement(""), "/form"))
                .start()) {
            HttpResponse<String> refused = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/form"))
                                    .header("Content-Type", "multipart/form-data; boundary=" + BOUNDARY)
                                    .POST(HttpRequest.BodyPublishers.ofInputStream(
                                            () -> new ByteArrayInputStream(formOf(LARGE))))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            assertEquals(503, refused.statusCode());
            assertEquals(1L, server.counters().get("spool-full"));
        }
    }

    private static byte[] formOf(int bytes) {
        try {
            return form(new byte[bytes]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long filesIn(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.count() - 1;
        }
    }
}
