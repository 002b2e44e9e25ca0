package io.penstock.work;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.time.Clock;
import io.penstock.work.IdleWorkers.Order;
import io.penstock.work.IdleWorkers.Sleeper;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that wait for a worker. The queue has four lines of jobs ({@link Line}):
 *
 * <ul>
 *   <li>admitted jobs, which are never refused: continuations, tasks of the server (for example deployments), and requests for which a
 *       worker is idle;
 *   <li>new requests; the length of this line is bounded;
 *   <li>streaming requests; only a part of the workers serve this line;
 *   <li>requests that are expected to spool (to make their workers wait for the disk); only a part of the workers serve this line.
 * </ul>
 *
 * <p>Jobs of a bulkhead ({@link Job#share}) wait in lines of the bulkhead until the bulkhead has a free place.
 *
 * <p>A streaming request can make its worker wait for the client. A spooling request makes its worker wait for the disk. Both kinds of
 * requests occupy their workers for long. Therefore each kind may use only a limited number of workers ({@link Share}). The queue knows
 * whether a request streams when the request is offered. But a request begins to spool only while it runs. So the queue uses an
 * expectation, which is based on earlier requests of the same servlet ({@link Job#isSpooling}). Every worker that waits for the disk counts
 * as spooling, until its job is done or does not need the disk any more. When such a wait begins, waiting requests that are expected to
 * spool move to their own line.
 *
 * <p>A job of a bulkhead needs a place in the bulkhead. The job takes the place when a worker is found for the job. So a job of a bulkhead
 * already has a place if the job waits in the line of admitted jobs. The job has no place while it waits in a line of its bulkhead. The
 * worker frees the place after the job, even if the job has failed. A streaming request of a bulkhead also counts toward the limit of all
 * streaming requests. A request of a bulkhead never waits in the line of spooling requests, since the bulkhead limits the request already.
 * Only the line of new requests is used to detect overload.
 *
 * <p>Thread: reactors call {@link #offer}, workers call {@link #take}, and any thread calls {@link #resume}. Only {@link #take} waits.
 * {@link IdleWorkers} describes how workers are woken.
 */
public final class RequestQueue {

    /** The kinds of jobs that are never refused. */
    private enum Kind {
        CONTINUATION,
        REQUEST
    }

    /** Starts workers. The methods are called without the queue's lock. Any thread. */
    interface Starter {

        /** Starts a worker that {@link IdleWorkers#starts} has announced. */
        void startOne();

        /** More jobs wait than the usual number of workers can take. Decides soon whether more workers can help. */
        void grow();
    }

    /** The result of an offer. */
    public enum Offered {
        /** The job was queued, and an idle worker will take the job. */
        TAKEN,
        /** The job was queued, and waits for a worker. */
        WAITS,
        /** The job was refused: the line is full, or the queue is closed. */
        FULL,
        /** The job was refused: the queue is overloaded ({@link Overload}). */
        OVERLOADED
    }

    /** A worker ends if it has had no job for this time, unless only {@link #LEAST} workers are left. */
    private static final Duration IDLE = Duration.ofSeconds(30);

    /** This number of workers does not end, so that the first requests after a pause find a worker. */
    private static final int LEAST = 2;

    /**
     * Without a look at the application, as many workers as this for each processor are started, and at least {@link #USUAL}. They let a
     * quick servlet run beside some that compute for long.
     */
    private static final int USUAL_PER_PROCESSOR = 8;

    private static final int USUAL = 32;

    /** One offer drops at most this number of requests. A larger number would delay the new request for too long. */
    static final int DROPPED_AT_ONCE = 8;

    private final int capacity;
    private final long idleNanos;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Line admitted = new Line();

    @GuardedBy("lock")
    private final Line requests = new Line();

    @GuardedBy("lock")
    private final Share streaming;

    @GuardedBy("lock")
    private final Share spooling;

    /** The workers that count as spooling. The set counts each worker once. */
    @GuardedBy("lock")
    private final Set<Thread> spoolers;

    /** The shares of the bulkheads. There are few bulkheads, and their number never changes. */
    private final WorkerShare[] shares;

    @GuardedBy("lock")
    private final IdleWorkers idle;

    /** Set before the first job, and then never again; null without {@link Workers}. */
    private volatile @Nullable Starter starter;

    private final Runnable wakeUp = this::wakeWorker;
    private final Clock clock;

    @GuardedBy("lock")
    private final QueueSpeed speed;

    @GuardedBy("lock")
    private final Overload overload;

    @GuardedBy("lock")
    private boolean closed;

    // These fields are written under the lock, and read without the lock.

    private volatile int waiting;

    /** Whether a waiting job could run if a worker were idle. */
    private volatile boolean findable;

    /** Whether the number of jobs that could run is larger than the number of workers that are idle or can be started. */
    private volatile boolean wanting;

    /** Whether the number of jobs that could run is larger than the number of idle workers, although more workers can be started. */
    private volatile boolean lacking;

    /** Whether more workers than the usual number would not help now. Written by the {@link Starter}. */
    private volatile boolean growthRefused;

    private volatile boolean anySpools;

    /**
     * Creates a queue without overload detection and without bulkheads. {@code maxStreaming} is the limit of streaming jobs, and also the
     * limit of spooling jobs.
     */
    public RequestQueue(int capacity, int maxStreaming) {
        this(capacity, maxStreaming, maxStreaming, Duration.ZERO, 0, List.of(), Clock.SYSTEM);
    }

    /**
     * @param capacity the largest length of each of three lines: new requests, streaming requests, spooling requests. With 0, a request is
     *     accepted only if an idle worker can take it
     * @param maxStreaming the largest number of streaming jobs that run at the same time
     * @param maxSpooling the largest number of jobs that run at the same time and are expected to wait for the disk
     * @param overloadAfter how long the line of requests may be non-empty without a break. After that time, the line may hold fewer
     *     requests, and the requests that have waited longest are dropped. Zero for no limit
     * @param workers the largest number of workers
     * @param shares the shares of all bulkheads
     */
    public RequestQueue(
            int capacity,
            int maxStreaming,
            int maxSpooling,
            Duration overloadAfter,
            int workers,
            List<WorkerShare> shares,
            Clock clock) {
        this(
                capacity,
                new Share(maxStreaming),
                new Share(maxSpooling),
                new Overload(overloadAfter),
                workers,
                shares,
                IDLE,
                clock);
    }

    RequestQueue(int capacity, int maxStreaming, Overload overload, Clock clock) {
        this(capacity, new Share(maxStreaming), new Share(maxStreaming), overload, 0, List.of(), IDLE, clock);
    }

    /** Creates a queue whose workers end after {@code idle} without a job. */
    RequestQueue(int capacity, Duration idle) {
        this(
                capacity,
                new Share(1),
                new Share(1),
                new Overload(Duration.ZERO),
                0,
                List.of(),
                idle,
                Clock.SYSTEM);
    }

    private RequestQueue(
            int capacity,
            Share streaming,
            Share spooling,
            Overload overload,
            int workers,
            List<WorkerShare> shares,
            Duration idle,
            Clock clock) {
        this.idleNanos = idle.toNanos();
        this.shares = shares.toArray(WorkerShare[]::new);
        this.idle = new IdleWorkers(
                workers, Math.max(USUAL, USUAL_PER_PROCESSOR * Runtime.getRuntime().availableProcessors()));
        // The set is large enough, so it never grows. If a HashSet cannot grow for lack of memory, add() throws,
        // although the set contains the new element.
        this.spoolers = new HashSet<>(2 * workers + 2);
        this.capacity = capacity;
        this.streaming = streaming;
        this.spooling = spooling;
        this.overload = overload;
        this.clock = clock;
        this.speed = new QueueSpeed(clock);
    }

    /** Queues a request if its line has room. Wakes a worker if no worker searches for jobs. Any thread. */
    public Offered offer(Job job) {
        Offered offered = offerOneOfMany(job);
        wakeWorker();
        return offered;
    }

    /** Queues a request if its line has room. The caller may queue more jobs, and must soon call {@link #wakeWorker}. Any thread. */
    public Offered offerOneOfMany(Job job) {
        Line outdated = null;
        Offered offered = Offered.TAKEN;
        lock.lock();
        try {
            if (closed) {
                return Offered.FULL;
            }
            long now = clock.nanos();
            Line line = lineOf(job);
            WorkerShare share = job.share();
            if (share != null) {
                offered = offerToBulkhead(job, share, line, now);
            } else if (line == spooling.waiting()) {
                offered = enqueue(job, line, Math.max(capacity, idleForSpooling()), now);
            } else if (!admitted(job, now)) {
                int most = line == requests ? Math.min(capacity, mostRequests(now)) : capacity;
                outdated = beyond(most);
                offered = enqueue(job, line, Math.max(most, forNewWorkers(line)), now);
            }
        } finally {
            lock.unlock();
            // This call is in the finally block because the dropped requests need a response even if enqueue() throws
            // an OutOfMemoryError.
            drop(outdated);
        }
        return offered;
    }

    /**
     * Queues a job of the server before all waiting requests. Does nothing if no worker is idle for the job. Returns whether the job was
     * queued. The caller may queue more jobs, and must soon call {@link #wakeWorker}. Any thread.
     */
    public boolean offerToIdle(Job job) {
        lock.lock();
        try {
            boolean taken = !closed && runnable() < idle.count();
            if (taken) {
                admitted.add(job, clock.nanos());
                count();
            }
            return taken;
        } finally {
            lock.unlock();
        }
    }

    private static void drop(@Nullable Line outdated) {
        if (outdated != null) {
            for (Job job = outdated.poll(); job != null; job = outdated.poll()) {
                job.outdated();
            }
        }
    }

    /** Wakes a worker if a job waits and no worker searches for jobs. Any thread. */
    public void wakeWorker() {
        if (!findable) {
            return;
        }
        Sleeper woken;
        lock.lock();
        try {
            woken = searcher();
        } finally {
            lock.unlock();
        }
        wake(woken);
    }

    /** Wakes or starts a worker, if there is one to wake or start. Asks for more workers if the usual number is not enough. */
    private void wake(@Nullable Sleeper sleeper) {
        Starter starts = starter;
        if (sleeper == IdleWorkers.NEW) {
            Objects.requireNonNull(starts).startOne();
        } else if (sleeper != null) {
            sleeper.wake();
        } else if (lacking && starts != null) {
            starts.grow();
        }
    }

    /** Returns {@link #wakeWorker} as a task. Each call returns the same object. */
    public Runnable wakeUp() {
        return wakeUp;
    }

    @GuardedBy("lock")
    private @Nullable Sleeper searcher() {
        return findable ? idle.searcher() : null;
    }

    /**
     * Admits a request if an idle worker can take the request, and if no job of the other lines could run now. Returns whether the request
     * was admitted.
     */
    @GuardedBy("lock")
    private boolean admitted(Job request, long now) {
        boolean streams = request.isStreaming();
        if (runnable() > admitted.size() || admitted.size() >= idle.count() || streams && streaming.room() == 0) {
            return false;
        }
        admitted.add(request, now);
        if (streams) {
            streaming.begin();
        }
        WorkerShare share = request.share();
        if (share == null) {
            speed.took();
        } else {
            share.begin();
        }
        count();
        return true;
    }

    @GuardedBy("lock")
    private Offered offerToBulkhead(Job job, WorkerShare share, Line line, long now) {
        if (share.hasRoom() && admitted(job, now)) {
            return Offered.TAKEN;
        }
        if (share.isFull()) {
            return Offered.FULL;
        }
        // look() must be the first call. If look() runs out of memory, the job is not in a line yet.
        share.look(now);
        line.add(job, now);
        count();
        return Offered.WAITS;
    }

    /** The largest length of this line if only workers that are idle or can be started serve it. Other waiting jobs use them first. */
    @GuardedBy("lock")
    private int forNewWorkers(Line line) {
        return line == requests ? Math.max(0, room() - runnable() + requests.size()) : 0;
    }

    /** The number of workers that are idle, or that can be started if more workers help. */
    @GuardedBy("lock")
    private int room() {
        return idle.count() + (growthRefused ? 0 : idle.startable());
    }

    /** The number of idle workers that spooling requests could use now. Other waiting jobs use idle workers first. */
    @GuardedBy("lock")
    private int idleForSpooling() {
        return Math.min(spooling.room(), idle.count() - runnable() + spooling.runnable());
    }

    /** How many jobs could run if there were enough idle workers. */
    @GuardedBy("lock")
    private int runnable() {
        int runnable = admitted.size() + requests.size() + streaming.runnable() + spooling.runnable();
        for (WorkerShare share : shares) {
            runnable += share.runnable(streaming.room());
        }
        return runnable;
    }

    @GuardedBy("lock")
    private int mostRequests(long now) {
        if (requests.isEmpty()) {
            overload.begins(now);
        }
        return overload.most(now, speed, idle.started());
    }

    /**
     * Removes requests that have waited longest if the queue is overloaded and has more than {@code most} requests. At most {@link
     * #DROPPED_AT_ONCE} requests are removed. Returns the removed requests, or null if none was removed.
     */
    @GuardedBy("lock")
    private @Nullable Line beyond(int most) {
        if (most >= capacity || requests.size() <= most) {
            // This is the usual case. Without overload, no request is dropped, even if the line is longer than its
            // capacity. giveWay() can make the line longer, since giveWay() does not check the capacity.
            return null;
        }
        Line outdated = requests.cutTo(Math.max(most, requests.size() - DROPPED_AT_ONCE));
        count();
        return outdated;
    }

    @GuardedBy("lock")
    private Offered enqueue(Job job, Line line, int most, long now) {
        if (line.size() >= most) {
            return most < capacity ? Offered.OVERLOADED : Offered.FULL;
        }
        // look() must be the first call. If look() runs out of memory, the job is not in a line yet.
        speed.look(now);
        line.add(job, now);
        count();
        return Offered.WAITS;
    }

    /**
     * Removes a waiting request. Returns false if a worker has taken the request, or if the request is in the line of admitted jobs. If the
     * result is true, no worker will get the request. The search begins with the oldest request. Any thread.
     */
    public boolean withdraw(Job job) {
        lock.lock();
        try {
            boolean waited = lineOf(job).remove(job)
                    || requests.remove(job)
                    || spooling.waiting().remove(job);
            count();
            return waited;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Estimates the number of seconds in which workers take all requests that wait now. The result is 1 to 60. The estimate uses the speed
     * of the last seconds. Any thread.
     */
    public int secondsToEmpty() {
        lock.lock();
        try {
            return speed.secondsFor(requests.size()
                    + streaming.waiting().size()
                    + spooling.waiting().size());
        } finally {
            lock.unlock();
        }
    }

    /** As {@link #secondsToEmpty()}. If the refused request belongs to a bulkhead, only the jobs of this bulkhead count. Any thread. */
    public int secondsToEmpty(Job refused) {
        WorkerShare share = refused.share();
        if (share == null) {
            return secondsToEmpty();
        }
        lock.lock();
        try {
            return share.secondsToEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** Queues a continuation of an admitted request. If the queue is closed, abandons the job instead. */
    public void resume(Job job) {
        if (!added(job, Kind.CONTINUATION)) {
            job.abandon();
        }
    }

    /**
     * Queues a request behind the waiting requests, without a check of the capacity. The calling worker could serve this request at once,
     * but lets other requests be served first. If the queue is closed, abandons the job instead.
     */
    public void giveWay(Job job) {
        if (!added(job, Kind.REQUEST)) {
            job.abandon();
        }
    }

    private boolean added(Job job, Kind kind) {
        assert !job.isStreaming() : "a streaming job must be offered, not resumed";
        Sleeper woken;
        lock.lock();
        try {
            if (closed) {
                return false;
            }
            add(job, kind);
            count();
            woken = searcher();
        } finally {
            lock.unlock();
        }
        wake(woken);
        return true;
    }

    @GuardedBy("lock")
    private void add(Job job, Kind kind) {
        WorkerShare share = job.share();
        Line line;
        if (kind == Kind.REQUEST) {
            assert share == null : "a request of a bulkhead must be offered, since the bulkhead may be full";
            line = lineOf(job);
        } else {
            line = share == null ? admitted : share.continuations();
        }
        line.add(job, clock.nanos());
    }

    /**
     * Waits for the next job and returns it. Returns null if the calling worker must end: the queue is closed and empty, a new worker
     * replaces the worker ({@link #isLeaving}), or the worker had no job for {@link #IDLE}. Thread: a worker.
     */
    @Nullable
    Job take() {
        return take(false);
    }

    /** As {@link #take()}. A worker that has just been started by the {@link Starter} passes true with its first call. */
    @Nullable
    Job take(boolean justStarted) {
        boolean searched = justStarted;
        while (true) {
            Job job = null;
            Sleeper woken = null;
            Sleeper sleeper = null;
            lock.lock();
            try {
                if (searched) {
                    idle.endSearch();
                }
                if (closed || !idle.leaves(Thread.currentThread())) {
                    job = next();
                    if (job == null && !closed) {
                        sleeper = idle.fallAsleep();
                    }
                }
                // If other jobs wait, another worker must search for them.
                woken = searcher();
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
        lock.lock();
        try {
            return idle.goesAway(sleeper, LEAST);
        } finally {
            lock.unlock();
        }
    }

    /** Sets the object that starts workers, and their largest number. Called once, before the first job. */
    void startWith(Starter starts, int workers) {
        lock.lock();
        try {
            starter = starts;
            idle.allow(workers);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Announces up to {@code most} further workers. Each begins with {@code take(true)}. Returns their number: not more than can be
     * started. Any thread.
     */
    int starts(int most) {
        lock.lock();
        try {
            int count = Math.min(most, idle.startable());
            idle.starts(count);
            count();
            return count;
        } finally {
            lock.unlock();
        }
    }

    /** A worker that was announced could not be started. Any thread. */
    void notStarted() {
        lock.lock();
        try {
            idle.notStarted();
            count();
        } finally {
            lock.unlock();
        }
    }

    /** The number of workers that have been started and have not ended. Any thread. */
    int started() {
        lock.lock();
        try {
            return idle.started();
        } finally {
            lock.unlock();
        }
    }

    /** The calling worker has ended, since it had no job for long, and its place is free. Thread: that worker. */
    void ended() {
        Sleeper woken;
        lock.lock();
        try {
            idle.ended();
            count();
            // A job may have been queued since the worker has decided to end.
            woken = searcher();
        } finally {
            lock.unlock();
        }
        wake(woken);
    }

    /** How many more workers waiting jobs could use now; 0 if no further worker can be started. Any thread. */
    int lacking() {
        if (!lacking) {
            return 0;
        }
        lock.lock();
        try {
            return Math.min(idle.startable(), runnable() - idle.count());
        } finally {
            lock.unlock();
        }
    }

    /** Says whether more workers than the usual number would not help now. Thread: one at a time. */
    void growthRefused(boolean refused) {
        if (growthRefused != refused) {
            growthRefused = refused;
            lock.lock();
            try {
                count();
            } finally {
                lock.unlock();
            }
        }
    }

    /**
     * Ends these workers one after another, each as soon as the worker is idle. To end a worker, {@link #take} returns null. The next
     * worker ends after the call of {@link #tookOver}. Any thread.
     */
    void retire(Collection<? extends Thread> workers) {
        Sleeper first;
        lock.lock();
        try {
            if (closed) {
                // All workers end anyway.
                return;
            }
            first = idle.retire(workers);
        } finally {
            lock.unlock();
        }
        wake(first);
    }

    /** Whether the worker must end and needs a successor. Thread: that worker. */
    boolean isLeaving(Thread worker) {
        lock.lock();
        try {
            return idle.isLeaving(worker);
        } finally {
            lock.unlock();
        }
    }

    /**
     * The calling worker, which must end, has a successor. If no new thread could be created, the calling worker continues as its own
     * successor. Thread: the worker that must end.
     */
    void tookOver() {
        Sleeper next;
        lock.lock();
        try {
            next = idle.tookOver();
        } finally {
            lock.unlock();
        }
        wake(next);
    }

    /** A running job begins to wait for its client. Returns false if the limit of streaming jobs is reached. Any thread. */
    public boolean beginStreaming() {
        lock.lock();
        try {
            if (streaming.room() == 0) {
                return false;
            }
            streaming.begin();
            count();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Must be called when a worker has run a job that {@link #take} has returned. Thread: that worker. */
    void done(Job job) {
        WorkerShare share = job.share();
        if (share != null) {
            endShare(share);
        }
        if (job.isStreaming()) {
            endStreaming();
        }
        if (anySpools) {
            endSpooling();
        }
    }

    private void endShare(WorkerShare share) {
        Sleeper woken;
        lock.lock();
        try {
            share.end();
            count();
            woken = searcher();
        } finally {
            lock.unlock();
        }
        wake(woken);
    }

    /** Ends a wait that {@link #beginStreaming} began. */
    public void endStreaming() {
        Sleeper woken;
        lock.lock();
        try {
            streaming.end();
            count();
            woken = searcher();
        } finally {
            lock.unlock();
        }
        wake(woken);
    }

    /**
     * The calling thread waits for the disk. If the thread is a worker, the worker counts as spooling until its job is done or until {@link
     * #endSpooling} is called. Waiting requests that are expected to spool move from the line of new requests to their own line. Any
     * thread.
     */
    public void waitsForDisk() {
        lock.lock();
        try {
            if (Workers.isCurrentOf(this)) {
                beginSpooling();
            }
            requests.moveTo(spooling.waiting(), Job::isSpooling);
            count();
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void beginSpooling() {
        if (spoolers.add(Thread.currentThread())) {
            spooling.begin();
        }
    }

    /** Whether the calling thread is a worker that counts as spooling. Any thread. */
    public boolean currentSpools() {
        if (!anySpools) {
            return false;
        }
        lock.lock();
        try {
            return spoolers.contains(Thread.currentThread());
        } finally {
            lock.unlock();
        }
    }

    /** The calling worker does not wait for the disk any more. So another spooling job may run. Idempotent. Any thread. */
    public void endSpooling() {
        Sleeper woken = null;
        lock.lock();
        try {
            if (spoolers.remove(Thread.currentThread())) {
                spooling.end();
                count();
                woken = searcher();
            }
        } finally {
            lock.unlock();
        }
        wake(woken);
    }

    /** The time in nanoseconds, by the clock that the queue and its workers use. Any thread. */
    public long nanos() {
        return clock.nanos();
    }

    /** The number of jobs that wait for a worker, without jobs in the lines of bulkheads; a snapshot. Any thread. */
    public int size() {
        return waiting;
    }

    /** The longest wait of the jobs that {@link #size} counts, in nanoseconds; 0 if no such job waits; a snapshot. Any thread. */
    public long oldestNanos() {
        if (waiting == 0) {
            return 0;
        }
        lock.lock();
        try {
            long now = clock.nanos();
            long shared =
                    Math.max(streaming.waiting().age(now), spooling.waiting().age(now));
            return Math.max(Math.max(admitted.age(now), requests.age(now)), shared);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Whether the number of jobs that could run is larger than the number of workers that are idle or can be started; a snapshot. Any
     * thread.
     */
    public boolean wantsWorkers() {
        return wanting;
    }

    /** The number of running jobs that are streaming requests or wait for a client. Any thread. */
    public int streaming() {
        lock.lock();
        try {
            return streaming.running();
        } finally {
            lock.unlock();
        }
    }

    /** The number of workers that count as spooling: their jobs have waited for the disk, or are expected to wait for it. Any thread. */
    public int spooling() {
        lock.lock();
        try {
            return spooling.running();
        } finally {
            lock.unlock();
        }
    }

    /** Closes the queue: further jobs are refused. Workers run the queued jobs. After that, {@link #take} returns null. */
    public void close() {
        List<Sleeper> sleepers;
        lock.lock();
        try {
            closed = true;
            sleepers = idle.allSearch();
        } finally {
            lock.unlock();
        }
        // A worker that finds no job ends.
        sleepers.forEach(this::wake);
    }

    /** Whether the queue is closed. Any thread. */
    boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    /** Abandons all waiting jobs, because no worker will take them. Thread: the owner of the workers. */
    void abandonRest() {
        for (Job job = anyWaiting(); job != null; job = anyWaiting()) {
            job.abandon();
        }
    }

    private @Nullable Job anyWaiting() {
        lock.lock();
        try {
            Job job = pollAny();
            if (job != null) {
                count();
            }
            return job;
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private @Nullable Job pollAny() {
        Job job = admitted.poll();
        if (job != null) {
            WorkerShare held = job.share();
            if (held != null) {
                held.end();
            }
            return job;
        }
        for (Line line : List.of(requests, streaming.waiting(), spooling.waiting())) {
            job = line.poll();
            if (job != null) {
                return job;
            }
        }
        for (WorkerShare share : shares) {
            for (Line line : List.of(share.continuations(), share.requests(false), share.requests(true))) {
                job = line.poll();
                if (job != null) {
                    return job;
                }
            }
        }
        return null;
    }

    @GuardedBy("lock")
    private @Nullable Job next() {
        Job job = admitted.poll();
        if (job == null) {
            job = nextContinuation();
        }
        if (job == null) {
            job = nextRequest();
        }
        if (job != null) {
            count();
        }
        return job;
    }

    /**
     * Removes and returns the oldest continuation of all bulkheads that have a free place. The continuation takes a place in its bulkhead.
     * Null if there is no such continuation.
     */
    @GuardedBy("lock")
    private @Nullable Job nextContinuation() {
        WorkerShare found = null;
        for (WorkerShare share : shares) {
            Line line = share.continuations();
            if (share.hasRoom() && !line.isEmpty() && (found == null || line.isOlderThan(found.continuations()))) {
                found = share;
            }
        }
        if (found == null) {
            return null;
        }
        found.begin();
        return found.continuations().poll();
    }

    /**
     * Removes and returns the request that has waited longest, of all requests that may run now. Null if no request may run. Thread: the
     * worker that will run the request.
     */
    @GuardedBy("lock")
    private @Nullable Job nextRequest() {
        Line oldest = requests;
        boolean mayStream = streaming.room() > 0;
        if (mayStream && streaming.waiting().isOlderThan(oldest)) {
            oldest = streaming.waiting();
        }
        if (spooling.room() > 0 && spooling.waiting().isOlderThan(oldest)) {
            oldest = spooling.waiting();
        }
        WorkerShare share = null;
        for (WorkerShare one : shares) {
            Line line = one.oldest(mayStream);
            if (one.hasRoom() && line.isOlderThan(oldest)) {
                oldest = line;
                share = one;
            }
        }
        if (oldest.isEmpty()) {
            return null;
        }
        if (share != null) {
            return nextOf(share, oldest);
        }
        if (oldest == streaming.waiting()) {
            streaming.begin();
        } else if (oldest == spooling.waiting()) {
            beginSpooling();
        }
        speed.took();
        return oldest.poll();
    }

    /** Removes and returns the first request of this line of the bulkhead. The request takes a place in the bulkhead. */
    @GuardedBy("lock")
    private @Nullable Job nextOf(WorkerShare share, Line line) {
        share.begin();
        if (line == share.requests(true)) {
            streaming.begin();
        }
        return line.poll();
    }

    @GuardedBy("lock")
    private Line lineOf(Job request) {
        WorkerShare share = request.share();
        if (share != null) {
            return share.requests(request.isStreaming());
        }
        if (request.isStreaming()) {
            return streaming.waiting();
        }
        return request.isSpooling() ? spooling.waiting() : requests;
    }

    @GuardedBy("lock")
    private void count() {
        waiting = admitted.size()
                + requests.size()
                + streaming.waiting().size()
                + spooling.waiting().size();
        for (WorkerShare share : shares) {
            share.publish();
        }
        anySpools = spooling.running() > 0;
        int runnable = runnable();
        findable = runnable > 0;
        wanting = runnable > room();
        lacking = runnable > idle.count() && idle.isUsual() && idle.startable() > 0;
    }
}
