package io.penstock.pipe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tests the pool of buffers (segments). The last tenth of its memory budget is a reserve, which input normally cannot use. */
final class SegmentPoolTest {
    private final SegmentPool pool = new SegmentPool(1024, 20 * 1024);

    @Test
    void inputCannotUseTheReserve() {
        List<Segment> taken = takeAll();
        assertEquals(18, taken.size());
        assertEquals(18 * 1024, pool.inUse());
        taken.get(0).release();
        assertNotNull(pool.tryAcquire());
    }

    @Test
    void outputCanUseTheReserveAndThenTheHeap() {
        List<Segment> taken = takeAll();
        for (int i = 0; i < 2; i++) {
            Segment segment = pool.acquireForOutput();
            assertTrue(segment.buffer().isDirect());
            taken.add(segment);
        }
        assertEquals(20 * 1024, pool.inUse());
        Segment beyond = pool.acquireForOutput();
        assertFalse(beyond.buffer().isDirect());
        assertEquals(1024, beyond.buffer().remaining());
        assertEquals(20 * 1024, pool.inUse());
        beyond.release();
        taken.forEach(Segment::release);
        assertEquals(0, pool.inUse());
    }

    @Test
    void aReusedSegmentIsEmpty() {
        Segment first = pool.acquireForOutput();
        ByteBuffer buffer = first.buffer();
        buffer.putInt(1).flip();
        first.release();
        Segment second = pool.acquireForOutput();
        assertSame(buffer, second.buffer());
        assertEquals(0, second.buffer().position());
        assertEquals(1024, second.buffer().limit());
        second.release();
    }

    @Test
    void aSecondReleaseThrowsAndDoesNotChangeThePool() {
        Segment segment = pool.acquireForOutput();
        segment.release();
        assertThrows(IllegalStateException.class, segment::release);
        assertEquals(0, pool.inUse());
        List<Segment> taken = takeAll();
        assertEquals(18, taken.size());
    }

    @Test
    void aSecondReleaseOfAHeapSegmentThrows() {
        takeAll();
        pool.acquireForOutput();
        pool.acquireForOutput();
        Segment beyond = pool.acquireForOutput();
        beyond.release();
        assertThrows(IllegalStateException.class, beyond::release);
    }

    @Test
    void releasedMemoryIsOverwritten() {
        Segment segment = pool.acquireForOutput();
        ByteBuffer kept = segment.buffer();
        kept.putLong(42).flip();
        segment.release();
        assertEquals((byte) 0xDB, kept.get(0));
        assertThrows(AssertionError.class, segment::buffer);
    }

    @Test
    void aTinyBudgetHasOneSegmentForInputAndOneForOutput() {
        SegmentPool tiny = new SegmentPool(1024, 10);
        assertNotNull(tiny.tryAcquire());
        assertNull(tiny.tryAcquire());
        assertTrue(tiny.acquireForOutput().buffer().isDirect());
        assertFalse(tiny.acquireForOutput().buffer().isDirect());
    }

    private List<Segment> takeAll() {
        List<Segment> taken = new ArrayList<>();
        for (Segment segment = pool.tryAcquire(); segment != null; segment = pool.tryAcquire()) {
            taken.add(segment);
        }
        return taken;
    }

    @Test
    void thePoolUsesItsExistingSegmentsWhenTheJvmHasNoDirectMemory() {
        AtomicInteger allocations = new AtomicInteger(10);
        SegmentPool poor = new SegmentPool(1024, 20 * 1024, size -> {
            if (allocations.getAndDecrement() <= 0) {
                throw new OutOfMemoryError("Cannot reserve direct buffer memory");
            }
            return ByteBuffer.allocateDirect(size);
        });
        List<Segment> taken = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            taken.add(Objects.requireNonNull(poor.tryAcquire()));
        }
        assertNull(poor.tryAcquire(), "the pool returned a segment without memory for it");
        assertEquals(10 * 1024, poor.inUse(), "bytes in use");
        assertEquals(10 * 1024, poor.budget());
        assertFalse(poor.hasRoom());
        Segment beyond = poor.acquireForOutput();
        assertFalse(beyond.buffer().isDirect(), "the segment is not on the heap");
        assertEquals(-1, allocations.get(), "the pool allocated memory again after the failed allocation");
        beyond.release();
        AtomicInteger roomCalls = new AtomicInteger();
        poor.whenRoom(roomCalls::incrementAndGet);
        taken.forEach(Segment::release);
        assertEquals(1, roomCalls.get(), "calls of the waiting action");
        assertEquals(0, poor.inUse());
        assertNotNull(poor.tryAcquire());
    }
}
