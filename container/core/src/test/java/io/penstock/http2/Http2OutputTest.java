package io.penstock.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.exchange.HeadBudget;
import io.penstock.exchange.LinkWriter;
import io.penstock.exchange.SimulatedLink;
import io.penstock.http.Violation;
import io.penstock.limits.Key;
import io.penstock.memory.ByteAccount;
import io.penstock.memory.HeapSize;
import io.penstock.pipe.ForwardingFile;
import io.penstock.pipe.ResponsePipe;
import io.penstock.pipe.Segment;
import io.penstock.pipe.SegmentPool;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The output of a connection, on a simulated socket. The test is the worker, and then the reactor. */
final class Http2OutputTest {
    private static final int BODY = 10_000;
    private static final int HEAD = 8_000;
    private static final int COUNTED = HeapSize.array(Frame.HEADER + HEAD);

    /** A fifth of it is for unusual heads. */
    private static final long BUDGET = 20L * COUNTED;

    @TempDir
    Path folder;

    private final HeadBudget budget = new HeadBudget(BUDGET);
    private final List<Exception> cuts = new ArrayList<>();
    private final SegmentPool pool = new SegmentPool(1 << 20, 4096);
    private final SimulatedLink link = new SimulatedLink();
    private final Http2Output output = new Http2Output(link, LinkWriter.Files.AT_ONCE, new ByteAccount(10), budget);

    private StreamOutput stream(int id) {
        return new StreamOutput(
                id, output, new ResponsePipe(pool, 1024), Frame.FIRST_WINDOW, () -> {}, () -> {}, cuts::add);
    }

    private static byte[] head(int id) {
        ByteBuffer frame = ByteBuffer.allocate(Frame.HEADER + HEAD);
        return Frame.header(frame, HEAD, Frame.HEADERS, Frame.END_HEADERS, id).array();
    }

    /** A worker answers with a head alone. */
    private StreamOutput answered(int id) throws IOException {
        StreamOutput stream = stream(id);
        stream.head(head(id));
        stream.endAt(0);
        stream.workerFlush();
        return stream;
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
        assertTrue(output.flushAsReactor(true));
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
        assertFalse(output.flushAsReactor(true));
        output.flushAsWorker();
        assertEquals(1, link.writes.size());
        link.room = BODY;
        assertTrue(output.flushAsReactor(true));
        assertEquals(Frame.HEADER, link.count());
        assertEquals(0, pool.inUse());
    }

    /** Before, no other byte of the connection left, since the rest of the frame could not come. */
    @Test
    void aBegunFrameIsFilledIfItsResponseIsAbortedBeforeItsRestIsKept() throws IOException {
        AtomicInteger completed = new AtomicInteger();
        ResponsePipe pipe = new ResponsePipe(pool, 1024);
        StreamOutput first =
                new StreamOutput(1, output, pipe, Frame.FIRST_WINDOW, () -> {}, completed::incrementAndGet, cuts::add);
        link.room = 50;
        link.record = 100;
        link.onWrite = () -> pipe.refuse(new IOException("aborted"));
        assertThrows(IOException.class, () -> first.workerTry(ByteBuffer.allocate(BODY)));
        answered(3);
        link.room = Long.MAX_VALUE;
        assertTrue(output.flushAsReactor(true));
        assertEquals(Frame.HEADER + BODY + Frame.HEADER + HEAD, link.count());
        assertEquals(1, completed.get(), "the reset that waits for the end of the frame");
    }

    /** Before, no other byte of the connection left until the disk had taken the rest of the frame. */
    @Test
    void aBegunFrameStaysInThePipeWhileItsResponseIsWrittenToDisk() throws IOException {
        StreamOutput first = stream(1);
        link.room = 50;
        first.workerTry(ByteBuffer.allocate(BODY));
        first.pipe().appendWhole(ByteBuffer.allocate(BODY));
        List<Segment> forTheDisk = first.pipe().takeOut(0, first::begunBytes);
        assertEquals(1, forTheDisk.size());
        StreamOutput other = answered(3);
        link.room = Long.MAX_VALUE;
        assertTrue(output.flushAsReactor(true));
        assertTrue(other.hasEnded());
        first.pipe().putBack(forTheDisk);
        first.workerFlushPutBack();
        assertEquals(2 * (Frame.HEADER + BODY) + Frame.HEADER + HEAD, link.count());
        assertEquals(0, pool.inUse());
    }

    /** The client has permitted its bytes, and need not enlarge the window of the connection. */
    @Test
    void aStreamIsSentThatHasNoWindowOnlyWhileAnotherOneIsWritten() throws IOException {
        StreamOutput first = stream(1);
        first.pipe().appendWhole(ByteBuffer.allocate(Frame.FIRST_WINDOW)); // all of the window of the connection
        StreamOutput other = stream(3);
        other.pipe().appendWhole(ByteBuffer.allocate(BODY));
        other.endAt(BODY);
        output.ready(first);
        link.room = 20_000;
        link.record = 100;
        link.onWrite = () -> output.enlarge(other, 1);
        assertFalse(output.flushAsReactor(true));
        first.reset();
        link.room = Long.MAX_VALUE;
        assertTrue(output.flushAsReactor(true));
        assertTrue(other.hasEnded());
    }

    /** The writer may wait for the disk before it flushes. */
    @Test
    void aStreamThatIsAddedDuringAWriteIsSentAlthoughTheWriterHasMore() throws IOException {
        StreamOutput first = stream(1);
        StreamOutput other = stream(3);
        link.room = Long.MAX_VALUE;
        link.record = 100_000;
        link.onWrite = () -> { // another worker, which does not get the token
            other.head(head(3));
            other.endAt(0);
            output.ready(other);
        };
        first.workerTry(ByteBuffer.allocate(Frame.FIRST_WINDOW + 1));
        assertTrue(other.hasEnded());
        assertEquals(0, pool.inUse());
    }

    // ---- memory

    @Test
    void aHeadCountsWhileTheLinkIsFull() throws IOException {
        link.room = 0;
        answered(1); // lies in a segment
        assertEquals(0, budget.used());
        answered(3);
        answered(5);
        assertEquals(2 * COUNTED, budget.used());
        link.room = Long.MAX_VALUE;
        assertTrue(output.flushAsReactor(true));
        assertEquals(3 * (Frame.HEADER + HEAD), link.count());
        assertEquals(0, budget.used());
    }

    @Test
    void aHeadThatIsSentAtOnceNeedsNoRoomInTheBudget() throws IOException {
        budget.keep((int) BUDGET);
        link.room = Long.MAX_VALUE;
        assertTrue(answered(1).hasEnded());
        assertEquals(List.of(), cuts);
    }

    @Test
    void aStreamEndsIfItsHeadHasNoRoomWhileItWaits() throws IOException {
        link.room = 0;
        answered(1);
        for (int id = 3; id <= 9; id += 2) {
            answered(id);
        }
        assertEquals(List.of(), cuts);
        StreamOutput one = answered(11);
        assertEquals(Key.HEAD_BUDGET, ((Violation) cuts.get(0)).limit());
        assertTrue(budget.used() <= BUDGET / 5);
        assertTrue(one.reset(), "the client must be told");
        link.room = Long.MAX_VALUE;
        assertTrue(output.flushAsReactor(true));
        assertEquals(5 * (Frame.HEADER + HEAD), link.count());
        assertEquals(0, budget.used());
    }

    @Test
    void trailersCountWhileTheWindowIsClosed() throws IOException {
        link.room = Long.MAX_VALUE;
        StreamOutput stream = stream(1);
        output.enlarge(stream, -Frame.FIRST_WINDOW);
        stream.head(head(1));
        stream.pipe().appendWhole(ByteBuffer.allocate(10));
        stream.endAt(10, head(1));
        stream.workerFlush();
        assertEquals(Frame.HEADER + HEAD, link.count());
        assertEquals(COUNTED, budget.used());
        output.enlarge(stream, 10);
        output.flushAsWorker();
        assertTrue(stream.hasEnded());
        assertEquals(0, budget.used());
        StreamOutput other = stream(3);
        output.enlarge(other, -Frame.FIRST_WINDOW);
        other.pipe().appendWhole(ByteBuffer.allocate(10));
        other.endAt(10, head(3));
        other.workerFlush();
        assertEquals(COUNTED, budget.used());
        other.reset();
        assertEquals(0, budget.used());
    }

    @Test
    void theRestOfAHeadThatHasBegunCounts() throws IOException {
        link.room = 10;
        StreamOutput stream = stream(1);
        stream.head(head(1));
        stream.workerTry(ByteBuffer.allocate(BODY));
        assertEquals(HeapSize.array(Frame.HEADER + HEAD - 10), budget.used());
        output.onClosed();
        assertEquals(0, budget.used());
    }

    @Test
    void controlFramesCountAndStopTheReading() throws IOException {
        link.room = 0;
        for (int i = 0; i < 100; i++) {
            output.control(Frame.ping(i, 0));
        }
        assertFalse(output.isControlFull());
        assertTrue(budget.used() >= 100 * 17);
        budget.keep((int) BUDGET); // memory is short
        assertTrue(output.isControlFull());
        budget.giveBack((int) BUDGET);
        for (int i = 0; i < 1_000; i++) {
            output.control(Frame.ping(i, 0));
        }
        assertTrue(output.isControlFull());
        assertFalse(output.flushAsReactor(true));
        assertEquals(Http2Output.STALLED, link.takeSignals(), "the reactor reads the client again");
        assertTrue(budget.used() >= 1_100 * 17);
        link.room = Long.MAX_VALUE;
        assertTrue(output.flushAsReactor(true));
        assertEquals(1_100 * 17, link.count());
        assertEquals(0, budget.used());
    }

    /** The reactor closes the link while a worker writes. */
    @Test
    void aWorkerDropsWhatItCouldNotSendIfTheLinkHasClosedMeanwhile() throws IOException {
        link.record = 100;
        link.onWrite = output::onClosed;
        answered(1);
        assertEquals(0, pool.inUse());
        assertEquals(0, budget.used());
    }

    // ---- files

    private long read;

    /** A response with a file of {@code size} bytes, whose windows are open. */
    private StreamOutput file(int size) throws IOException {
        StreamOutput stream = stream(1);
        output.enlarge(2 * size);
        output.enlarge(stream, 2 * size);
        FileChannel file = FileChannel.open(Files.write(folder.resolve("file"), new byte[size]));
        FileChannel counting = new ForwardingFile(file) {
            @Override
            public int read(ByteBuffer target, long position) throws IOException {
                int count = super.read(target, position);
                read += Math.max(0, count);
                return count;
            }
        };
        stream.pipe().append(counting, 0, size, () -> {});
        stream.endAt(size);
        stream.workerFlush();
        return stream;
    }

    /** The begun frame says that it is the last one, so the client would take zeros for the end of the file. */
    @Test
    void theConnectionFailsIfTheLastFrameOfAFileCannotBeCompleted() throws IOException {
        link.room = 100;
        file(BODY);
        Files.write(folder.resolve("file"), new byte[10]);
        link.room = Long.MAX_VALUE;
        assertThrows(IOException.class, () -> output.flushAsReactor(true));
        assertEquals(100, link.count());
        assertEquals(Http2Output.FAILED, link.takeSignals() & Http2Output.FAILED);
        assertEquals(1, cuts.size());
    }

    @Test
    void ofAFileNotMuchMoreIsReadThanASlowClientTakes() throws IOException {
        int size = 1 << 20;
        link.room = 20_000;
        StreamOutput stream = file(size);
        while (!stream.hasEnded()) {
            link.room = 20_000;
            output.flushAsReactor(true);
        }
        assertTrue(read < 2 * size, () -> read + " bytes were read");
        assertEquals(0, pool.inUse());
    }

    /** Such as a client that sends frames and does not read. */
    @Test
    void aFileIsNotReadWhileTheLinkIsFull() throws IOException {
        link.room = 20_000;
        StreamOutput stream = file(100_000);
        long before = read;
        for (int i = 0; i < 100; i++) {
            assertFalse(output.flushAsReactor(false));
        }
        assertEquals(before, read);
        link.room = Long.MAX_VALUE;
        assertTrue(output.flushAsReactor(true));
        assertTrue(stream.hasEnded());
    }
}
