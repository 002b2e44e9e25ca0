package io.penstock.http1;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** When the queue is full, the value of Retry-After depends on the number of waiting requests and on the speed of the workers. */
final class RetryAfterOnTheWireTest {
    private static final int QUEUE = 10;
    private static final String GET_A = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n";

    private final Semaphore go = new Semaphore(0);
    private final Semaphore running = new Semaphore(0);
    private final Site site = new Site().on("/block", exchange -> {
        running.release();
        go.acquire();
        Site.text(exchange, "done");
    });

    /** Sends a request that blocks the only worker. Then fills the queue with further requests. */
    private List<RawClient> fill(WireServer server) throws Exception {
        List<RawClient> clients = new ArrayList<>();
        clients.add(server.connect().send("GET /block HTTP/1.1\r\nHost: x\r\n\r\n"));
        assertTrue(running.tryAcquire(60, TimeUnit.SECONDS));
        for (int i = 0; i < QUEUE; i++) {
            clients.add(server.connect().send(GET_A));
        }
        await().until(() -> server.transport.queue().size() == QUEUE);
        return clients;
    }

    private void finish(List<RawClient> clients) throws IOException {
        go.release();
        for (RawClient client : clients) {
            assertEquals(200, client.answer().status());
            client.close();
        }
    }

    private static int retryAfter(RawClient client) throws IOException {
        client.send(GET_A);
        Answer answer = client.answer();
        assertEquals(503, answer.status());
        return Integer.parseInt(answer.field("Retry-After"));
    }

    @Test
    void theRetryAfterTimeIsLongerWhileTheWorkerStartsNoRequests() throws Exception {
        try (WireServer server =
                        WireServer.with(new WireConfig().workers(1).queue(QUEUE).queueAge(60_000), site);
                RawClient refused = server.connect()) {
            List<RawClient> first = fill(server);
            // Ten requests wait, and during the last second the worker has started no request.
            await().until(() -> retryAfter(refused) >= QUEUE);
            finish(first);
            // The worker has started eleven requests since then. Retry-After depends only on the requests that were
            // started in the last seconds. If the machine pauses, these eleven requests can be too old to count. So
            // the test tries several times.
            int seconds = 60;
            for (int tries = 0; tries < 5 && seconds > QUEUE / 2; tries++) {
                List<RawClient> next = fill(server);
                seconds = retryAfter(refused);
                finish(next);
            }
            assertTrue(
                    seconds <= QUEUE / 2,
                    "Retry-After is too long, although the worker has just started requests; seconds: " + seconds);
        }
    }
}
