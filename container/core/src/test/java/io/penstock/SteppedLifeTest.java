package io.penstock;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.dispatch.RecordingAsyncListener;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/**
 * Tests a server that a framework starts and stops in steps: prepare, resume, drain, suspend, resume again, close. {@code drain} closes the
 * port and waits for the running requests. {@code suspend} closes the port and all connections at once.
 */
class SteppedLifeTest {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final HttpClient client = HttpClient.newHttpClient();
    private final List<String> events = new CopyOnWriteArrayList<>();
    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch leave = new CountDownLatch(1);

    /** Records the calls of its lifecycle methods. With the parameter {@code wait}, a request blocks until the test releases it. */
    private final class RecordingServlet extends HttpServlet implements ServletContextListener {
        @Override
        public void init() {
            events.add("init");
        }

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            if (request.getParameter("wait") != null) {
                entered.countDown();
                try {
                    leave.await();
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
            }
            response.getWriter().print("hello");
        }

        @Override
        public void destroy() {
            events.add("destroy");
        }

        @Override
        public void contextInitialized(ServletContextEvent event) {
            events.add("initialized");
        }

        @Override
        public void contextDestroyed(ServletContextEvent event) {
            events.add("destroyed");
        }
    }

    private Penstock.Builder builderWithServlet() {
        return Penstock.builder().host("127.0.0.1").port(0).workers(2).context("/", context -> {
            RecordingServlet hello = new RecordingServlet();
            context.listener(hello).initializer((none, servletContext) -> {
                events.add("initializer");
                var servlet = servletContext.addServlet("hello", hello);
                servlet.addMapping("/hello");
                servlet.setLoadOnStartup(1);
            });
        });
    }

    @Test
    void prepareRejectsTwoApplicationsWithTheSameContextPath() {
        StartException e = assertThrows(
                StartException.class,
                () -> builderWithServlet().context("/", context -> {}).prepare());
        assertEquals("two applications have the context path /: context / and context /", e.getMessage());
        assertEquals(List.of("initializer", "initialized", "destroyed"), events, "the first context must be destroyed");
    }

    private HttpResponse<String> get(Penstock server, String path) throws IOException, InterruptedException {
        return client.send(request(server, path), HttpResponse.BodyHandlers.ofString());
    }

    private static HttpRequest request(Penstock server, String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .timeout(PATIENCE)
                .build();
    }

    private static boolean isRefused(int port) throws IOException {
        try {
            new Socket("127.0.0.1", port).close();
            return false;
        } catch (ConnectException e) {
            return true;
        }
    }

    @Test
    void contextsStayInitializedWhileTheServerIsSuspended() throws Exception {
        AtomicReference<Thread> thread = new AtomicReference<>();
        Penstock.Builder builder = builderWithServlet()
                .context(
                        "/other",
                        context -> context.initializer((none, servletContext) -> thread.set(Thread.currentThread())));
        Penstock server = builder.prepare();
        assertSame(Thread.currentThread(), thread.get());
        assertEquals(List.of("initializer", "initialized"), events);
        assertTrue(server.addresses().isEmpty());
        assertFalse(server.isReady());

        server.resume();
        assertEquals(List.of("initializer", "initialized", "init"), events);
        assertTrue(server.isReady());
        assertEquals("hello", get(server, "/hello").body());
        server.resume();

        int port = server.port();
        server.suspend();
        server.suspend();
        assertFalse(server.isReady());
        assertTrue(isRefused(port));
        assertEquals(List.of("initializer", "initialized", "init"), events);

        server.resume();
        assertTrue(server.isReady());
        assertEquals("hello", get(server, "/hello").body());
        HttpResponse<String> second = get(server, "/hello");
        assertTrue(second.headers().firstValue("Connection").isEmpty(), "the connection must stay open after resume");

        server.close();
        assertEquals(List.of("initializer", "initialized", "init", "destroy", "destroyed"), events);
        assertThrows(IllegalStateException.class, server::resume);
    }

    @Test
    void closingAPreparedServerDestroysTheContexts() throws Exception {
        builderWithServlet().prepare().close();
        assertEquals(List.of("initializer", "initialized", "destroyed"), events);
    }

    @Test
    void drainReturnsTrueOnlyIfAllServletCallsHaveCompleted() throws Exception {
        try (Penstock server = builderWithServlet().start()) {
            CompletableFuture<HttpResponse<String>> answer =
                    client.sendAsync(request(server, "/hello?wait"), HttpResponse.BodyHandlers.ofString());
            assertTrue(entered.await(1, TimeUnit.MINUTES));
            int port = server.port();
            assertFalse(server.drain(Duration.ZERO));
            assertFalse(server.isReady());
            assertTrue(isRefused(port));
            assertThrows(IllegalStateException.class, server::resume);
            leave.countDown();
            assertEquals("hello", answer.get(1, TimeUnit.MINUTES).body());
            server.suspend();
            server.resume();
            assertTrue(server.drain(PATIENCE));
        }
    }

    @Test
    void drainReturnsFalseWhileAServletRunsForADisconnectedClient() throws Exception {
        try (Penstock server = builderWithServlet().start()) {
            try (Socket gone = new Socket("127.0.0.1", server.port())) {
                gone.getOutputStream()
                        .write("GET /hello?wait HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                assertTrue(entered.await(1, TimeUnit.MINUTES));
                gone.setSoLinger(true, 0); // resets the connection
            }
            await().atMost(PATIENCE).until(() -> server.gauges().get("connections") == 0);
            assertFalse(server.drain(Duration.ZERO));
            leave.countDown();
            await().atMost(PATIENCE).until(() -> server.gauges().get("workers-busy") == 0);
        }
        try (Penstock server = builderWithServlet().start()) {
            assertTrue(server.drain(PATIENCE));
        }
    }

    /** Starts a drain on another thread, and returns a future for the result of the drain. */
    private static CompletableFuture<Boolean> startDrain(Penstock server) {
        CompletableFuture<Boolean> result = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        result.complete(server.drain(Duration.ofDays(1)));
                    } catch (InterruptedException | RuntimeException e) {
                        result.completeExceptionally(e);
                    }
                },
                "draining");
        thread.setDaemon(true);
        thread.start();
        await().atMost(PATIENCE).until(() -> !server.isReady());
        return result;
    }

    private void assertServesRequests(Penstock server) throws Exception {
        assertTrue(server.isReady());
        HttpResponse<String> response = get(server, "/hello");
        assertEquals("hello", response.body());
        assertTrue(response.headers().firstValue("Connection").isEmpty(), "the connection must stay open");
    }

    /** Starts asynchronous processing without a time-out, and never completes it. */
    private Penstock startWithWaitingServlet(List<String> heard) throws StartException {
        return Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .context(
                        "/",
                        context -> context.servlet(
                                "waiting",
                                new HttpServlet() {
                                    @Override
                                    protected void doGet(HttpServletRequest request, HttpServletResponse response) {
                                        AsyncContext async = request.startAsync();
                                        async.setTimeout(0);
                                        async.addListener(new RecordingAsyncListener(heard));
                                        entered.countDown();
                                    }
                                },
                                "/waiting"))
                .start();
    }

    private static Socket send(Penstock server, String path) throws IOException {
        Socket socket = new Socket("127.0.0.1", server.port());
        socket.getOutputStream()
                .write(("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    @Test
    void aDrainEndsWhenTheClientOfAnAsynchronousRequestDisconnects() throws Exception {
        List<String> heard = new CopyOnWriteArrayList<>();
        try (Penstock server = startWithWaitingServlet(heard);
                Socket idle = send(server, "/none");
                Socket gone = send(server, "/waiting")) {
            assertTrue(entered.await(1, TimeUnit.MINUTES));
            assertEquals('H', idle.getInputStream().read());
            CompletableFuture<Boolean> drained = startDrain(server);
            idle.getInputStream().readAllBytes(); // the end comes when the drain closes idle connections
            gone.setSoLinger(true, 0); // resets the connection
            gone.close();
            assertTrue(drained.get(1, TimeUnit.MINUTES));
            assertEquals(List.of("error", "complete"), heard);
        }
    }

    @Test
    void anAsynchronousRequestEndsWhenTheServerIsSuspended() throws Exception {
        List<String> heard = new CopyOnWriteArrayList<>();
        try (Penstock server = startWithWaitingServlet(heard);
                Socket waiting = send(server, "/waiting")) {
            assertTrue(entered.await(1, TimeUnit.MINUTES));
            server.suspend();
            await().atMost(PATIENCE).until(() -> heard.equals(List.of("error", "complete")));
            assertEquals('H', waiting.getInputStream().read());
            server.resume();
            assertTrue(server.drain(PATIENCE));
        }
    }

    @Test
    void suspendCancelsADrainDuringTheShutdownDelay() throws Exception {
        Penstock server = builderWithServlet().set("shutdown-delay", "24h").start();
        try {
            CompletableFuture<Boolean> drained = startDrain(server);
            server.suspend();
            server.resume();
            assertFalse(drained.get(1, TimeUnit.MINUTES));
            assertServesRequests(server);
        } finally {
            server.suspend(); // without this call, close() would wait for the shutdown delay
            server.close();
        }
    }

    @Test
    void suspendCancelsADrainThatWaitsForAServletCall() throws Exception {
        try (Penstock server = builderWithServlet().start()) {
            CompletableFuture<HttpResponse<String>> answer =
                    client.sendAsync(request(server, "/hello?wait"), HttpResponse.BodyHandlers.ofString());
            assertTrue(entered.await(1, TimeUnit.MINUTES));
            CompletableFuture<Boolean> drained = startDrain(server);
            server.suspend();
            assertEquals(503, answer.get(1, TimeUnit.MINUTES).statusCode());
            server.resume();
            assertFalse(drained.get(1, TimeUnit.MINUTES), "drain must return false while the servlet call runs");
            assertServesRequests(server);
            leave.countDown(); // without this line, close() would wait for the servlet call
        }
    }

    @Test
    void aDrainOnAnInterruptedThreadThrowsAnExceptionAndTheServerStaysReady() throws Exception {
        try (Penstock server = builderWithServlet().start()) {
            Thread.currentThread().interrupt();
            assertThrows(InterruptedException.class, () -> server.drain(PATIENCE));
            assertServesRequests(server);
        }
    }

    @Test
    void runningRequestsGet503WhenTheServerIsSuspended() throws Exception {
        try (Penstock server = builderWithServlet().start()) {
            CompletableFuture<HttpResponse<String>> answer =
                    client.sendAsync(request(server, "/hello?wait"), HttpResponse.BodyHandlers.ofString());
            assertTrue(entered.await(1, TimeUnit.MINUTES));
            server.suspend();
            assertEquals(503, answer.get(1, TimeUnit.MINUTES).statusCode());
            leave.countDown();
            await().atMost(PATIENCE).until(() -> server.gauges().get("workers-idle") == 2);
            server.resume();
            assertEquals("hello", get(server, "/hello").body());
        }
    }

    @Test
    void aPreparedServerIsClosedIfItsPortIsInUseAtResume() throws Exception {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            Penstock server = builderWithServlet().port(other.getLocalPort()).prepare();
            StartException e = assertThrows(StartException.class, server::resume);
            assertEquals(OptionalInt.of(other.getLocalPort()), e.unavailablePort());
            assertEquals(List.of("initializer", "initialized", "init", "destroy", "destroyed"), events);
            server.await();
        }
    }

    @Test
    void theServerStaysSuspendedIfItsPortIsInUseAtResume() throws Exception {
        int port = UnusedPort.next();
        try (Penstock server = builderWithServlet().port(port).start()) {
            server.suspend();
            try (ServerSocket other = new ServerSocket(port, 1, InetAddress.getByName("127.0.0.1"))) {
                assertEquals(
                        OptionalInt.of(other.getLocalPort()),
                        assertThrows(StartException.class, server::resume).unavailablePort());
            }
            server.resume();
            assertEquals("hello", get(server, "/hello").body());
        }
    }

    @Test
    void theServerDoesNotStartIfALoadOnStartupServletFails() {
        Penstock.Builder builder = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .context(
                        "/",
                        context -> context.initializer((none, servletContext) -> servletContext
                                .addServlet("failing", new HttpServlet() {
                                    @Override
                                    public void init() throws ServletException {
                                        throw new ServletException("no file");
                                    }
                                })
                                .setLoadOnStartup(0)));
        StartException e = assertThrows(StartException.class, builder::start);
        assertTrue(e.getMessage().contains("no file"), e.getMessage());
    }
}
