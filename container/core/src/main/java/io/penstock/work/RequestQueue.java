package io.penstock.work;

import io.penstock.time.Clock;
import io.penstock.time.Saturated;
import io.penstock.work.IdleWorkers.Taker;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that wait for a worker. Each request waits in a lane ({@link Lane}): streaming requests, which can make their worker wait for
 * the client; spooling requests, which make their worker wait for the disk; requests of a bulkhead; and all usual requests. The lanes have
 * the same rules, with different limits. Only tasks of the server, for example deployments, are in no lane: they run first.
 *
 * <p><b>Fairness.</b> In each lane, the jobs wait by {@link Mapping}. Among the jobs that may run, a job of the mapping with the fewest
 * workers runs first, among equals the job that has waited longest. From {@link WaitingJobs#FAIR_FROM} workers on, a mapping gets a
 * further worker only while it has fewer than {@link WaitingJobs#FAIR} times as many as are left: idle, or not started if more workers
 * help. So one mapping alone stops at seven eighths of the workers, and a mapping whose calls hang leaves workers for the others. Of the
 * last workers ({@link WaitingJobs#LAST}), it gets one only while it has fewer than are left. Otherwise a slow mapping that comes late
 * would take them all, since it has few. Among the requests of one mapping, those of a client that has its share of the workers ({@link
 * WaitingJobs#MIN_OF_CLIENT}) wait until no other client does. Continuations, which are the later parts of asynchronous requests, run before
 * new requests of their mapping, and are never refused. A continuation that has run for long gives way: it then waits in the order of
 * arrival ({@link #resumeLater}).
 *
 * <p><b>Overload.</b> The queue is full for the mapping that fills it: if no place is left, a request of a mapping with fewer waiting
 * requests takes the place of the oldest request of the mapping with the most. If requests of a mapping wait without a break for a
 * configured time, more arrive than workers serve, and all responses of this mapping are late. Then the mapping keeps only as many waiting
 * requests as its workers take in a moment, and the requests that have waited longest are dropped, until none waits. Requests of
 * bulkheads, streaming and spooling requests have a limit of their own instead.
 *
 * <p>The queue knows whether a request streams when the request is offered. But a request begins to spool only while it runs. So the queue
 * uses an expectation, which is based on earlier requests of the same servlet ({@link Job#isSpooling}). Every worker that waits for the disk
 * counts as spooling, until its job is done or does not need the disk any more. When such a wait begins, waiting requests that are expected
 * to spool move to the lane of spooling requests. A streaming request of a bulkhead needs a place in both lanes.
 *
 * <p>Thread: any. Reactors call {@link #offer}, workers call {@link #take}; only {@link #take} waits. The figures are snapshots. {@link
 * WaitingJobs} has the rules, {@link IdleWorkers} describes how workers are woken and started, and this class has the lock.
 */
public final class RequestQueue {

    /** The result of an offer. */
    public enum Offered {
        /** The job was queued, and an idle worker will take the job. */
        TAKEN,
        /** The job was queued, and waits for a worker. */
        WAITS,
        /** The job was refused: no place is left, or the queue is closed. */
        FULL,
        /** The job was refused: its mapping is overloaded. */
        OVERLOADED
    }

    /** A worker ends if it has had no job for this time, unless only {@link IdleWorkers#MIN} workers are left. */
    private static final Duration IDLE = Duration.ofSeconds(30);

    private final long idleNanos;
    private final ReentrantLock lock = new ReentrantLock();

    /** Only {@link #step} calls its methods, under the lock. Any thread may read its figures. */
    final WaitingJobs jobs;

    private static final AtomicReferenceFieldUpdater<RequestQueue, @Nullable Runnable> CHOSEN =
            AtomicReferenceFieldUpdater.newUpdater(RequestQueue.class, Runnable.class, "chosen");

    /** When a step wakes a worker, or starts one, if a job can run. */
    private enum Wake {
        NOBODY,
        /** At the next {@link #wakeChosen}, so that one wake-up serves several jobs. */
        LATER,
        NOW
    }

    /**
     * Wakes or starts the worker that a step has chosen to search; null if none must be woken. There is at most one, since no other is chosen
     * while a worker searches. Written under the lock.
     */
    private volatile @Nullable Runnable chosen;

    /** A queue without overload detection. The limit of streaming jobs is also that of spooling jobs. */
    public RequestQueue(int capacity, int maxStreaming) {
        this(capacity, maxStreaming, maxStreaming, Duration.ZERO, 0, Clock.SYSTEM);
    }

    /**
     * @param capacity the largest number of waiting usual requests; of streaming requests; of spooling requests. With 0, a request is
     *     accepted only if a worker is idle or can be started
     * @param maxStreaming the largest number of streaming jobs that run at the same time
     * @param maxSpooling the largest number of jobs that run at the same time and are expected to wait for the disk
     * @param overloadAfter how long requests of a mapping may wait without a break. After that time, fewer may wait, and those that have
     *     waited longest are dropped. Zero for no limit
     * @param workers the largest number of workers
     */
    public RequestQueue(
            int capacity, int maxStreaming, int maxSpooling, Duration overloadAfter, int workers, Clock clock) {
        this(new WaitingJobs(capacity, maxStreaming, maxSpooling, overloadAfter, workers, clock), IDLE);
    }

    /** @param idle the time without a job after which a worker ends */
    RequestQueue(WaitingJobs jobs, Duration idle) {
        this.idleNanos = Saturated.nanos(idle);
        this.jobs = jobs;
    }

    // ---- the lock

    /**
     * Does one step of the queue. All steps are calls of this method. A step has an argument, so that no lambda needs memory for it.
     */
    private <A, T extends @Nullable Object> T step(Wake wake, BiFunction<WaitingJobs, A, T> step, A argument) {
        T result;
        lock.lock();
        try {
            result = step.apply(jobs, argument);
            jobs.publish();
            if (wake != Wake.NOBODY && jobs.findable) {
                Runnable searcher = jobs.workers.searcher();
                if (searcher != IdleWorkers.NOBODY) {
                    chosen = searcher;
                }
            }
        } finally {
            lock.unlock();
        }
        if (wake == Wake.NOW) {
            wakeChosen();
        }
        return result;
    }

    /** Wakes or starts the worker that {@link #offerOneOfMany}, {@link #resumeOneOfMany} or {@link #offerToIdle} has chosen. */
    public void wakeChosen() {
        Runnable wakes = chosen;
        if (wakes != null && CHOSEN.compareAndSet(this, wakes, null)) {
            wakes.run();
        }
    }

    /** Changes the queue, and wakes a worker if a job can run. */
    void change(Consumer<WaitingJobs> change) {
        step(Wake.NOW, RequestQueue::changed, change);
    }

    private static boolean changed(WaitingJobs jobs, Consumer<WaitingJobs> change) {
        change.accept(jobs);
        return true;
    }

    /** As {@link #change}, with a result. */
    <T extends @Nullable Object> T ask(Function<WaitingJobs, T> question) {
        return step(Wake.NOW, RequestQueue::answer, question);
    }

    private static <T extends @Nullable Object> T answer(WaitingJobs jobs, Function<WaitingJobs, T> question) {
        return question.apply(jobs);
    }

    /** Removes waiting jobs, and informs each of them without the lock. Wakes no worker. */
    private void removeAll(Function<WaitingJobs, @Nullable Job> next, Consumer<Job> inform) {
        Job job = step(Wake.NOBODY, RequestQueue::answer, next);
        while (job != null) {
            inform.accept(job);
            job = step(Wake.NOBODY, RequestQueue::answer, next);
        }
    }

    // ---- arrivals

    /** Queues a request if it finds a place. Wakes a worker if no worker searches for jobs. */
    public Offered offer(Job request) {
        return offer(request, Wake.NOW);
    }

    /**
     * Queues a request if it finds a place. The caller may queue more jobs, and must soon call {@link #wakeChosen}, as a reactor does at the
     * end of each round.
     */
    public Offered offerOneOfMany(Job request) {
        return offer(request, Wake.LATER);
    }

    private Offered offer(Job request, Wake wake) {
        Offered offered = step(wake, WaitingJobs::offer, request);
        // Seen without the lock: this thread has just dropped them, or an earlier offer ran out of memory.
        if (!jobs.outdated.isEmpty()) {
            removeAll(jobs -> jobs.outdated.poll(), Job::outdated);
        }
        return offered;
    }

    /**
     * Queues a job of the server before all waiting requests, if a worker is idle for it. Returns whether it was queued. The caller may
     * queue more jobs, and must soon call {@link #wakeChosen}.
     */
    public boolean offerToIdle(Job task) {
        return step(Wake.LATER, WaitingJobs::offerToIdle, task);
    }

    /** Wakes a worker if a job waits and no worker searches for jobs. */
    void wakeWorker() {
        if (jobs.findable) {
            change(jobs -> {});
        }
    }

    /**
     * Queues a continuation of a request. A job without a mapping and without a bulkhead is a task of the server, which runs before all
     * others. If the queue is closed, abandons the job instead.
     */
    public void resume(Job job) {
        resume(job, Wake.NOW);
    }

    /** As {@link #resume}. The caller may queue more jobs, and must soon call {@link #wakeChosen}. */
    public void resumeOneOfMany(Job job) {
        resume(job, Wake.LATER);
    }

    private void resume(Job job, Wake wake) {
        assert !job.isStreaming() : "a streaming job must be offered, not resumed";
        if (!step(wake, WaitingJobs::resume, job)) {
            job.abandon();
        }
    }

    /**
     * Queues a request behind the waiting requests, without a check of the capacity. The calling worker could serve this request at once,
     * but lets other requests be served first. If the queue is closed, abandons the job instead.
     */
    public void giveWay(Job job) {
        assert job.lane() == null && !job.isStreaming() : "such a request must be offered, since its lane may be full";
        if (!step(Wake.NOW, WaitingJobs::giveWay, job)) {
            job.abandon();
        }
    }

    /**
     * Queues a continuation that has run for long. The calling worker could go on with it, but lets other jobs run first: the continuation
     * waits in the order of arrival, with the other continuations of its mapping or, if there are none, with the requests. Returns false if
     * the queue is closed.
     */
    public boolean resumeLater(Job job) {
        assert !job.isStreaming() : "a streaming job must be offered, not resumed";
        return step(Wake.NOW, WaitingJobs::resumeLater, job);
    }

    /** Removes a waiting request; the search begins with the oldest. Returns false if a worker has it. Otherwise no worker will get it. */
    public boolean withdraw(Job job) {
        return step(Wake.NOW, WaitingJobs::withdraw, job);
    }

    // ---- workers

    /**
     * Gives back the places of the worker's job, which has run, and waits for its next job. Returns null if the worker must end: the queue
     * is closed and empty, a new worker replaces the worker ({@link IdleWorkers#isLeaving}), or it had no job for {@link #IDLE}. Thread: the
     * worker.
     */
    @Nullable
    Job take(Taker worker) {
        while (true) {
            // If other jobs wait, another worker must search for them.
            Job job = step(Wake.NOW, WaitingJobs::nextOrSleep, worker);
            boolean isAwake = worker.isAwake();
            if (worker.left != null) {
                worker.sendLeft();
            }
            if (isAwake) {
                return job;
            }
            while (!worker.sleep(idleNanos)) {
                if (step(Wake.NOW, RequestQueue::goesAway, worker)) {
                    return null;
                }
            }
        }
    }

    private static boolean goesAway(WaitingJobs jobs, Taker worker) {
        return jobs.workers.goesAway(worker);
    }

    /** Closes the queue: further jobs are refused. Workers run the queued jobs. After that, {@link #take} returns null. */
    public void close() {
        change(jobs -> {
            jobs.closed = true;
            jobs.workers.allSearch(); // A worker that finds no job ends.
        });
    }

    /** Whether the queue has been closed. Afterwards perhaps no worker is left. Any thread. */
    public boolean isClosed() {
        return jobs.closed;
    }

    /** Abandons all waiting jobs, because no worker will take them. Thread: the owner of the workers. */
    void abandonRest() {
        removeAll(WaitingJobs::nextAbandoned, Job::abandon);
    }

    // ---- clients and disks that make workers wait

    /** A running job begins to wait for its client. Returns false if the limit of streaming jobs is reached. */
    public boolean beginStreaming() {
        return ask(WaitingJobs::beginStreaming);
    }

    /** Ends a wait that {@link #beginStreaming} began. */
    public void endStreaming() {
        change(jobs -> jobs.streaming.runs(-1));
    }

    /**
     * The calling thread waits for the disk. If the thread is a worker, the worker counts as spooling until its job is done or until {@link
     * #endSpooling} is called. Waiting requests that are expected to spool move to the lane of spooling requests.
     */
    public void waitsForDisk() {
        change(jobs -> {
            if (Workers.isCurrentOf(this)) {
                jobs.beginSpooling();
            }
            jobs.moveSpooling();
        });
    }

    /** Whether the calling thread is a worker that counts as spooling. */
    public boolean currentSpools() {
        return spooling() > 0 && ask(jobs -> jobs.spoolers.contains(Thread.currentThread()));
    }

    /** The calling worker does not wait for the disk any more. So another spooling job may run. Idempotent. */
    public void endSpooling() {
        change(WaitingJobs::endSpooling);
    }

    // ---- figures

    /** The time in nanoseconds, by the clock that the queue and its workers use. */
    public long nanos() {
        return jobs.clock.nanos();
    }

    /** Estimates in how many seconds workers take all requests that wait now, by the speed of the last seconds. The result is 1 to 60. */
    public int secondsToEmpty() {
        return ask(jobs -> jobs.secondsToEmpty(null));
    }

    /** As {@link #secondsToEmpty()}, but only for the mapping, or for the bulkhead, of the refused request. */
    public int secondsToEmpty(Job refused) {
        return step(Wake.NOW, WaitingJobs::secondsToEmpty, refused);
    }

    /** The number of jobs that wait for a worker, without jobs of bulkheads. */
    public int size() {
        return ask(WaitingJobs::size);
    }

    /** The longest wait of the jobs that {@link #size} counts, in nanoseconds; 0 if no such job waits. */
    public long oldestNanos() {
        return ask(WaitingJobs::oldestNanos);
    }

    /** Whether more jobs could run than workers are idle or can be started. */
    public boolean wantsWorkers() {
        return jobs.wanting;
    }

    /** Whether jobs of other mappings than this one wait for a worker that is not there. */
    public boolean othersWant(@Nullable Mapping mapping) {
        return jobs.wanting && jobs.onlyWaiting != mapping;
    }

    /** Whether jobs wait that could run if the worker of this job ended it: those of its mapping or bulkhead, or of all. */
    public boolean wantsWorkerOf(Job job) {
        Mapping mapping = job.mapping();
        Lane lane = job.lane();
        return jobs.wanting || (mapping != null && mapping.waiting() > 0) || (lane != null && lane.waiting() > 0);
    }

    /** The number of running jobs that are streaming requests or wait for a client. */
    public int streaming() {
        return jobs.streaming.running();
    }

    /** The number of workers that count as spooling: their jobs have waited for the disk, or are expected to wait for it. */
    public int spooling() {
        return jobs.spooling.running();
    }
}
