package io.penstock;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A servlet checks the permission of the client and passes a file to the server. The server sends the file, and supports conditional
 * requests and ranges.
 */
class HandedFileTest {
    private static final String ATTRIBUTE = "io.penstock.file";

    @TempDir
    Path folder;

    private final HttpClient client = HttpClient.newHttpClient();
    private Penstock server;

    /**
     * Passes a file to the server if the parameter {@code key} is {@code yes}. The parameter {@code name} is the name of the file. The
     * parameter {@code as} selects the Java type of the request attribute.
     */
    private final class Store extends HttpServlet {
        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response)
                throws ServletException, IOException {
            if (!"yes".equals(request.getParameter("key"))) {
                response.sendError(HttpServletResponse.SC_FORBIDDEN);
                return;
            }
            Path file = folder.resolve("store").resolve(request.getParameter("name"));
            Object handed =
                    switch (String.valueOf(request.getParameter("as"))) {
                        case "file" -> file.toFile();
                        case "text" -> file.toString();
                        default -> file;
                    };
            request.setAttribute(ATTRIBUTE, handed);
            response.setHeader("Content-Disposition", "attachment");
            getServletContext().getNamedDispatcher("default").forward(request, response);
        }
    }

    @BeforeEach
    void start() throws Exception {
        Path store = Files.createDirectory(folder.resolve("store"));
        Files.writeString(store.resolve("small.txt"), "Hello, reader");
        byte[] large = new byte[3_000_000];
        new Random(1).nextBytes(large);
        Files.write(store.resolve("large.bin"), large);
        Files.createDirectory(store.resolve("inner"));
        Path site = Files.createDirectory(folder.resolve("site"));
        Files.writeString(site.resolve("index.html"), "the site");
        server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .context("/app", context -> context.resources(site).servlet("store", new Store(), "/store"))
                .start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private HttpResponse<byte[]> callServlet(String method, String query, String... fields) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + server.port() + "/app/store?" + query))
                .method(method, HttpRequest.BodyPublishers.noBody());
        if (fields.length > 0) {
            request.headers(fields);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    }

    private static String field(HttpResponse<?> answer, String name) {
        return answer.headers().firstValue(name).orElse("");
    }

    @Test
    void theServerSendsTheFileThatTheServletPassed() throws Exception {
        for (String as : List.of("path", "file")) {
            HttpResponse<byte[]> answer = callServlet("GET", "key=yes&name=small.txt&as=" + as);
            assertEquals(200, answer.statusCode());
            assertEquals("Hello, reader", new String(answer.body()));
            assertEquals("text/plain;charset=UTF-8", field(answer, "content-type"));
            assertEquals("attachment", field(answer, "content-disposition"));
        }
        HttpResponse<byte[]> large = callServlet("GET", "key=yes&name=large.bin");
        assertArrayEquals(Files.readAllBytes(folder.resolve("store/large.bin")), large.body());
        HttpResponse<byte[]> head = callServlet("HEAD", "key=yes&name=large.bin");
        assertEquals(0, head.body().length);
        assertEquals("3000000", field(head, "content-length"));
        assertArrayEquals(
                "Hello, reader".getBytes(),
                callServlet("POST", "key=yes&name=small.txt").body());
    }

    @Test
    void aPassedFileSupportsRangesAndConditionalRequests() throws Exception {
        HttpResponse<byte[]> part = callServlet("GET", "key=yes&name=small.txt", "Range", "bytes=7-12");
        assertEquals(206, part.statusCode());
        assertEquals("reader", new String(part.body()));
        HttpResponse<byte[]> again = callServlet("GET", "key=yes&name=small.txt", "If-None-Match", field(part, "etag"));
        assertEquals(304, again.statusCode());
        assertEquals(
                403,
                callServlet("GET", "name=small.txt", "If-None-Match", field(part, "etag"))
                        .statusCode());
    }

    @Test
    void aRequestForAMissingFileOrAFolderGets404() throws Exception {
        assertEquals(404, callServlet("GET", "key=yes&name=none").statusCode());
        assertEquals(404, callServlet("GET", "key=yes&name=inner").statusCode());
    }

    @Test
    void aFileAttributeOfTheWrongTypeCausesStatus500() throws Exception {
        assertEquals(500, callServlet("GET", "key=yes&name=small.txt&as=text").statusCode());
    }

    /** A query parameter with the name of the request attribute has no effect. */
    @Test
    void aClientCannotGetAFileThatTheServletDidNotPass() throws Exception {
        assertEquals(403, callServlet("GET", "name=small.txt").statusCode());
        HttpResponse<String> site = client.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/app/?" + ATTRIBUTE + "="
                                + folder.resolve("store/small.txt")))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertTrue(site.body().contains("the site"));
    }
}
