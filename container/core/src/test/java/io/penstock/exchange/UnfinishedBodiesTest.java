package io.penstock.exchange;

import static io.penstock.PromptWaits.PATIENCE;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.events.ConnectionEvents;
import io.penstock.http1.WireConfig;
import io.penstock.limits.Counters;
import io.penstock.memory.Rounds;
import io.penstock.pipe.Segment;
import io.penstock.pipe.SegmentPool;
import io.penstock.reactor.Reactor;
import io.penstock.time.Clock;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Connections that wait for memory are notified in order. At most one connection is notified for each free segment of the
 * {@link SegmentPool}.
 */
final class UnfinishedBodiesTest {
    private static final int CLIENTS = 10;

    private final SegmentPool pool = new SegmentPool(1024, 20 * 1024);
    private final Queue<Segment> taken = new ConcurrentLinkedQueue<>();
    private final AtomicInteger spillRequests = new AtomicInteger();
    private final AtomicInteger notifications = new AtomicInteger();
    private final AtomicInteger failedAcquisitions = new AtomicInteger();
    private final Reactor reactor;
    private final UnfinishedBodies bodies;

    UnfinishedBodiesTest() throws IOException {
        reactor = new Reactor("reactor", Clock.SYSTEM, ConnectionEvents.NONE, new Counters(), 1024, Rounds.unwatched());
        bodies = new UnfinishedBodies(reactor, pool, asking -> spillRequests.incrementAndGet());
    }

    /** Runs when a connection is notified. Like a real connection, acquires a segment in a later task of the reactor. */
    private void onNotification() {
        notifications.incrementAndGet();
        reactor.execute(() -> {
            Segment segment = pool.tryAcquire();
            if (segment == null) {
                failedAcquisitions.incrementAndGet();
            } else {
                taken.add(segment);
            }
        });
    }

    @BeforeEach
    void useAllMemoryAndLetAllConnectionsWait() throws Exception {
        reactor.start();
        for (Segment next = pool.tryAcquire(); next != null; next = pool.tryAcquire()) {
            taken.add(next);
        }
        reactor.execute(() -> {
            for (int i = 0; i < CLIENTS; i++) {
                bodies.awaitMemory(this::onNotification);
            }
        });
        awaitReactorTasks();
        assertEquals(CLIENTS, bodies.waitingForMemory());
        assertTrue(spillRequests.get() > 0, "UnfinishedBodies did not ask for bodies to be written to disk");
    }

    @AfterEach
    void end() throws InterruptedException {
        reactor.stop();
        reactor.join();
    }

    /** Waits until the reactor has run its pending tasks, and the tasks that the pending tasks have added. */
    private void awaitReactorTasks() throws InterruptedException {
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
    void oneConnectionIsNotifiedForEachFreeSegment() throws Exception {
        release(3);
        await().until(() -> notifications.get() == 3);
        awaitReactorTasks();
        assertEquals(3, notifications.get());
        assertEquals(CLIENTS - 3, bodies.waitingForMemory());
        release(1);
        await().until(() -> notifications.get() == 4);
        awaitReactorTasks();
        assertEquals(4, notifications.get());
        assertEquals(0, failedAcquisitions.get());
    }

    @Test
    void aFailureOfOneNotifiedStreamEndsOnlyThisStream() throws Exception {
        IOException onPurpose = new IOException("on purpose");
        try (TestResources resources = new TestResources(pool, new WireConfig())) {
            SimulatedLink link = new SimulatedLink();
            FakeStream failing = new FakeStream(resources.resources(), link);
            MemoryWait wait = new MemoryWait(bodies, failing, () -> {
                throw onPurpose;
            });
            reactor.execute(() -> {
                wait.begin();
                bodies.awaitMemory(this::onNotification);
            });
            while (bodies.waitingForMemory() > 0) {
                release(1);
                awaitReactorTasks();
            }
            assertEquals(List.of(onPurpose), failing.failures);
            assertEquals(List.of(), link.uncontained);
            assertEquals(CLIENTS + 1, notifications.get());
        }
    }

    /** The bytes for which the stream waited were the last ones, so it does not read any more. An idle connection then drops its wait. */
    @Test
    void aNotifiedStreamThatDoesNotReadIsAtRest() throws Exception {
        try (TestResources resources = new TestResources(pool, new WireConfig())) {
            FakeStream stream = new FakeStream(resources.resources(), new SimulatedLink());
            MemoryWait wait = new MemoryWait(bodies, stream, () -> {});
            reactor.execute(wait::begin);
            while (bodies.waitingForMemory() > 0) {
                release(1);
                awaitReactorTasks();
            }
            assertTrue(wait.isAtRest());
        }
    }

    @Test
    void allWaitingConnectionsAreNotifiedOneAfterTheOther() throws Exception {
        while (bodies.waitingForMemory() > 0) {
            release(1);
            awaitReactorTasks();
        }
        assertEquals(CLIENTS, notifications.get());
        assertEquals(0, failedAcquisitions.get());
        release(taken.size());
        assertEquals(0, pool.inUse());
    }

    /**
     * The pool has a reserve, which {@code tryAcquireReserved()} uses. Freed memory first fills this reserve again. So the first body that
     * is written to disk can free too little memory for the waiting connections.
     */
    @Test
    void moreMemoryIsRequestedIfTheFirstBodyFreesTooLittleMemory() throws Exception {
        Segment reserve = pool.tryAcquireReserved();
        assertNotNull(reserve);
        int before = spillRequests.get();
        release(1);
        awaitReactorTasks();
        assertEquals(0, notifications.get(), "a connection was notified without free memory");
        bodies.freed();
        await().until(() -> spillRequests.get() == before + 1);
        release(1);
        await().until(() -> notifications.get() == 1);
        awaitReactorTasks();
        int afterwards = spillRequests.get();
        reserve.release();
        await().until(() -> notifications.get() == 2);
        release(CLIENTS);
        await().until(() -> bodies.waitingForMemory() == 0);
        awaitReactorTasks();
        int none = spillRequests.get();
        assertTrue(none >= afterwards);
        bodies.freed();
        awaitReactorTasks();
        assertEquals(none, spillRequests.get(), "memory was requested although no connection waits");
    }

    /**
     * Ten connections wait already; each of them takes the memory that is released for it. Behind them, the test adds ten connections that
     * take no memory. When memory is released for the first of the added connections, all ten added connections must be notified.
     */
    @Test
    void theNextConnectionsAreNotifiedEvenIfEarlierConnectionsUseNoMemory() throws Exception {
        ArrayDeque<Integer> order = new ArrayDeque<>();
        reactor.execute(() -> {
            for (int i = 0; i < CLIENTS; i++) {
                int number = i;
                bodies.awaitMemory(() -> order.add(number));
            }
        });
        awaitReactorTasks();
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
