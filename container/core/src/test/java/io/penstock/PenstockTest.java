package io.penstock;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests servers that a Java program configures and starts with {@link Penstock}. */
class PenstockTest {
    private final HttpClient client = HttpClient.newHttpClient();

    /** Writes a greeting with a parameter of the request and an init parameter of the servlet. */
    private static final class HelloServlet extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.setContentType("text/plain");
            response.getWriter().print(getInitParameter("word") + " " + request.getParameter("name"));
        }
    }

    private static Penstock.Builder local() {
        return Penstock.builder().host("127.0.0.1").port(0).workers(2);
    }

    private HttpResponse<String> get(Penstock server, String path) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + server.port() + path);
        return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void theServerCallsAServletThatIsDefinedInJavaCode() throws Exception {
        try (Penstock server = local().context("/", context -> context.servlet("hello", new HelloServlet(), "/hello")
                        .servletInitParam("hello", "word", "ahoy"))
                .start()) {
            HttpResponse<String> response = get(server, "/hello?name=Anna");
            assertEquals(200, response.statusCode());
            assertEquals("ahoy Anna", response.body());
            assertEquals(404, get(server, "/other").statusCode());
            assertEquals(List.of("/"), server.contexts());
        }
    }

    @Test
    void aRequestAboveALimitIsRefusedAndCounted() throws Exception {
        try (Penstock server = local().set("max-parameters", "1")
                .context("/", context -> context.servlet("hello", new HelloServlet(), "/hello"))
                .start()) {
            assertEquals(0, server.counters().get("too-many-parameters"));
            assertEquals(400, get(server, "/hello?name=Anna&name=Bert").statusCode());
            assertEquals(1, server.counters().get("too-many-parameters"));
        }
    }

    @Test
    void aServerCanServeSeveralContexts(@TempDir Path folder) throws Exception {
        Files.writeString(folder.resolve("a.txt"), "file");
        try (Penstock server = local().context("/code", context -> context.servlet("hello", new HelloServlet(), "/"))
                .war("/files", folder)
                .start()) {
            assertEquals("null null", get(server, "/code/x").body());
            assertEquals("file", get(server, "/files/a.txt").body());
            assertEquals(404, get(server, "/a.txt").statusCode());
        }
    }

    @Test
    void aDirectoryRejectsAllMethodsExceptGetAndHeadAndOptions(@TempDir Path folder) throws Exception {
        Files.writeString(folder.resolve("index.html"), "welcome");
        try (Penstock server = local().war(folder).start()) {
            URI root = URI.create("http://127.0.0.1:" + server.port() + "/");
            assertEquals("welcome", get(server, "/").body());
            for (String method : List.of("POST", "DELETE", "BREW")) {
                HttpRequest request = HttpRequest.newBuilder(root)
                        .method(method, HttpRequest.BodyPublishers.noBody())
                        .build();
                HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
                assertEquals(405, response.statusCode(), method);
                assertEquals(
                        "GET, HEAD, OPTIONS",
                        response.headers().firstValue("Allow").orElse(""),
                        method);
            }
        }
    }

    @Test
    void awaitReturnsWhenTheServerIsClosed() throws Exception {
        Penstock server = local().start();
        CountDownLatch waiting = new CountDownLatch(1);
        Thread closer = new Thread(() -> {
            try {
                waiting.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            server.close();
        });
        closer.start();
        waiting.countDown();
        server.await();
        closer.join();
        server.close();
        assertThrows(IOException.class, () -> get(server, "/"));
    }

    @Test
    void aRequestWithAnAmbiguousPathGets400AndTheConnectionIsClosed() throws Exception {
        try (Penstock server = local().context("/", context -> {}).start();
                Socket socket = new Socket("127.0.0.1", server.port())) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream()
                    .write("GET /a/%2e%2e/b HTTP/1.1\r\nHost: a\r\n\r\nGET /c HTTP/1.1\r\nHost: a\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            String all = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            assertTrue(all.startsWith("HTTP/1.1 400 "), all);
            assertTrue(all.contains("Connection: close"), all);
            assertEquals(0, all.lastIndexOf("HTTP/1.1"), all);
        }
    }

    @Test
    void closeStopsTheServerCompletelyEvenIfTheCallingThreadIsInterrupted() throws Exception {
        CountDownLatch arrived = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        HttpServlet stuck = new HttpServlet() {
            @Override
            protected void doGet(HttpServletRequest request, HttpServletResponse response) {
                arrived.countDown();
                try {
                    never.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        };
        Penstock server = local().context("/", context -> context.servlet("stuck", stuck, "/stuck"))
                .start();
        try (Socket socket = new Socket("127.0.0.1", server.port())) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream()
                    .write("GET /stuck HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            arrived.await();
            Thread.currentThread().interrupt();
            server.close();
            assertTrue(Thread.interrupted(), "the thread must still be interrupted");
            socket.getInputStream().readAllBytes(); // returns when the server closes the connection
        }
    }

    @Test
    void theStartFailsWithAClearMessageIfThePortIsInUse() throws Exception {
        try (ServerSocket taken = new ServerSocket(0)) {
            StartException e = assertThrows(
                    StartException.class,
                    () -> Penstock.builder().port(taken.getLocalPort()).start());
            assertTrue(
                    e.getMessage().startsWith("cannot listen on 0.0.0.0:" + taken.getLocalPort() + ": "),
                    e.getMessage());
        }
    }

    @Test
    void aStoppingServerIsNotReadyAndStillServesRequestsDuringTheShutdownDelay() throws Exception {
        Penstock server = local().set("shutdown-delay", "1h")
                .context("/", context -> context.servlet("hello", new HelloServlet(), "/hello"))
                .start();
        assertTrue(server.isReady());
        Thread closer = new Thread(server::close, "closer");
        closer.start();
        await().until(() -> !server.isReady());
        HttpResponse<String> response = get(server, "/hello?name=Anna");
        assertEquals(200, response.statusCode());
        assertEquals("", response.headers().firstValue("Connection").orElse(""));
        closer.interrupt(); // the interrupt ends the shutdown delay
        closer.join();
        assertThrows(ConnectException.class, () -> get(server, "/hello"));
    }

    @Test
    void theStartFailsWithAClearMessageIfTheHostIsUnknown() {
        StartException e = assertThrows(
                StartException.class, () -> local().host("no.such.host.invalid").start());
        assertEquals("cannot listen on no.such.host.invalid:0: unknown host", e.getMessage());
    }

    @Test
    void theStartFailsWithAClearMessageIfTheSpoolDirectoryIsMissing() {
        StartException e = assertThrows(StartException.class, () -> local().set("spool-dir", "/no/such/directory")
                .start());
        assertEquals("spool-dir: /no/such/directory: no such folder; create it first", e.getMessage());
    }

    @Test
    void theStartFailsIfAKeyIsUnknownOrAValueIsInvalid() {
        assertEquals(
                "unknown key 'wrokers'; did you mean 'workers'? (from code)",
                assertThrows(StartException.class, () -> local().set("wrokers", "3")
                                .start())
                        .getMessage());
        assertTrue(assertThrows(StartException.class, () -> local().workers(0).start())
                .getMessage()
                .contains("workers"));
    }

    @Test
    void thePortIsReleasedIfAnApplicationCannotBeDeployed(@TempDir Path folder) throws Exception {
        int port = UnusedPort.next();
        StartException e = assertThrows(StartException.class, () -> Penstock.builder()
                .port(port)
                .war(folder.resolve("missing.war"))
                .start());
        assertEquals(folder.resolve("missing.war") + ": no such file or folder", e.getMessage());
        Penstock.builder().port(port).start().close();
    }

    @Test
    void twoApplicationsWithTheSameContextPathAreRejected() {
        StartException e = assertThrows(StartException.class, () -> local().context("/a", context -> {})
                .context("/a", context -> {})
                .start());
        assertEquals("two applications have the context path /a: context /a and context /a", e.getMessage());
    }

    @Test
    void theStartFailsIfAContextListenerThrowsAnException() {
        StartException e = assertThrows(StartException.class, () -> local().context(
                        "/",
                        context -> context.listener(new jakarta.servlet.ServletContextListener() {
                            @Override
                            public void contextInitialized(jakarta.servlet.ServletContextEvent event) {
                                throw new IllegalStateException("no database");
                            }
                        }))
                .start());
        assertEquals("context /: does not start: java.lang.IllegalStateException: no database", e.getMessage());
    }

    /** Writes a part of the response immediately for each part of the body, and completes the request at the end of the body. */
    private static final class NonBlockingServlet extends HttpServlet {
        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
            AsyncContext async = request.startAsync();
            ServletInputStream body = request.getInputStream();
            body.setReadListener(new ReadListener() {
                @Override
                public void onDataAvailable() throws IOException {
                    byte[] buffer = new byte[100];
                    while (body.isReady() && !body.isFinished()) {
                        int n = body.read(buffer);
                        if (n > 0) {
                            response.getOutputStream().print("got " + n + ";");
                            response.flushBuffer();
                        }
                    }
                }

                @Override
                public void onAllDataRead() {
                    async.complete();
                }

                @Override
                public void onError(Throwable failure) {
                    async.complete();
                }
            });
        }
    }

    @Test
    void aServletWithAReadListenerIsCalledBeforeTheWholeBodyArrives() throws Exception {
        try (Penstock server = local().context("/", context -> context.servlet("n", new NonBlockingServlet(), "/n"))
                        .start();
                Socket socket = new Socket("127.0.0.1", server.port())) {
            socket.setSoTimeout(60_000);
            OutputStream out = socket.getOutputStream();
            out.write("POST /n HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 6\r\n\r\nabc"
                    .getBytes(StandardCharsets.US_ASCII));
            StringBuilder answer = new StringBuilder();
            while (answer.indexOf("got 3;") < 0) {
                int next = socket.getInputStream().read();
                assertTrue(next >= 0, () -> "the connection ended after: " + answer);
                answer.append((char) next);
            }
            out.write("def".getBytes(StandardCharsets.US_ASCII));
            String rest = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            assertTrue(rest.contains("got 3;"), rest);
        }
    }
}
