package io.penstock;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Long polls as CometD holds them: listener and time-out are set by another thread, after the servlet has returned. */
class LongPollTest {
    private static final int POLLS = 150;

    /** Writes the answer of a long poll to which no message came. */
    private static final class EmptyAnswer implements AsyncListener {
        @Override
        public void onTimeout(AsyncEvent event) throws IOException {
            event.getAsyncContext().getResponse().getWriter().print("[]");
            event.getAsyncContext().complete();
        }

        @Override
        public void onComplete(AsyncEvent event) {}

        @Override
        public void onError(AsyncEvent event) {}

        @Override
        public void onStartAsync(AsyncEvent event) {}
    }

    @Test
    void listenerAndTimeoutOf150LongPollsAreSetAfterTheServletHasReturned() throws Exception {
        BlockingQueue<AsyncContext> polls = new LinkedBlockingQueue<>();
        HttpServlet servlet = new HttpServlet() {
            @Override
            protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
                if (request.getRequestURI().equals("/poll")) {
                    AsyncContext async = request.startAsync();
                    async.setTimeout(0);
                    polls.add(async);
                } else {
                    response.getWriter().print("returned");
                }
            }
        };
        List<Socket> clients = new ArrayList<>();
        try (Penstock server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(1)
                .context("/", context -> context.servlet("s", servlet, "/*"))
                .start()) {
            for (int i = 0; i < POLLS; i++) {
                Socket client = new Socket("127.0.0.1", server.port());
                clients.add(client);
                client.setSoTimeout(60_000);
                client.getOutputStream()
                        .write("GET /poll HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".getBytes(ISO_8859_1));
            }
            List<AsyncContext> waiting = new ArrayList<>();
            for (int i = 0; i < POLLS; i++) {
                waiting.add(polls.poll(1, TimeUnit.MINUTES));
            }
            // The only worker answers this request, so it has returned from all long polls.
            assertEquals("returned", RawExchange.get(server, "/").body());
            for (AsyncContext async : waiting) {
                async.addListener(new EmptyAnswer());
                async.setTimeout(1);
            }
            for (Socket client : clients) {
                String answer = new String(client.getInputStream().readAllBytes(), ISO_8859_1);
                assertTrue(answer.startsWith("HTTP/1.1 200") && answer.endsWith("[]"), answer);
            }
        } finally {
            for (Socket client : clients) {
                client.close();
            }
        }
    }
}
