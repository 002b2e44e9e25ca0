package io.penstock.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.exchange.LinkWriter;
import io.penstock.exchange.SimulatedLink;
import io.penstock.memory.ByteAccount;
import io.penstock.pipe.ResponsePipe;
import io.penstock.pipe.SegmentPool;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** The output of a connection, on a simulated socket. The test is the worker, and then the reactor. */
final class Http2OutputTest {
    private static final int BODY = 10_000;

    private final SegmentPool pool = new SegmentPool(1 << 20, 4096);
    private final SimulatedLink link = new SimulatedLink();
    private final Http2Output output = new Http2Output(link, LinkWriter.Files.AT_ONCE, new ByteAccount(10));

    private StreamOutput stream(int id) {
        return new StreamOutput(
                id, output, new ResponsePipe(pool, 1024), Frame.FIRST_WINDOW, () -> {}, () -> {}, failure -> {
                    throw new AssertionError(failure);
                });
    }

    /** A writer that waits for memory, which the others hold, would otherwise wait for ever. */
    @Test
    void otherStreamsDoNotWaitForTheWriterOfAFrameThatHasBegun() throws IOException {
        StreamOutput first = stream(1);
        StreamOutput other = stream(3);
        ByteBuffer source = ByteBuffer.allocate(BODY);
        link.room = 50;
        first.workerTry(source);
        other.head(new byte[] {0, 0, 0, Frame.HEADERS, Frame.END_HEADERS, 0, 0, 0, 3});
        other.endAt(0);
        output.ready(other);
        link.room = 2 * BODY;
        assertTrue(output.flushAsReactor());
        assertEquals(Frame.HEADER + BODY + Frame.HEADER, link.count());
        assertTrue(other.hasEnded());
        assertEquals(0, source.remaining());
        assertEquals(0, pool.inUse());
    }

    @Test
    void aResponseThatWaitsForItsTurnMakesProgressWithTheOthersButNotIfItsWindowIsClosed() throws IOException {
        StreamOutput first = stream(1);
        StreamOutput other = stream(3);
        long before = other.progress();
        link.room = 2 * BODY;
        first.workerTry(ByteBuffer.allocate(BODY));
        assertEquals(Frame.HEADER + BODY, other.progress() - before);
        output.enlarge(other, -Frame.FIRST_WINDOW);
        assertEquals(-1, other.progress());
    }

    /** Otherwise the thread that sends would try again and again until the client reads. */
    @Test
    void framesThatAreJoinedAreNotWrittenAgainWhileTheLinkIsFull() throws IOException {
        StreamOutput first = stream(1);
        first.head(new byte[] {0, 0, 0, Frame.HEADERS, Frame.END_HEADERS, 0, 0, 0, 1});
        first.endAt(0);
        output.ready(first);
        link.room = 0;
        assertFalse(output.flushAsReactor());
        output.flushAsWorker();
        assertEquals(1, link.writes.size());
        link.room = BODY;
        assertTrue(output.flushAsReactor());
        assertEquals(Frame.HEADER, link.count());
        assertEquals(0, pool.inUse());
    }
}
