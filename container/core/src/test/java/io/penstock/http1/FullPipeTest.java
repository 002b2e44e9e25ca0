package io.penstock.http1;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.limits.Counter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Request bodies fill their pipes (the buffers between client and worker), because no worker reads the bodies. The bodies may use only the
 * memory of their pipes. The rest of the memory must stay free for responses.
 */
final class FullPipeTest {
    private static final int CAPACITY = 4096;
    private static final int CLIENTS = 12;
    private static final String BODY = "0123456789abcdef".repeat(2000);

    private final CountDownLatch running = new CountDownLatch(1);
    private final CountDownLatch go = new CountDownLatch(1);
    private final Site site = new Site().on("/block", exchange -> {
        running.countDown();
        go.await();
        Site.text(exchange, "done");
    });

    private static WireConfig config() {
        return new WireConfig().workers(1).pipes(CAPACITY, 1024).budget(64 * 1024);
    }

    private static String chunked(String body) {
        StringBuilder all = new StringBuilder("POST /stream HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
        for (int at = 0; at < body.length(); at += 100) {
            String piece = body.substring(at, Math.min(body.length(), at + 100));
            all.append(Integer.toHexString(piece.length()))
                    .append("\r\n")
                    .append(piece)
                    .append("\r\n");
        }
        return all.append("0\r\n\r\n").toString();
    }

    private static String withLength(String body) {
        return "POST /stream HTTP/1.1\r\nHost: x\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
    }

    private void assertOnlyThePipesUseMemory(String request) throws Exception {
        List<RawClient> clients = new ArrayList<>();
        try (WireServer server = WireServer.with(config(), site);
                RawClient blocker = server.connect()) {
            blocker.send("GET /block HTTP/1.1\r\nHost: x\r\n\r\n");
            assertTrue(running.await(60, TimeUnit.SECONDS));
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(server.connect().send(request));
            }
            await().until(() -> server.transport.pool().inUse() >= CLIENTS * CAPACITY);
            server.settle();
            await() // settle() has sent requests, and the buffers of their responses can still be in use for a moment
                    .untilAsserted(() -> assertEquals(
                            CLIENTS * CAPACITY, server.transport.pool().inUse()));
            go.countDown();
            assertEquals("done", blocker.answer().body());
            for (RawClient client : clients) {
                assertEquals("POST /stream\n" + BODY, client.answer().body());
            }
            assertEquals(0, server.counters.value(Counter.PIPE_BUDGET_EXCEEDED), "requests refused because of memory");
        } finally {
            close(clients);
        }
    }

    private static void close(List<RawClient> clients) throws IOException {
        for (RawClient client : clients) {
            client.close();
        }
    }

    @Test
    void waitingBodiesWithAContentLengthUseOnlyTheMemoryOfTheirPipes() throws Exception {
        assertOnlyThePipesUseMemory(withLength(BODY));
    }

    @Test
    void waitingChunkedBodiesUseOnlyTheMemoryOfTheirPipes() throws Exception {
        assertOnlyThePipesUseMemory(chunked(BODY));
    }

    /** The client sends the next request directly after the body. The server must read this request when the handler has read the body. */
    @Test
    void aPipelinedRequestIsServedAfterABodyThatFillsItsPipe() throws Exception {
        try (WireServer server = WireServer.with(config(), site);
                RawClient blocker = server.connect();
                RawClient client = server.connect()) {
            blocker.send("GET /block HTTP/1.1\r\nHost: x\r\n\r\n");
            assertTrue(running.await(60, TimeUnit.SECONDS));
            client.send(withLength(BODY) + "GET /next HTTP/1.1\r\nHost: x\r\n\r\n");
            await().until(() -> server.transport.pool().inUse() >= CAPACITY);
            server.settle();
            go.countDown();
            assertEquals("done", blocker.answer().body());
            assertEquals("POST /stream\n" + BODY, client.answer().body());
            assertEquals("GET /next\n", client.answer().body());
        }
    }
}
