package io.penstock.work;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.time.Clock;
import io.penstock.time.Saturated;
import io.penstock.work.IdleWorkers.Order;
import io.penstock.work.IdleWorkers.Sleeper;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
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
 * further worker only while it has fewer than {@link WaitingJobs#FAIR} times as many as are idle or not started. So one mapping alone stops
 * at seven eighths of the workers, and a mapping whose calls hang leaves workers for the others. Of the last workers ({@link
 * WaitingJobs#LAST}), a mapping gets at most half. Continuations, which are the later parts of asynchronous requests, run before new
 * requests of their mapping, and are never refused.
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
 * <p>Thread: reactors call {@link #offer}, workers call {@link #take}, and any thread calls {@link #resume}. Only {@link #take} waits.
 * {@link WaitingJobs} has the rules, {@link IdleWorkers} describes how workers are woken and started, and this class has the lock.
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

    /** A worker ends if it has had no job for this time, unless only {@link IdleWorkers#LEAST} workers are left. */
    private static final Duration IDLE = Duration.ofSeconds(30);

    private final long idleNanos;
    private final Clock clock;

    // Only the figures of these three objects may be read without the lock.

    private final IdleWorkers workers;
    private final Lane streaming;
    private final Lane spooling;

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final WaitingJobs jobs;

    /** Starts a worker, and asks for more workers than the usual number. Set before the first job, and then never again. */
    private volatile Runnable startOne = () -> {};

    private volatile Runnable grow = () -> {};

    private final Runnable wakeUp = this::wakeWorker;

    // These fields are written under the lock, and read without the lock.

    private volatile boolean closed;
    private volatile int size;

    /** Whether a waiting job could run if a worker were idle. */
    private volatile boolean findable;

    /** Whether the number of jobs that could run is larger than the number of workers that are idle or can be started. */
    private volatile boolean wanting;

    /** The only mapping with waiting jobs; null if there is none, or more than one. */
    private volatile @Nullable Mapping onlyWaiting;

    /**
     * Creates a queue without overload detection. {@code maxStreaming} is the limit of streaming jobs, and also the limit of spooling jobs.
     */
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
        this(capacity, maxStreaming, maxSpooling, overloadAfter, workers, IDLE, clock);
    }

    /** @param idle the time without a job after which a worker ends */
    RequestQueue(
            int capacity,
            int maxStreaming,
            int maxSpooling,
            Duration overloadAfter,
            int workers,
            Duration idle,
            Clock clock) {
        this.idleNanos = Saturated.nanos(idle);
        this.clock = clock;
        this.workers = new IdleWorkers(workers);
        this.jobs = new WaitingJobs(
                capacity,
                maxStreaming,
                maxSpooling,
                overloadAfter.isZero() ? Long.MAX_VALUE : Saturated.nanos(overloadAfter),
                workers,
                this.workers);
        this.streaming = jobs.streaming();
        this.spooling = jobs.spooling();
    }

    // ---- the lock

    /** Changes the queue, and wakes a worker if a job can run. */
    private void change(Consumer<WaitingJobs> change) {
        Sleeper woken;
        lock.lock();
        try {
            change.accept(jobs);
            woken = changed();
        } finally {
            lock.unlock();
        }
        wake(woken);
    }

    /** As {@link #change}, with a result. */
    private <T> T ask(Function<WaitingJobs, T> question) {
        T answer;
        Sleeper woken;
        lock.lock();
        try {
            answer = question.apply(jobs);
            woken = changed();
        } finally {
            lock.unlock();
        }
        wake(woken);
        return answer;
    }

    /** Ends each change. Publishes the figures, and selects a worker for jobs that can run. The caller must {@link #wake} this worker. */
    @GuardedBy("lock")
    private @Nullable Sleeper changed() {
        publish();
        return findable ? jobs.workers().searcher() : null;
    }

    /** Sets the fields that are read without the lock. Most changes change few of them, and a volatile write costs more than a read. */
    @GuardedBy("lock")
    private void publish() {
        jobs.count();
        boolean can = jobs.runnable() > 0;
        boolean wants = jobs.runnable() > jobs.workers().room();
        if (size != jobs.size()) {
            size = jobs.size();
        }
        if (onlyWaiting != jobs.onlyMapping()) {
            onlyWaiting = jobs.onlyMapping();
        }
        if (findable != can) {
            findable = can;
        }
        if (wanting != wants) {
            wanting = wants;
        }
    }

    /** Wakes or starts a worker, if there is one to wake or start. Asks for more workers if the usual number is not enough. */
    private void wake(@Nullable Sleeper sleeper) {
        if (sleeper == IdleWorkers.NEW) {
            startOne.run();
        } else if (sleeper == IdleWorkers.MORE) {
            grow.run();
        } else if (sleeper != null) {
            sleeper.wake();
        }
    }

    // ---- arrivals

    /** Queues a request if it finds a place. Wakes a worker if no worker searches for jobs. Any thread. */
    public Offered offer(Job request) {
        Offered offered = offerOneOfMany(request);
        wakeWorker();
        return offered;
    }

    /** Queues a request if it finds a place. The caller may queue more jobs, and must soon call {@link #wakeWorker}. Any thread. */
    public Offered offerOneOfMany(Job request) {
        Offered offered;
        boolean dropped;
        lock.lock();
        try {
            offered = closed ? Offered.FULL : jobs.offer(request, clock.nanos());
            publish();
            dropped = jobs.hasOutdated();
        } finally {
            lock.unlock();
        }
        if (dropped) {
            informOutdated();
        }
        return offered;
    }

    /** Informs the dropped requests. If an offer has failed for lack of memory, the next one does this. */
    private void informOutdated() {
        for (Job job = nextOutdated(); job != null; job = nextOutdated()) {
            job.outdated();
        }
    }

    private @Nullable Job nextOutdated() {
        lock.lock();
        try {
            return jobs.nextOutdated();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Queues a job of the server before all waiting requests. Does nothing if no worker is idle for the job. Returns whether the job was
     * queued. The caller may queue more jobs, and must soon call {@link #wakeWorker}. Any thread.
     */
    public boolean offerToIdle(Job task) {
        lock.lock();
        try {
            boolean taken = !closed && jobs.offerToIdle(task, clock.nanos());
            publish();
            return taken;
        } finally {
            lock.unlock();
        }
    }

    /** Wakes a worker if a job waits and no worker searches for jobs. Any thread. */
    public void wakeWorker() {
        if (findable) {
            change(jobs -> {});
        }
    }

    /** Returns {@link #wakeWorker} as a task. Each call returns the same object. */
    public Runnable wakeUp() {
        return wakeUp;
    }

    /**
     * Queues a continuation of a request. A job without a mapping and without a bulkhead is a task of the server, which runs before all
     * others. If the queue is closed, abandons the job instead.
     */
    public void resume(Job job) {
        assert !job.isStreaming() : "a streaming job must be offered, not resumed";
        addOrAbandon(job, jobs -> jobs.resume(job, clock.nanos()));
    }

    /**
     * Queues a request behind the waiting requests, without a check of the capacity. The calling worker could serve this request at once,
     * but lets other requests be served first. If the queue is closed, abandons the job instead.
     */
    public void giveWay(Job job) {
        assert job.lane() == null && !job.isStreaming() : "such a request must be offered, since its lane may be full";
        addOrAbandon(job, jobs -> jobs.add(job, clock.nanos()));
    }

    private void addOrAbandon(Job job, Consumer<WaitingJobs> add) {
        boolean added = ask(jobs -> {
            if (!closed) {
                add.accept(jobs);
            }
            return !closed;
        });
        if (!added) {
            job.abandon();
        }
    }

    /**
     * Removes a waiting request. Returns false if a worker has taken the request. If the result is true, no worker will get the request.
     * The search begins with the oldest request. Any thread.
     */
    public boolean withdraw(Job job) {
        return ask(jobs -> jobs.withdraw(job));
    }

    // ---- workers

    /**
     * Waits for the next job and returns it. Returns null if the calling worker must end: the queue is closed and empty, a new worker
     * replaces the worker ({@link #isLeaving}), or the worker had no job for {@link #IDLE}. Thread: a worker.
     */
    @Nullable
    Job take() {
        return take(false);
    }

    /**
     * As {@link #take()}.
     *
     * @param justStarted whether this is the first call of a worker that {@link #starts} or the queue has announced
     */
    @Nullable
    Job take(boolean justStarted) {
        boolean searched = justStarted;
        while (true) {
            Job job = null;
            Sleeper woken;
            Sleeper sleeper = null;
            lock.lock();
            try {
                IdleWorkers workers = jobs.workers();
                if (searched) {
                    workers.endSearch();
                }
                if (closed || !workers.leaves(Thread.currentThread())) {
                    job = jobs.next();
                    if (job == null && !closed) {
                        sleeper = workers.fallAsleep();
                    }
                }
                // If other jobs wait, another worker must search for them.
                woken = changed();
            } finally {
                lock.unlock();
            }
            wake(woken);
            if (sleeper == null) {
                return job;
            }
            Order order = sleeper.sleep(idleNanos);
            while (order == null) {
                if (goesAway(sleeper)) {
                    return null;
                }
                order = sleeper.sleep(idleNanos);
            }
            if (order == Order.LEAVE) {
                return null;
            }
            searched = true;
        }
    }

    private boolean goesAway(Sleeper sleeper) {
        return ask(jobs -> jobs.workers().goesAway(sleeper));
    }

    /**
     * Gives back the places of a job that {@link #take} or this method has returned and that has run. Returns the next job; null if none
     * waits, or if the worker must end. Does not wait. After null, the worker calls {@link #take}. Thread: that worker.
     */
    @Nullable
    Job takeNext(Job done) {
        Job job;
        Sleeper woken;
        lock.lock();
        try {
            jobs.giveBack(done);
            job = jobs.workers().mustLeave(Thread.currentThread()) ? null : jobs.next();
            woken = changed();
        } finally {
            lock.unlock();
        }
        wake(woken);
        return job;
    }

    /**
     * Sets how workers are started, and their largest number. Called once, before the first job.
     *
     * @param startsOne starts a worker that the queue has announced. Called without the lock, by any thread
     * @param grows decides soon whether more workers than the usual number help, since jobs wait for them. As above
     */
    void startWith(int most, Runnable startsOne, Runnable grows) {
        startOne = startsOne;
        grow = grows;
        change(jobs -> jobs.workers().allow(most));
    }

    /**
     * Announces up to {@code most} further workers. Each begins with {@code take(true)}. Returns their number: not more than can be
     * started. Any thread.
     */
    int starts(int most) {
        return ask(jobs -> jobs.workers().startsAtMost(most));
    }

    /** A worker that was announced could not be started. No other is started until {@link #mayStart} is called. Any thread. */
    void notStarted() {
        change(jobs -> jobs.workers().notStarted());
    }

    /** Perhaps threads can be created again. Starts a worker if a job waits for it. Any thread. */
    void mayStart() {
        change(jobs -> jobs.workers().mayStart());
    }

    /** As {@link #mayStart}, but starts no worker before the next change of the queue. Any thread. */
    void mayStartLater() {
        lock.lock();
        try {
            jobs.workers().mayStart();
            publish();
        } finally {
            lock.unlock();
        }
    }

    /** The calling worker has ended, since it had no job for long, and its place is free. Thread: that worker. */
    void ended() {
        // A job may have been queued since the worker has decided to end.
        change(jobs -> jobs.workers().ended());
    }

    /** The number of workers that sleep. Any thread. */
    int asleep() {
        return ask(jobs -> jobs.workers().asleep());
    }

    /** The number of workers that have been started and have not ended. Any thread. */
    int started() {
        return workers.started();
    }

    /** How many more workers waiting jobs could use now; 0 if no further worker can be started. Any thread. */
    int lacking() {
        return ask(jobs -> jobs.workers().count() == 0 ? Math.min(jobs.workers().startable(), jobs.runnable()) : 0);
    }

    /** Says whether more workers than the usual number would not help now. Thread: one at a time. */
    void growthRefused(boolean refused) {
        change(jobs -> jobs.workers().growthRefused(refused));
    }

    /**
     * Ends these workers one after another, each as soon as the worker is idle. To end a worker, {@link #take} returns null. The next
     * worker ends after the call of {@link #tookOver}. Any thread.
     */
    void retire(Collection<? extends Thread> workers) {
        change(jobs -> {
            // In a closed queue, all workers end anyway.
            if (!closed) {
                jobs.workers().retire(workers);
            }
        });
    }

    /** Whether the worker must end and needs a successor. Thread: that worker. */
    boolean isLeaving(Thread worker) {
        return workers.isLeaving(worker);
    }

    /**
     * The calling worker, which must end, has a successor. If no new thread could be created, the calling worker continues as its own
     * successor. Thread: the worker that must end.
     */
    void tookOver() {
        change(jobs -> jobs.workers().tookOver());
    }

    /** Closes the queue: further jobs are refused. Workers run the queued jobs. After that, {@link #take} returns null. */
    public void close() {
        List<Sleeper> sleepers = ask(jobs -> {
            closed = true;
            return jobs.workers().allSearch();
        });
        // A worker that finds no job ends.
        sleepers.forEach(this::wake);
    }

    /** Whether the queue is closed. Any thread. */
    boolean isClosed() {
        return closed;
    }

    /** Abandons all waiting jobs, because no worker will take them. Thread: the owner of the workers. */
    void abandonRest() {
        for (Job job = nextAbandoned(); job != null; job = nextAbandoned()) {
            job.abandon();
        }
    }

    private @Nullable Job nextAbandoned() {
        lock.lock();
        try {
            Job job = jobs.nextAbandoned();
            publish();
            return job;
        } finally {
            lock.unlock();
        }
    }

    // ---- clients and disks that make workers wait

    /** A running job begins to wait for its client. Returns false if the limit of streaming jobs is reached. Any thread. */
    public boolean beginStreaming() {
        return ask(jobs -> {
            boolean room = streaming.room() > 0;
            if (room) {
                streaming.begin();
            }
            return room;
        });
    }

    /** Ends a wait that {@link #beginStreaming} began. */
    public void endStreaming() {
        change(jobs -> streaming.end());
    }

    /**
     * The calling thread waits for the disk. If the thread is a worker, the worker counts as spooling until its job is done or until {@link
     * #endSpooling} is called. Waiting requests that are expected to spool move to the lane of spooling requests. Any thread.
     */
    public void waitsForDisk() {
        change(jobs -> {
            if (Workers.isCurrentOf(this)) {
                jobs.beginSpooling();
            }
            jobs.moveSpooling();
        });
    }

    /** Whether the calling thread is a worker that counts as spooling. Any thread. */
    public boolean currentSpools() {
        return spooling.running() > 0 && ask(WaitingJobs::currentSpools);
    }

    /** The calling worker does not wait for the disk any more. So another spooling job may run. Idempotent. Any thread. */
    public void endSpooling() {
        change(WaitingJobs::endSpooling);
    }

    // ---- figures

    /** The time in nanoseconds, by the clock that the queue and its workers use. Any thread. */
    public long nanos() {
        return clock.nanos();
    }

    /**
     * Estimates the number of seconds in which workers take all requests that wait now. The result is 1 to 60. The estimate uses the speed
     * of the last seconds. Any thread.
     */
    public int secondsToEmpty() {
        return ask(jobs -> jobs.secondsToEmpty(clock.nanos()));
    }

    /** As {@link #secondsToEmpty()}, but only for the mapping, or for the bulkhead, of the refused request. Any thread. */
    public int secondsToEmpty(Job refused) {
        return ask(jobs -> jobs.secondsToEmpty(refused, clock.nanos()));
    }

    /** The number of jobs that wait for a worker, without jobs of bulkheads; a snapshot. Any thread. */
    public int size() {
        return size;
    }

    /** The mappings whose jobs wait for a worker, and for how many nanoseconds the oldest of these jobs has waited; a snapshot. Any thread. */
    Map<Mapping, Long> waitingMappings() {
        return ask(jobs -> jobs.mappings(clock.nanos()));
    }

    /** The longest wait of the jobs that {@link #size} counts, in nanoseconds; 0 if no such job waits; a snapshot. Any thread. */
    public long oldestNanos() {
        return size == 0 ? 0 : ask(jobs -> jobs.oldestNanos(clock.nanos()));
    }

    /**
     * Whether the number of jobs that could run is larger than the number of workers that are idle or can be started; a snapshot. Any
     * thread.
     */
    public boolean wantsWorkers() {
        return wanting;
    }

    /** Whether jobs of other mappings than this one wait for a worker that is not there; a snapshot. Any thread. */
    public boolean othersWant(@Nullable Mapping mapping) {
        return wanting && onlyWaiting != mapping;
    }

    /** The number of running jobs that are streaming requests or wait for a client. Any thread. */
    public int streaming() {
        return streaming.running();
    }

    /** The number of workers that count as spooling: their jobs have waited for the disk, or are expected to wait for it. Any thread. */
    public int spooling() {
        return spooling.running();
    }
}
