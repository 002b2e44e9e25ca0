package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.metrics.Gauge;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Tests asynchronous requests that write a response and do not complete. Such a request uses only the memory of its response buffer. The
 * rest of the memory for bodies ({@code pipe-budget}) is free for other requests.
 */
class HeldResponsesTest {
    private static final int REQUESTS = 40;
    private static final int BUFFER = 16 << 10;
    private static final int BODY = 60_000;
    private static final int BUDGET = 4 << 20;

    private final BlockingQueue<AsyncContext> waiting = new LinkedBlockingQueue<>();

    private final class WritesAndWaits extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            assertEquals(BUFFER, response.getBufferSize());
            AsyncContext async = request.startAsync();
            async.setTimeout(0);
            if (request.getQueryString() != null) {
                response.setBufferSize(BODY);
            }
            response.getOutputStream().write(new byte[BUFFER]);
            assertFalse(response.isCommitted());
            response.getOutputStream().write(new byte[BODY - BUFFER]);
            assertTrue(request.getQueryString() == null || !response.isCommitted());
            waiting.add(async);
        }
    }

    private Penstock server() throws StartException {
        return Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .set("pipe-budget", Integer.toString(BUDGET))
                .context("/", context -> context.servlet("writes", new WritesAndWaits(), "/writes"))
                .start();
    }

    private AsyncContext begun() throws InterruptedException {
        return Objects.requireNonNull(waiting.poll(PromptWaits.PATIENCE.toSeconds(), TimeUnit.SECONDS));
    }

    @Test
    void waitingAsyncResponsesUseAtMostHalfOfTheMemoryBudget() throws Exception {
        try (Penstock server = server()) {
            List<Socket> clients = new ArrayList<>();
            List<AsyncContext> begun = new ArrayList<>();
            for (int i = 0; i < REQUESTS; i++) {
                clients.add(RawExchange.begin(
                        server.port(), "GET /writes HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"));
                begun.add(begun());
            }
            long held = server.gauges().get(Gauge.PIPE_BYTES.id());
            assertTrue(held <= BUDGET / 2, "memory of the waiting responses, in bytes: " + held);
            begun.forEach(AsyncContext::complete);
            for (Socket client : clients) {
                try (client) {
                    assertTrue(client.getInputStream().readAllBytes().length > BODY);
                }
            }
        }
    }

    @Test
    void aResponseThatFitsIntoTheEnlargedBufferIsSentAfterCompletion() throws Exception {
        try (Penstock server = server()) {
            List<Socket> clients = new ArrayList<>();
            List<AsyncContext> begun = new ArrayList<>();
            for (int i = 0; i < 2 * REQUESTS; i++) {
                clients.add(RawExchange.begin(
                        server.port(), "GET /writes?large HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"));
                begun.add(begun());
            }
            begun.forEach(AsyncContext::complete);
            for (Socket client : clients) {
                try (client) {
                    String answer = new String(client.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
                    assertTrue(
                            answer.contains("Content-Length: " + BODY),
                            "no Content-Length: the server sent bytes before the request completed");
                }
            }
        }
    }
}
