package io.penstock.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Tests that {@link MemoryWatch} reports three memory errors within ten seconds if the heap is full. The test sets the clock. */
final class MemoryWatchTest {
    private final AtomicLong nanos = new AtomicLong(-5);
    private final AtomicBoolean full = new AtomicBoolean(true);
    private final AtomicInteger exhausted = new AtomicInteger();
    private final AtomicInteger counted = new AtomicInteger();
    private final MemoryWatch watch = new MemoryWatch(exhausted::incrementAndGet, nanos::get, full::get);

    MemoryWatchTest() {
        watch.whenCounted(counted::incrementAndGet);
    }

    private void fail() {
        watch.met(new OutOfMemoryError("simulated"));
    }

    private void advance(long millis) {
        nanos.addAndGet(Duration.ofMillis(millis).toNanos());
    }

    @Test
    void threeMemoryErrorsWithinTenSecondsAreReported() {
        fail();
        advance(4999);
        fail();
        advance(5000);
        assertEquals(0, exhausted.get());
        fail();
        assertEquals(1, exhausted.get());
        assertEquals(3, counted.get());
    }

    @Test
    void threeMemoryErrorsInMoreThanTenSecondsAreNotReported() {
        for (int i = 0; i < 10; i++) {
            fail();
            advance(5000);
        }
        assertEquals(0, exhausted.get());
    }

    /** If the process continues to run, the watch must not report each further memory error. */
    @Test
    void memoryErrorsAreReportedAtMostOnceInTenSeconds() {
        for (int i = 0; i < 12; i++) {
            fail();
        }
        assertEquals(1, exhausted.get());
        advance(9_999);
        fail();
        assertEquals(1, exhausted.get());
        advance(1);
        fail();
        fail();
        assertEquals(2, exhausted.get());
    }

    /** The report ends the process. Other threads may fail before the process has ended, but the log must contain only one report. */
    @Test
    void aMemoryErrorDuringTheReportCausesNoSecondReport() {
        List<MemoryWatch> made = new ArrayList<>();
        MemoryWatch reporting = new MemoryWatch(
                () -> {
                    if (exhausted.incrementAndGet() == 1) {
                        made.get(0).met(new OutOfMemoryError("simulated in another thread"));
                        made.get(0).heapStaysFull();
                    }
                },
                nanos::get,
                full::get);
        made.add(reporting);
        for (int i = 0; i < 3; i++) {
            reporting.met(new OutOfMemoryError("simulated"));
        }
        assertEquals(1, exhausted.get());
    }

    @Test
    void aFailedReportIsTriedAgain() {
        AtomicInteger tried = new AtomicInteger();
        MemoryWatch failing = new MemoryWatch(
                () -> {
                    if (tried.incrementAndGet() < 3) {
                        throw new OutOfMemoryError("simulated again");
                    }
                },
                nanos::get,
                full::get);
        failing.met(new OutOfMemoryError("simulated"));
        failing.met(new OutOfMemoryError("simulated"));
        for (int i = 0; i < 2; i++) {
            assertThrows(OutOfMemoryError.class, () -> failing.met(new OutOfMemoryError("simulated")));
        }
        failing.met(new OutOfMemoryError("simulated"));
        failing.met(new OutOfMemoryError("simulated"));
        assertEquals(3, tried.get());
    }

    @Test
    void memoryCountsAsShortForTenSecondsAfterAMemoryError() {
        assertFalse(watch.isShort());
        fail();
        assertTrue(watch.isShort());
        advance(9_999);
        assertTrue(watch.isShort());
        advance(1);
        assertFalse(watch.isShort());
    }

    @Test
    void aMemoryErrorIsCountedButNotReportedIfTheHeapIsNotFull() {
        full.set(false);
        for (int i = 0; i < 10; i++) {
            fail();
        }
        assertEquals(10, counted.get());
        assertEquals(0, exhausted.get());
        assertFalse(watch.isShort());
    }

    @Test
    void wrappedMemoryErrorsAreCountedButErrorsOfOtherTypesAreNotCounted() {
        watch.met(new IllegalStateException("outer", new RuntimeException(new OutOfMemoryError("simulated"))));
        assertEquals(1, counted.get());
        watch.met(new StackOverflowError("simulated"));
        watch.met(new IllegalStateException("other"));
        assertEquals(1, counted.get());
    }

    @Test
    void anErrorInTheCounterDoesNotPreventTheReport() {
        watch.whenCounted(() -> {
            throw new OutOfMemoryError("simulated");
        });
        for (int i = 0; i < 3; i++) {
            assertThrows(OutOfMemoryError.class, this::fail);
        }
        assertEquals(1, exhausted.get());
    }

    @Test
    void theRealHeapIsNotReportedAsExhausted() {
        MemoryWatch real = new MemoryWatch(exhausted::incrementAndGet);
        for (int i = 0; i < 10; i++) {
            real.met(new OutOfMemoryError("simulated"));
        }
        assertEquals(0, exhausted.get());
        assertFalse(real.isShort());
    }
}
