package io.penstock.accesslog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * Tests the queue of log lines, a ring buffer. The ring has a fixed capacity and keeps the order of its items. Adding an item never blocks.
 * One writer thread removes the items.
 */
class LogRingTest {
    private static final long PATIENCE_SECONDS = 60;

    private static <T> FutureTask<T> start(String name, Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
        return task;
    }

    @Test
    void theRingReturnsItemsInTheOrderOfTheirInsertion() {
        LogRing<Integer> ring = new LogRing<>(3);
        for (int round = 0; round < 10; round++) {
            assertTrue(ring.offer(2 * round));
            assertTrue(ring.offer(2 * round + 1));
            assertEquals(2, ring.waiting());
            assertEquals(2 * round, ring.poll());
            assertEquals(2 * round + 1, ring.poll());
            assertNull(ring.poll());
        }
    }

    @Test
    void aFullRingRefusesItemsUntilAnItemIsRemoved() {
        LogRing<String> ring = new LogRing<>(2);
        assertTrue(ring.offer("a"));
        assertTrue(ring.offer("b"));
        assertFalse(ring.offer("c"));
        assertFalse(ring.offer("d"));
        assertEquals("a", ring.poll());
        assertTrue(ring.offer("e"));
        assertFalse(ring.offer("f"));
        assertEquals("b", ring.poll());
        assertEquals("e", ring.poll());
        assertNull(ring.poll());
    }

    @Test
    void aClosedRingRefusesNewItemsAndReturnsTheRemainingItems() {
        LogRing<String> ring = new LogRing<>(2);
        assertTrue(ring.offer("a"));
        ring.close();
        assertFalse(ring.offer("b"));
        assertEquals("a", ring.poll());
        assertNull(ring.poll());
        ring.await();
        ring.rest(Duration.ofDays(1));
        assertTrue(ring.isClosed());
    }

    @Test
    void aNewItemWakesTheWaitingWriterThread() throws Exception {
        LogRing<String> ring = new LogRing<>(1000);
        FutureTask<String> writer = start("writer", () -> {
            ring.registerWriter();
            String item = ring.poll();
            while (item == null) {
                ring.await();
                item = ring.poll();
            }
            return item;
        });
        assertTrue(ring.offer("a"));
        assertEquals("a", writer.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
    }

    @Test
    void aPausedWriterThreadIsWokenWhenTheRingFills() throws Exception {
        LogRing<Integer> ring = new LogRing<>(8);
        CountDownLatch ready = new CountDownLatch(1);
        FutureTask<Boolean> writer = start("writer", () -> {
            ring.registerWriter();
            ready.countDown();
            while (ring.poll() == null) {
                ring.rest(Duration.ofDays(1));
            }
            return true;
        });
        ready.await();
        int offered = 0;
        while (offered < 8 && ring.offer(offered)) {
            offered++;
        }
        assertTrue(writer.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
    }

    @Test
    void allAcceptedItemsOfConcurrentProducersAreReturnedInOrder() throws Exception {
        int producers = 4;
        int each = 20_000;
        LogRing<long[]> ring = new LogRing<>(64);
        AtomicLong refused = new AtomicLong();
        CountDownLatch offering = new CountDownLatch(producers);
        ConcurrentHashMap<Long, Long> last = new ConcurrentHashMap<>();
        FutureTask<Long> writer = start("writer", () -> {
            ring.registerWriter();
            long taken = 0;
            while (true) {
                long[] item = ring.poll();
                if (item != null) {
                    Long before = last.put(item[0], item[1]);
                    assertTrue(before == null || before < item[1], "an item is out of order");
                    taken++;
                } else if (ring.isClosed() && ring.waiting() == 0) {
                    return taken;
                } else {
                    ring.await();
                }
            }
        });
        List<FutureTask<Boolean>> all = new ArrayList<>();
        for (int p = 0; p < producers; p++) {
            long name = p;
            all.add(start("producer-" + p, () -> {
                for (long i = 0; i < each; i++) {
                    if (!ring.offer(new long[] {name, i})) {
                        refused.incrementAndGet();
                        Thread.yield();
                    }
                }
                offering.countDown();
                return true;
            }));
        }
        assertTrue(offering.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
        ring.close();
        assertEquals((long) producers * each, writer.get(PATIENCE_SECONDS, TimeUnit.SECONDS) + refused.get());
    }
}
