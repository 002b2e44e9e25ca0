package io.penstock.boot;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.springframework.boot.web.server.GracefulShutdownResult;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.boot.web.server.Shutdown;
import org.springframework.boot.web.server.WebServerException;
import org.springframework.boot.web.servlet.ServletContextInitializer;

/** Tests the life cycle of a server in Boot, from {@code getWebServer} to {@code destroy}. */
class LifeCycleTest {
    private final List<String> events = new ArrayList<>();

    private final class RecordingServlet extends HttpServlet implements ServletContextListener {
        @Override
        public void init() {
            events.add("servlet");
        }

        @Override
        public void destroy() {
            events.add("servlet destroyed");
        }

        @Override
        public void contextInitialized(ServletContextEvent event) {
            events.add("listener");
        }

        @Override
        public void contextDestroyed(ServletContextEvent event) {
            events.add("listener destroyed");
        }
    }

    private ServletContextInitializer recordingInitializer(AtomicReference<Thread> thread) {
        return context -> {
            thread.set(Thread.currentThread());
            events.add("initializer");
            RecordingServlet servlet = new RecordingServlet();
            context.addListener(servlet);
            context.addServlet("recording", servlet).setLoadOnStartup(1);
        };
    }

    @Test
    void theContextIsInitialisedBeforeTheStartAndIsNotDestroyedByAStop() throws Exception {
        AtomicReference<Thread> thread = new AtomicReference<>();
        try (Running running = Running.withoutStart(
                Running.factory(),
                recordingInitializer(thread),
                Running.servlet(
                        "/hello", (request, response) -> response.getWriter().print("hello")))) {
            assertSame(Thread.currentThread(), thread.get());
            assertEquals(List.of("initializer", "listener"), events);
            assertEquals(-1, running.server.getPort());

            running.server.start();
            assertEquals(List.of("initializer", "listener", "servlet"), events);
            assertEquals("hello", running.get("/hello").body());
            int first = running.server.getPort();
            running.server.start();
            assertEquals(first, running.server.getPort());

            running.server.stop();
            running.server.stop();
            assertEquals(-1, running.server.getPort());
            assertTrue(isRefused(first));
            assertEquals(List.of("initializer", "listener", "servlet"), events);

            running.server.start();
            assertEquals("hello", running.get("/hello").body());
        }
        assertEquals(List.of("initializer", "listener", "servlet", "servlet destroyed", "listener destroyed"), events);
    }

    @Test
    void theContextIsAlsoDestroyedIfTheServerWasNeverStarted() {
        Running.withoutStart(Running.factory(), recordingInitializer(new AtomicReference<>()))
                .close();
        assertEquals(List.of("initializer", "listener", "listener destroyed"), events);
    }

    @Test
    void aServerWithThePortMinusOneDoesNotListen() {
        PenstockServletWebServerFactory factory = Running.factory();
        factory.setPort(-1);
        try (Running running = Running.start(factory)) {
            assertEquals(-1, running.server.getPort());
        }
    }

    @Test
    void aPortInUseIsReportedAndTheApplicationIsStopped() throws Exception {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getByName("0.0.0.0"))) {
            PenstockServletWebServerFactory factory = new PenstockServletWebServerFactory(other.getLocalPort());
            PenstockWebServer server =
                    (PenstockWebServer) factory.getWebServer(recordingInitializer(new AtomicReference<>()));
            PortInUseException e = assertThrows(PortInUseException.class, server::start);
            assertEquals(other.getLocalPort(), e.getPort());
            assertEquals(
                    List.of("initializer", "listener", "servlet", "servlet destroyed", "listener destroyed"), events);
            server.stop();
            server.destroy();
        }
    }

    @Test
    void thePortOfASecondListenerIsReportedIfItIsInUse() throws Exception {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getByName("0.0.0.0"))) {
            PenstockServletWebServerFactory factory = Running.factory();
            factory.set("listen", "http://:0, http://:" + other.getLocalPort(), "a test");
            PenstockWebServer server = (PenstockWebServer) factory.getWebServer();
            PortInUseException e = assertThrows(PortInUseException.class, server::start);
            assertEquals(other.getLocalPort(), e.getPort());
            server.destroy();
        }
    }

    @Test
    void anAddressOfAnotherMachineIsNotReportedAsAPortInUse() throws Exception {
        PenstockServletWebServerFactory factory = Running.factory();
        factory.setAddress(InetAddress.getByName("192.0.2.1"));
        PenstockWebServer server = (PenstockWebServer) factory.getWebServer();
        WebServerException e = assertThrows(WebServerException.class, server::start);
        assertTrue(e.getMessage().contains("192.0.2.1"), e.getMessage());
        assertSame(WebServerException.class, e.getClass());
        server.destroy();
    }

    @Test
    void theExceptionOfAnInitializerIsACauseOfTheStartFailure() {
        IllegalStateException failure = new IllegalStateException("no database");
        WebServerException e =
                assertThrows(WebServerException.class, () -> Running.factory().getWebServer(context -> {
                    throw failure;
                }));
        assertTrue(causes(e).contains(failure));
    }

    @Test
    void theExceptionOfAServletIsACauseOfTheStartFailure() {
        PenstockWebServer server = (PenstockWebServer)
                Running.factory().getWebServer(context -> context.addServlet("failing", new HttpServlet() {
                            @Override
                            public void init() throws ServletException {
                                throw new ServletException("no file");
                            }
                        })
                        .setLoadOnStartup(1));
        WebServerException e = assertThrows(WebServerException.class, server::start);
        assertTrue(causes(e).stream().anyMatch(cause -> "no file".equals(cause.getMessage())));
        server.destroy();
    }

    private static List<Throwable> causes(Throwable thrown) {
        List<Throwable> all = new ArrayList<>();
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            all.add(cause);
        }
        return all;
    }

    @Test
    void aGracefulShutdownWaitsForRunningRequests() throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        PenstockServletWebServerFactory factory = Running.factory();
        factory.setShutdown(Shutdown.GRACEFUL);
        try (Running running = Running.start(factory, waiting(entered, leave))) {
            int port = running.server.getPort();
            CompletableFuture<HttpResponse<String>> answer =
                    running.client().sendAsync(running.request("/wait").build(), HttpResponse.BodyHandlers.ofString());
            assertTrue(entered.await(1, TimeUnit.MINUTES));
            CompletableFuture<GracefulShutdownResult> result = new CompletableFuture<>();
            running.server.shutDownGracefully(result::complete);
            await().until(() -> isRefused(port));
            assertNull(result.getNow(null));
            leave.countDown();
            assertEquals("done", answer.get(1, TimeUnit.MINUTES).body());
            assertEquals(GracefulShutdownResult.IDLE, result.get(1, TimeUnit.MINUTES));
        }
    }

    /** One servlet gets 210 of the 240 workers of the default settings. The other requests wait in the queue when the shutdown begins. */
    @Test
    void aGracefulShutdownWaitsForQueuedRequestsAndForAllWorkersThatWaitInTheApplication() throws Exception {
        int requests = 300;
        int running = 210;
        CountDownLatch entered = new CountDownLatch(running);
        CountDownLatch leave = new CountDownLatch(1);
        PenstockServletWebServerFactory factory = Running.factory();
        factory.setShutdown(Shutdown.GRACEFUL);
        factory.set("workers", "240", "a test");
        factory.set("queue-age", "5m", "a test");
        List<Socket> clients = new ArrayList<>();
        try (Running server = Running.start(factory, waiting(entered, leave))) {
            int port = server.server.getPort();
            for (int i = 0; i < requests; i++) {
                Socket client = new Socket("127.0.0.1", port);
                clients.add(client);
                client.getOutputStream().write("GET /wait HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(US_ASCII));
            }
            assertTrue(entered.await(1, TimeUnit.MINUTES));
            await().until(() -> server.server.getPenstock().gauges().get("queued") == requests - running);
            CompletableFuture<GracefulShutdownResult> result = new CompletableFuture<>();
            server.server.shutDownGracefully(result::complete);
            await().until(() -> isRefused(port));
            assertNull(result.getNow(null));
            leave.countDown();
            for (Socket client : clients) {
                String answer = new String(client.getInputStream().readAllBytes(), US_ASCII);
                assertTrue(answer.startsWith("HTTP/1.1 200 ") && answer.endsWith("done"), answer);
            }
            assertEquals(GracefulShutdownResult.IDLE, result.get(1, TimeUnit.MINUTES));
        } finally {
            for (Socket client : clients) {
                client.close();
            }
        }
    }

    @Test
    void aStopCancelsAGracefulShutdown() throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        PenstockServletWebServerFactory factory = Running.factory();
        factory.setShutdown(Shutdown.GRACEFUL);
        try (Running running = Running.start(factory, waiting(entered, leave))) {
            CompletableFuture<HttpResponse<String>> answer =
                    running.client().sendAsync(running.request("/wait").build(), HttpResponse.BodyHandlers.ofString());
            assertTrue(entered.await(1, TimeUnit.MINUTES));
            CompletableFuture<GracefulShutdownResult> result = new CompletableFuture<>();
            running.server.shutDownGracefully(result::complete);
            running.server.stop();
            assertEquals(GracefulShutdownResult.REQUESTS_ACTIVE, result.get(1, TimeUnit.MINUTES));
            assertEquals(503, answer.get(1, TimeUnit.MINUTES).statusCode());
            leave.countDown();
        }
    }

    @Test
    void anImmediateShutdownCallsItsCallbackAtOnce() {
        try (Running running = Running.start(Running.factory())) {
            CompletableFuture<GracefulShutdownResult> result = new CompletableFuture<>();
            running.server.shutDownGracefully(result::complete);
            assertEquals(GracefulShutdownResult.IMMEDIATE, result.getNow(null));
        }
    }

    private static ServletContextInitializer waiting(CountDownLatch entered, CountDownLatch leave) {
        return Running.servlet("/wait", (request, response) -> {
            entered.countDown();
            try {
                leave.await();
            } catch (InterruptedException e) {
                throw new ServletException(e);
            }
            response.getWriter().print("done");
        });
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
    void customizersCanOverrideSettingsAndGetPenstockReturnsTheServer() throws Exception {
        PenstockServletWebServerFactory factory = Running.factory();
        factory.set("workers", "2", "a test");
        factory.addBuilderCustomizers(builder -> builder.workers(3));
        factory.addContextCustomizers(context -> context.initParam("of", "the program"));
        AtomicReference<String> found = new AtomicReference<>();
        try (Running running = Running.start(factory, context -> found.set(context.getInitParameter("of")))) {
            assertEquals("the program", found.get());
            assertEquals(3, running.server.getPenstock().gauges().get("workers"));
            assertNotNull(assertInstanceOf(PenstockWebServer.class, running.server));
        }
    }
}
