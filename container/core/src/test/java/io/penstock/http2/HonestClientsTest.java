package io.penstock.http2;

import static io.penstock.PromptWaits.PATIENCE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.Penstock;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/**
 * Honest clients do much of what a protection against floods looks at: many small streams, resets, small frames. The server must answer them
 * all, and close no connection. {@code -Dpenstock.honest.clients=100 -Dpenstock.honest.streams=10000} runs the tests for long.
 */
final class HonestClientsTest {
    private static final int FEW = 10;
    private static final int CLIENTS = Integer.getInteger("penstock.honest.clients", FEW);
    private static final int STREAMS = Integer.getInteger("penstock.honest.streams", 500);
    private static final int AT_ONCE = 16;
    private static final int BIG = 200_000;

    private Penstock server;

    @BeforeEach
    void start() throws Exception {
        server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .set("h2c", "on")
                .set("max-streaming", Integer.toString(CLIENTS))
                .context("/", context -> context.servlet("all", new All(), "/*"))
                .start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static final class All extends HttpServlet {
        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            InputStream in = request.getInputStream();
            OutputStream out = response.getOutputStream();
            switch (request.getPathInfo()) {
                case "/length" ->
                    response.getOutputStream().print(Long.toString(in.transferTo(OutputStream.nullOutputStream())));
                case "/big" -> out.write(new byte[BIG]);
                case "/messages" -> {
                    byte[] message = new byte[100];
                    for (int count = in.read(message); count >= 0; count = in.read(message)) {
                        out.write(message, 0, count);
                        out.flush();
                    }
                }
                default -> response.getOutputStream().print(request.getPathInfo());
            }
        }
    }

    /** What one client does. */
    @FunctionalInterface
    private interface Use {
        void by(Http2Client client) throws IOException;
    }

    /** Lets all clients do the same at the same time. Then none of their connections may have been closed by the server. */
    private void each(TestInfo test, int streams, Use use) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
        long begun = System.nanoTime();
        try {
            List<Future<?>> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(threads.submit(() -> {
                    try (Http2Client client = Http2Client.connect(server.port())) {
                        client.enlarge(0, Frame.MAX_WINDOW - Frame.FIRST_WINDOW);
                        use.by(client);
                        client.roundTrip();
                        assertTrue(client.others().stream().noneMatch(frame -> frame.type() == Frame.GOAWAY), "GOAWAY");
                    }
                    return null;
                }));
            }
            for (Future<?> client : clients) {
                client.get();
            }
        } finally {
            threads.shutdownNow();
            assertTrue(threads.awaitTermination(PATIENCE.toSeconds(), TimeUnit.SECONDS));
        }
        if (CLIENTS > FEW) {
            System.out.printf(
                    "%s: %d clients, %d streams each, %d pauses, %d ms%n",
                    test.getDisplayName(),
                    CLIENTS,
                    streams,
                    server.counters().get("flood-pauses"),
                    TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun));
        }
    }

    @Test
    void manySmallStreamsOfWhichTheClientResetsATenth(TestInfo test) throws Exception {
        each(test, STREAMS, client -> {
            Deque<Integer> open = new ArrayDeque<>();
            for (int i = 0; i < STREAMS; i++) {
                int stream = client.get("/small");
                if (i % 10 == 0) {
                    client.reset(stream);
                    continue;
                }
                open.add(stream);
                if (open.size() == AT_ONCE) {
                    expect("/small", client, open.remove());
                }
            }
            while (!open.isEmpty()) {
                expect("/small", client, open.remove());
            }
        });
    }

    private static void expect(String text, Http2Client client, int stream) throws IOException {
        assertEquals(text, client.answer(stream).text());
        client.forget(stream);
    }

    @Test
    void uploadsInFramesOfAHundredBytes(TestInfo test) throws Exception {
        int frames = 600;
        int uploads = Math.max(2, STREAMS / 100);
        each(test, uploads, client -> {
            for (int i = 0; i < uploads; i++) {
                int stream = client.post("/length");
                for (int sent = 0; sent < frames; sent++) {
                    client.data(stream, new byte[100], sent == frames - 1);
                }
                expect(Integer.toString(frames * 100), client, stream);
            }
        });
    }

    /** Credit is given back for each message, on the stream and on the connection. */
    @Test
    void aStreamOfManySmallMessages(TestInfo test) throws Exception {
        each(test, 1, client -> {
            int stream = client.post("/messages", "content-type", "application/grpc", "te", "trailers");
            for (int i = 1; i <= STREAMS; i++) {
                client.data(stream, "message", false);
                while (client.of(stream).body.size() < "message".length()) {
                    client.read();
                }
                assertEquals("message", client.of(stream).text());
                client.enlarge(stream, "message".length());
                client.enlarge(0, "message".length());
                client.of(stream).body.reset();
            }
            client.data(stream, new byte[0], true);
            assertTrue(client.answer(stream).ended);
        });
    }

    /** As a browser does if its user goes on to the next page while images arrive. */
    @Test
    void downloadsThatTheClientCancels(TestInfo test) throws Exception {
        int pages = Math.max(5, STREAMS / 100);
        int images = 6;
        each(test, pages * images, client -> {
            for (int i = 0; i < pages; i++) {
                List<Integer> page = new ArrayList<>();
                for (int image = 0; image < images; image++) {
                    page.add(client.get("/big"));
                }
                client.await(Frame.DATA, page.get(0));
                assertEquals(200, client.of(page.get(0)).status());
                for (int image : page) {
                    client.reset(image);
                    client.forget(image);
                }
                expect("/next", client, client.get("/next"));
            }
        });
    }
}
