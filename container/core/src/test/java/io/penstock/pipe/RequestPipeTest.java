package io.penstock.pipe;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.pipe.RequestPipe.Offered;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests the buffer for the body of one request. A selector thread writes to the inlet, and a worker reads from the outlet. When a full
 * buffer has room again, the pipe calls the room listener.
 */
final class RequestPipeTest {
    private static final int CAPACITY = 4096;

    private final SegmentPool pool = new SegmentPool(1024, 100 * 1024);
    private final AtomicInteger roomCalls = new AtomicInteger();
    private final RequestPipe pipe = new RequestPipe(pool, CAPACITY, roomCalls::incrementAndGet);
    private final RequestPipe.Inlet inlet = pipe.inlet();
    private final RequestPipe.Outlet outlet = pipe.outlet();

    @AfterEach
    void everySegmentIsReleased() {
        outlet.close();
        assertEquals(0, pool.inUse());
    }

    @Test
    void theReaderGetsAllWrittenBytes() throws IOException {
        byte[] sent = bytes(3000);
        assertEquals(Offered.ALL, inlet.offer(ByteBuffer.wrap(sent)));
        assertEquals(3000, outlet.available());
        inlet.finish();
        assertArrayEquals(sent, readAll());
        assertTrue(outlet.isFinished());
        assertEquals(-1, outlet.read(new byte[1], 0, 1));
        assertEquals(-1, outlet.read(new byte[1], 0, 1));
    }

    /** A server that stops ends the input of an upgraded connection, whose client may go on sending. */
    @Test
    void noBytesFollowTheEnd() throws IOException {
        inlet.offer(ByteBuffer.wrap(bytes(10)));
        inlet.finish();
        ByteBuffer late = ByteBuffer.wrap(bytes(5));
        assertEquals(Offered.ALL, inlet.offer(late));
        assertFalse(late.hasRemaining());
        assertEquals(10, outlet.read(new byte[100], 0, 100));
        inlet.offer(ByteBuffer.wrap(bytes(5)));
        assertEquals(-1, outlet.read(new byte[100], 0, 100));
        assertEquals(20, inlet.consumed());
    }

    @Test
    void anEmptyPipeHoldsNoSegment() throws IOException {
        assertEquals(0, pool.inUse());
        inlet.offer(ByteBuffer.wrap(bytes(1025)));
        assertEquals(2048, pool.inUse());
        assertEquals(1024, outlet.read(new byte[1024], 0, 1024));
        assertEquals(1024, pool.inUse());
        assertEquals(1, outlet.read(new byte[1024], 0, 1024));
        assertEquals(0, pool.inUse());
        assertFalse(outlet.isFinished());
    }

    @Test
    void smallOffersShareASegment() {
        for (int i = 0; i < 1024; i++) {
            inlet.offer(ByteBuffer.wrap(bytes(1)));
        }
        assertEquals(1024, pool.inUse());
    }

    @Test
    void bytesBeyondTheCapacityStayInTheSourceBuffer() {
        ByteBuffer source = ByteBuffer.wrap(bytes(CAPACITY + 10));
        assertEquals(Offered.FULL, inlet.offer(source));
        assertEquals(10, source.remaining());
        assertEquals(CAPACITY, inlet.size());
        assertEquals(Offered.FULL, inlet.offer(source));
        assertEquals(10, source.remaining());
    }

    @Test
    void anOfferIsAcceptedIfItFitsIntoTheReportedRoom() throws IOException {
        assertEquals(CAPACITY, inlet.room());
        inlet.offer(ByteBuffer.wrap(bytes(CAPACITY - 1)));
        assertEquals(1, inlet.room());
        assertEquals(Offered.ALL, inlet.offer(ByteBuffer.wrap(bytes(1))));
        assertEquals(0, inlet.room());
    }

    @Test
    void theRoomListenerIsCalledOnceAfterTheMethodRoomHasReturnedZero() throws IOException {
        inlet.offer(ByteBuffer.wrap(bytes(CAPACITY)));
        assertEquals(0, inlet.room());
        outlet.read(new byte[CAPACITY], 0, CAPACITY);
        assertEquals(1, roomCalls.get());
        assertEquals(CAPACITY, inlet.room());
        inlet.offer(ByteBuffer.wrap(bytes(1)));
        outlet.read(new byte[1], 0, 1);
        assertEquals(1, roomCalls.get());
    }

    @Test
    void aPipeWithAClosedOutletHasRoomForAllBytes() {
        inlet.offer(ByteBuffer.wrap(bytes(CAPACITY)));
        outlet.close();
        assertTrue(inlet.room() > CAPACITY);
    }

    @Test
    void theRoomListenerIsCalledOnceWhenHalfTheCapacityIsFree() throws IOException {
        inlet.offer(ByteBuffer.wrap(bytes(CAPACITY + 1)));
        outlet.read(new byte[CAPACITY / 2 - 1], 0, CAPACITY / 2 - 1);
        assertEquals(0, roomCalls.get());
        outlet.read(new byte[1], 0, 1);
        assertEquals(1, roomCalls.get());
        outlet.read(new byte[100], 0, 100);
        assertEquals(1, roomCalls.get());
    }

    @Test
    void theRoomListenerIsNotCalledIfNoOfferExceededTheRoom() throws IOException {
        inlet.offer(ByteBuffer.wrap(bytes(CAPACITY)));
        outlet.read(new byte[CAPACITY], 0, CAPACITY);
        assertEquals(0, roomCalls.get());
    }

    @Test
    void anOfferIsReportedAsOverBudgetIfThePoolHasTooLittleMemory() {
        SegmentPool small = new SegmentPool(1024, 3 * 1024);
        RequestPipe poor = new RequestPipe(small, CAPACITY, roomCalls::incrementAndGet);
        ByteBuffer source = ByteBuffer.wrap(bytes(CAPACITY));
        assertEquals(Offered.OVER_BUDGET, poor.inlet().offer(source));
        assertEquals(CAPACITY - 2048, source.remaining());
        poor.outlet().close();
        assertEquals(0, small.inUse());
    }

    @Test
    void aReaderWaitsForBytes() throws Exception {
        SecondThread<Integer> reader =
                SecondThread.run(() -> outlet.read(new byte[10], 0, 10)).awaitWaiting();
        inlet.offer(ByteBuffer.wrap(bytes(3)));
        assertEquals(3, reader.result());
    }

    @Test
    void aReaderWaitsForTheEndOfTheBody() throws Exception {
        SecondThread<Integer> reader =
                SecondThread.run(() -> outlet.read(new byte[10], 0, 10)).awaitWaiting();
        inlet.finish();
        assertEquals(-1, reader.result());
    }

    @Test
    void aWaitingReaderGetsTheCauseOfAFailure() {
        SecondThread<Integer> reader =
                SecondThread.run(() -> outlet.read(new byte[10], 0, 10)).awaitWaiting();
        IOException reset = new IOException("reset");
        inlet.fail(reset);
        ExecutionException thrown = assertThrows(ExecutionException.class, reader::result);
        assertSame(BodyFailure.class, thrown.getCause().getClass());
        assertSame(reset, thrown.getCause().getCause());
    }

    @Test
    void theFirstFailureIsKeptAndUnreadBytesAreDropped() {
        inlet.offer(ByteBuffer.wrap(bytes(10)));
        IOException first = new IOException("first");
        inlet.fail(first);
        inlet.fail(new IOException("second"));
        inlet.finish();
        assertEquals(0, pool.inUse());
        BodyFailure thrown = assertThrows(BodyFailure.class, () -> outlet.read(new byte[1], 0, 1));
        assertSame(first, thrown.getCause());
        assertTrue(outlet.isReady());
        assertFalse(outlet.isFinished());
    }

    @Test
    void aFailureAfterTheEndOfTheBodyIsIgnored() throws IOException {
        inlet.offer(ByteBuffer.wrap(bytes(2)));
        inlet.finish();
        outlet.read(new byte[2], 0, 2);
        inlet.fail(new IOException("too late"));
        assertEquals(-1, outlet.read(new byte[2], 0, 2));
    }

    @Test
    void aClosedPipeDropsLaterBytes() {
        inlet.offer(ByteBuffer.wrap(bytes(CAPACITY + 1)));
        outlet.close();
        assertEquals(1, roomCalls.get(), "calls of the room listener");
        ByteBuffer source = ByteBuffer.wrap(bytes(CAPACITY * 2));
        assertEquals(Offered.ALL, inlet.offer(source));
        assertFalse(source.hasRemaining());
        inlet.finish();
        assertThrows(IOException.class, () -> outlet.read(new byte[1], 0, 1));
    }

    @Test
    void theReadyActionRunsOnceWhenBytesArrive() {
        AtomicInteger ran = new AtomicInteger();
        outlet.whenReady(ran::incrementAndGet);
        assertFalse(outlet.isReady());
        assertEquals(0, ran.get());
        inlet.offer(ByteBuffer.wrap(bytes(1)));
        assertEquals(1, ran.get());
        inlet.offer(ByteBuffer.wrap(bytes(1)));
        assertEquals(1, ran.get(), "the action ran more than once");
        outlet.whenReady(ran::incrementAndGet);
        assertEquals(2, ran.get(), "the action did not run at once");
    }

    @Test
    void theReadyActionRunsWhenTheBodyEndsOrFails() throws IOException {
        AtomicInteger ran = new AtomicInteger();
        outlet.whenReady(ran::incrementAndGet);
        inlet.finish();
        assertEquals(1, ran.get());
        RequestPipe failing = new RequestPipe(pool, CAPACITY, roomCalls::incrementAndGet);
        failing.outlet().whenReady(ran::incrementAndGet);
        failing.inlet().fail(new IOException("reset"));
        assertEquals(2, ran.get());
    }

    @Test
    void bytesThatAreReadTakenOutOrDroppedAreConsumed() throws IOException {
        inlet.offer(ByteBuffer.wrap(bytes(1500)));
        assertEquals(0, inlet.consumed());
        outlet.read(new byte[1100], 0, 1100);
        assertEquals(1100, inlet.consumed());
        inlet.takeAll().forEach(Segment::release);
        assertEquals(1500, inlet.consumed());
        inlet.offer(ByteBuffer.wrap(bytes(CAPACITY + 10)));
        assertEquals(1500, inlet.consumed());
        outlet.close();
        assertEquals(1500 + CAPACITY, inlet.consumed());
        inlet.offer(ByteBuffer.wrap(bytes(10)));
        assertEquals(1500 + CAPACITY + 10, inlet.consumed());
        outlet.close();
        assertEquals(1500 + CAPACITY + 10, inlet.consumed());
    }

    @Test
    void theBytesOfAFailedBodyAreConsumed() {
        inlet.offer(ByteBuffer.wrap(bytes(100)));
        inlet.fail(new IOException("reset"));
        assertEquals(100, inlet.consumed());
        inlet.offer(ByteBuffer.wrap(bytes(20)));
        assertEquals(120, inlet.consumed());
        outlet.close();
        assertEquals(120, inlet.consumed());
    }

    /** With flow control, the client may send what the pipe has room for, and each consumed byte is permitted again. */
    @Test
    void aClientThatSendsOnlyPermittedBytesNeverFindsThePipeFull() throws IOException {
        Random random = new Random(3);
        byte[] target = new byte[CAPACITY];
        long sent = 0;
        for (int round = 0; round < 2000; round++) {
            int permitted = (int) (CAPACITY + inlet.consumed() - sent);
            int count = random.nextInt(permitted + 1);
            assertEquals(Offered.ALL, inlet.offer(ByteBuffer.wrap(bytes(count))));
            sent += count;
            assertEquals(sent, inlet.consumed() + inlet.size());
            if (random.nextInt(10) == 0) {
                inlet.takeAll().forEach(Segment::release);
            } else if (inlet.size() > 0) {
                outlet.read(target, 0, 1 + random.nextInt(CAPACITY));
            }
            assertEquals(sent, inlet.consumed() + inlet.size());
        }
    }

    @Test
    void anInterruptedReaderGetsAnIoExceptionAndStaysInterrupted() throws Exception {
        SecondThread<Boolean> reader = SecondThread.run(() -> {
                    assertThrows(IOException.class, () -> outlet.read(new byte[1], 0, 1));
                    return Thread.interrupted();
                })
                .awaitWaiting();
        reader.interrupt();
        assertTrue(reader.result());
    }

    @Test
    void aReadIntoAnEmptyTargetReturnsZeroAndDoesNotWait() throws IOException {
        assertEquals(0, outlet.read(new byte[0], 0, 0));
        assertEquals(0, outlet.read(ByteBuffer.allocate(0)));
    }

    @Test
    void aReadStopsAtTheLimitOfTheTargetBuffer() throws IOException {
        inlet.offer(ByteBuffer.wrap(bytes(100)));
        ByteBuffer target = ByteBuffer.allocate(50).limit(30);
        assertEquals(30, outlet.read(target));
        assertEquals(30, target.position());
        assertEquals(70, outlet.available());
    }

    /**
     * A producer sends a megabyte in pieces of random size. When the pipe is full, the producer waits until the pipe calls the room
     * listener. A consumer blocks until bytes arrive.
     */
    @Test
    void aConsumerThreadGetsAMegabyteInOrder() throws Exception {
        byte[] sent = bytes(1 << 20);
        java.util.concurrent.Semaphore room = new java.util.concurrent.Semaphore(0);
        RequestPipe busy = new RequestPipe(pool, CAPACITY, room::release);
        SecondThread<byte[]> reader = SecondThread.run(() -> {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            byte[] piece = new byte[3000];
            Random random = new Random(2);
            int n = busy.outlet().read(piece, 0, 1 + random.nextInt(2999));
            while (n >= 0) {
                all.write(piece, 0, n);
                n = busy.outlet().read(piece, 0, 1 + random.nextInt(2999));
            }
            return all.toByteArray();
        });
        Random random = new Random(1);
        int at = 0;
        while (at < sent.length) {
            ByteBuffer piece = ByteBuffer.wrap(sent, at, Math.min(sent.length - at, 1 + random.nextInt(9000)));
            at += piece.remaining();
            while (busy.inlet().offer(piece) == Offered.FULL) {
                assertTrue(
                        room.tryAcquire(60, java.util.concurrent.TimeUnit.SECONDS), "the room listener was not called");
            }
        }
        busy.inlet().finish();
        assertArrayEquals(sent, reader.result());
    }

    private byte[] readAll() throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        byte[] piece = new byte[700];
        for (int n = outlet.read(piece, 0, piece.length); n >= 0; n = outlet.read(piece, 0, piece.length)) {
            all.write(piece, 0, n);
        }
        return all.toByteArray();
    }

    private static byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        new Random(count).nextBytes(bytes);
        return bytes;
    }
}
