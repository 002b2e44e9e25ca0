package io.penstock.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * Tests that the watch reports a full heap if garbage collections take almost the whole time for ten seconds. The test sets the clock and
 * all measured values.
 */
final class CollectionWatchTest {
    private final AtomicLong millis = new AtomicLong(-7);
    private final AtomicLong collecting = new AtomicLong(123);
    private final AtomicBoolean full = new AtomicBoolean(true);
    private final AtomicInteger exhausted = new AtomicInteger();
    private final MemoryWatch memory =
            new MemoryWatch(exhausted::incrementAndGet, () -> TimeUnit.MILLISECONDS.toNanos(millis.get()), full::get);
    private final CollectionWatch watch = new CollectionWatch(memory, millis::get, collecting::get, full::get);

    /** Advances the clock by a second and the collection time by {@code collected} milliseconds. Then the watch checks the heap. */
    private void advanceOneSecond(int collected) {
        advance(1000, collected);
    }

    private void advance(int passed, int collected) {
        millis.addAndGet(passed);
        collecting.addAndGet(collected);
        watch.look();
    }

    private void advanceSeconds(int count, int collected) {
        for (int i = 0; i < count; i++) {
            advanceOneSecond(collected);
        }
    }

    @Test
    void aFullHeapIsReportedIfCollectionsFreeNothingForTenSeconds() {
        advanceSeconds(9, 960);
        assertEquals(0, exhausted.get());
        assertFalse(memory.isShort());
        advanceOneSecond(960);
        assertEquals(1, exhausted.get());
        assertTrue(memory.isShort());
    }

    /** The thread of the watch may run late (here after 25 seconds), because collections take almost all the time. */
    @Test
    void aFullHeapIsReportedEvenIfTheCheckIsLate() {
        advance(25_000, 24_900);
        assertEquals(1, exhausted.get());
    }

    @Test
    void aFullHeapIsReportedOnlyIfCollectionsTakeMoreThan95PercentOfTheTime() {
        advanceSeconds(60, 950);
        assertEquals(0, exhausted.get());
    }

    @Test
    void collectionsThatFreeMemoryAreNotReported() {
        full.set(false);
        advanceSeconds(60, 1000);
        assertEquals(0, exhausted.get());
        assertFalse(memory.isShort());
    }

    @Test
    void theTenSecondsBeginAgainIfACheckFindsFreeHeap() {
        advanceSeconds(9, 1000);
        full.set(false);
        advanceOneSecond(1000);
        full.set(true);
        advanceSeconds(9, 1000);
        assertEquals(0, exhausted.get());
        advanceOneSecond(1000);
        assertEquals(1, exhausted.get());
    }

    @Test
    void memoryErrorsAndCollectionsTogetherAreReportedOnceInTenSeconds() {
        for (int i = 0; i < 3; i++) {
            memory.met(new OutOfMemoryError("simulated"));
        }
        assertEquals(1, exhausted.get());
        advance(9_999, 9_999);
        advance(1, 1);
        assertEquals(2, exhausted.get());
        for (int i = 0; i < 3; i++) {
            memory.met(new OutOfMemoryError("simulated"));
        }
        assertEquals(2, exhausted.get());
    }

    @Test
    void theRealHeapIsNotReportedAsExhausted() {
        CollectionWatch real = new CollectionWatch(memory);
        for (int i = 0; i < 10; i++) {
            real.look();
        }
        assertEquals(0, exhausted.get());
    }
}
