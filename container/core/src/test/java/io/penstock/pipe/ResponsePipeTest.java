package io.penstock.pipe;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the buffer for the responses of one connection. A worker (the producer) appends bytes and parts of files. A drain ({@code drainTo})
 * writes the buffered data to the outlet, which represents the connection.
 */
final class ResponsePipeTest {
    private static final Runnable UNCOUNTED = () -> {};
    private static final int CAPACITY = 4096;

    @TempDir
    Path folder;

    private final SegmentPool pool = new SegmentPool(1024, 100 * 1024);
    private final ResponsePipe pipe = new ResponsePipe(pool, CAPACITY);

    @AfterEach
    void everySegmentIsReleased() {
        pipe.fail(new IOException("end of the test"));
        assertEquals(0, pool.inUse());
        assertTrue(pipe.isEmpty());
    }

    @Test
    void bytesAreSentInOrderInOneWrite() throws IOException {
        append("one ");
        pipe.appendWhole(text("two "));
        append("three");
        LimitedOutlet outlet = LimitedOutlet.unlimited();
        assertTrue(pipe.drainTo(outlet, ResponsePipe.NOTHING));
        assertEquals("one two three", new String(outlet.written(), StandardCharsets.US_ASCII));
        assertEquals(1, outlet.calls);
        assertTrue(pipe.isEmpty());
        assertEquals(0, pool.inUse());
    }

    @Test
    void theBufferOfTheCallerIsSentAfterThePipeInTheSameWrite() throws IOException {
        append("head ");
        ByteBuffer body = text("body");
        LimitedOutlet outlet = LimitedOutlet.unlimited();
        assertTrue(pipe.drainTo(outlet, body));
        assertEquals("head body", new String(outlet.written(), StandardCharsets.US_ASCII));
        assertEquals(1, outlet.calls);
        assertFalse(body.hasRemaining());
    }

    @Test
    void theBufferOfTheCallerIsSentIfThePipeIsEmpty() throws IOException {
        ByteBuffer body = text("body");
        LimitedOutlet outlet = new LimitedOutlet(2);
        assertFalse(pipe.drainTo(outlet, body));
        assertEquals(2, body.remaining());
        outlet.allow(10);
        assertTrue(pipe.drainTo(outlet, body));
        assertEquals("body", new String(outlet.written(), StandardCharsets.US_ASCII));
    }

    @Test
    void bytesStayInThePipeIfTheOutletDoesNotAcceptThem() throws IOException {
        append("abcdef");
        LimitedOutlet outlet = new LimitedOutlet(2);
        assertFalse(pipe.drainTo(outlet, ResponsePipe.NOTHING));
        assertEquals(4, pipe.size());
        assertFalse(pipe.isEmpty());
        outlet.allow(100);
        assertTrue(pipe.drainTo(outlet, ResponsePipe.NOTHING));
        assertEquals("abcdef", new String(outlet.written(), StandardCharsets.US_ASCII));
    }

    @Test
    void thePipeSendsMoreSegmentsThanFitIntoOneWrite() throws IOException {
        byte[] sent = bytes(40 * 1024);
        pipe.appendWhole(ByteBuffer.wrap(sent));
        LimitedOutlet outlet = LimitedOutlet.unlimited();
        assertTrue(pipe.drainTo(outlet, ResponsePipe.NOTHING));
        assertArrayEquals(sent, outlet.written());
    }

    /** Each write of a drain is a moment in which the segments in it cannot take more bytes. A client that reads little causes many drains. */
    @Test
    void smallWritesDuringDrainsShareSegments() throws IOException {
        int drains = 50;
        int writes = 100;
        LimitedOutlet outlet = new LimitedOutlet(0);
        outlet.duringWrite = () -> {
            for (int i = 0; i < writes; i++) {
                try {
                    append("xy");
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        };
        append("xy");
        for (int i = 0; i < drains; i++) {
            assertFalse(pipe.drainTo(outlet, ResponsePipe.NOTHING));
        }
        // Ten segments of bytes, and those that were in a write before they were full.
        assertTrue(pool.inUse() <= 27 * 1024, pool.inUse() + " bytes");
        outlet.duringWrite = () -> {};
        outlet.allow(Long.MAX_VALUE);
        assertTrue(pipe.drainTo(outlet, ResponsePipe.NOTHING));
        assertEquals("xy".repeat(1 + drains * writes), new String(outlet.written(), StandardCharsets.US_ASCII));
    }

    @Test
    void smallWritesShareASegment() throws IOException {
        for (int i = 0; i < 512; i++) {
            append("xy");
        }
        assertEquals(1024, pool.inUse());
        assertEquals(1024, pipe.size());
    }

    @Test
    void anEmptySegmentIsReleasedAtOnce() throws IOException {
        append("");
        assertTrue(pipe.isEmpty());
        assertEquals(0, pool.inUse());
    }

    @Test
    void newBytesAreNotAddedToASegmentThatIsBeingSent() throws IOException {
        append("ab");
        LimitedOutlet outlet = new LimitedOutlet(1);
        outlet.duringWrite = () -> appendUnchecked("cd");
        assertFalse(pipe.drainTo(outlet, ResponsePipe.NOTHING));
        outlet.duringWrite = () -> {};
        outlet.allow(100);
        assertTrue(pipe.drainTo(outlet, ResponsePipe.NOTHING));
        assertEquals("abcd", new String(outlet.written(), StandardCharsets.US_ASCII));
    }

    private Segment segment(String text) {
        Segment segment = pool.acquireForOutput();
        segment.buffer().put(text(text)).flip();
        return segment;
    }

    private boolean replaceFrom(long begins, String text) {
        Segment answer = segment(text);
        boolean replaced = pipe.replace(begins, answer, new IOException("given up"));
        if (!replaced) {
            answer.release();
        }
        return replaced;
    }

    private String drained() throws IOException {
        LimitedOutlet outlet = LimitedOutlet.unlimited();
        assertTrue(pipe.drainTo(outlet, ResponsePipe.NOTHING));
        return new String(outlet.written(), StandardCharsets.US_ASCII);
    }

    @Test
    void anUnsentResponseIsReplacedAndEarlierResponsesAreKept() throws IOException {
        append("former ");
        long begins = pipe.append(segment("head "));
        append("body ");
        pipe.appendWhole(ByteBuffer.wrap(bytes(3000)));
        assertTrue(replaceFrom(begins, "answer"));
        assertEquals(13, pipe.handedOver());
        assertEquals(13, pipe.size());
        assertEquals(
                "given up",
                assertThrows(IOException.class, () -> append("late")).getMessage());
        assertEquals("former answer", drained());
        assertEquals(13, pipe.sent());
    }

    @Test
    void positionsInThePipeAreCountedFromTheFirstByteOfTheConnection() throws IOException {
        append("former ");
        assertEquals("former ", drained());
        assertEquals(7, pipe.sent());
        long begins = pipe.append(segment("head "));
        assertEquals(7, begins);
        List<Segment> out = pipe.takeOut(begins, () -> 0);
        assertEquals(1, out.size());
        assertEquals(7, pipe.handedOver());
        pipe.putBack(out);
        assertEquals(12, pipe.handedOver());
        assertTrue(replaceFrom(begins, "answer"));
        assertEquals("answer", drained());
        assertEquals(13, pipe.sent());
        assertFalse(replaceFrom(begins, "late"));
    }

    @Test
    void aSentResponseIsNotReplaced() throws IOException {
        append("former ");
        long begins = pipe.append(segment("head "));
        assertEquals("former head ", drained());
        assertFalse(replaceFrom(begins, "answer"));
        assertEquals(12, pipe.sent());
        append("body");
        assertFalse(replaceFrom(begins, "answer"));
        assertEquals("body", drained());
        assertEquals(16, pipe.sent());
    }

    @Test
    void anUnsentFileIsReplaced() throws IOException {
        Path path = Files.write(folder.resolve("file"), bytes(100));
        append("former ");
        long begins = pipe.append(segment("head "));
        pipe.append(FileChannel.open(path, StandardOpenOption.READ), 0, 100, UNCOUNTED);
        assertTrue(replaceFrom(begins, "answer"));
        assertFalse(pipe.hasRegions());
        assertEquals("former answer", drained());
    }

    /** One part of a file can contain the end of one response and the beginning of the next response. */
    @Test
    void aFileRegionIsCutWhereTheReplacedResponseBegins() throws IOException {
        Path path = Files.writeString(folder.resolve("file"), "former next");
        pipe.append(FileChannel.open(path, StandardOpenOption.READ), 0, 11, UNCOUNTED);
        assertTrue(replaceFrom(7, "answer"));
        assertEquals(7, pipe.inFiles());
        assertEquals("former answer", drained());
    }

    @Test
    void aPartlySentResponseIsNotReplaced() throws IOException {
        append("former ");
        long begins = pipe.append(segment("head"));
        pipe.drainTo(new LimitedOutlet(7), ResponsePipe.NOTHING);
        LimitedOutlet one = new LimitedOutlet(1);
        one.duringWrite =
                () -> assertFalse(replaceFrom(begins, "answer"), "the response was replaced while it was sent");
        pipe.drainTo(one, ResponsePipe.NOTHING);
        assertFalse(replaceFrom(begins, "answer"));
        append(" and body");
        assertEquals("ead and body", drained());
    }

    @Test
    void aResponseIsNotReplacedWhileItsSegmentsAreTakenOut() throws IOException {
        append("former ");
        long begins = pipe.append(segment("head"));
        List<Segment> taken = pipe.takeOut(0, () -> 0);
        assertFalse(replaceFrom(begins, "answer"));
        pipe.putBack(taken);
        assertTrue(replaceFrom(begins, "answer"));
        assertEquals("former answer", drained());
    }

    @Test
    void isAllSentReturnsFalseWhileSegmentsAreTakenOut() throws IOException {
        assertTrue(pipe.isAllSent());
        pipe.append(segment("bytes"));
        assertFalse(pipe.isAllSent());
        List<Segment> out = pipe.takeOut(0, () -> 0);
        assertTrue(pipe.isEmpty());
        assertFalse(pipe.isAllSent());
        pipe.putBack(out);
        assertEquals("bytes", drained());
        assertTrue(pipe.isAllSent());
    }

    @Test
    void anEarlierResponseIsSentWhileALaterResponseIsTakenOut() throws IOException {
        pipe.append(segment("earlier "));
        long begins = pipe.append(segment("x".repeat(1020)));
        List<Segment> out = pipe.takeOut(begins, () -> 0);
        assertEquals(1, out.size());
        assertEquals(8, pipe.handedOver());
        assertEquals("earlier ", drained());
        assertFalse(pipe.isAllSent());
        pipe.putBack(out);
        assertEquals("x".repeat(1020), drained());
        assertTrue(pipe.isAllSent());
    }

    @Test
    void aSegmentWithBytesOfTwoResponsesIsNotTakenOut() throws IOException {
        pipe.append(segment("earlier "));
        long begins = pipe.append(segment("head "));
        pipe.append(segment("x".repeat(1020)));
        List<Segment> out = pipe.takeOut(begins, () -> 0);
        assertEquals(1, out.size());
        pipe.putBack(out);
        assertEquals("earlier head " + "x".repeat(1020), drained());
    }

    @Test
    void aResponseIsTakenOutEvenIfItFollowsAFileOfAnEarlierResponse() throws IOException {
        Path path = Files.write(folder.resolve("file"), bytes(100));
        pipe.append(FileChannel.open(path, StandardOpenOption.READ), 0, 100, UNCOUNTED);
        long begins = pipe.append(segment("body"));
        List<Segment> out = pipe.takeOut(begins, () -> 0);
        assertEquals(1, out.size());
        assertEquals(100, pipe.inFiles());
        pipe.putBack(out);
        assertTrue(drained().endsWith("body"));
    }

    @Test
    void takenOutSegmentsOfAnAbortedResponseAreDropped() throws IOException {
        pipe.append(segment("earlier "));
        long begins = pipe.append(segment("x".repeat(1020)));
        List<Segment> out = pipe.takeOut(begins, () -> 0);
        pipe.refuse(new IOException("given up"));
        pipe.putBack(out);
        assertEquals("earlier ", drained());
        assertTrue(pipe.isAllSent());
    }

    /** As if a write to disk had failed while the outlet takes the bytes of an earlier response. */
    @Test
    void theBytesOfARunningDrainAreNotCountedTwiceIfSegmentsArePutBack() throws IOException {
        append("e".repeat(1000));
        long begins = pipe.handedOver();
        append("x".repeat(1020));
        List<Segment> out = pipe.takeOut(begins, () -> 0);
        PipeOutlet outlet = new PipeOutlet() {
            private int calls;

            @Override
            public long write(ByteBuffer[] sources, int offset, int length) {
                calls++;
                if (calls > 1) {
                    return 0;
                }
                int count = sources[offset].remaining();
                sources[offset].position(sources[offset].limit());
                pipe.putBack(out);
                return count;
            }

            @Override
            public long transferFrom(FileChannel file, long position, long count) {
                throw new AssertionError("the pipe has no file");
            }
        };
        assertFalse(pipe.drainTo(outlet, ResponsePipe.NOTHING));
        assertEquals(1020, pipe.size());
        assertEquals("x".repeat(1020), drained());
    }

    /** The client has got 20 bytes of a frame with 1021 bytes, so that the second segment also has some of its bytes. */
    @Test
    void theBytesOfABegunFrameAreNotTakenOut() throws IOException {
        for (String letter : List.of("x", "y", "z")) {
            pipe.append(segment(letter.repeat(1020)));
        }
        assertFalse(pipe.drainTo(new LimitedOutlet(20), ResponsePipe.NOTHING));
        List<Segment> out = pipe.takeOut(0, () -> 1001);
        assertEquals(1, out.size());
        assertEquals("x".repeat(1000) + "y".repeat(1020), drained());
        pipe.putBack(out);
        assertEquals("z".repeat(1020), drained());
    }

    @Test
    void takeOutReturnsNoSegmentsFromAnEmptyPipe() throws IOException {
        assertEquals(List.of(), pipe.takeOut(0, () -> 0));
        assertTrue(pipe.isAllSent());
    }

    @Test
    void takenOutSegmentsAreDroppedWhenTheConnectionHasFailed() throws IOException {
        pipe.append(segment("bytes"));
        List<Segment> out = pipe.takeOut(0, () -> 0);
        pipe.fail(new IOException("gone"));
        pipe.putBack(out);
        assertTrue(pipe.isAllSent());
    }

    /** The writer has checked that the pipe accepts bytes. Then the response is replaced, and the writer passes its bytes too late. */
    @Test
    void bytesOfTheWriterAreNotSentAfterTheirResponseHasBeenReplaced() throws IOException {
        append("former ");
        long begins = pipe.append(segment("head "));
        ByteBuffer body = text("body");
        pipe.checkOpen();
        assertTrue(replaceFrom(begins, "answer"));
        LimitedOutlet outlet = LimitedOutlet.unlimited();
        assertTrue(pipe.drainTo(outlet, body));
        assertTrue(pipe.drainTo(outlet, body), "the pipe is not empty after the replacement was sent");
        assertEquals("former answer", new String(outlet.written(), StandardCharsets.US_ASCII));
        assertEquals(4, body.remaining());
    }

    @Test
    void takeOutThrowsAfterTheResponseWasReplaced() throws IOException {
        append("former ");
        long begins = pipe.append(segment("head "));
        assertTrue(replaceFrom(begins, "answer"));
        assertThrows(IOException.class, () -> pipe.takeOut(begins, () -> 0));
        assertFalse(pipe.isEmpty());
        assertEquals("former answer", drained());
    }

    @Test
    void aReplacementRunsTheActionThatWaitsForRoom() throws IOException {
        pipe.appendWhole(ByteBuffer.wrap(bytes(CAPACITY)));
        AtomicInteger calls = new AtomicInteger();
        pipe.whenRoom(calls::incrementAndGet);
        assertTrue(replaceFrom(0, "answer"));
        assertEquals(1, calls.get());
        assertFalse(replaceFrom(0, "another"), "the response was replaced twice");
        assertEquals("answer", drained());
    }

    @Test
    void appendCopyFillsThePipeUpToItsCapacity() throws IOException {
        ByteBuffer source = ByteBuffer.wrap(bytes(CAPACITY + 100));
        pipe.appendCopy(source);
        assertEquals(100, source.remaining());
        assertEquals(CAPACITY, pipe.size());
        assertFalse(pipe.hasRoom());
        pipe.appendCopy(source);
        assertEquals(100, source.remaining());
    }

    @Test
    void appendWholeAcceptsBytesBeyondTheCapacity() throws IOException {
        pipe.appendCopy(ByteBuffer.wrap(bytes(CAPACITY)));
        pipe.appendWhole(text("\r\n0\r\n\r\n"));
        assertEquals(CAPACITY + 7, pipe.size());
    }

    @Test
    void aProducerWaitsUntilHalfTheCapacityIsFree() throws Exception {
        pipe.appendCopy(ByteBuffer.wrap(bytes(CAPACITY)));
        SecondThread<Boolean> producer = SecondThread.run(() -> {
                    pipe.awaitRoom();
                    return pipe.size() <= CAPACITY / 2;
                })
                .awaitWaiting();
        pipe.drainTo(new LimitedOutlet(1000), ResponsePipe.NOTHING);
        producer.awaitWaiting();
        pipe.drainTo(new LimitedOutlet(2000), ResponsePipe.NOTHING);
        assertTrue(producer.result());
    }

    @Test
    void aWaitingProducerGetsTheCauseOfAFailure() throws IOException {
        pipe.appendCopy(ByteBuffer.wrap(bytes(CAPACITY)));
        SecondThread<Boolean> producer = SecondThread.run(() -> {
                    pipe.awaitRoom();
                    return true;
                })
                .awaitWaiting();
        IOException reset = new IOException("reset");
        pipe.fail(reset);
        pipe.fail(new IOException("second"));
        ExecutionException thrown = assertThrows(ExecutionException.class, producer::result);
        assertSame(ConnectionEnded.class, thrown.getCause().getClass());
        assertSame(reset, thrown.getCause().getCause());
    }

    @Test
    void writesAfterAFailureThrowAndHoldNoMemory() {
        pipe.fail(new IOException("reset"));
        assertThrows(ConnectionEnded.class, () -> append("a"));
        assertThrows(ConnectionEnded.class, () -> pipe.appendCopy(text("a")));
        assertThrows(ConnectionEnded.class, () -> pipe.appendWhole(text("a")));
        assertThrows(ConnectionEnded.class, pipe::awaitRoom);
        assertThrows(ConnectionEnded.class, pipe::checkOpen);
        assertThrows(ConnectionEnded.class, () -> pipe.append(file("abc"), 0, 3, UNCOUNTED));
        assertTrue(pipe.hasRoom(), "a write to the failed pipe would wait");
        assertEquals(0, pool.inUse());
    }

    @Test
    void aFailureDuringADrainDoesNotReleaseTheBuffersInUse() throws IOException {
        byte[] sent = bytes(3000);
        pipe.appendWhole(ByteBuffer.wrap(sent));
        LimitedOutlet outlet = new LimitedOutlet(1500);
        outlet.duringWrite = () -> {
            pipe.fail(new IOException("reset"));
            assertEquals(3 * 1024, pool.inUse(), "segments were released while they were drained");
        };
        pipe.drainTo(outlet, ResponsePipe.NOTHING);
        assertArrayEquals(Arrays.copyOf(sent, 1500), outlet.written(), "overwritten bytes were sent");
        assertEquals(0, pool.inUse(), "the drain did not release the remaining segments");
    }

    @Test
    void aFailureDuringAFileTransferClosesTheFileAfterTheTransfer() throws IOException {
        FileChannel file = file("0123456789");
        pipe.append(file, 0, 10, UNCOUNTED);
        LimitedOutlet outlet = new LimitedOutlet(4);
        outlet.duringWrite = () -> {
            pipe.fail(new IOException("reset"));
            assertTrue(file.isOpen(), "the file was closed while it was sent");
        };
        pipe.drainTo(outlet, ResponsePipe.NOTHING);
        assertFalse(file.isOpen());
    }

    @Test
    void theDrainThrowsTheExceptionOfTheOutlet() throws IOException {
        append("abc");
        IOException broken = new IOException("broken");
        PipeOutlet outlet = failing(broken);
        assertSame(broken, assertThrows(IOException.class, () -> pipe.drainTo(outlet, ResponsePipe.NOTHING)));
        pipe.fail(broken);
        assertEquals(0, pool.inUse());
    }

    private static PipeOutlet failing(IOException broken) {
        return new PipeOutlet() {
            @Override
            public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
                throw broken;
            }

            @Override
            public long transferFrom(FileChannel file, long position, long count) throws IOException {
                throw broken;
            }
        };
    }

    @Test
    void aFileIsSentBetweenTheBytesBeforeAndAfterTheFile() throws IOException {
        append("<");
        FileChannel file = file("0123456789");
        pipe.append(file, 2, 5, UNCOUNTED);
        append(">");
        assertFalse(pipe.hasRoom(), "the pipe has room before the file is sent");
        LimitedOutlet outlet = LimitedOutlet.unlimited();
        assertTrue(pipe.drainTo(outlet, ResponsePipe.NOTHING));
        assertEquals("<23456>", new String(outlet.written(), StandardCharsets.US_ASCII));
        assertFalse(file.isOpen());
        assertTrue(pipe.hasRoom());
    }

    @Test
    void aPartlySentFileContinuesAtItsPosition() throws IOException {
        FileChannel file = file("0123456789");
        pipe.append(file, 0, 10, UNCOUNTED);
        LimitedOutlet outlet = new LimitedOutlet(3);
        assertFalse(pipe.drainTo(outlet, ResponsePipe.NOTHING));
        assertTrue(file.isOpen());
        outlet.allow(100);
        assertTrue(pipe.drainTo(outlet, ResponsePipe.NOTHING));
        assertEquals("0123456789", new String(outlet.written(), StandardCharsets.US_ASCII));
    }

    @Test
    void aLargeFileIsSentInSeveralDrains() throws IOException {
        byte[] content = bytes(600 * 1024);
        Path path = Files.write(folder.resolve("large"), content);
        pipe.append(FileChannel.open(path, StandardOpenOption.READ), 0, content.length, UNCOUNTED);
        LimitedOutlet outlet = LimitedOutlet.unlimited();
        assertFalse(pipe.drainTo(outlet, ResponsePipe.NOTHING));
        assertTrue(outlet.written().length <= 256 * 1024);
        int drains = 1;
        while (!pipe.drainTo(outlet, ResponsePipe.NOTHING)) {
            drains++;
        }
        assertEquals(3, drains + 1);
        assertArrayEquals(content, outlet.written());
    }

    @Test
    void theDrainFailsIfTheFileIsTooShort() throws IOException {
        FileChannel file = file("0123456789");
        pipe.append(file, 0, 20, UNCOUNTED);
        LimitedOutlet outlet = LimitedOutlet.unlimited();
        IOException thrown = assertThrows(IOException.class, () -> {
            while (!pipe.drainTo(outlet, ResponsePipe.NOTHING)) {
                assertTrue(outlet.calls < 100);
            }
        });
        assertTrue(thrown.getMessage().contains("10 bytes early"), thrown.getMessage());
        pipe.fail(thrown);
        assertFalse(file.isOpen());
    }

    @Test
    void aReadErrorOfAFileIsThrownAsFileFailedButAnOutletErrorIsThrownUnchanged() throws IOException {
        FileChannel closed = file("0123456789");
        pipe.append(closed, 0, 10, UNCOUNTED);
        closed.close();
        assertThrows(FileFailed.class, () -> pipe.drainTo(LimitedOutlet.unlimited(), ResponsePipe.NOTHING));
        pipe.fail(new IOException("the first has failed"));

        IOException broken = new IOException("broken");
        ResponsePipe other = new ResponsePipe(pool, 100);
        other.append(file("0123456789"), 0, 10, UNCOUNTED);
        PipeOutlet outlet = failing(broken);
        assertSame(broken, assertThrows(IOException.class, () -> other.drainTo(outlet, ResponsePipe.NOTHING)));
        other.fail(broken);
    }

    @Test
    void theFileOfAnEmptyRegionIsClosedAtOnce() throws IOException {
        FileChannel file = file("abc");
        pipe.append(file, 0, 0, UNCOUNTED);
        assertFalse(file.isOpen());
        assertTrue(pipe.isEmpty());
    }

    @Test
    void theRoomActionRunsOnceWhenThePipeHasRoom() throws IOException {
        AtomicInteger ran = new AtomicInteger();
        pipe.whenRoom(ran::incrementAndGet);
        assertEquals(1, ran.get(), "the first action did not run at once");
        pipe.appendCopy(ByteBuffer.wrap(bytes(CAPACITY)));
        pipe.whenRoom(ran::incrementAndGet);
        assertEquals(1, ran.get());
        pipe.drainTo(LimitedOutlet.unlimited(), ResponsePipe.NOTHING);
        assertEquals(2, ran.get());
        pipe.appendCopy(ByteBuffer.wrap(bytes(CAPACITY)));
        pipe.drainTo(LimitedOutlet.unlimited(), ResponsePipe.NOTHING);
        assertEquals(2, ran.get(), "the second action ran more than once");
    }

    @Test
    void aLaterRoomActionDoesNotReplaceAWaitingRoomAction() throws IOException {
        AtomicInteger first = new AtomicInteger();
        AtomicInteger second = new AtomicInteger();
        pipe.appendCopy(ByteBuffer.wrap(bytes(CAPACITY)));
        pipe.whenRoom(first::incrementAndGet);
        pipe.whenRoom(second::incrementAndGet);
        pipe.drainTo(LimitedOutlet.unlimited(), ResponsePipe.NOTHING);
        assertEquals(1, first.get());
        assertEquals(1, second.get());
    }

    @Test
    void aWaitingActionRunsWhenTheConnectionFails() throws IOException {
        AtomicInteger ran = new AtomicInteger();
        pipe.appendCopy(ByteBuffer.wrap(bytes(CAPACITY)));
        pipe.whenRoom(ran::incrementAndGet);
        pipe.fail(new IOException("reset"));
        assertEquals(1, ran.get());
    }

    @Test
    void aProducerContinuesWhenTheFileHasBeenSent() throws Exception {
        pipe.append(file("0123456789"), 0, 10, UNCOUNTED);
        SecondThread<Boolean> producer = SecondThread.run(() -> {
                    pipe.awaitRoom();
                    return true;
                })
                .awaitWaiting();
        pipe.drainTo(LimitedOutlet.unlimited(), ResponsePipe.NOTHING);
        assertTrue(producer.result());
    }

    @Test
    void aPipeThatRefusesNewBytesSendsEarlierBytesButItsProducerFails() throws Exception {
        append("there");
        pipe.append(file("0123456789"), 0, 10, UNCOUNTED);
        SecondThread<IOException> producer = SecondThread.run(() -> assertThrows(IOException.class, pipe::awaitRoom))
                .awaitWaiting();
        IOException cause = new IOException("given up");
        pipe.refuse(cause);
        assertSame(cause, producer.result().getCause());
        assertThrows(IOException.class, () -> append("late"));
        assertThrows(IOException.class, () -> pipe.appendWhole(text("late")));
        assertThrows(IOException.class, () -> pipe.append(file("0123456789"), 0, 4, UNCOUNTED));
        assertTrue(pipe.hasRoom());
        assertFalse(pipe.hasFailed());
        LimitedOutlet outlet = LimitedOutlet.unlimited();
        assertTrue(pipe.drainTo(outlet, ResponsePipe.NOTHING));
        assertEquals("there0123456789", new String(outlet.written(), StandardCharsets.US_ASCII));
    }

    @Test
    void aWaitingRoomActionRunsOnceWhenThePipeRefusesNewBytes() throws IOException {
        AtomicInteger ran = new AtomicInteger();
        pipe.append(file("0123456789"), 0, 10, UNCOUNTED);
        pipe.whenRoom(ran::incrementAndGet);
        assertEquals(0, ran.get());
        pipe.refuse(new IOException("given up"));
        pipe.fail(new IOException("reset"));
        assertEquals(1, ran.get());
    }

    /** A producer waits for room in the pipe. The outlet accepts only a few bytes at a time. */
    @Test
    void reservedBytesAreSentPastThePipe() throws IOException {
        append("earlier ");
        LimitedOutlet outlet = LimitedOutlet.unlimited();
        pipe.drainTo(outlet, ResponsePipe.NOTHING);
        assertEquals(8, pipe.reserve(4));
        assertEquals(12, pipe.handedOver());
        assertFalse(pipe.isEmpty());
        assertFalse(pipe.isAllSent());
        assertTrue(pipe.sendReserved(outlet, segment("body")));
        assertEquals("earlier body", new String(outlet.written(), StandardCharsets.US_ASCII));
        assertTrue(pipe.isEmpty() && pipe.isAllSent());
        assertEquals(12, pipe.sent());
        assertEquals(0, pool.inUse());
    }

    @Test
    void thePipeKeepsTheReservedBytesThatTheOutletDoesNotTake() throws IOException {
        LimitedOutlet outlet = new LimitedOutlet(2);
        pipe.reserve(4);
        assertFalse(pipe.sendReserved(outlet, segment("body")));
        assertEquals(2, pipe.sent());
        assertEquals(4, pipe.handedOver());
        assertEquals(2, pipe.size());
        assertFalse(replaceFrom(0, "answer"));
        append(" and more");
        outlet.allow(100);
        assertTrue(pipe.drainTo(outlet, ResponsePipe.NOTHING));
        assertEquals("body and more", new String(outlet.written(), StandardCharsets.US_ASCII));
        assertEquals(13, pipe.sent());
    }

    @Test
    void reservedBytesAreNotReplacedWhileTheyAreSent() throws IOException {
        LimitedOutlet outlet = new LimitedOutlet(0);
        outlet.duringWrite = () -> assertFalse(replaceFrom(0, "answer"));
        pipe.reserve(4);
        assertFalse(pipe.sendReserved(outlet, segment("body")));
        assertEquals(4, pipe.size());
    }

    @Test
    void aFailureDuringTheWriteOfReservedBytesReleasesThemAfterTheWrite() throws IOException {
        LimitedOutlet outlet = new LimitedOutlet(2);
        outlet.duringWrite = () -> pipe.fail(new IOException("reset"));
        pipe.reserve(4);
        assertFalse(pipe.sendReserved(outlet, segment("body")));
        assertTrue(pipe.isEmpty());
        assertEquals(0, pool.inUse());
        assertEquals(2, pipe.sent());
        assertEquals(4, pipe.handedOver(), "so that the response does not count as sent");
    }

    @Test
    void thePipeKeepsReservedBytesIfTheOutletFails() throws IOException {
        PipeOutlet broken = new PipeOutlet() {
            @Override
            public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
                throw new IOException("broken");
            }

            @Override
            public long transferFrom(FileChannel file, long position, long count) {
                throw new UnsupportedOperationException();
            }
        };
        pipe.reserve(4);
        assertThrows(IOException.class, () -> pipe.sendReserved(broken, segment("body")));
        assertEquals(4, pipe.size());
    }

    @Test
    void nothingIsReservedAfterARefusal() {
        pipe.refuse(new IOException("aborted"));
        assertThrows(IOException.class, () -> pipe.reserve(4));
        assertTrue(pipe.isEmpty());
    }

    @Test
    void aMegabyteFromAProducerThreadIsSentInOrder() throws Exception {
        byte[] sent = bytes(1 << 20);
        SecondThread<Boolean> producer = SecondThread.run(() -> {
            ByteBuffer source = ByteBuffer.wrap(sent);
            Random random = new Random(1);
            while (source.hasRemaining()) {
                int end = source.limit();
                source.limit(Math.min(end, source.position() + 1 + random.nextInt(3000)));
                while (source.hasRemaining()) {
                    pipe.awaitRoom();
                    pipe.appendCopy(source);
                }
                source.limit(end);
            }
            return true;
        });
        LimitedOutlet outlet = new LimitedOutlet(0);
        Random random = new Random(3);
        while (outlet.written().length < sent.length) {
            outlet.allow(random.nextInt(20_000));
            pipe.drainTo(outlet, ResponsePipe.NOTHING);
        }
        assertTrue(producer.result());
        assertArrayEquals(sent, outlet.written());
    }

    private void append(String text) throws IOException {
        Segment segment = pool.acquireForOutput();
        segment.buffer().put(text.getBytes(StandardCharsets.US_ASCII)).flip();
        pipe.append(segment);
    }

    private void appendUnchecked(String text) {
        try {
            append(text);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private FileChannel file(String content) throws IOException {
        Path path = Files.writeString(folder.resolve("file"), content);
        return FileChannel.open(path, StandardOpenOption.READ);
    }

    private static ByteBuffer text(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        new Random(count).nextBytes(bytes);
        return bytes;
    }
}
