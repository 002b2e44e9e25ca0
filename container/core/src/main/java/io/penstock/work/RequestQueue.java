package io.penstock.work;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.time.Clock;
import io.penstock.work.IdleWorkers.Order;
import io.penstock.work.IdleWorkers.Sleeper;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that wait for a worker, in four lines: admitted jobs; new requests, in a bounded line; and two lines that only a share of the
 * workers serves. Admitted jobs are never refused: continuations, tasks of the server such as deployments, and requests for which a
 * worker is idle. Jobs of a bulkhead ({@link Job#share}) wait in lines of the bulkhead until it has room.
 *
 * <p>The shares limit requests that occupy their workers for long: such requests cannot take all workers. Streaming requests may wait for
 * their clients. Spooling requests wait for the disk. Whether a request streams is known when it is offered. Whether it spools is known
 * only while it runs, so the queue expects what earlier requests of the same servlet did ({@link Job#isSpooling}). A worker that waits
 * for the disk counts as spooling, expected or not, until its job is done or no longer needs the disk. Waiting requests that are now
 * expected to spool then move to their own line at once.
 *
 * <p>A job of a bulkhead needs a place there. It takes the place when a worker is found for it. So a job in the line of admitted jobs has a
 * place already, and a job in the lines of its bulkhead has none. The worker gives the place back after the job, even if the job has
 * failed. A streaming request of a bulkhead also needs room among all streaming requests. A request of a bulkhead that is expected to spool
 * waits in its bulkhead only, whose share limits it. Overload is judged by the line of new requests alone.
 *
 * <p>Thread: reactors offer, any thread resumes, workers take. Only {@link #take} waits. {@link IdleWorkers} describes how workers are
 * woken.
 */
public final class RequestQueue {

    /** The kinds of jobs that are never refused. */
    private enum Kind {
        CONTINUATION,
        REQUEST
    }

    /** The result of an offer. */
    public enum Offered {
        /** There is an idle worker for it. */
        TAKEN,
        /** It waits for a worker. */
        WAITS,
        /** Refused: the line is full, or the workers have ended. */
        FULL,
        /** Refused: requests have waited without a break for too long. */
        OVERLOADED
    }

    /** The most requests that one offer drops. New requests must not wait until thousands have been refused. */
    static final int DROPPED_AT_ONCE = 8;

    private final int capacity;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Line admitted = new Line();

    @GuardedBy("lock")
    private final Line requests = new Line();

    @GuardedBy("lock")
    private final Share streaming;

    @GuardedBy("lock")
    private final Share spooling;

    /** The workers that count as spooling; a set, so that each is counted once. */
    @GuardedBy("lock")
    private final Set<Thread> spoolers;

    /** The bulkheads. Few, and always the same. */
    private final WorkerShare[] shares;

    @GuardedBy("lock")
    private final IdleWorkers idle;

    private final Runnable wakeUp = this::wakeWorker;
    private final Clock clock;

    @GuardedBy("lock")
    private final QueueSpeed speed;

    @GuardedBy("lock")
    private final Overload overload;

    @GuardedBy("lock")
    private boolean closed;

    // Written under the lock, read without it.

    private volatile int waiting;

    /** Whether an idle worker would find a job. */
    private volatile boolean findable;

    /** Whether a job could run for which there is no idle worker. */
    private volatile boolean wanting;

    private volatile boolean anySpools;

    /** As the constructor below, without overload detection; as many jobs may spool as may stream. */
    public RequestQueue(int capacity, int maxStreaming) {
        this(capacity, maxStreaming, maxStreaming, Duration.ZERO, 0, List.of(), Clock.SYSTEM);
    }

    /**
     * @param capacity most waiting requests, most waiting streaming requests, and most waiting spooling requests. The lines are separate,
     *     so clients of one kind cannot use up the room of the others. With 0 only an idle worker takes a request
     * @param maxStreaming streaming jobs that may run at once
     * @param maxSpooling jobs that may run at once and are expected to wait for the disk
     * @param overloadAfter how long the line of requests may be non-empty. After that it may hold fewer requests, and the requests that
     *     have waited longest are dropped. Zero for no limit
     * @param workers the number of workers
     * @param shares of all bulkheads
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
                new Overload(overloadAfter, workers),
                workers,
                shares,
                clock);
    }

    RequestQueue(int capacity, int maxStreaming, Overload overload, Clock clock) {
        this(capacity, new Share(maxStreaming), new Share(maxStreaming), overload, 0, List.of(), clock);
    }

    private RequestQueue(
            int capacity,
            Share streaming,
            Share spooling,
            Overload overload,
            int workers,
            List<WorkerShare> shares,
            Clock clock) {
        this.shares = shares.toArray(WorkerShare[]::new);
        this.idle = new IdleWorkers(workers);
        // Large enough never to grow. A set that cannot grow for lack of memory has the new element in any case, but
        // its caller does not notice.
        this.spoolers = new HashSet<>(2 * workers + 2);
        this.capacity = capacity;
        this.streaming = streaming;
        this.spooling = spooling;
        this.overload = overload;
        this.clock = clock;
        this.speed = new QueueSpeed(clock);
    }

    /** Queues a request, if there is room, and wakes a worker if none is searching. Any thread. */
    public Offered offer(Job job) {
        Offered offered = offerOneOfMany(job);
        wakeWorker();
        return offered;
    }

    /** Queues a request, if there is room. The caller may queue more jobs, and must soon call {@link #wakeWorker}. Any thread. */
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
                offered = enqueue(job, line, most, now);
            }
        } finally {
            lock.unlock();
            // In the finally block, since the dropped requests must be answered even if there is no memory to queue the
            // new one.
            drop(outdated);
        }
        return offered;
    }

    /**
     * Queues a job of the server ahead of waiting requests, but only if there is an idle worker for it. Returns whether the job was queued.
     * The caller may queue more jobs, and must soon call {@link #wakeWorker}. Any thread.
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

    /** Wakes a worker if a job waits and no worker is searching. Any thread. */
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
        Sleeper.wake(woken);
    }

    /** {@link #wakeWorker} as a task; each call returns the same object. */
    public Runnable wakeUp() {
        return wakeUp;
    }

    @GuardedBy("lock")
    private @Nullable Sleeper searcher() {
        return findable ? idle.searcher() : null;
    }

    /** Admits a request if there is an idle worker for it, and no waiting job of another line could run. */
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
        // Called first: if it runs out of memory, the job is in no line yet.
        share.look(now);
        line.add(job, now);
        count();
        return Offered.WAITS;
    }

    /** How many spooling requests could run at once, after all other waiting jobs. */
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
        return overload.most(now, speed);
    }

    /**
     * Removes some of the requests for which an overloaded queue has no room, the requests that have waited longest. Null if there are
     * none.
     */
    @GuardedBy("lock")
    private @Nullable Line beyond(int most) {
        if (most >= capacity || requests.size() <= most) {
            // The usual case. Without overload nothing is dropped, not even requests that giveWay added beyond the
            // capacity.
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
        // Called first: if it runs out of memory, the job is in no line yet.
        speed.look(now);
        line.add(job, now);
        count();
        return Offered.WAITS;
    }

    /**
     * Removes a waiting request. Returns false if a worker has taken it or has been found for it. Exactly one of worker and caller gets
     * the request. Fast for requests that have waited long. Any thread.
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

    /** Seconds until the requests that wait now will have been taken, at the speed of the last seconds; 1 to 60. Any thread. */
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

    /** Seconds until the requests that wait before this one will have been taken: the requests of its bulkhead, or all others. Any thread. */
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

    /** Queues a continuation of an admitted request; never refused while the workers live. */
    public void resume(Job job) {
        if (!added(job, Kind.CONTINUATION)) {
            job.abandon();
        }
    }

    /**
     * Queues a request behind the waiting requests, although the calling worker could serve it at once; never refused while the workers
     * live.
     */
    public void giveWay(Job job) {
        if (!added(job, Kind.REQUEST)) {
            job.abandon();
        }
    }

    private boolean added(Job job, Kind kind) {
        assert !job.isStreaming() : "a streaming job is offered, not resumed";
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
        Sleeper.wake(woken);
        return true;
    }

    @GuardedBy("lock")
    private void add(Job job, Kind kind) {
        WorkerShare share = job.share();
        Line line;
        if (kind == Kind.REQUEST) {
            assert share == null : "a request of a bulkhead is offered, since that may be full";
            line = lineOf(job);
        } else {
            line = share == null ? admitted : share.continuations();
        }
        line.add(job, clock.nanos());
    }

    /**
     * The next job; waits for one. Null once the queue is closed and empty. Also null for a worker that is to end, even if jobs wait: its
     * successor takes them. Thread: a worker.
     */
    @Nullable
    Job take() {
        boolean searched = false;
        while (true) {
            Job job = null;
            Sleeper woken = null;
            Sleeper sleeper = null;
            lock.lock();
            try {
                if (searched) {
                    idle.looks();
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
            Sleeper.wake(woken);
            if (sleeper == null || sleeper.sleep() == Order.LEAVE) {
                return job;
            }
            searched = true;
        }
    }

    /**
     * These workers are to end one after another, each as soon as it is idle: {@link #take} returns null to that worker. The next one ends
     * after {@link #tookOver}. Any thread.
     */
    void relieve(Collection<? extends Thread> workers) {
        Sleeper first;
        lock.lock();
        try {
            if (closed) {
                // All workers end anyway.
                return;
            }
            first = idle.relieve(workers);
        } finally {
            lock.unlock();
        }
        Sleeper.wake(first);
    }

    /** Whether the worker is to end and needs a successor. Thread: that worker. */
    boolean isLeaving(Thread worker) {
        lock.lock();
        try {
            return idle.isLeaving(worker);
        } finally {
            lock.unlock();
        }
    }

    /** The worker that is to end has a successor, which may be the worker itself. Thread: the worker that is to end. */
    void tookOver() {
        Sleeper next;
        lock.lock();
        try {
            next = idle.tookOver();
        } finally {
            lock.unlock();
        }
        Sleeper.wake(next);
    }

    /** A running job begins to wait for its client; false if the limit is reached. Any thread. */
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

    /** A worker has run a job from {@link #take}. */
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
        Sleeper.wake(woken);
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
        Sleeper.wake(woken);
    }

    /**
     * The calling thread waits for the disk. If it is a worker, it counts as spooling until its job is done, or until {@link #endSpooling}.
     * Waiting requests that are expected to spool move from the line of new requests to their own line. Any thread.
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

    /** The calling worker does not wait for the disk any more, so another spooling job may run. Idempotent; any thread. */
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
        Sleeper.wake(woken);
    }

    /** The time, by the clock of the queue and of its workers. Any thread. */
    public long nanos() {
        return clock.nanos();
    }

    /** Jobs that wait for a worker, without jobs of bulkheads; a snapshot. Any thread. */
    public int size() {
        return waiting;
    }

    /** The longest wait of the jobs that {@link #size} counts, in nanoseconds; 0 if none waits; a snapshot. Any thread. */
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

    /** Whether a job could run for which there is no idle worker; a snapshot. Any thread. */
    public boolean wantsWorkers() {
        return wanting;
    }

    /** Running jobs that are streaming requests or wait for a client. Any thread. */
    public int streaming() {
        lock.lock();
        try {
            return streaming.running();
        } finally {
            lock.unlock();
        }
    }

    /** Workers whose jobs have waited for the disk, or are expected to. Any thread. */
    public int spooling() {
        lock.lock();
        try {
            return spooling.running();
        } finally {
            lock.unlock();
        }
    }

    /** Refuses further jobs. Queued jobs still run, then workers get null. */
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
        sleepers.forEach(Sleeper::wake);
    }

    /** Abandons the waiting jobs: no worker will take them. Thread: the owner of the workers. */
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

    /** A continuation of a bulkhead that has room. The continuation takes a place there. */
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

    /** Of the requests that may run, the request that has waited longest. Thread: the worker that runs it. */
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

    /** The first request of a bulkhead's line takes a place there. */
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
        wanting = runnable > idle.count();
    }
}
