package io.penstock.exchange;

import static io.penstock.PromptWaits.PATIENCE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.events.CloseCause;
import io.penstock.http1.WireConfig;
import io.penstock.pipe.ResponsePipe;
import io.penstock.pipe.Segment;
import io.penstock.pipe.SegmentPool;
import io.penstock.reactor.ConnectionClosed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A worker and the reactor (the selector thread) write the bytes of one {@link ResponsePipe} to one connection. The write token is the
 * right to write, and at most one thread has it. The link ({@link SimulatedLink}) simulates the socket, and in some tests also TLS over the
 * socket. The test determines the order of the actions of both threads.
 */
final class LinkWriterTest {
    private final SegmentPool pool = new SegmentPool(1024, 100 * 1024);
    private final ResponsePipe pipe = new ResponsePipe(pool, 4096);
    private final SimulatedLink link = new SimulatedLink();
    private final LinkWriter out = new LinkWriter(pipe, link, LinkWriter.Files.AT_ONCE);
    private final TestResources testResources = new TestResources(pool, new WireConfig().responseSpoolLimit(0));
    /** The disk limit of a response is 0, so this {@code ResponseSpill} never writes to disk. */
    private final ResponseSpill spill = new ResponseSpill(
            testResources.resources(), null, out, () -> false, new SpoolHistory(), RequestObserver.NONE);

    @AfterEach
    void everySegmentIsReleased() throws Exception {
        pipe.fail(new IOException("end of the test"));
        assertEquals(0, pool.inUse());
        testResources.close();
    }

    private void send(Segment segment) throws IOException {
        try {
            spill.prepare();
        } catch (IOException e) {
            segment.release();
            throw e;
        }
        spill.add(segment);
    }

    @Test
    void theWorkerWritesDirectlyWithoutASignalToTheReactor() throws IOException {
        link.room = 1000;
        spill.send(ByteBuffer.wrap(bytes(100)));
        assertEquals(100, link.taken.size());
        assertEquals(0, link.signals);
        assertTrue(out.isEmpty());
    }

    @Test
    void theReactorSendsTheBytesThatTheSocketDidNotAccept() throws IOException {
        byte[] sent = bytes(3000);
        link.room = 1000;
        spill.send(ByteBuffer.wrap(sent));
        assertEquals(LinkWriter.STALLED, link.signals);
        assertEquals(1000, link.taken.size());
        link.room = 5000;
        assertTrue(out.reactorFlush());
        assertArrayEquals(sent, link.taken.toByteArray());
    }

    @Test
    void theWorkerEndsTheOutputIfAllBytesAreSent() throws IOException {
        link.room = 1000;
        spill.send(ByteBuffer.wrap(bytes(100)));
        assertTrue(out.workerEnd());
        assertTrue(link.ended);
        assertTrue(out.hasOutputEnded());
        assertTrue(out.reactorFlush()); // nothing is left to send
    }

    @Test
    void theWorkerDoesNotEndTheOutputBeforeBytesThatWait() throws IOException {
        link.room = 10;
        spill.send(ByteBuffer.wrap(bytes(100)));
        assertFalse(out.workerEnd());
        assertFalse(link.ended);
        link.room = 1000;
        assertTrue(out.reactorFlush());
        assertEquals(100, link.taken.size());
        assertTrue(out.workerEnd());
    }

    @Test
    void theWorkerDoesNotEndTheOutputWhileSegmentsAreTakenOut() throws IOException {
        pipe.appendWhole(ByteBuffer.wrap(bytes(100)));
        List<Segment> taken = pipe.takeOut(0, () -> 0);
        assertFalse(out.workerEnd());
        pipe.putBack(taken);
        assertFalse(out.workerEnd());
        link.room = 1000;
        out.workerFlush(); // the token is free
        assertTrue(out.workerEnd());
        assertEquals(100, link.taken.size());
    }

    @Test
    void theWorkerDoesNotEndTheOutputOfALinkWithClosingBytes() throws IOException {
        link.record = 50;
        link.room = 1000;
        spill.send(ByteBuffer.wrap(bytes(100)));
        assertFalse(out.workerEnd());
        assertFalse(out.hasOutputEnded());
        spill.send(ByteBuffer.wrap(bytes(100))); // the token is free
        assertEquals(200, link.taken.size());
    }

    @Test
    void noThreadWritesAfterTheReactorHasEndedTheUse() throws IOException {
        link.room = 1000;
        spill.send(ByteBuffer.wrap(bytes(100)));
        assertTrue(out.reactorEnd());
        assertFalse(link.ended); // another writer of the connection can write
        link.record = 50; // bytes of that writer wait in the link
        link.room = 0;
        link.write(ByteBuffer.wrap(bytes(100)));
        link.room = 1000;
        out.workerFlush();
        assertEquals(100, link.taken.size());
        assertFalse(out.workerEnd());
    }

    @Test
    void theReactorDoesNotEndTheUseWhileBytesWaitOrSegmentsAreTakenOutOrAfterAFailure() throws IOException {
        link.room = 10;
        spill.send(ByteBuffer.wrap(bytes(100)));
        assertFalse(out.reactorEnd());
        link.room = 1000;
        assertTrue(out.reactorFlush());
        pipe.appendWhole(ByteBuffer.wrap(bytes(100)));
        List<Segment> taken = pipe.takeOut(100, () -> 0);
        assertFalse(out.reactorEnd());
        pipe.putBack(taken);
        out.workerFlush();
        assertEquals(200, link.taken.size());
        pipe.fail(new IOException("the client has reset the connection"));
        assertFalse(out.reactorEnd());
    }

    @Test
    void theWorkerWritesDirectlyAgainAfterTheReactorHasFlushedThePipe() throws IOException {
        link.room = 10;
        spill.send(ByteBuffer.wrap(bytes(100)));
        link.room = 1000;
        out.reactorFlush();
        link.signals = 0;
        spill.send(ByteBuffer.wrap(bytes(100)));
        assertEquals(200, link.taken.size());
        assertEquals(0, link.signals);
    }

    /**
     * The worker signals the reactor, and then copies its bytes to the pipe. In this test, the reactor checks the pipe between these two
     * steps, and finds an empty pipe. The reactor must then release the write token.
     */
    @Test
    void noBytesAreLostIfTheReactorChecksThePipeTooEarly() throws Exception {
        byte[] sent = bytes(20_000);
        link.room = 1000;
        link.onSignal = bit -> {
            link.room = Long.MAX_VALUE / 2; // the client has read meanwhile
            flushAsReactor();
        };
        FutureTask<Boolean> worker = new FutureTask<>(() -> {
            spill.send(ByteBuffer.wrap(sent));
            return true;
        });
        Thread thread = new Thread(worker, "worker");
        thread.setDaemon(true);
        thread.start();
        assertTrue(worker.get(60, TimeUnit.SECONDS));
        assertArrayEquals(sent, link.taken.toByteArray());
        assertTrue(out.isEmpty());
    }

    /**
     * The pipe contains framing (such as chunk lines) that is larger than the pipe's capacity. The worker must write to the socket before
     * the worker waits for room for the next segment.
     */
    @Test
    void theWorkerWritesToTheSocketBeforeItWaitsForRoomInThePipe() throws Exception {
        byte[] large = bytes(6000);
        link.room = Long.MAX_VALUE / 2;
        FutureTask<Boolean> worker = new FutureTask<>(() -> {
            pipe.appendWhole(ByteBuffer.wrap(large));
            Segment segment = pool.acquireForOutput();
            segment.buffer().put((byte) 1).flip();
            send(segment);
            out.workerFlush();
            return true;
        });
        Thread thread = new Thread(worker, "worker");
        thread.setDaemon(true);
        thread.start();
        assertTrue(worker.get(60, TimeUnit.SECONDS));
        assertEquals(6001, link.taken.size());
    }

    /**
     * When bytes of a heap buffer are written, the JDK copies them to direct memory, and the thread keeps this memory. So a megabyte must
     * not be written in one call.
     */
    @Test
    void aHeapBufferIsWrittenInPartsButADirectBufferIsWrittenInOneCall() throws IOException {
        link.room = Long.MAX_VALUE / 2;
        byte[] sent = bytes(1 << 20);
        spill.send(ByteBuffer.wrap(sent));
        assertTrue(link.mostOffered <= 128 * 1024, link.mostOffered + " bytes in one call");
        assertArrayEquals(sent, link.taken.toByteArray());
        ByteBuffer direct = ByteBuffer.allocateDirect(1 << 20);
        spill.send(direct);
        assertEquals(1 << 20, link.mostOffered);
        assertEquals(0, direct.remaining());
    }

    /**
     * The link has accepted all bytes, but the socket has accepted only a part of them. The pipe is empty, and the reactor must send the
     * remaining bytes of the link.
     */
    @Test
    void bytesAreNotReportedAsSentBeforeTheLinkHasSentThem() throws IOException {
        byte[] sent = bytes(800);
        RecordingObserver response = new RecordingObserver();
        link.record = 500;
        link.room = 600;
        spill.send(ByteBuffer.wrap(sent));
        out.responseComplete(response);
        out.workerFlush();
        assertEquals(0, pipe.size());
        assertEquals(600, link.taken.size());
        assertEquals(LinkWriter.STALLED, link.signals);
        assertFalse(out.isEmpty());
        assertEquals(0, pipe.sent(), "the number of sent bytes includes an incomplete write");
        assertEquals(0, response.count);
        assertFalse(out.reactorFlush());
        link.room = 1000;
        assertTrue(out.reactorFlush());
        assertTrue(out.isEmpty());
        assertEquals(800, pipe.sent());
        assertEquals(1, response.count);
        assertArrayEquals(sent, link.taken.toByteArray());
    }

    @Test
    void aSentResponseIsReportedBeforeTheNextResponseIsSent() throws IOException {
        RecordingObserver first = new RecordingObserver();
        link.record = 500;
        link.room = 400;
        spill.send(ByteBuffer.wrap(bytes(500)));
        out.responseComplete(first);
        pipe.appendWhole(ByteBuffer.wrap(bytes(400)));
        link.room = 300;
        assertFalse(out.reactorFlush());
        assertEquals(1, first.count);
        assertEquals(500, pipe.sent());
        link.room = 1000;
        assertTrue(out.reactorFlush());
        assertEquals(900, pipe.sent());
    }

    /**
     * The connection is closed before {@code responseComplete()} is called for the first time. The observer must still get the report that
     * the response is lost.
     */
    @Test
    void aResponseIsReportedAsLostIfItIsCompletedAfterTheCloseOfTheConnection() throws IOException {
        RecordingObserver response = new RecordingObserver();
        spill.send(ByteBuffer.wrap(bytes(100)));
        out.onClosed(new ConnectionClosed(CloseCause.CLIENT_RESET, "gone"));
        out.responseComplete(response);
        out.workerFlush();
        assertEquals(0, response.count);
        assertEquals(1, response.lost.size(), response.lost::toString);
    }

    @Test
    void theWorkerWritesDirectlyAgainAfterTheReactorHasFlushedTheLink() throws IOException {
        link.record = 500;
        spill.send(ByteBuffer.wrap(bytes(100)));
        link.room = 1000;
        assertTrue(out.reactorFlush());
        link.signals = 0;
        spill.send(ByteBuffer.wrap(bytes(100)));
        assertEquals(200, link.taken.size());
        assertEquals(0, link.signals);
    }

    @Test
    void bytesCreatedByTheLinkAreSentIfThePipeIsEmpty() throws IOException {
        link.linkBytes = bytes(10);
        assertFalse(out.reactorFlush());
        assertTrue(out.isEmpty(), "bytes of the link were counted as bytes of a response");
        link.room = 1000;
        assertTrue(out.reactorFlush());
        assertArrayEquals(bytes(10), link.taken.toByteArray());
    }

    /**
     * The reactor cannot get the write token while the worker writes. So the worker must release the token, and then check whether the link
     * has new bytes.
     */
    @Test
    void bytesAreSentEvenIfTheLinkCreatesThemDuringAWriteOfTheWorker() throws IOException {
        link.room = 1000;
        link.record = 500;
        link.onWrite = () -> {
            link.linkBytes = bytes(10);
            flushAsReactor();
        };
        spill.send(ByteBuffer.wrap(bytes(100)));
        if (!link.isFlushed()) {
            assertEquals(LinkWriter.STALLED, link.signals);
            flushAsReactor();
        }
        assertEquals(110, link.taken.size());
    }

    @Test
    void aBrokenLinkClosesThePipeAndSignalsTheReactor() {
        link.broken = new IOException("reset");
        assertThrows(IOException.class, () -> spill.send(ByteBuffer.wrap(bytes(10))));
        assertEquals(LinkWriter.FAILED, link.signals & LinkWriter.FAILED);
        assertThrows(IOException.class, pipe::checkOpen);
        Segment segment = pool.acquireForOutput();
        segment.buffer().put((byte) 1).flip();
        assertThrows(IOException.class, () -> send(segment));
        assertEquals(0, pool.inUse());
    }

    /**
     * A response is replaced after its writer has checked the pipe, and before the writer writes. The client must get only the
     * replacement.
     */
    @Test
    void theWriterOfAReplacedResponseCannotAddBytes() throws IOException {
        Segment head = pool.acquireForOutput();
        head.buffer().put(bytes(10)).flip();
        long begins = pipe.append(head);
        Segment answer = pool.acquireForOutput();
        answer.buffer().put(bytes(7)).flip();
        pipe.checkOpen();
        assertTrue(pipe.replace(begins, answer, new IOException("given up")));
        link.room = 1000;
        ByteBuffer body = ByteBuffer.wrap(bytes(100));
        out.workerTry(body);
        assertEquals(100, body.remaining());
        assertThrows(IOException.class, () -> spill.send(body));
        assertArrayEquals(bytes(7), link.taken.toByteArray());
    }

    /** A worker sends, the reactor flushes, and the socket accepts only a few bytes at a time. All bytes must arrive in order. */
    @Test
    void theWorkerAndTheReactorSendAllBytesInOrder() throws Exception {
        byte[] sent = bytes(1 << 20);
        link.random = new Random(5);
        Thread worker = new Thread(() -> {
            ByteBuffer source = ByteBuffer.wrap(sent);
            Random random = new Random(1);
            try {
                while (source.hasRemaining()) {
                    int end = source.limit();
                    source.limit(Math.min(end, source.position() + 1 + random.nextInt(9000)));
                    if (source.remaining() <= 1024 && random.nextBoolean()) {
                        Segment segment = pool.acquireForOutput();
                        segment.buffer().put(source).flip();
                        send(segment);
                        out.workerFlush();
                    } else {
                        spill.send(source);
                    }
                    source.limit(end);
                }
                spill.writeGathered();
                // Every writer must flush at the end, since writeGathered() may have put bytes into the pipe.
                out.workerFlush();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        worker.setDaemon(true);
        worker.start();
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        // As in the server, the reactor flushes after a signal. After an incomplete flush, the reactor flushes again.
        boolean wantsWritable = false;
        while (link.count() < sent.length) {
            if (link.takeSignals() != 0 || wantsWritable) {
                wantsWritable = !out.reactorFlush();
            }
            assertTrue(System.nanoTime() < deadline, "after the timeout, only " + link.count() + " bytes are sent");
            Thread.yield();
        }
        worker.join();
        assertArrayEquals(sent, link.taken.toByteArray());
    }

    /** Counts the reports that a response has been sent, and records the reports that a response was lost. */
    private static final class RecordingObserver implements RequestObserver {
        private int count;
        private final List<String> lost = new ArrayList<>();

        @Override
        public void sent(long end) {
            count++;
        }

        @Override
        public void lost(String cause) {
            lost.add(cause);
        }
    }

    private void flushAsReactor() {
        try {
            out.reactorFlush();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        new Random(count).nextBytes(bytes);
        return bytes;
    }
}
