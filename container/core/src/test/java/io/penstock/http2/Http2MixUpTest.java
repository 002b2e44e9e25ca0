package io.penstock.http2;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.LeakCheck;
import io.penstock.Penstock;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks that no stream gets data of another one. Several clients send requests on many streams at the same time, each with a token.
 * Responses are small, large, in pieces, stored on disk or asynchronous; bodies are echoed; some streams are reset. Assertions are enabled in
 * tests, so the server overwrites released buffers.
 *
 * <p>The system properties {@code penstock.soak.rounds} and {@code penstock.soak.seed} configure the test.
 */
final class Http2MixUpTest {
    private static final int CLIENTS = 6;
    private static final int MOST_STREAMS = 24;
    private static final int ROUNDS_OF_A_CONNECTION = 10;
    private static final String[] KINDS = {
        "small", "small", "small", "pieces", "large", "huge", "later", "echo", "missing"
    };

    private final int rounds = Integer.getInteger("penstock.soak.rounds", 20);
    private final long seed = Long.getLong("penstock.soak.seed", System.nanoTime());

    @RegisterExtension
    final LeakCheck nothingLeft = new LeakCheck();

    @TempDir
    Path spool;

    private static final class Tokens extends HttpServlet {
        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            String token = request.getHeader("x-token");
            switch (request.getPathInfo()) {
                case "/small" -> response.getOutputStream().print(token);
                case "/pieces" -> {
                    for (int i = 0; i < 3; i++) {
                        response.getOutputStream().print(token);
                        response.flushBuffer();
                    }
                }
                case "/huge" -> response.getWriter().print(token.repeat(60_000));
                case "/large" -> response.getWriter().print(token.repeat(10_000));
                case "/later" -> {
                    AsyncContext async = request.startAsync();
                    async.start(() -> {
                        try {
                            response.getOutputStream().print(token);
                        } catch (IOException reset) {
                            // The client has reset the stream.
                        }
                        async.complete();
                    });
                }
                case "/echo" -> request.getInputStream().transferTo(response.getOutputStream());
                default -> response.sendError(404, token);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void noStreamGetsDataOfAnotherStream(boolean overTls) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
        try (Penstock server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(8)
                .set(overTls ? "tls-self-signed" : "h2c", "on")
                .set("pipe-capacity", "16K")
                .set("pipe-segment", "4K")
                .set("send-buffer", "16K")
                .set("overload-after", "0s")
                .set("spool-dir", spool.toString())
                .context("/", context -> context.servlet("tokens", new Tokens(), "/*"))
                .start()) {
            List<Future<?>> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                Random random = new Random(seed + i);
                Callable<Void> client = () -> {
                    for (int left = rounds; left > 0; left -= ROUNDS_OF_A_CONNECTION) {
                        converse(server.port(), overTls, random, Math.min(left, ROUNDS_OF_A_CONNECTION));
                    }
                    return null;
                };
                clients.add(threads.submit(client));
            }
            for (Future<?> client : clients) {
                client.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private void converse(int port, boolean overTls, Random random, int count) throws Exception {
        int window = random.nextBoolean() ? Frame.FIRST_WINDOW : 1 << 30;
        int[] settings = {Frame.INITIAL_WINDOW_SIZE, window};
        try (Http2Client client = overTls ? Http2Client.overTls(port, settings) : Http2Client.connect(port, settings)) {
            if (window > Frame.FIRST_WINDOW) {
                client.enlarge(0, window);
            }
            for (int i = 0; i < count; i++) {
                round(client, random, window == Frame.FIRST_WINDOW);
            }
        }
    }

    /** Sends requests on several streams, resets some of them, and checks the answers of the others. */
    private void round(Http2Client client, Random random, boolean isNarrow) throws IOException {
        Map<Integer, String> expected = new HashMap<>();
        for (int left = 1 + random.nextInt(MOST_STREAMS); left > 0; left--) {
            String token = Long.toHexString(random.nextLong());
            String kind = KINDS[random.nextInt(KINDS.length)];
            int stream;
            if (kind.equals("echo")) {
                stream = client.post("/echo", "x-token", token);
                String part = token.repeat(100);
                client.data(stream, part, false);
                client.data(stream, part, true);
                expected.put(stream, part + part);
            } else {
                stream = client.get("/" + kind, "x-token", token);
                expected.put(
                        stream,
                        switch (kind) {
                            case "pieces" -> token.repeat(3);
                            case "large" -> token.repeat(10_000);
                            case "huge" -> token.repeat(60_000);
                            default -> token;
                        });
            }
            if (random.nextInt(10) == 0) {
                client.reset(stream);
                expected.remove(stream);
            }
        }
        while (expected.keySet().stream().anyMatch(stream -> !client.of(stream).ended)) {
            Http2Client.Received frame = client.read();
            if (isNarrow && frame.type() == Frame.DATA && frame.payload().length > 0) {
                client.enlarge(0, frame.payload().length);
                client.enlarge(frame.stream(), frame.payload().length);
            }
        }
        expected.forEach((stream, text) -> {
            Http2Client.Answer answer = client.of(stream);
            String got = new String(answer.body.toByteArray(), StandardCharsets.ISO_8859_1);
            boolean isRight = answer.status() == 404 ? got.contains(text) : got.equals(text);
            assertTrue(isRight, () -> "stream " + stream + ", -Dpenstock.soak.seed=" + seed + ": " + got);
        });
    }
}
