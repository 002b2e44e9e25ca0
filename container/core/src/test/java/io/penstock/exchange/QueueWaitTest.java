package io.penstock.exchange;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.events.ConnectionEvents;
import io.penstock.http1.RecordedEvents;
import io.penstock.http1.WireConfig;
import io.penstock.limits.Counters;
import io.penstock.limits.Key;
import io.penstock.memory.Rounds;
import io.penstock.pipe.SegmentPool;
import io.penstock.reactor.Reactor;
import io.penstock.work.Lane;
import io.penstock.work.RequestQueue.Offered;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Requests wait in a queue for a worker. The time limit of the queue applies to each request of a client separately. The test advances the
 * clock.
 */
final class QueueWaitTest {
    private static final int TIME_LIMIT = 400;
    private static final int CHECK_INTERVAL =
            (int) Duration.ofNanos(QueueWait.CHECK_NANOS).toMillis();

    private final AtomicLong now = new AtomicLong();
    private final SegmentPool pool = new SegmentPool(1024, 100 * 1024);
    private final TestResources testResources = new TestResources(pool, new WireConfig().queueAge(TIME_LIMIT));
    private final SimulatedLink link = new SimulatedLink();
    private final List<QueuedRequest> timedOut = new CopyOnWriteArrayList<>();
    private final Owner owner = new Owner();
    private final FakeStream stream = new FakeStream(testResources.resources(), link);
    private final QueueWait wait = new QueueWait(stream, owner);

    @BeforeEach
    void open() throws IOException {
        link.reactor = new Reactor(
                "reactor-of-a-test", now::get, ConnectionEvents.NONE, new Counters(), 1024, Rounds.unwatched());
        link.reactor.start();
    }

    /**
     * An owner that does not inform the reactor about queued requests. So in a test with two requests, the reactor does not know of the
     * second request when the time limit of the first request expires.
     */
    private static final class Owner implements QueueWait.Owner {
        private final AtomicInteger noneWaitingCalls = new AtomicInteger();
        private final AtomicInteger dropped = new AtomicInteger();
        private volatile boolean dropsQueueWait = true;
        private volatile boolean left;

        @Override
        public void requestQueued() {}

        @Override
        public void requestOutdated() {}

        @Override
        public boolean onNoneWaiting() {
            noneWaitingCalls.incrementAndGet();
            return dropsQueueWait;
        }

        @Override
        public boolean hasClientLeft() {
            return left;
        }

        @Override
        public void onClientLeft() {
            dropped.incrementAndGet();
        }
    }

    /** A request that no worker serves. */
    private class QueuedRequest implements QueueWait.Request {
        @Override
        public void tooLate(Key bound) throws IOException {
            timedOut.add(this);
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
        testResources.close();
    }

    private void elapse(int millis) {
        now.addAndGet(Duration.ofMillis(millis).toNanos());
        onReactor(() -> link.reactor.wheel().advance(now.get()));
    }

    private void onReactor(Runnable task) {
        CompletableFuture.runAsync(task, link.reactor::execute).join();
    }

    private Offered offerNow(QueuedRequest request) {
        Offered offered = testResources.resources().queue().offerOneOfMany(request);
        if (offered == Offered.WAITS) {
            wait.begin(request);
        }
        return offered;
    }

    private Offered offer(QueuedRequest request) {
        return CompletableFuture.supplyAsync(() -> offerNow(request), link.reactor::execute)
                .join();
    }

    @Test
    void aQueuedRequestTimesOutAtTheTimeLimit() {
        QueuedRequest request = new QueuedRequest();
        assertEquals(Offered.WAITS, offer(request));
        elapse(TIME_LIMIT - 20);
        assertEquals(List.of(), timedOut);
        elapse(40);
        assertEquals(List.of(request), timedOut);
        assertEquals(0, testResources.queue.size());
    }

    /** A client that closes its sending direction at once is still served if a worker becomes idle within a moment. */
    @Test
    void theRequestOfAClientThatHasLeftIsDroppedAtTheNextCheck() {
        QueuedRequest request = new QueuedRequest();
        owner.left = true;
        assertEquals(Offered.WAITS, offer(request));
        elapse(CHECK_INTERVAL - 20);
        assertEquals(0, owner.dropped.get());
        assertEquals(1, testResources.queue.size());
        elapse(40);
        assertEquals(1, owner.dropped.get());
        assertEquals(0, testResources.queue.size());
        elapse(TIME_LIMIT);
        assertEquals(1, owner.dropped.get());
        assertEquals(List.of(), timedOut);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aFailureOfTheDeadlineEndsTheStreamAndNotTheLink(boolean ofTheClient) {
        Exception onPurpose = ofTheClient ? new IOException("on purpose") : new IllegalStateException("on purpose");
        QueuedRequest request = new QueuedRequest() {
            @Override
            public void tooLate(Key bound) throws IOException {
                if (onPurpose instanceof IOException e) {
                    throw e;
                }
                throw (RuntimeException) onPurpose;
            }
        };
        assertEquals(Offered.WAITS, offer(request));
        elapse(TIME_LIMIT + 20);
        assertEquals(List.of(onPurpose), stream.failures);
        assertEquals(List.of(), link.uncontained);
        List<Throwable> reported = ((RecordedEvents) testResources.resources().events()).failed();
        assertEquals(ofTheClient ? List.of() : List.of(onPurpose), reported);
    }

    @Test
    void theRequestOfAClientThatHasLeftIsNotDroppedIfAWorkerHasTakenIt() {
        QueuedRequest request = new QueuedRequest();
        assertEquals(Offered.WAITS, offer(request));
        assertTrue(testResources.queue.withdraw(request), "the request is not in the queue");
        owner.left = true;
        elapse(2 * CHECK_INTERVAL);
        assertEquals(0, owner.dropped.get());
        assertEquals(List.of(), timedOut);
    }

    /** The queue is asked for the lane of each request that it searches. */
    @Test
    void aRequestThatRunsForLongIsSearchedInTheQueueOnlyOnce() {
        AtomicInteger searches = new AtomicInteger();
        QueuedRequest request = new QueuedRequest() {
            @Override
            public Lane lane() {
                searches.incrementAndGet();
                return null;
            }
        };
        assertEquals(Offered.WAITS, offer(request));
        assertTrue(testResources.queue.withdraw(request), "the request is not in the queue");
        searches.set(0);
        elapse(TIME_LIMIT + 20);
        assertEquals(1, searches.get());
        owner.left = true;
        for (int i = 0; i < 4; i++) {
            elapse(CHECK_INTERVAL + 20);
        }
        assertEquals(1, searches.get());
        assertEquals(List.of(), timedOut);
    }

    /** A check comes when a worker has begun to queue a request, and the request is not in the queue yet. */
    @Test
    void aRequestThatAWorkerQueuesDuringACheckTimesOut() {
        QueuedRequest first = new QueuedRequest();
        assertEquals(Offered.WAITS, offer(first));
        assertTrue(testResources.queue.withdraw(first), "the request is not in the queue");
        wait.over(first);
        owner.left = true;
        AtomicBoolean checked = new AtomicBoolean();
        QueuedRequest next = new QueuedRequest() {
            @Override
            public boolean isStreaming() {
                if (checked.compareAndSet(false, true)) {
                    elapse(CHECK_INTERVAL + 20);
                }
                return false;
            }
        };
        wait.giveWay(next);
        onReactor(wait::queued);
        owner.left = false;
        assertEquals(1, testResources.queue.size());
        elapse(TIME_LIMIT + 20);
        assertEquals(List.of(next), timedOut);
    }

    /** The time limit of the first request expires while the reactor does not know yet that the second request waits. */
    @Test
    void theTimeLimitAppliesToEachRequestOfAClientSeparately() {
        QueuedRequest first = new QueuedRequest();
        QueuedRequest next = new QueuedRequest();
        assertEquals(Offered.WAITS, offer(first));
        elapse(TIME_LIMIT - 20);
        assertTrue(testResources.queue.withdraw(first), "the request is not in the queue");
        wait.over(first);
        wait.giveWay(next);
        elapse(40);
        assertEquals(List.of(), timedOut, "the second request timed out after 40 ms");
        elapse(TIME_LIMIT - 60);
        assertEquals(List.of(), timedOut);
        elapse(40);
        assertEquals(List.of(next), timedOut);
        assertEquals(0, testResources.queue.size());
    }

    @Test
    void onNoneWaitingIsCalledOnceIfNoRequestWaits() {
        QueuedRequest request = new QueuedRequest();
        assertEquals(Offered.WAITS, offer(request));
        assertTrue(testResources.queue.withdraw(request), "the request is not in the queue");
        wait.over(request);
        elapse(CHECK_INTERVAL - 20);
        assertEquals(0, owner.noneWaitingCalls.get());
        elapse(40);
        assertEquals(1, owner.noneWaitingCalls.get());
        elapse(2 * CHECK_INTERVAL);
        assertEquals(1, owner.noneWaitingCalls.get());
        assertEquals(List.of(), timedOut);
    }

    @Test
    void onNoneWaitingIsCalledAgainIfTheFirstCallReturnsFalse() {
        owner.dropsQueueWait = false;
        // One worker has queued a request, and another worker has already served this request.
        onReactor(wait::queued);
        elapse(CHECK_INTERVAL + 20);
        assertEquals(1, owner.noneWaitingCalls.get());
        owner.dropsQueueWait = true;
        elapse(CHECK_INTERVAL + 20);
        assertEquals(2, owner.noneWaitingCalls.get());
        elapse(2 * CHECK_INTERVAL);
        assertEquals(2, owner.noneWaitingCalls.get());
    }
}
