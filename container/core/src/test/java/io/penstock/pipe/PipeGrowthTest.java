package io.penstock.pipe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.pipe.RequestPipe.Offered;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Checks the growth of pipes (the buffers between a client and a worker). A pipe can hold more than its assured size while enough memory is
 * free. When memory becomes short, the largest pipes stop growing first.
 */
final class PipeGrowthTest {
    private static final int SEGMENT = 1024;
    private static final int SEGMENTS = 800;
    private static final int GROWTH = SEGMENTS * 3 / 8 * SEGMENT;
    private static final PipeBounds BOUNDS = new PipeBounds(4 * SEGMENT, 60 * SEGMENT);

    private final SegmentPool pool = new SegmentPool(SEGMENT, SEGMENTS * SEGMENT);
    private final List<Segment> usedInOtherPipes = new ArrayList<>();

    @AfterEach
    void everySegmentIsReleased() {
        usedInOtherPipes.forEach(Segment::release);
        assertEquals(0, pool.inUse());
    }

    /** Takes segments from the pool, as if other pipes held {@code bytes} bytes. */
    private void useInOtherPipes(int bytes) {
        while (usedInOtherPipes.size() * SEGMENT < bytes) {
            usedInOtherPipes.add(Objects.requireNonNull(pool.tryAcquireReserved()));
        }
    }

    private RequestPipe pipe(PipeBounds bounds) {
        return new RequestPipe(pool, bounds, () -> {});
    }

    private static RequestPipe fill(RequestPipe pipe, int bytes) {
        assertEquals(Offered.ALL, pipe.inlet().offer(ByteBuffer.allocate(bytes)));
        return pipe;
    }

    @Test
    void aPipeCanGrowToItsMaximumWhileMemoryIsPlentiful() {
        assertEquals(BOUNDS.most(), pool.limit(BOUNDS));
        useInOtherPipes(GROWTH - 4 * BOUNDS.most());
        assertEquals(BOUNDS.most(), pool.limit(BOUNDS));
    }

    @Test
    void theLimitOfAPipeIsAQuarterOfTheFreeMemoryForGrowth() {
        useInOtherPipes(GROWTH - 40 * SEGMENT);
        assertEquals(10 * SEGMENT, pool.limit(BOUNDS));
    }

    @Test
    void theAssuredSizeDoesNotDependOnOtherPipes() {
        useInOtherPipes(GROWTH);
        assertEquals(BOUNDS.assured(), pool.limit(BOUNDS));
        useInOtherPipes(2 * GROWTH);
        assertEquals(BOUNDS.assured(), pool.limit(BOUNDS));
    }

    @Test
    void aPipeOfAFixedSizeNeverGrows() {
        assertEquals(5000, pool.limit(PipeBounds.fixed(5000)));
        useInOtherPipes(GROWTH);
        assertEquals(5000, pool.limit(PipeBounds.fixed(5000)));
    }

    /**
     * Many pipes accept as many bytes as they can. All pipes together must never hold more than the part of the budget that is for growth
     * ({@link #GROWTH}).
     */
    @Test
    void allPipesTogetherNeverExceedTheMemoryForGrowth() {
        Random random = new Random(7);
        List<RequestPipe> pipes = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            pipes.add(pipe(BOUNDS));
        }
        for (int i = 0; i < 20_000; i++) {
            RequestPipe next = pipes.get(random.nextInt(pipes.size()));
            int room = next.inlet().room();
            if (room > 0) {
                fill(next, Math.min(room, 1 + random.nextInt(2 * SEGMENT)));
            }
            assertTrue(pool.inUse() <= GROWTH, "bytes in use: " + pool.inUse());
        }
        assertTrue(
                pool.inUse() > GROWTH * 8L / 10,
                "the pipes use at most 80 % of the memory for growth; bytes in use: " + pool.inUse());
        pipes.forEach(pipe -> pipe.outlet().close());
    }

    @Test
    void theLargestPipeStopsGrowingFirstWhenMemoryIsShort() {
        RequestPipe large = fill(pipe(BOUNDS), 60 * SEGMENT);
        RequestPipe middle = fill(pipe(BOUNDS), 20 * SEGMENT);
        RequestPipe small = fill(pipe(BOUNDS), 2 * SEGMENT);
        useInOtherPipes(GROWTH - (60 + 20 + 2 + 100) * SEGMENT);
        assertEquals(0, large.inlet().room());
        assertEquals(5 * SEGMENT, middle.inlet().room());
        useInOtherPipes(GROWTH);
        assertEquals(0, middle.inlet().room());
        assertEquals(2 * SEGMENT, small.inlet().room());
        for (RequestPipe each : List.of(large, middle, small)) {
            each.outlet().close();
        }
    }

    /** After the bytes of a pipe were moved to disk ({@code takeAll}), the pipe can hold only its assured size. */
    @Test
    void aPipeDoesNotGrowAgainAfterItsBytesWereMovedToDisk() {
        RequestPipe pipe = fill(pipe(BOUNDS), 30 * SEGMENT);
        pipe.inlet().takeAll().forEach(Segment::release);
        assertEquals(BOUNDS.assured(), pipe.inlet().room());
    }

    /**
     * Bytes were already read from the client. The pipe must store these bytes even if other pipes have used the memory for growth
     * meanwhile.
     */
    @Test
    void bytesReadFromTheClientAreStoredWhenMemoryIsShort() {
        RequestPipe pipe = pipe(BOUNDS);
        int room = pipe.inlet().room();
        useInOtherPipes(GROWTH);
        fill(pipe, room);
        assertEquals(0, pipe.inlet().room());
        pipe.outlet().close();
    }

    @Test
    void aResponsePipeCanGrowToItsMaximumForABlockingWriter() throws IOException {
        ResponsePipe pipe = new ResponsePipe(pool, BOUNDS);
        append(pipe, BOUNDS.assured());
        assertTrue(pipe.hasMemory());
        append(pipe, BOUNDS.most() - BOUNDS.assured());
        assertFalse(pipe.hasMemory());
        pipe.fail(new IOException("end of the test"));
    }

    @Test
    void aResponsePipeHasOnlyItsAssuredSizeWhenMemoryIsShort() throws IOException {
        ResponsePipe pipe = new ResponsePipe(pool, BOUNDS);
        append(pipe, BOUNDS.assured());
        useInOtherPipes(GROWTH);
        assertFalse(pipe.hasMemory());
        pipe.fail(new IOException("end of the test"));
    }

    @Test
    void aWriterCanBufferMoreThanASegmentWhileMemoryIsPlentiful() {
        ResponsePipe pipe = new ResponsePipe(pool, BOUNDS);
        assertEquals(BOUNDS.assured(), pipe.mayHoldBack());
        useInOtherPipes(GROWTH - 8 * SEGMENT);
        assertEquals(2 * SEGMENT, pipe.mayHoldBack());
        useInOtherPipes(GROWTH);
        assertEquals(SEGMENT, pipe.mayHoldBack());
    }

    @Test
    void aWriterBuffersAtMostTheCapacityOfASmallPipe() {
        assertEquals(SEGMENT / 2, new ResponsePipe(pool, SEGMENT / 2).mayHoldBack());
    }

    /** A non-blocking writer checks for room before each write. The pipe must not report room beyond its assured size. */
    @Test
    void aResponsePipeDoesNotGrowForANonBlockingWriter() throws IOException {
        ResponsePipe pipe = new ResponsePipe(pool, BOUNDS);
        AtomicInteger called = new AtomicInteger();
        append(pipe, BOUNDS.assured());
        assertFalse(pipe.hasRoom());
        pipe.whenRoom(called::incrementAndGet);
        pipe.drainTo(new LimitedOutlet(BOUNDS.assured() / 2 - 1), ResponsePipe.NOTHING);
        assertEquals(0, called.get());
        pipe.drainTo(new LimitedOutlet(1), ResponsePipe.NOTHING);
        assertEquals(1, called.get());
        assertTrue(pipe.hasRoom());
        pipe.fail(new IOException("end of the test"));
    }

    @Test
    void aBlockedWriterContinuesWhenHalfOfAGrownPipeIsFree() throws Exception {
        ResponsePipe pipe = new ResponsePipe(pool, BOUNDS);
        append(pipe, BOUNDS.most());
        SecondThread<Boolean> writer = SecondThread.run(() -> {
                    pipe.awaitRoom();
                    return true;
                })
                .awaitWaiting();
        pipe.drainTo(new LimitedOutlet(BOUNDS.most() / 2), ResponsePipe.NOTHING);
        assertTrue(writer.result());
        pipe.fail(new IOException("end of the test"));
    }

    private void append(ResponsePipe pipe, int bytes) throws IOException {
        pipe.appendWhole(ByteBuffer.allocate(bytes));
    }
}
