package io.penstock.work;

import static io.penstock.PromptWaits.PATIENCE;
import static io.penstock.work.PlayedWorker.take;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.memory.Rounds;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests the renewal of workers. A renewal replaces the thread of each worker. This also removes the thread locals of earlier jobs.
 */
final class WorkerRenewalTest {
    private static final ThreadLocal<String> LOCAL = new ThreadLocal<>();

    private final RequestQueue queue = new RequestQueue(100, 1);
    private final Workers workers = new Workers(queue, 3, "", Rounds.unwatched());

    private interface Doing extends Job {
        @Override
        default void abandon() {
            throw new AssertionError("the queue abandoned a job");
        }
    }

    @AfterEach
    void end() throws InterruptedException {
        workers.stop(PATIENCE);
    }

    private List<Thread> threads() {
        return workers.doing().stream().map(Workers.Doing::thread).toList();
    }

    private void awaitIdleWorkers() {
        await().until(() -> threads().stream().allMatch(thread -> thread.getState() == Thread.State.TIMED_WAITING));
    }

    private void awaitRenewed(List<Thread> before) {
        await().until(() -> before.stream().noneMatch(Thread::isAlive));
        assertTrue(Collections.disjoint(before, threads()));
        assertEquals(
                before.stream().map(Thread::getName).toList(),
                threads().stream().map(Thread::getName).toList());
    }

    @Test
    void idleWorkersAreRenewed() {
        workers.start();
        awaitIdleWorkers();
        List<Thread> before = threads();
        workers.renew();
        awaitRenewed(before);
        awaitIdleWorkers();
    }

    @Test
    void aBusyWorkerIsRenewedAfterItsJob() throws Exception {
        workers.start();
        awaitIdleWorkers();
        List<Thread> before = threads();
        CompletableFuture<Thread> busy = new CompletableFuture<>();
        CountDownLatch release = new CountDownLatch(1);
        queue.offer((Doing) () -> {
            busy.complete(Thread.currentThread());
            try {
                release.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        Thread working = busy.get(60, TimeUnit.SECONDS);
        workers.renew();
        await().until(() -> before.stream().filter(Thread::isAlive).toList().equals(List.of(working)));
        release.countDown();
        awaitRenewed(before);
    }

    @Test
    void theRenewalRemovesTheThreadLocalsOfAJob() throws Exception {
        workers.start();
        CountDownLatch jobsRun = new CountDownLatch(3);
        for (int i = 0; i < 3; i++) {
            queue.resume((Doing) () -> {
                LOCAL.set("mine");
                jobsRun.countDown();
                try {
                    // Each job waits here until all three jobs run. So each worker runs one job.
                    jobsRun.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
        }
        assertTrue(jobsRun.await(60, TimeUnit.SECONDS));
        List<Thread> before = threads();
        workers.renew();
        awaitRenewed(before);
        CompletableFuture<String> found = new CompletableFuture<>();
        queue.resume((Doing) () -> found.complete(String.valueOf(LOCAL.get())));
        assertEquals("null", found.get(60, TimeUnit.SECONDS));
    }

    @Test
    void requestsAreServedWhileWorkersAreRenewed() {
        workers.start();
        AtomicInteger served = new AtomicInteger();
        for (int i = 0; i < 50; i++) {
            workers.renew();
            int before = i;
            assertFalse(queue.offer((Doing) served::incrementAndGet) == RequestQueue.Offered.FULL);
            await().pollInterval(Duration.ofMillis(1)).until(() -> served.get() == before + 1);
        }
    }

    @Test
    void onlyOneWorkerIsRenewedAtATime() throws Exception {
        RequestQueue alone = new RequestQueue(10, 1);
        CompletableFuture<Job> first = takeJobInNewThread(alone);
        CompletableFuture<Job> second = takeJobInNewThread(alone);
        alone.change(jobs -> jobs.workers.renew());
        CompletableFuture.anyOf(first, second).get(60, TimeUnit.SECONDS);
        CompletableFuture<Job> gone = first.isDone() ? first : second;
        CompletableFuture<Job> other = gone == first ? second : first;
        assertNull(gone.join());
        assertFalse(other.isDone());
        Job job = (Doing) () -> {};
        alone.resume(job);
        assertSame(job, other.get(60, TimeUnit.SECONDS)); // the other worker takes jobs until it is renewed
        alone.change(jobs -> jobs.workers.tookOver());
        alone.close();
    }

    private CompletableFuture<Job> takeJobInNewThread(RequestQueue from) {
        CompletableFuture<Job> taken = new CompletableFuture<>();
        Thread thread = new Thread(() -> taken.complete(take(from)));
        thread.setDaemon(true);
        thread.start();
        await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
        return taken;
    }

    @Test
    void aWorkerGoesOnWhateverPreventsTheStartOfItsSuccessor() throws Exception {
        AtomicInteger threads = new AtomicInteger();
        RequestQueue alone = new RequestQueue(10, 1);
        Workers one = new Workers(alone, 1, null, "", Rounds.unwatched(), ThreadKind.PLATFORM, thread -> {
            if (threads.getAndIncrement() > 0) {
                throw new InternalError("on purpose");
            }
            thread.start();
        });
        one.start();
        Thread worker = one.doing().get(0).thread();
        await().until(() -> worker.getState() == Thread.State.TIMED_WAITING);
        one.renew();
        await().until(() -> threads.get() == 2);
        CompletableFuture<Thread> serving = new CompletableFuture<>();
        alone.resume((Doing) () -> serving.complete(Thread.currentThread()));
        assertSame(worker, serving.get(60, TimeUnit.SECONDS));
        one.stop(PATIENCE);
    }

    @Test
    void allWorkersAreStoppedEvenDuringARenewal() throws Exception {
        workers.start();
        workers.renew();
        workers.stop(PATIENCE);
        assertTrue(threads().stream().noneMatch(Thread::isAlive));
        workers.renew(); // A renewal has no effect after the stop.
    }
}
