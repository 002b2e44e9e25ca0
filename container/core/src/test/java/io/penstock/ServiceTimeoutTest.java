package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Tests the responses if a servlet runs longer than the setting {@code service-timeout}. The server then interrupts the servlet. */
class ServiceTimeoutTest {
    private final HttpClient client = HttpClient.newHttpClient();
    private final CountDownLatch go = new CountDownLatch(1);

    private final class WaitingServlet extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response)
                throws ServletException, IOException {
            response.getWriter().print("not to be seen");
            try {
                go.await();
            } catch (InterruptedException e) {
                throw new ServletException("interrupted at work", e);
            }
        }
    }

    private final class InterruptIgnoringServlet extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter().print("not to be seen");
            while (go.getCount() > 0) {
                try {
                    go.await();
                } catch (InterruptedException e) {
                    log("goes on", e);
                }
            }
        }
    }

    private final class AsyncServlet extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) {
            AsyncContext async = request.startAsync();
            assertEquals(300, async.getTimeout());
        }
    }

    private static final class HelloServlet extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter().print(Thread.currentThread().isInterrupted() ? "interrupted" : "hello");
        }
    }

    private Penstock server() throws StartException {
        return Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .set("service-timeout", "2s")
                .set("async-timeout", "300ms")
                .context("/", context -> context.servlet("waiting", new WaitingServlet(), "/waiting")
                        .servlet("deaf", new InterruptIgnoringServlet(), "/deaf")
                        .servlet("async", new AsyncServlet(), "/async")
                        .servlet("hello", new HelloServlet(), "/hello"))
                .start();
    }

    private HttpResponse<String> get(Penstock server, String path) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + server.port() + path);
        return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void theClientGets503IfTheInterruptedServletFails() throws Exception {
        try (Penstock server = server()) {
            HttpResponse<String> response = get(server, "/waiting");
            assertEquals(503, response.statusCode());
            assertTrue(!response.body().contains("not to be seen"), response.body());
            assertEquals(1, server.counters().get("service-timeouts"));
            assertEquals(0, server.counters().get("service-calls-given-up"));
            assertEquals("hello", get(server, "/hello").body());
        }
    }

    @Test
    void theClientGets503IfTheServletIgnoresTheInterrupt() throws Exception {
        try (Penstock server = server()) {
            HttpResponse<String> response = get(server, "/deaf");
            assertEquals(503, response.statusCode());
            assertEquals("503 Service Unavailable\n", response.body());
            assertEquals(1, server.counters().get("service-calls-given-up"));
            assertEquals("hello", get(server, "/hello").body());
            go.countDown();
        }
    }

    @Test
    void asynchronousRequestsHaveTheConfiguredTimeout() throws Exception {
        try (Penstock server = server()) {
            assertEquals(500, get(server, "/async").statusCode());
            assertEquals(1, server.counters().get("async-timeouts"));
            assertEquals(0, server.counters().get("service-timeouts"));
        }
    }
}
