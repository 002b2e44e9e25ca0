package io.penstock.work;

import static io.penstock.work.PlayedWorker.start;
import static io.penstock.work.PlayedWorker.takeFirst;
import static io.penstock.work.PlayedWorker.takeNext;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.work.RequestQueue.Offered;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The requests of different mappings share the workers. The test plays the workers: each call of {@link PlayedWorker#takeNext} is a worker
 * that is not idle.
 */
class FairMappingsTest {
    private static final int WORKERS = 240;
    private static final int ALONE = 210;
    private static final int CAPACITY = 5000;

    private final Mapping slow = new Mapping("/slow");
    private final Mapping quick = new Mapping("/quick");
    private final Job nothing = new QueuedJob();
    private long now;

    private RequestQueue queue(int workers, Duration overloadAfter) {
        return queue(workers, overloadAfter, workers);
    }

    /** A queue whose workers all have a job of the server. */
    private RequestQueue queue(int workers, Duration overloadAfter, int started) {
        RequestQueue queue = new RequestQueue(CAPACITY, 1, 1, overloadAfter, workers, () -> now);
        queue.change(jobs -> jobs.workers.startWith(workers, () -> {}, () -> {})); // the test starts all workers itself
        assertEquals(started, start(queue, started));
        for (int i = 0; i < started; i++) {
            queue.resume(nothing);
            assertSame(nothing, takeFirst(queue));
        }
        return queue;
    }

    private QueuedJob offer(RequestQueue queue, Mapping mapping) {
        QueuedJob request = new QueuedJob(mapping);
        assertEquals(Offered.WAITS, queue.offer(request));
        return request;
    }

    /** As many busy workers as there are take one job after the other. Returns how many of them found one. */
    private int takeAll(RequestQueue queue, int workers) {
        int taken = 0;
        for (int i = 0; i < workers; i++) {
            taken += takeNext(queue, nothing) == null ? 0 : 1;
        }
        return taken;
    }

    @Test
    void theMappingWithTheFewestWorkersGoesFirst() {
        RequestQueue queue = queue(4, Duration.ZERO);
        QueuedJob one = offer(queue, slow);
        now++;
        QueuedJob two = offer(queue, slow);
        now++;
        QueuedJob three = offer(queue, quick);
        assertSame(one, takeNext(queue, nothing));
        assertSame(three, takeNext(queue, nothing));
        assertSame(two, takeNext(queue, nothing));
    }

    @Test
    void theOldestGoesFirstIfMappingsHaveTheSameNumberOfWorkers() {
        RequestQueue queue = queue(4, Duration.ZERO);
        QueuedJob one = offer(queue, quick);
        now++;
        QueuedJob two = offer(queue, slow);
        assertSame(one, takeNext(queue, nothing));
        assertSame(two, takeNext(queue, nothing));
        assertSame(null, takeNext(queue, two));
        QueuedJob three = offer(queue, slow);
        now++;
        QueuedJob four = offer(queue, quick);
        assertSame(three, takeNext(queue, one));
        assertSame(four, takeNext(queue, nothing));
    }

    @Test
    void oneMappingAloneLeavesAnEighthOfTheWorkers() {
        RequestQueue queue = queue(WORKERS, Duration.ZERO, ALONE);
        for (int i = 0; i < 2 * WORKERS; i++) {
            offer(queue, slow);
        }
        assertEquals(ALONE, takeAll(queue, ALONE));
        // The mapping could use no further worker.
        assertFalse(queue.wantsWorkers());
        assertEquals(0, queue.ask(WaitingJobs::lacking));
        offer(queue, quick);
        assertEquals(1, queue.ask(WaitingJobs::lacking));
    }

    /** While more workers do not help, a mapping leaves an eighth of those that have been started. */
    @Test
    void oneMappingLeavesAnEighthOfTheStartedWorkersWhileNoneIsStarted() {
        RequestQueue queue = new RequestQueue(CAPACITY, 1, 1, Duration.ZERO, WORKERS, () -> now);
        queue.change(jobs -> jobs.workers.startWith(WORKERS, () -> {}, () -> {}));
        int started = 32;
        assertEquals(started, start(queue, started));
        queue.change(jobs -> jobs.workers.growthRefused = true);
        for (int i = 0; i < 2 * started; i++) {
            queue.offer(new QueuedJob(slow));
        }
        assertEquals(28, slow.running());
        for (int i = 0; i < 28; i++) {
            assertNotNull(takeFirst(queue));
        }
        assertFalse(queue.wantsWorkers());
        assertEquals(Offered.TAKEN, queue.offer(new QueuedJob(quick)));
        assertNotNull(takeFirst(queue));
        assertEquals(1, quick.running());
        assertEquals(36, queue.ask(WaitingJobs::lacking));
        queue.change(jobs -> jobs.workers.growthRefused = false);
        assertNotNull(takeFirst(queue));
        assertEquals(29, slow.running());
    }

    /** Calls that compute share the processors: more of them at once would be slower, and so would the reactors. */
    @Test
    void whileMoreWorkersDoNotHelpAMappingHasFewThatComputeAndAsManyThatWait() {
        int useful = IdleWorkers.USEFUL;
        int started = 4 * useful + 16;
        RequestQueue queue = new RequestQueue(CAPACITY, 1, 1, Duration.ZERO, WORKERS, () -> now);
        queue.change(jobs -> jobs.workers.startWith(WORKERS, () -> {}, () -> {}));
        assertEquals(started, start(queue, started));
        queue.change(jobs -> jobs.looked(false, Map.of(slow, 0)));
        for (int i = 0; i < 2 * started; i++) {
            queue.offer(new QueuedJob(slow));
        }
        assertEquals(useful, slow.running());
        assertTrue(queue.ask(WaitingJobs::lacking) > 0, "otherwise the server would not look again");
        assertEquals(Offered.TAKEN, queue.offer(new QueuedJob(quick)), "others are not affected");
        queue.change(jobs -> jobs.looked(false, Map.of(slow, useful / 2)));
        for (int i = 0; i < started; i++) {
            PlayedWorker.takeIfAny(queue);
        }
        assertEquals(useful + useful / 2, slow.running(), "two of the workers wait for the application");
        queue.change(jobs -> jobs.looked(true, Map.of()));
        assertNotNull(PlayedWorker.takeIfAny(queue));
    }

    @Test
    void severalSlowMappingsLeaveWorkers() {
        RequestQueue queue = queue(WORKERS, Duration.ZERO);
        List<Mapping> mappings = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            Mapping mapping = new Mapping("/slow" + i);
            mappings.add(mapping);
            for (int j = 0; j < 100; j++) {
                offer(queue, mapping);
            }
        }
        Job quickOne = offer(queue, quick);
        int taken = 0;
        boolean quickTaken = false;
        for (int i = 0; i < WORKERS; i++) {
            Job job = takeNext(queue, nothing);
            // A worker without a job is idle from now on; the test lets it be busy with a job of the server.
            taken += job == null ? 0 : 1;
            quickTaken |= job == quickOne;
        }
        assertTrue(quickTaken);
        mappings.forEach(mapping -> assertTrue(mapping.running() <= 30, () -> mapping.running() + " workers"));
        assertTrue(taken < WORKERS, "no worker is left");
    }

    /** A slow mapping that comes late has few workers, but must not take the last ones. */
    @Test
    void slowMappingsThatComeOneAfterAnotherLeaveWorkers() {
        RequestQueue queue = queue(WORKERS, Duration.ZERO, ALONE);
        int busy = ALONE;
        for (int i = 0; i < 4; i++) {
            Mapping mapping = new Mapping("/slow" + i);
            for (int j = 0; j < 100; j++) {
                offer(queue, mapping);
            }
            busy -= takeAll(queue, Math.min(busy, 100));
            startWhatIsLacking(queue);
        }
        assertEquals(0, busy);
        offer(queue, quick);
        assertEquals(1, queue.ask(WaitingJobs::lacking));
        startWhatIsLacking(queue);
        assertEquals(1, quick.running());
    }

    private void startWhatIsLacking(RequestQueue queue) {
        while (queue.ask(WaitingJobs::lacking) > 0) {
            assertEquals(1, start(queue, 1));
            assertNotNull(takeFirst(queue));
        }
    }

    @Test
    void fewWorkersAreAllUsedByOneMapping() {
        RequestQueue queue = queue(4, Duration.ZERO);
        for (int i = 0; i < 8; i++) {
            offer(queue, slow);
        }
        assertEquals(4, takeAll(queue, 4));
        assertTrue(queue.wantsWorkers());
    }

    @Test
    void continuationsCountForTheirMappingAndRunBeforeItsRequests() {
        RequestQueue queue = queue(4, Duration.ZERO);
        QueuedJob request = offer(queue, slow);
        QueuedJob continuation = new QueuedJob(slow);
        queue.resume(continuation);
        assertSame(continuation, takeNext(queue, nothing));
        assertEquals(1, slow.running());
        assertSame(request, takeNext(queue, continuation));
        assertEquals(1, slow.running());
        assertNull(takeNext(queue, request));
        assertEquals(0, slow.running());
    }

    @Test
    void aFullQueueGivesAPlaceOfTheLongestMappingToAnother() {
        RequestQueue queue = queue(4, Duration.ZERO);
        QueuedJob oldest = offer(queue, slow);
        for (int i = 1; i < CAPACITY; i++) {
            offer(queue, slow);
        }
        assertEquals(Offered.FULL, queue.offer(new QueuedJob(slow)));
        QueuedJob other = offer(queue, quick);
        assertTrue(oldest.outdated);
        assertSame(other.mapping(), quick);
        assertEquals(CAPACITY - 1, slow.waiting());
        assertEquals(1, quick.waiting());
    }

    @Test
    void anOverloadedMappingIsCutAndOthersAreNot() {
        RequestQueue queue = queue(4, Duration.ofSeconds(2));
        QueuedJob oldest = offer(queue, slow);
        for (int i = 1; i < 500; i++) {
            offer(queue, slow);
        }
        now += Duration.ofSeconds(3).toNanos();
        for (int i = 0; i < 100; i++) {
            offer(queue, quick);
        }
        assertFalse(oldest.outdated);
        assertEquals(Offered.OVERLOADED, queue.offer(new QueuedJob(slow)));
        assertTrue(oldest.outdated);
        assertEquals(100, quick.waiting());
    }

    /** The workers that are left for others are no room for the requests of this mapping. */
    @Test
    void aMappingWithAllItsWorkersFillsTheQueueAndIsOverloaded() {
        RequestQueue queue = queue(WORKERS, Duration.ofSeconds(2), ALONE);
        for (int i = 0; i < ALONE; i++) {
            offer(queue, slow);
        }
        assertEquals(ALONE, takeAll(queue, ALONE));
        QueuedJob oldest = offer(queue, slow);
        for (int i = 1; i < CAPACITY; i++) {
            offer(queue, slow);
        }
        assertEquals(Offered.FULL, queue.offer(new QueuedJob(slow)));
        now += Duration.ofSeconds(3).toNanos();
        assertEquals(Offered.OVERLOADED, queue.offer(new QueuedJob(slow)));
        assertTrue(oldest.outdated);
        offer(queue, quick);
    }

    @Test
    void theTimeToEmptyIsThatOfTheMapping() {
        RequestQueue queue = queue(4, Duration.ZERO);
        for (int i = 0; i < 100; i++) {
            offer(queue, slow);
        }
        offer(queue, quick);
        now += Duration.ofSeconds(1).toNanos();
        assertEquals(60, queue.secondsToEmpty(new QueuedJob(slow)));
        assertEquals(1, queue.secondsToEmpty(new QueuedJob(quick)));
    }

    /** A job of a client that can have several jobs. */
    private final class OfClient extends QueuedJob implements ClientJob {
        private final Client client;

        OfClient(Client client) {
            super(slow);
            this.client = client;
        }

        @Override
        public Client ofClient() {
            return client;
        }
    }

    private static Client client() {
        return new Client() {
            @Override
            protected void send() {
                throw new AssertionError("nothing was left");
            }
        };
    }

    private List<Job> offerOf(RequestQueue queue, Client client, int count) {
        List<Job> jobs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            jobs.add(new OfClient(client));
            assertEquals(Offered.WAITS, queue.offer(jobs.get(i)));
        }
        return jobs;
    }

    @Test
    void aClientWithItsShareOfTheWorkersWaitsForOtherClientsAndForNobodyElse() {
        RequestQueue queue = queue(8, Duration.ZERO);
        Client many = client();
        List<Job> its = offerOf(queue, many, 6);
        List<Job> others = offerOf(queue, client(), 1);
        for (int i = 0; i < WaitingJobs.MIN_OF_CLIENT; i++) {
            assertSame(its.get(i), takeNext(queue, nothing));
        }
        assertSame(others.get(0), takeNext(queue, nothing));
        assertSame(its.get(4), takeNext(queue, nothing));
        assertSame(its.get(5), takeNext(queue, nothing));
    }

    @Test
    void aProxyMayUseAllWorkers() {
        RequestQueue queue = queue(8, Duration.ZERO);
        Client proxy = client();
        proxy.standsForMany();
        List<Job> its = offerOf(queue, proxy, 5);
        offerOf(queue, client(), 1);
        for (Job job : its) {
            assertSame(job, takeNext(queue, nothing));
        }
    }

    @Test
    void aClientGivesItsShareBack() {
        RequestQueue queue = queue(8, Duration.ZERO);
        Client many = client();
        List<Job> its = offerOf(queue, many, 5);
        for (int i = 0; i < WaitingJobs.MIN_OF_CLIENT; i++) {
            takeNext(queue, nothing);
        }
        List<Job> others = offerOf(queue, client(), 1);
        assertSame(its.get(4), takeNext(queue, its.get(0)));
        assertSame(others.get(0), takeNext(queue, nothing));
    }
}
