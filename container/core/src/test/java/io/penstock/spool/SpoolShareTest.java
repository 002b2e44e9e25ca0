package io.penstock.spool;

import static io.penstock.PromptWaits.PATIENCE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.memory.Rounds;
import io.penstock.spool.SpoolThreads.Taken;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests the limit of writes to disk for a bulkhead (a group of requests with its own limits). A write of the bulkhead takes two places: one
 * of the bulkhead, and one of the {@link Spool}. Each place must be released exactly once.
 */
final class SpoolShareTest {
    private final Semaphore disk = new Semaphore(0);
    private final SpoolThreads threads = new SpoolThreads(4, 3, "", Rounds.unwatched());
    private final SpoolShare share = new SpoolShare(1);

    @AfterEach
    void stop() throws InterruptedException {
        disk.release(1000);
        assertTrue(threads.stop(PATIENCE));
        assertEquals(0, share.pending());
        assertEquals(0, threads.pending());
    }

    private Taken write(SpoolShare of) {
        return threads.offer(of, disk::acquireUninterruptibly);
    }

    @Test
    void aRefusedWriteOfABulkheadTakesNoPlaceFromOtherWrites() {
        assertEquals(Taken.YES, write(share));
        assertEquals(Taken.BUSY, write(share));
        assertEquals(1, share.pending());
        assertEquals(1, threads.pending());
        assertEquals(Taken.YES, write(null));
        assertEquals(Taken.YES, write(null));
        assertEquals(Taken.BUSY, write(null));
    }

    @Test
    void aWriterOfAFullBulkheadIsCalledWhenAWriteOfTheBulkheadEnds() throws InterruptedException {
        assertEquals(Taken.YES, write(share));
        CountDownLatch ofBulkhead = new CountDownLatch(1);
        threads.whenRoom(share, ofBulkhead::countDown);
        AtomicInteger ofOthers = new AtomicInteger();
        threads.whenRoom(null, ofOthers::incrementAndGet);
        assertEquals(1, ofOthers.get(), "how often the writer that has no bulkhead was called");
        assertEquals(1, ofBulkhead.getCount());
        disk.release();
        assertTrue(ofBulkhead.await(60, TimeUnit.SECONDS));
    }

    @Test
    void aWriterIsNotCalledWhileTheSpoolIsFullEvenIfItsBulkheadHasRoom() throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            assertEquals(Taken.YES, write(null));
        }
        assertEquals(Taken.BUSY, write(share));
        assertEquals(0, share.pending(), "the number of places that the refused write uses in the bulkhead");
        CountDownLatch called = new CountDownLatch(1);
        threads.whenRoom(share, called::countDown);
        assertEquals(1, called.getCount());
        disk.release();
        assertTrue(called.await(60, TimeUnit.SECONDS));
    }

    @Test
    void aFailedWriteReleasesItsPlacesInTheSpoolAndInTheBulkheadExactlyOnce() throws InterruptedException {
        for (int i = 0; i < 10; i++) {
            CountDownLatch room = new CountDownLatch(1);
            assertEquals(Taken.YES, threads.offer(share, () -> {
                throw new AssertionError("on purpose");
            }));
            threads.whenRoom(share, room::countDown);
            assertTrue(room.await(60, TimeUnit.SECONDS));
            CountDownLatch ended = new CountDownLatch(1);
            threads.execute(ended::countDown);
            assertTrue(ended.await(60, TimeUnit.SECONDS));
            while (share.pending() > 0) {
                Thread.onSpinWait(); // the spool thread may not yet have released the place
            }
        }
    }

    @Test
    void aWriteAfterTheStopIsRefusedAndTakesNoPlace() throws InterruptedException {
        assertTrue(threads.stop(PATIENCE));
        assertEquals(Taken.ENDED, write(share));
        assertEquals(0, share.pending());
    }
}
