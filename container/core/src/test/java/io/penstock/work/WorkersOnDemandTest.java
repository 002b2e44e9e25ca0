package io.penstock.work;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.memory.Rounds;
import io.penstock.time.Clock;
import io.penstock.time.ManualClock;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Workers are started when jobs need them, and end when they are not needed any more. */
class WorkersOnDemandTest {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final int USUAL = Math.max(32, 8 * Runtime.getRuntime().availableProcessors());
    private static final int MAX = 4 * USUAL;

    /** The log file of the tests, as {@code simplelogger.properties} sets it. */
    private static final Path LOG = Path.of(System.getProperty("org.slf4j.simpleLogger.logFile", "target/tests.log"));

    private final ManualClock clock = new ManualClock();
    private final ManualScheduler scheduler = new ManualScheduler(clock);
    private final CountDownLatch end = new CountDownLatch(1);
    private final AtomicInteger running = new AtomicInteger();
    private volatile int mostThreads;
    private RequestQueue queue = queue(10 * MAX, MAX, PATIENCE);
    private Workers workers = workers(ThreadKind.PLATFORM);

    private static RequestQueue queue(int capacity, int workers, Duration idle) {
        return new RequestQueue(new WaitingJobs(capacity, 1, 1, Duration.ZERO, workers, Clock.SYSTEM), idle);
    }

    private Workers workers(ThreadKind kind) {
        return new Workers(queue, MAX, scheduler, "", Rounds.unwatched(), kind);
    }

    @AfterEach
    void stop() throws InterruptedException {
        end.countDown();
        workers.stop(PATIENCE);
        scheduler.stop();
    }

    private void offer(int count, Runnable work) {
        for (int i = 0; i < count; i++) {
            queue.offer(new Task(null, work));
        }
    }

    private record Task(@Nullable Mapping mapping, Runnable work) implements Job {
        @Override
        public void run() {
            work.run();
        }

        @Override
        public void abandon() {
            throw new AssertionError("abandoned");
        }
    }

    private void waits() {
        running.incrementAndGet();
        awaits(end);
    }

    private static void awaits(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void computes() {
        running.incrementAndGet();
        while (end.getCount() > 0) {
            Thread.onSpinWait();
        }
    }

    /** Workers of which at most {@link #mostThreads} threads can be started. */
    private Workers workersWithFewThreads(int count) {
        AtomicInteger threads = new AtomicInteger();
        return new Workers(queue, count, scheduler, "", Rounds.unwatched(), ThreadKind.PLATFORM, thread -> {
            if (threads.incrementAndGet() > mostThreads) {
                threads.decrementAndGet();
                throw new OutOfMemoryError("unable to create native thread, on purpose");
            }
            thread.start();
        });
    }

    /** Lets the scheduler decide {@code times} times whether more workers help. */
    private void decide(int times) throws Exception {
        for (int i = 0; i < times; i++) {
            clock.pass(Duration.ofMillis(100));
            scheduler.runDue();
        }
    }

    @Test
    void noWorkerIsStartedWithoutAJob() {
        assertEquals(0, workers.started());
    }

    @Test
    void idleWorkersServeFurtherJobsWithoutNewWorkers() {
        for (int i = 1; i <= 100; i++) {
            int served = i;
            offer(1, running::incrementAndGet);
            await().atMost(PATIENCE).until(() -> running.get() == served && workers.busy() == 0);
        }
        assertTrue(workers.started() <= 3, () -> workers.started() + " workers");
    }

    @Test
    void jobsThatWaitGetAsManyWorkersAsAreAllowed() {
        offer(2 * MAX, this::waits);
        await().atMost(PATIENCE).until(() -> {
            decide(1);
            return running.get() == MAX;
        });
        assertEquals(MAX, workers.started());
        assertTrue(queue.wantsWorkers());
    }

    /** The time is that of the scheduler. In the test, it passes only when all started workers wait. */
    @Test
    void aBurstOfJobsThatWaitGetsAllWorkersWithinAQuarterOfASecond() throws Exception {
        queue = queue(10 * MAX, 2 * MAX, PATIENCE);
        workers = new Workers(queue, 2 * MAX, scheduler, "", Rounds.unwatched(), ThreadKind.PLATFORM);
        offer(4 * MAX, this::waits);
        Duration passed = Duration.ZERO;
        while (workers.started() < 2 * MAX) {
            await().atMost(PATIENCE)
                    .until(() -> workers.started() >= USUAL
                            && workers.doing().stream()
                                    .allMatch(one -> one.thread().getState() == Thread.State.WAITING));
            clock.pass(Duration.ofMillis(1));
            scheduler.runDue();
            passed = passed.plusMillis(1);
        }
        assertTrue(passed.compareTo(Duration.ofMillis(250)) < 0, passed::toString);
    }

    @Test
    void jobsThatComputeGetTheUsualNumberOfWorkers() throws Exception {
        offer(2 * MAX, this::computes);
        await().atMost(PATIENCE).until(() -> running.get() == USUAL);
        decide(50);
        assertEquals(USUAL, workers.started());
        assertTrue(queue.wantsWorkers());
    }

    private void offer(int count, Mapping mapping, Runnable work) {
        for (int i = 0; i < count; i++) {
            queue.offer(new Task(mapping, work));
        }
    }

    /** Jobs that compute have all workers, and jobs of other mappings still run: one further worker is kept for them. */
    private void computeBesideQuickJobs(Mapping computing, CountDownLatch computed) throws Exception {
        offer(2 * MAX, computing, () -> {
            while (computed.getCount() > 0) {
                Thread.onSpinWait();
            }
        });
        await().atMost(PATIENCE).until(() -> computing.running() == USUAL);
        Mapping quick = new Mapping("/quick");
        AtomicInteger answered = new AtomicInteger();
        for (int i = 1; i <= 3; i++) {
            int all = i;
            offer(1, quick, answered::incrementAndGet);
            await().atMost(PATIENCE).until(() -> {
                decide(1);
                return answered.get() == all && quick.running() == 0;
            });
            decide(2);
        }
        assertEquals(USUAL, computing.running());
        assertEquals(USUAL + 1, workers.started());
    }

    @Test
    void jobsThatComputeDoNotStopOthers() throws Exception {
        CountDownLatch computed = new CountDownLatch(1);
        try {
            computeBesideQuickJobs(new Mapping("/computes"), computed);
        } finally {
            computed.countDown();
        }
    }

    @Test
    void jobsThatWaitGetTheirWorkersAfterJobsThatComputed() throws Exception {
        CountDownLatch computed = new CountDownLatch(1);
        Mapping computing = new Mapping("/computes");
        try {
            computeBesideQuickJobs(computing, computed);
        } finally {
            computed.countDown();
        }
        await().atMost(PATIENCE).until(() -> {
            decide(1);
            return computing.running() == 0 && computing.waiting() == 0;
        });
        Mapping waiting = new Mapping("/waits");
        offer(2 * MAX, waiting, this::waits);
        await().atMost(PATIENCE).until(() -> {
            decide(1);
            return waiting.running() == MAX - MAX / (WaitingJobs.FAIR + 1);
        });
    }

    /** A queue that ends serves what waits with all its workers. */
    @Test
    void aClosedQueueIsServedByAllWorkers() {
        queue = queue(10 * MAX, USUAL, PATIENCE);
        workers = new Workers(queue, USUAL, scheduler, "", Rounds.unwatched(), ThreadKind.PLATFORM);
        Mapping mapping = new Mapping("/all");
        int alone = USUAL - USUAL / (WaitingJobs.FAIR + 1);
        CountDownLatch closed = new CountDownLatch(1);
        CountDownLatch together = new CountDownLatch(alone);
        offer(alone, mapping, () -> {
            running.incrementAndGet();
            awaits(closed);
        });
        offer(alone, mapping, () -> {
            together.countDown();
            awaits(together);
        });
        await().atMost(PATIENCE).until(() -> running.get() == alone);
        workers.start();
        queue.close();
        closed.countDown();
        await().atMost(PATIENCE).until(() -> together.getCount() == 0);
    }

    @Test
    void workersThatAreNotStartedCountAsRoom() throws Exception {
        offer(USUAL + 1, this::waits);
        await().atMost(PATIENCE).until(() -> running.get() >= USUAL);
        assertTrue(!queue.wantsWorkers());
        decide(5);
        await().atMost(PATIENCE).until(() -> running.get() == USUAL + 1);
    }

    @Test
    void aQueueOfLengthZeroAcceptsARequestIfAWorkerCanBeStarted() {
        queue = queue(0, MAX, PATIENCE);
        workers = new Workers(queue, 2, scheduler, "", Rounds.unwatched(), ThreadKind.PLATFORM);
        offer(1, this::waits);
        await().atMost(PATIENCE).until(() -> running.get() == 1);
        offer(1, this::waits);
        await().atMost(PATIENCE).until(() -> running.get() == 2);
        assertEquals(RequestQueue.Offered.FULL, queue.offer(new Task(null, this::waits)));
    }

    @Test
    void workersEndAfterAWhileWithoutJobsAndStartAgain() {
        queue = queue(10 * MAX, MAX, Duration.ofMillis(1));
        workers = workers(ThreadKind.PLATFORM);
        CountDownLatch all = new CountDownLatch(USUAL);
        for (int round = 0; round < 2; round++) {
            offer(USUAL, () -> {
                running.incrementAndGet();
                all.countDown();
                try {
                    all.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            int served = (round + 1) * USUAL;
            await().atMost(PATIENCE).until(() -> running.get() == served);
            await().atMost(PATIENCE).until(() -> workers.started() == 2);
            assertEquals(2, workers.doing().size());
        }
    }

    @Test
    void jobsThatArriveWhileWorkersEndAreServed() {
        queue = queue(10 * MAX, MAX, Duration.ofNanos(1));
        workers = workers(ThreadKind.PLATFORM);
        for (int i = 1; i <= 2000; i++) {
            int served = i;
            offer(1, running::incrementAndGet);
            while (running.get() < served) {
                LockSupport.parkNanos(1);
            }
        }
    }

    @Test
    void theStartedWorkersGoOnIfNoThreadCanBeCreatedAndTheLogSaysSoOnce() throws Exception {
        mostThreads = 3;
        workers = workersWithFewThreads(MAX);
        int before = messages().size();
        offer(10, this::waits);
        await().atMost(PATIENCE).until(() -> running.get() == 3 && workers.started() == 3);
        assertTrue(queue.wantsWorkers(), "no worker can be started, so there is no room");
        decide(50);
        assertEquals(3, workers.started());
        List<String> messages = messages();
        assertEquals(before + 1, messages.size(), messages::toString);
        String message = messages.get(before);
        assertTrue(message.contains("3 of " + MAX + " workers") && message.contains("ulimit -u"), message);
        end.countDown();
        await().atMost(PATIENCE).until(() -> running.get() == 10 && workers.busy() == 0);
    }

    private static List<String> messages() throws IOException {
        return Files.readAllLines(LOG, Charset.defaultCharset()).stream()
                .filter(line -> line.contains("No further thread can be created"))
                .toList();
    }

    @Test
    void furtherWorkersAreStartedWhenThreadsCanBeCreatedAgain() throws Exception {
        workers = workersWithFewThreads(MAX);
        offer(USUAL + 1, this::waits);
        assertEquals(0, workers.started());
        decide(50);
        assertEquals(0, workers.started());
        mostThreads = MAX;
        // No request arrives, so nothing but the next attempt starts a worker.
        await().atMost(PATIENCE).until(() -> {
            decide(1);
            return running.get() == USUAL + 1;
        });
    }

    /** The memory of the process is full, so not even the next attempt can be planned. */
    @Test
    void theNextRequestLeadsToAnAttemptIfNoneCouldBePlanned() {
        Scheduler full = new Scheduler("", Rounds.unwatched()) {
            @Override
            public Future<?> after(Duration delay, Runnable task) {
                throw new OutOfMemoryError("Java heap space, on purpose");
            }
        };
        workers = new Workers(queue, 1, full, "", Rounds.unwatched(), ThreadKind.PLATFORM, thread -> {
            if (mostThreads == 0) {
                throw new OutOfMemoryError("unable to create native thread, on purpose");
            }
            thread.start();
        });
        offer(1, running::incrementAndGet);
        mostThreads = 1;
        offer(1, running::incrementAndGet);
        await().atMost(PATIENCE).until(() -> running.get() == 2);
        full.stop();
    }

    /** A scheduler that has no memory for further tasks while the test says so. */
    private Scheduler scheduler(AtomicBoolean full) {
        return new Scheduler("", Rounds.unwatched()) {
            @Override
            public Future<?> after(Duration delay, Runnable task) {
                if (full.get()) {
                    throw new OutOfMemoryError("Java heap space, on purpose");
                }
                return scheduler.after(delay, task);
            }
        };
    }

    @Test
    void aWorkerRunsTheJobThatItHasTakenIfNoOtherCanBeStartedForTheNextJob() {
        Scheduler full = scheduler(new AtomicBoolean(true));
        AtomicInteger threads = new AtomicInteger();
        workers = new Workers(queue, 2, full, "", Rounds.unwatched(), ThreadKind.PLATFORM, thread -> {
            if (threads.getAndIncrement() > 0) {
                throw new OutOfMemoryError("unable to create native thread, on purpose");
            }
            thread.start();
        });
        offer(1, this::waits);
        await().atMost(PATIENCE).until(() -> running.get() == 1);
        offer(2, running::incrementAndGet);
        end.countDown();
        await().atMost(PATIENCE).until(() -> running.get() == 3);
        full.stop();
    }

    @Test
    void aFurtherJobLeadsToADecisionIfThereWasNoMemoryToPlanOne() {
        AtomicBoolean full = new AtomicBoolean(true);
        Scheduler sometimesFull = scheduler(full);
        workers = new Workers(queue, MAX, sometimesFull, "", Rounds.unwatched(), ThreadKind.PLATFORM);
        offer(USUAL + 1, this::waits);
        await().atMost(PATIENCE).until(() -> running.get() == USUAL);
        full.set(false);
        offer(1, this::waits);
        await().atMost(PATIENCE).until(() -> {
            decide(1);
            return running.get() == USUAL + 2;
        });
        sometimesFull.stop();
    }

    @Test
    void workersAreWokenAlthoughAnotherOneCouldNotBeStarted() {
        Scheduler full = scheduler(new AtomicBoolean(true));
        AtomicInteger threads = new AtomicInteger();
        workers = new Workers(queue, 3, full, "", Rounds.unwatched(), ThreadKind.PLATFORM, thread -> {
            if (threads.getAndIncrement() == 0) {
                throw new OutOfMemoryError("unable to create native thread, on purpose");
            }
            thread.start();
        });
        workers.start(3);
        assertEquals(2, workers.started());
        await().atMost(PATIENCE).until(() -> workers.doing().stream()
                .allMatch(one -> one.thread().getState() == Thread.State.TIMED_WAITING));
        offer(2, this::waits);
        await().atMost(PATIENCE).until(() -> running.get() == 2);
        full.stop();
    }

    @Test
    void aWorkerWithoutASuccessorGoesOn() throws Exception {
        mostThreads = 1;
        workers = workersWithFewThreads(1);
        offer(1, running::incrementAndGet);
        await().atMost(PATIENCE).until(() -> running.get() == 1 && workers.busy() == 0);
        workers.renew();
        offer(1, running::incrementAndGet);
        await().atMost(PATIENCE).until(() -> running.get() == 2);
        assertEquals(1, workers.started());
    }

    @Test
    void aStartOfFewerWorkersThanThereAreChangesNothing() {
        workers.start(5);
        workers.start(2);
        assertEquals(5, workers.started());
    }

    /** Code of an application. Its class is loaded by a class loader of its own. */
    public static final class Caller implements Consumer<Runnable> {
        @Override
        public void accept(Runnable call) {
            call.run();
        }
    }

    private static final class ApplicationLoader extends ClassLoader {
        Consumer<Runnable> caller() throws Exception {
            String name = Caller.class.getName();
            try (InputStream in = Caller.class.getResourceAsStream("/" + name.replace('.', '/') + ".class")) {
                byte[] bytes = in.readAllBytes();
                @SuppressWarnings("unchecked") // Caller implements the type
                Consumer<Runnable> caller = (Consumer<Runnable>) defineClass(name, bytes, 0, bytes.length)
                        .getConstructor()
                        .newInstance();
                return caller;
            }
        }
    }

    /** Starts a worker by the offer of an application, in a thread of the application. */
    @SuppressWarnings("ThreadPriorityCheck") // the worker must not inherit it
    private WeakReference<ClassLoader> startFromAnApplication() throws Exception {
        ApplicationLoader loader = new ApplicationLoader();
        Consumer<Runnable> caller = loader.caller();
        Thread low = new Thread(() -> caller.accept(() -> offer(1, this::waits)));
        low.setPriority(Thread.MIN_PRIORITY);
        low.setContextClassLoader(loader);
        low.start();
        low.join();
        return new WeakReference<>(loader);
    }

    @Test
    void aWorkerKeepsNothingOfTheApplicationWhoseRequestHasStartedIt() throws Exception {
        WeakReference<ClassLoader> loader = startFromAnApplication();
        await().until(() -> running.get() == 1);
        await().atMost(PATIENCE).until(() -> {
            System.gc();
            return loader.get() == null;
        });
        assertEquals(1, workers.started());
        assertEquals(Thread.NORM_PRIORITY, workers.doing().get(0).thread().getPriority());
    }

    /** Otherwise a few long calls would stop the short ones of the same servlet. */
    @Test
    void callsThatHaveComputedForASecondDoNotKeepBackTheNextOnes() throws Exception {
        queue = new RequestQueue(new WaitingJobs(10 * MAX, 1, 1, Duration.ZERO, MAX, clock), PATIENCE);
        workers = workers(ThreadKind.PLATFORM);
        Mapping mapping = new Mapping("/compute");
        Semaphore ends = new Semaphore(0);
        for (int i = 0; i < 2 * MAX; i++) {
            queue.offer(new Task(mapping, () -> {
                while (end.getCount() > 0 && !ends.tryAcquire()) {
                    Thread.onSpinWait();
                }
            }));
        }
        await().atMost(PATIENCE).until(() -> mapping.running() == USUAL);
        decide(1);
        int ended = USUAL / 4;
        ends.release(ended);
        await().atMost(PATIENCE).until(() -> mapping.running() == USUAL - ended && idle() == ended);
        clock.pass(Duration.ofSeconds(1));
        decide(1);
        await().atMost(PATIENCE).until(() -> mapping.running() > USUAL - ended);
    }

    private int idle() {
        return queue.ask(jobs -> jobs.workers.count());
    }
}
