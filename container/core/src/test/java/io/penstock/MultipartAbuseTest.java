package io.penstock;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.Part;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Sends malicious multipart forms to a server with default limits. The servlet at {@code /whole} is called after the complete body has
 * arrived. The servlet at {@code /streamed} reads the body while the body arrives. The server writes each part to a file. After each test,
 * no file may remain on disk.
 */
class MultipartAbuseTest {
    @TempDir
    Path folder;

    @RegisterExtension
    final LeakCheck left = new LeakCheck();

    private Penstock server;

    /** Reads the form, and answers with the number of parts and the number of parameters. */
    private static final class FormServlet extends HttpServlet {
        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response)
                throws ServletException, IOException {
            int parts = request.getParts().size();
            if (request.getQueryString() != null) {
                for (Part part : request.getParts()) {
                    part.write(part.getSubmittedFileName());
                }
            }
            response.getWriter().print(parts + " " + request.getParameterMap().size());
        }
    }

    @BeforeEach
    void start() throws Exception {
        Files.createDirectories(folder.resolve("spool"));
        Files.createDirectories(folder.resolve("temporary"));
        MultipartConfigElement everyPartToAFile = new MultipartConfigElement("", -1, -1, 0);
        server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .set("spool-dir", folder.resolve("spool").toString())
                .temporary(folder.resolve("temporary"))
                .context("/", context -> context.servlet("whole", new FormServlet(), everyPartToAFile, "/whole")
                        .servlet("streamed", new FormServlet(), everyPartToAFile, "/streamed")
                        .servletInitParam("streamed", "penstock.streaming", "true"))
                .start();
    }

    /** Checks that no file of a request remains. This check must run before the server stops, because the stop deletes all files. */
    @AfterEach
    void checkThatNoFilesRemain() {
        await().until(() -> files().isEmpty());
        left.awaitIn(server);
        server.close();
        assertEquals(List.of(), files());
    }

    /** Returns all existing files of request bodies and parts. */
    private List<Path> files() {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile)
                    .filter(file -> !file.toString().endsWith(".lock"))
                    .toList();
        } catch (UncheckedIOException e) {
            // The server deleted the file after the file was listed.
            if (e.getCause() instanceof NoSuchFileException gone) {
                return List.of(Path.of(gone.getFile()));
            }
            throw e;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String part(String disposition, String content) {
        return "--b\r\nContent-Disposition: form-data" + disposition + "\r\n\r\n" + content + "\r\n";
    }

    private static String head(String path, int length) {
        return "POST " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
                + "Content-Type: multipart/form-data; boundary=b\r\nContent-Length: " + length + "\r\n\r\n";
    }

    private RawExchange post(String path, String body) throws IOException {
        return RawExchange.of(server, head(path, body.length()) + body);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/whole", "/streamed"})
    void formsWithTooManyPartsAreRefused(String path) throws IOException {
        String part = part("; name=\"n\"; filename=\"f\"", "x");
        assertEquals("1000 0", post(path, part.repeat(1000) + "--b--\r\n").body());
        assertEquals(413, post(path, part.repeat(10_000) + "--b--\r\n").status());
        assertEquals(1, server.counters().get("too-many-parts"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/whole", "/streamed"})
    void formsWithAHugePartHeaderAreRefused(String path) throws IOException {
        String file = part("; name=\"n\"; filename=\"f\"", "kept for a while");
        String longValue = file + part("; name=\"n\"; filename=\"" + "f".repeat(1_000_000) + "\"", "x") + "--b--";
        assertEquals(413, post(path, longValue).status());
        String manyLines = file + "--b\r\n" + "X-Line: y\r\n".repeat(100_000) + "\r\nx\r\n--b--";
        assertEquals(413, post(path, manyLines).status());
        String folded = file + "--b\r\nX-Line: y\r\n" + " y\r\n".repeat(100_000) + "\r\nx\r\n--b--";
        assertEquals(413, post(path, folded).status());
        assertEquals(3, server.counters().get("part-header-too-large"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/whole", "/streamed"})
    void tooLargeFormsAndFormsWithUnnamedPartsAreRefused(String path) throws IOException {
        String field = part("; name=\"n\"", "x".repeat(100_000));
        assertEquals("20 1", post(path, field.repeat(20) + "--b--").body());
        assertEquals(413, post(path, field.repeat(40) + "--b--").status());
        assertEquals(1, server.counters().get("form-too-large"));
        assertEquals(
                400, post(path, field + part("; filename=\"f\"", "x") + "--b--").status());
        assertEquals(400, post(path, field + part("", "x") + "--b--").status());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/whole", "/streamed"})
    void requestsWithMalformedFormsGet400(String path) throws IOException {
        String file = part("; name=\"n\"; filename=\"f\"", "kept for a while");
        for (String end : List.of("", "--b", "--b-", "--c--", "--b\n", "--b\r\nno colon\r\n\r\n--b--")) {
            assertEquals(400, post(path, file + end).status(), end);
        }
        String typed =
                "POST " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 7\r\nContent-Type: ";
        for (String type : List.of(
                "multipart/form-data",
                "multipart/form-data; boundary=",
                "multipart/form-data; boundary=" + "b".repeat(71))) {
            assertEquals(
                    400,
                    RawExchange.of(server, typed + type + "\r\n\r\n--b--\r\n").status(),
                    type);
        }
    }

    @Test
    void thePartFilesAreDeletedIfTheClientDisconnectsDuringTheUpload() throws IOException {
        String begun =
                part("; name=\"a\"; filename=\"a\"", "x".repeat(200_000)) + part("; name=\"b\"; filename=\"b\"", "y");
        for (String path : List.of("/whole", "/streamed")) {
            for (int i = 0; i < 10; i++) {
                try (Socket socket = new Socket("127.0.0.1", server.port())) {
                    socket.getOutputStream()
                            .write((head(path, 1_000_000) + begun).getBytes(StandardCharsets.ISO_8859_1));
                    if (path.equals("/streamed")) {
                        await().until(() -> !files().isEmpty()); // the server is reading the parts
                    }
                    socket.setSoLinger(true, 0); // close() sends a reset
                }
            }
        }
        await().until(() -> files().isEmpty());
        assertEquals(
                "1 0",
                post("/whole", part("; name=\"n\"; filename=\"f\"", "x") + "--b--")
                        .body());
    }

    @ParameterizedTest
    @ValueSource(strings = {"../../evil", "../spool/evil", "a/../../evil", "\u0000"})
    void aPartCannotBeWrittenOutsideTheTemporaryFolder(String name) throws IOException {
        for (String path : List.of("/whole?write", "/streamed?write")) {
            for (String content : List.of("x", "x".repeat(200_000))) {
                RawExchange exchange = post(path, part("; name=\"n\"; filename=\"" + name + "\"", content) + "--b--");
                assertTrue(exchange.status() >= 400, exchange.text());
                assertTrue(files().stream().noneMatch(file -> file.endsWith("evil")), () -> files().toString());
            }
        }
    }
}
