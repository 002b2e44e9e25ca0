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
 * For ten seconds, the process does almost nothing but garbage collections, and the heap stays full. All measured values come from the
 * test.
 */
final class CollectionWatchTest {
    private final AtomicLong millis = new AtomicLong(-7);
    private final AtomicLong collecting = new AtomicLong(123);
    private final AtomicBoolean full = new AtomicBoolean(true);
    private final AtomicInteger exhausted = new AtomicInteger();
    private final MemoryWatch memory =
            new MemoryWatch(exhausted::incrementAndGet, () -> TimeUnit.MILLISECONDS.toNanos(millis.get()), full::get);
    private final CollectionWatch watch = new CollectionWatch(memory, millis::get, collecting::get, full::get);

    /** Advances the clock by a second with this many milliseconds of collections, and then lets the watch check the heap. */
    private void second(int collected) {
        pass(1000, collected);
    }

    private void pass(int passed, int collected) {
        millis.addAndGet(passed);
        collecting.addAndGet(collected);
        watch.look();
    }

    private void seconds(int count, int collected) {
        for (int i = 0; i < count; i++) {
            second(collected);
        }
    }

    @Test
    void tenSecondsOfCollectionsThatFreeNothingAreReported() {
        seconds(9, 960);
        assertEquals(0, exhausted.get());
        assertFalse(memory.isShort());
        second(960);
        assertEquals(1, exhausted.get());
        assertTrue(memory.isShort());
    }

    /** The thread of the watch may run late, because collections take almost all the time. */
    @Test
    void collectionsAreReportedEvenIfTheCheckIsLate() {
        pass(25_000, 24_900);
        assertEquals(1, exhausted.get());
    }

    @Test
    void aFullHeapIsNotReportedIfCollectionsTakeLessTime() {
        seconds(60, 950);
        assertEquals(0, exhausted.get());
    }

    @Test
    void collectionsThatFreeMemoryAreNotReported() {
        full.set(false);
        seconds(60, 1000);
        assertEquals(0, exhausted.get());
        assertFalse(memory.isShort());
    }

    @Test
    void aCheckThatFindsRoomRestartsThePeriod() {
        seconds(9, 1000);
        full.set(false);
        second(1000);
        full.set(true);
        seconds(9, 1000);
        assertEquals(0, exhausted.get());
        second(1000);
        assertEquals(1, exhausted.get());
    }

    @Test
    void bothWatchesTogetherReportExhaustionOnceInTenSeconds() {
        for (int i = 0; i < 3; i++) {
            memory.met(new OutOfMemoryError("as if"));
        }
        assertEquals(1, exhausted.get());
        pass(9_999, 9_999);
        pass(1, 1);
        assertEquals(2, exhausted.get());
        for (int i = 0; i < 3; i++) {
            memory.met(new OutOfMemoryError("as if"));
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
