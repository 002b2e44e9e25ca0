package io.penstock.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.pipe.Segment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** All memory for arriving bytes is in use. A worker that waits for the bytes of a client must still get these bytes. */
final class StreamingOverBudgetTest {
    private static final int LENGTH = 100_000;

    @Test
    void aStreamingRequestGetsItsWholeBodyEvenIfNoMemoryIsFree() throws Exception {
        try (WireServer server = WireServer.with(new WireConfig().workers(1), new Site())) {
            List<Segment> taken = takeAllSegments(server);
            try (RawClient client = server.connect()) {
                String body = "b".repeat(LENGTH);
                client.send("POST /stream HTTP/1.1\r\nHost: x\r\nContent-Length: " + LENGTH + "\r\n\r\n");
                client.send(body);
                assertEquals("POST /stream\n" + body, client.answer().body());
            } finally {
                taken.forEach(Segment::release);
            }
        }
    }

    /** Takes all segments that the server may use for arriving bytes, including the small segments. */
    private static List<Segment> takeAllSegments(WireServer server) {
        List<Segment> taken = new ArrayList<>();
        for (Segment next = next(server); next != null; next = next(server)) {
            taken.add(next);
        }
        return taken;
    }

    private static Segment next(WireServer server) {
        return server.transport.pool().tryAcquire(1);
    }
}
