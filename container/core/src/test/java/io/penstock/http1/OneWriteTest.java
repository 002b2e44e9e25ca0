package io.penstock.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.exchange.HandLink;
import io.penstock.exchange.LinkWriter;
import io.penstock.exchange.RequestObserver;
import io.penstock.exchange.ResponseSpill;
import io.penstock.exchange.SpoolHistory;
import io.penstock.exchange.TestResources;
import io.penstock.http.FieldList;
import io.penstock.http.Fields;
import io.penstock.http.RequestHead;
import io.penstock.http.RequestTarget;
import io.penstock.http.ResponseHead;
import io.penstock.http.Version;
import io.penstock.pipe.ResponsePipe;
import io.penstock.pipe.Segment;
import io.penstock.pipe.SegmentPool;
import io.penstock.reactor.ConnectionClosed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Head and first body bytes leave in one system call, whatever holds the body; a file follows without its worker. */
final class OneWriteTest {
    private static final int STALLED = 1;
    private static final int FAILED = 2;

    private final SegmentPool pool = new SegmentPool(16 * 1024, 1024 * 1024);
    private final ResponsePipe pipe = new ResponsePipe(pool, 64 * 1024);
    private final HandLink link = new HandLink();
    private final LinkWriter out = new LinkWriter(pipe, link, LinkWriter.Files.AT_ONCE, STALLED, FAILED);
    private final TestResources house = new TestResources(pool, new WireConfig());
    private final Http1Response response = new Http1Response(
            new Alone(),
            new ResponseSpill(house.resources(), out, () -> false, new SpoolHistory(), RequestObserver.NONE),
            new RequestHead("GET", RequestTarget.origin("/"), Version.HTTP_1_1, new FieldList().add("Host", "x")),
            () -> true,
            RequestObserver.NONE);

    /** A connection that is nothing but its writing half. */
    private final class Alone implements Http1Response.Channel {
        @Override
        public LinkWriter writer() {
            return out;
        }

        @Override
        public SegmentPool pool() {
            return pool;
        }

        @Override
        public HeadWriter newHeadWriter() {
            return new HeadWriter(pool, pipe, new DateField());
        }

        @Override
        public boolean stopping() {
            return false;
        }

        @Override
        public boolean leavesWithNext() {
            return false;
        }

        @Override
        public void closeAfterResponse(ConnectionClosed cause) {
            throw new AssertionError(cause);
        }

        @Override
        public void reset(ConnectionClosed cause) {
            throw new AssertionError(cause);
        }

        @Override
        public void fail(Throwable cause) {
            throw new AssertionError(cause);
        }

        @Override
        public void signal(int signal) {
            link.signal(signal);
        }
    }

    @AfterEach
    void everySegmentComesBack() throws Exception {
        pipe.fail(new IOException("end of the test"));
        assertEquals(0, pool.inUse());
        house.close();
    }

    private String taken() {
        return link.taken.toString(StandardCharsets.ISO_8859_1);
    }

    private Segment segment(String text) {
        Segment segment = response.segment();
        segment.buffer().put(bytes(text)).flip();
        return segment;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private void assertOneWriteEndingIn(String end) {
        assertEquals(1, link.writes.size(), () -> link.writes + " of " + taken());
        assertTrue(taken().startsWith("HTTP/1.1 200 "), taken());
        assertTrue(taken().endsWith(end), taken());
        assertEquals(0, link.signals);
    }

    @Test
    void segmentLeavesWithTheHead() throws IOException {
        link.room = 100_000;
        response.head(new ResponseHead(200, Fields.EMPTY, -1));
        response.write(segment("hello"), true);
        assertOneWriteEndingIn("Content-Length: 5\r\n\r\nhello");
    }

    @Test
    void segmentThatIsTooLargeToJoinTheHeadsLeavesWithTheHead() throws IOException {
        link.room = 100_000;
        String body = "x".repeat(pool.segmentSize());
        response.head(new ResponseHead(200, Fields.EMPTY, -1));
        response.write(segment(body), true);
        assertOneWriteEndingIn("Content-Length: " + body.length() + "\r\n\r\n" + body);
    }

    @Test
    void callersBufferLeavesWithTheHead() throws IOException {
        link.room = 100_000;
        String body = "x".repeat(50_000);
        response.head(new ResponseHead(200, Fields.EMPTY, -1));
        response.write(ByteBuffer.wrap(bytes(body)), true);
        assertOneWriteEndingIn("Content-Length: 50000\r\n\r\n" + body);
    }

    @Test
    void firstChunkOfASegmentLeavesWithTheHead() throws IOException {
        link.room = 100_000;
        response.head(new ResponseHead(200, Fields.EMPTY, -1));
        response.write(segment("hello"), false);
        assertOneWriteEndingIn("Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n");
    }

    @Test
    void firstChunkOfACallersBufferLeavesWithTheHead() throws IOException {
        link.room = 100_000;
        response.head(new ResponseHead(200, Fields.EMPTY, -1));
        response.write(ByteBuffer.wrap(bytes("hello")), false);
        assertOneWriteEndingIn("Transfer-Encoding: chunked\r\n\r\n5\r\nhello"); // its CRLF leaves with what comes next
    }

    @Test
    void fileFollowsItsHeadAndItsWorkerLeavesAfterTheFirstTurn(@TempDir Path folder) throws IOException {
        int size = 1_000_000;
        int turn = 256 * 1024;
        Path path = Files.writeString(folder.resolve("file"), "f".repeat(size), StandardCharsets.US_ASCII);
        FileChannel file = FileChannel.open(path, StandardOpenOption.READ);
        link.room = 10_000_000;
        response.head(new ResponseHead(200, Fields.EMPTY, -1));
        response.write(file, 0, size, true); // returns although the link takes all: the worker waits for nobody
        assertTrue(response.isEnded());
        assertTrue(file.isOpen());
        assertEquals(STALLED, link.signals, "the rest is the reactor's");
        assertEquals(List.of((long) head(), (long) turn), link.writes);
        assertTrue(taken().substring(0, head()).endsWith("Content-Length: " + size + "\r\n\r\n"), taken());
        int turns = 1;
        while (!out.reactorFlush()) {
            turns++;
            assertEquals(turns * turn, link.taken.size() - head(), "a turn each");
        }
        assertEquals(size, link.taken.size() - head());
        assertFalse(file.isOpen());
    }

    private int head() {
        return taken().indexOf("\r\n\r\n") + 4;
    }
}
