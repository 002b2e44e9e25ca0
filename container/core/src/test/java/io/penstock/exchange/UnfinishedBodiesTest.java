package io.penstock.exchange;

import static io.penstock.PromptWaits.PATIENCE;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.events.ConnectionEvents;
import io.penstock.limits.Counters;
import io.penstock.memory.Rounds;
import io.penstock.pipe.Segment;
import io.penstock.pipe.SegmentPool;
import io.penstock.reactor.Reactor;
import io.penstock.time.Clock;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Connections that wait for memory are called in order. The number of calls does not exceed the number of free segments. */
final class UnfinishedBodiesTest {
    private static final int CLIENTS = 10;

    private final SegmentPool pool = new SegmentPool(1024, 20 * 1024);
    private final Queue<Segment> taken = new ConcurrentLinkedQueue<>();
    private final AtomicInteger relieved = new AtomicInteger();
    private final AtomicInteger called = new AtomicInteger();
    private final AtomicInteger inVain = new AtomicInteger();
    private final Reactor reactor;
    private final UnfinishedBodies bodies;

    UnfinishedBodiesTest() throws IOException {
        reactor = new Reactor("reactor", Clock.SYSTEM, ConnectionEvents.NONE, new Counters(), 1024, Rounds.unwatched());
        bodies = new UnfinishedBodies(reactor, pool, asking -> relieved.incrementAndGet());
    }

    /** Acquires a segment as a connection does: not during the call, but in a later task of the reactor. */
    private void call() {
        called.incrementAndGet();
        reactor.execute(() -> {
            Segment segment = pool.tryAcquire();
            if (segment == null) {
                inVain.incrementAndGet();
            } else {
                taken.add(segment);
            }
        });
    }

    @BeforeEach
    void allMemoryIsTakenAndAllClientsWait() throws Exception {
        reactor.start();
        for (Segment next = pool.tryAcquire(); next != null; next = pool.tryAcquire()) {
            taken.add(next);
        }
        reactor.execute(() -> {
            for (int i = 0; i < CLIENTS; i++) {
                bodies.awaitMemory(this::call);
            }
        });
        passRounds();
        assertEquals(CLIENTS, bodies.waitingForMemory());
        assertTrue(relieved.get() > 0, "no body was asked to free memory");
    }

    @AfterEach
    void end() throws InterruptedException {
        reactor.stop();
        reactor.join();
    }

    /** Waits until the reactor has run its pending tasks and the tasks that they have added. */
    private void passRounds() throws InterruptedException {
        for (int i = 0; i < 5; i++) {
            CountDownLatch passed = new CountDownLatch(1);
            reactor.execute(passed::countDown);
            assertTrue(passed.await(PATIENCE.toSeconds(), TimeUnit.SECONDS));
        }
    }

    private void release(int segments) {
        for (int i = 0; i < segments; i++) {
            Segment segment = taken.poll();
            assertNotNull(segment);
            segment.release();
        }
    }

    @Test
    void oneConnectionIsCalledForEachFreeSegment() throws Exception {
        release(3);
        await().until(() -> called.get() == 3);
        passRounds();
        assertEquals(3, called.get());
        assertEquals(CLIENTS - 3, bodies.waitingForMemory());
        release(1);
        await().until(() -> called.get() == 4);
        passRounds();
        assertEquals(4, called.get());
        assertEquals(0, inVain.get());
    }

    @Test
    void allWaitingConnectionsAreCalledOneAfterTheOther() throws Exception {
        while (bodies.waitingForMemory() > 0) {
            release(1);
            passRounds();
        }
        assertEquals(CLIENTS, called.get());
        assertEquals(0, inVain.get());
        release(taken.size());
        assertEquals(0, pool.inUse());
    }

    /**
     * Bytes that were read before memory was short can use the reserve of the pool. In this case, the first body frees too little memory.
     */
    @Test
    void moreMemoryIsFreedIfTheFirstBodyFreesTooLittle() throws Exception {
        Segment reserve = pool.tryAcquireReserved();
        assertNotNull(reserve);
        int before = relieved.get();
        release(1);
        passRounds();
        assertEquals(0, called.get(), "a connection was called without free memory");
        bodies.freed();
        await().until(() -> relieved.get() == before + 1);
        release(1);
        await().until(() -> called.get() == 1);
        passRounds();
        int afterwards = relieved.get();
        reserve.release();
        await().until(() -> called.get() == 2);
        release(CLIENTS);
        await().until(() -> bodies.waitingForMemory() == 0);
        passRounds();
        int none = relieved.get();
        assertTrue(none >= afterwards);
        bodies.freed();
        passRounds();
        assertEquals(none, relieved.get(), "a body was asked although no connection waits");
    }

    /** A connection that is called does not have to use the free memory. Even then, the next connections must be called. */
    @Test
    void connectionsThatUseNoMemoryDoNotBlockTheNextConnections() throws Exception {
        ArrayDeque<Integer> order = new ArrayDeque<>();
        reactor.execute(() -> {
            for (int i = 0; i < CLIENTS; i++) {
                int number = i;
                bodies.awaitMemory(() -> order.add(number));
            }
        });
        passRounds();
        release(CLIENTS + 1);
        await().until(() -> bodies.waitingForMemory() == 0);
        CountDownLatch read = new CountDownLatch(1);
        reactor.execute(() -> {
            assertEquals(CLIENTS, order.size());
            assertEquals(0, order.peekFirst());
            assertEquals(CLIENTS - 1, order.peekLast());
            read.countDown();
        });
        assertTrue(read.await(PATIENCE.toSeconds(), TimeUnit.SECONDS));
    }
}
