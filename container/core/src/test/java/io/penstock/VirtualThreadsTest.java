package io.penstock;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Tests workers on virtual threads. The limits for workers and for waiting requests (the queue) are the same as with platform threads. On
 * Java versions without virtual threads, the workers are platform threads.
 */
class VirtualThreadsTest {
    private static final int FIRST_JAVA_WITH_VIRTUAL_THREADS = 21;

    private final HttpClient client = HttpClient.newHttpClient();
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    private final CountDownLatch entered = new CountDownLatch(2);
    private final CountDownLatch leave = new CountDownLatch(1);

    private final class Calls extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            threads.add(Thread.currentThread());
            if (request.getParameter("wait") != null) {
                entered.countDown();
                try {
                    leave.await();
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
            }
            response.getWriter().print(Thread.currentThread().getName());
        }
    }

    private static boolean isVirtual(Thread thread) {
        try {
            return (Boolean) Thread.class.getMethod("isVirtual").invoke(thread);
        } catch (NoSuchMethodException e) {
            return false; // Java 17
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new AssertionError(e);
        }
    }

    private Penstock start(String virtual) throws StartException {
        return Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .queue(1)
                .set("virtual-threads", virtual)
                .context("/", context -> context.servlet("calls", new Calls(), "/"))
                .start();
    }

    private CompletableFuture<HttpResponse<String>> get(Penstock server, String query) {
        URI uri = URI.create("http://127.0.0.1:" + server.port() + "/" + query);
        return client.sendAsync(
                HttpRequest.newBuilder(uri).timeout(Duration.ofMinutes(1)).build(),
                HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void requestsRunOnVirtualThreadsWithTheConfiguredLimits() throws Exception {
        try (Penstock server = start("on")) {
            List<CompletableFuture<HttpResponse<String>>> busy = new ArrayList<>(List.of(get(server, "?wait")));
            // The queue has one slot. So a worker must take the first request before the test sends the second request.
            await().until(() -> server.gauges().get("workers-busy") == 1);
            busy.add(get(server, "?wait"));
            assertTrue(entered.await(1, TimeUnit.MINUTES));
            assertEquals(0, server.gauges().get("workers-idle"));
            assertTrue(server.dump().contains("worker-1 for"), server.dump());
            CompletableFuture<HttpResponse<String>> queued = get(server, "");
            await().until(() -> server.gauges().get("queued") == 1);
            assertEquals(503, get(server, "").get(1, TimeUnit.MINUTES).statusCode());
            leave.countDown();
            busy.add(queued);
            for (CompletableFuture<HttpResponse<String>> answer : busy) {
                HttpResponse<String> response = answer.get(1, TimeUnit.MINUTES);
                assertEquals(200, response.statusCode());
                assertTrue(response.body().startsWith("worker-"), response.body());
            }
            assertTrue(threads.size() <= 2, threads::toString);
            boolean expected = Runtime.version().feature() >= FIRST_JAVA_WITH_VIRTUAL_THREADS;
            threads.forEach(thread -> assertEquals(expected, isVirtual(thread), thread::toString));
        }
    }

    @Test
    void requestsAreServedAfterTheApplicationIsUndeployedAndDeployedAgain() throws Exception {
        try (Penstock server = start("on")) {
            get(server, "").get(1, TimeUnit.MINUTES);
            assertTrue(server.undeploy("/"));
            server.deploy("/", context -> context.servlet("calls", new Calls(), "/"));
            assertEquals(200, get(server, "").get(1, TimeUnit.MINUTES).statusCode());
        }
    }

    @Test
    void virtualThreadsAreNotUsedIfTheSettingIsOff() throws Exception {
        try (Penstock server = start("off")) {
            get(server, "").get(1, TimeUnit.MINUTES);
            threads.forEach(thread -> assertFalse(isVirtual(thread)));
        }
    }
}
