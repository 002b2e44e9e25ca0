package io.penstock.exchange;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.events.ConnectionEvents;
import io.penstock.http1.WireConfig;
import io.penstock.limits.Counters;
import io.penstock.limits.Key;
import io.penstock.memory.Rounds;
import io.penstock.pipe.SegmentPool;
import io.penstock.reactor.Reactor;
import io.penstock.work.RequestQueue.Offered;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The time limit of the queue applies to each request of a client separately. The test advances the clock. */
final class QueueWaitTest {
    private static final int AGE = 400;
    private static final int SOON =
            (int) Duration.ofNanos(QueueWait.CHECK_NANOS).toMillis();

    private final AtomicLong now = new AtomicLong();
    private final SegmentPool pool = new SegmentPool(1024, 100 * 1024);
    private final TestResources house = new TestResources(pool, new WireConfig().queueAge(AGE));
    private final HandLink link = new HandLink();
    private final List<Waiting> aged = new CopyOnWriteArrayList<>();
    private final Owner owner = new Owner();
    private final QueueWait wait = new QueueWait(house.resources(), link, owner);

    @BeforeEach
    void open() throws IOException {
        link.reactor = new Reactor(
                "reactor-of-a-test", now::get, ConnectionEvents.NONE, new Counters(), 1024, Rounds.unwatched());
        link.reactor.start();
    }

    /**
     * An owner that does not call the reactor. So the reactor does not know of the next request when the time of the previous request
     * passes.
     */
    private static final class Owner implements QueueWait.Owner {
        private final AtomicInteger unused = new AtomicInteger();
        private volatile boolean forgets = true;

        @Override
        public void requestQueued() {}

        @Override
        public void requestOutdated() {}

        @Override
        public boolean onNoneWaiting() {
            unused.incrementAndGet();
            return forgets;
        }
    }

    /** A request that no worker serves. */
    private final class Waiting implements QueueWait.Request {
        @Override
        public void tooLate(Key bound) {
            aged.add(this);
        }

        @Override
        public boolean isOver() {
            return false;
        }

        @Override
        public boolean isClientGone() {
            return false;
        }

        @Override
        public void discard() {}

        @Override
        public void run() {}

        @Override
        public void abandon() {}
    }

    @AfterEach
    void close() throws Exception {
        link.reactor.stop();
        link.reactor.join();
        house.close();
    }

    private void elapse(int millis) {
        now.addAndGet(Duration.ofMillis(millis).toNanos());
        onReactor(() -> link.reactor.wheel().advance(now.get()));
    }

    private void onReactor(Runnable task) {
        CompletableFuture.runAsync(task, link.reactor::execute).join();
    }

    private Offered offerNow(Waiting request) {
        Offered offered = QueueWait.offer(house.resources(), link, request);
        if (offered == Offered.WAITS) {
            wait.begin(request);
        }
        return offered;
    }

    private Offered offer(Waiting request) {
        return CompletableFuture.supplyAsync(() -> offerNow(request), link.reactor::execute)
                .join();
    }

    @Test
    void requestThatNoWorkerServesTimesOutAtTheLimit() {
        Waiting request = new Waiting();
        assertEquals(Offered.WAITS, offer(request));
        elapse(AGE - 20);
        assertEquals(List.of(), aged);
        elapse(40);
        assertEquals(List.of(request), aged);
        assertEquals(0, house.queue.size());
    }

    /** The time of the first request passes while the reactor does not know yet that the next request waits. */
    @Test
    void timeLimitAppliesToEachRequestOfAClientSeparately() {
        Waiting first = new Waiting();
        Waiting next = new Waiting();
        assertEquals(Offered.WAITS, offer(first));
        elapse(AGE - 20);
        assertTrue(house.queue.withdraw(first), "the request is not in the queue");
        wait.over(first);
        wait.giveWay(next);
        elapse(40);
        assertEquals(List.of(), aged, "the second request timed out after 40 ms");
        elapse(AGE - 60);
        assertEquals(List.of(), aged);
        elapse(40);
        assertEquals(List.of(next), aged);
        assertEquals(0, house.queue.size());
    }

    @Test
    void ownerIsCalledOnceWhenNoRequestWaits() {
        Waiting request = new Waiting();
        assertEquals(Offered.WAITS, offer(request));
        assertTrue(house.queue.withdraw(request), "the request is not in the queue");
        wait.over(request);
        elapse(SOON - 20);
        assertEquals(0, owner.unused.get());
        elapse(40);
        assertEquals(1, owner.unused.get());
        elapse(2 * SOON);
        assertEquals(1, owner.unused.get());
        assertEquals(List.of(), aged);
    }

    @Test
    void ownerThatKeepsTheQueueWaitIsCalledAgain() {
        owner.forgets = false;
        // One worker has queued a request, and another worker has already served this request.
        onReactor(wait::queued);
        elapse(SOON + 20);
        assertEquals(1, owner.unused.get());
        owner.forgets = true;
        elapse(SOON + 20);
        assertEquals(2, owner.unused.get());
        elapse(2 * SOON);
        assertEquals(2, owner.unused.get());
    }
}
