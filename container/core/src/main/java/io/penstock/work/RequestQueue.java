package io.penstock.work;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that wait for a worker, in three lines: new requests, in a bounded line; continuations of admitted requests, which are never
 * refused; and streaming requests, which only a part of the workers serves.
 *
 * <p>Thread: reactors offer, any thread resumes, workers take. Only {@link #take} waits. Idle workers are woken last in, first out, so
 * that a worker with warm caches works and the others sleep on.
 */
public final class RequestQueue {

    /** A job that is never refused. */
    private enum Kind {
        CONTINUATION,
        REQUEST
    }

    /** The result of an offer. */
    public enum Offered {
        /** An idle worker has it. */
        TAKEN,
        /** It waits for a worker. */
        WAITS,
        /** Refused: the line is full, or the workers have ended. */
        FULL,
        /** Refused: requests have waited without a break for too long. */
        OVERLOADED
    }

    /** A sleeping worker, which is woken with a job. */
    private static final class Sleeper {
        final Thread thread = Thread.currentThread();
        volatile @Nullable Job job;
    }

    /** Given to a sleeper in place of a job: it is to leave. */
    private enum Mark implements Job {
        LEAVE;

        @Override
        public void run() {
            throw new IllegalStateException(this + " is no job");
        }

        @Override
        public void abandon() {
            throw new IllegalStateException(this + " is no job");
        }
    }

    private final int capacity;
    private final int maxStreaming;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Line continuations = new Line();

    @GuardedBy("lock")
    private final Line requests = new Line();

    @GuardedBy("lock")
    private final Line streaming = new Line();

    @GuardedBy("lock")
    private final ArrayDeque<Sleeper> idle = new ArrayDeque<>();

    /** Workers that are to leave, one at a time. */
    @GuardedBy("lock")
    private final Set<Thread> relieved = new HashSet<>();

    /** The worker that has been told to leave and is not replaced yet. */
    @GuardedBy("lock")
    private @Nullable Thread leaving;

    private final Clock clock;

    @GuardedBy("lock")
    private final QueueSpeed speed;

    @GuardedBy("lock")
    private final Overload overload;

    @GuardedBy("lock")
    private int streamingNow;

    @GuardedBy("lock")
    private boolean closed;

    // Written under the lock; read without it by snapshots.
    private volatile int waiting;

    private volatile boolean wanted;

    /**
     * @param capacity most waiting requests, and most waiting streaming requests. The lines are separate, so clients of streaming requests
     *     cannot use up the room of the others. With 0 only an idle worker takes a request
     * @param maxStreaming streaming jobs that may run at once
     */
    public RequestQueue(int capacity, int maxStreaming) {
        this(capacity, maxStreaming, Duration.ZERO, 0, Clock.SYSTEM);
    }

    /**
     * @param overloadAfter how long requests may wait without a break; after that fewer may wait, and those that have waited longest are
     *     outdated. Zero for no limit
     * @param workers the number of workers
     */
    public RequestQueue(int capacity, int maxStreaming, Duration overloadAfter, int workers, Clock clock) {
        this(capacity, maxStreaming, new Overload(overloadAfter, workers), clock);
    }

    RequestQueue(int capacity, int maxStreaming, Overload overload, Clock clock) {
        this.capacity = capacity;
        this.maxStreaming = maxStreaming;
        this.overload = overload;
        this.clock = clock;
        this.speed = new QueueSpeed(clock);
    }

    /** Queues a request, if there is room. */
    public Offered offer(Job job) {
        Sleeper woken;
        List<Job> outdated = List.of();
        Offered offered = Offered.TAKEN;
        lock.lock();
        try {
            if (closed) {
                return Offered.FULL;
            }
            boolean streams = job.isStreaming();
            boolean runnable = !streams || streamingNow < maxStreaming;
            woken = runnable ? idle.pollLast() : null;
            if (woken != null) {
                started(streams);
                speed.took();
                woken.job = job;
            } else {
                long now = clock.nanos();
                int most = streams ? capacity : Math.min(capacity, mostRequests(now));
                outdated = beyond(most);
                offered = enqueue(job, most, now);
            }
        } finally {
            lock.unlock();
        }
        wake(woken);
        outdated.forEach(Job::outdated);
        return offered;
    }

    @GuardedBy("lock")
    private int mostRequests(long now) {
        if (requests.isEmpty()) {
            overload.begins(now);
        }
        return overload.most(now, speed);
    }

    /** Removes the requests beyond the room of an overloaded queue: those that have waited longest. */
    @GuardedBy("lock")
    private List<Job> beyond(int most) {
        if (most >= capacity || requests.size() <= most) {
            return List.of(); // nearly always; requests that were let in beyond the capacity stay
        }
        List<Job> outdated = new ArrayList<>();
        while (requests.size() > most) {
            outdated.add(Objects.requireNonNull(requests.poll()));
        }
        count();
        return outdated;
    }

    @GuardedBy("lock")
    private Offered enqueue(Job job, int most, long now) {
        Line line = lineOf(job);
        if (line.size() >= most) {
            return most < capacity ? Offered.OVERLOADED : Offered.FULL;
        }
        line.add(job, now);
        speed.look(now);
        count();
        return Offered.WAITS;
    }

    /**
     * Removes a waiting request; false if a worker has taken it. Exactly one of worker and caller gets it. Fast for requests that have
     * waited long. Any thread.
     */
    public boolean withdraw(Job job) {
        lock.lock();
        try {
            boolean waited = lineOf(job).remove(job);
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
            return speed.secondsFor(requests.size() + streaming.size());
        } finally {
            lock.unlock();
        }
    }

    /** Queues a continuation of an admitted request; never refused while the workers live. */
    public void resume(Job job) {
        if (!accepted(job, Kind.CONTINUATION)) {
            job.abandon();
        }
    }

    /** Queues a request that its worker could serve at once behind those that wait; never refused while the workers live. */
    public void giveWay(Job job) {
        if (!accepted(job, Kind.REQUEST)) {
            job.abandon();
        }
    }

    private boolean accepted(Job job, Kind kind) {
        assert !job.isStreaming() : "a streaming job is offered, not resumed";
        Sleeper woken;
        lock.lock();
        try {
            if (closed) {
                return false;
            }
            woken = idle.pollLast();
            if (woken != null) {
                woken.job = job;
            } else {
                (kind == Kind.REQUEST ? requests : continuations).add(job, clock.nanos());
                count();
            }
        } finally {
            lock.unlock();
        }
        wake(woken);
        return true;
    }

    /**
     * The next job; waits for one. Null once the queue is closed and empty. Also null for a worker that is to leave, although jobs may wait:
     * its successor finds them. Thread: a worker.
     */
    @Nullable
    Job take() {
        Sleeper sleeper;
        lock.lock();
        try {
            if (isTurnToLeave(Thread.currentThread())) {
                return null;
            }
            Job job = next();
            if (job != null || closed) {
                return job;
            }
            sleeper = new Sleeper();
            idle.addLast(sleeper);
        } finally {
            lock.unlock();
        }
        return sleep(sleeper);
    }

    private @Nullable Job sleep(Sleeper sleeper) {
        while (true) {
            // Looked at last before the park: waiting for the lock in leaves() may use up the wake-up that came with a
            // job.
            Job job = sleeper.job;
            if (job != null) {
                return job == Mark.LEAVE ? null : job;
            }
            LockSupport.park(this); // for a job, or to leave: each caller of wake()
            Thread.interrupted(); // a late interrupt of the former job: not ours; a job may have come with it
            if (sleeper.job == null && leaves(sleeper)) {
                return null;
            }
        }
    }

    private boolean leaves(Sleeper sleeper) {
        lock.lock();
        try {
            return closed && sleeper.job == null && idle.remove(sleeper);
        } finally {
            lock.unlock();
        }
    }

    /**
     * These workers are to leave one after another, each as soon as it is idle: {@link #take} returns null to it. The next one leaves after
     * {@link #tookOver}. Any thread.
     */
    void relieve(Collection<? extends Thread> workers) {
        Sleeper first;
        lock.lock();
        try {
            if (closed) {
                return; // all leave anyway
            }
            relieved.addAll(workers);
            first = nextToLeave();
        } finally {
            lock.unlock();
        }
        wake(first);
    }

    /** Whether the worker has been told to leave and needs a successor. Thread: that worker. */
    boolean isLeaving(Thread worker) {
        lock.lock();
        try {
            return leaving == worker;
        } finally {
            lock.unlock();
        }
    }

    /** The worker that was told to leave has a successor, which may be itself. Thread: the successor. */
    void tookOver() {
        Sleeper next;
        lock.lock();
        try {
            leaving = null;
            next = nextToLeave();
        } finally {
            lock.unlock();
        }
        wake(next);
    }

    /** A running job begins to wait for its client; false if the limit is reached. Any thread. */
    public boolean beginStreaming() {
        lock.lock();
        try {
            if (streamingNow >= maxStreaming) {
                return false;
            }
            streamingNow++;
            count();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** A worker has run a job from {@link #take}. */
    void done(Job job) {
        if (job.isStreaming()) {
            endStreaming();
        }
    }

    /** Ends a wait that {@link #beginStreaming} began. */
    public void endStreaming() {
        Sleeper woken = null;
        lock.lock();
        try {
            streamingNow--;
            if (!streaming.isEmpty() && (woken = idle.pollLast()) != null) {
                Job next = Objects.requireNonNull(streaming.poll());
                started(next.isStreaming());
                speed.took();
                woken.job = next;
            }
            count();
        } finally {
            lock.unlock();
        }
        wake(woken);
    }

    /** Jobs that wait for a worker; a snapshot. Any thread. */
    public int size() {
        return waiting;
    }

    /** The longest wait of a waiting job in nanoseconds, 0 if none waits; a snapshot. Any thread. */
    public long oldestNanos() {
        if (waiting == 0) {
            return 0;
        }
        lock.lock();
        try {
            long now = clock.nanos();
            return Math.max(continuations.age(now), Math.max(requests.age(now), streaming.age(now)));
        } finally {
            lock.unlock();
        }
    }

    /** Whether a job waits that the next idle worker could take; a snapshot. Any thread. */
    public boolean wantsWorkers() {
        return wanted;
    }

    /** Running jobs that are streaming requests or wait for a client. Any thread. */
    public int streaming() {
        lock.lock();
        try {
            return streamingNow;
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
            sleepers = new ArrayList<>(idle);
        } finally {
            lock.unlock();
        }
        sleepers.forEach(RequestQueue::wake); // each worker: the queue is closed
    }

    /** Abandons the waiting jobs: no worker will take them. Thread: the owner of the workers. */
    void abandonRest() {
        List<Job> rest = new ArrayList<>();
        lock.lock();
        try {
            continuations.drainTo(rest::add);
            requests.drainTo(rest::add);
            streaming.drainTo(rest::add);
            count();
        } finally {
            lock.unlock();
        }
        rest.forEach(Job::abandon);
    }

    /** The sleeper that is to leave now and has slept longest; null if there is none. */
    @GuardedBy("lock")
    private @Nullable Sleeper nextToLeave() {
        for (Iterator<Sleeper> sleepers = idle.iterator(); !relieved.isEmpty() && sleepers.hasNext(); ) {
            Sleeper sleeper = sleepers.next();
            if (isTurnToLeave(sleeper.thread)) {
                sleepers.remove();
                sleeper.job = Mark.LEAVE;
                return sleeper;
            }
        }
        return null;
    }

    /** Whether the thread is to leave now: it is marked, and no other is leaving. If so, it is the one that leaves. */
    @GuardedBy("lock")
    private boolean isTurnToLeave(Thread worker) {
        if (closed || leaving != null || !relieved.remove(worker)) {
            return false;
        }
        leaving = worker;
        return true;
    }

    @GuardedBy("lock")
    private @Nullable Job next() {
        Job job = continuations.poll();
        if (job == null) {
            job = nextRequest();
        }
        if (job != null) {
            count();
        }
        return job;
    }

    @GuardedBy("lock")
    private @Nullable Job nextRequest() {
        Job job = null;
        if (streamingNow < maxStreaming && (requests.isEmpty() || !streaming.isEmpty() && turnOfStreaming())) {
            job = streaming.poll();
        }
        if (job == null) {
            job = requests.poll();
        }
        if (job != null) {
            started(job.isStreaming());
            speed.took();
        }
        return job;
    }

    @GuardedBy("lock")
    private Line lineOf(Job request) {
        return request.isStreaming() ? streaming : requests;
    }

    /** If both kinds wait, the longer line goes first: neither starves. */
    @GuardedBy("lock")
    private boolean turnOfStreaming() {
        return streaming.size() >= requests.size();
    }

    @GuardedBy("lock")
    private void started(boolean streams) {
        if (streams) {
            streamingNow++;
        }
    }

    @GuardedBy("lock")
    private void count() {
        int served = continuations.size() + requests.size();
        waiting = served + streaming.size();
        wanted = served > 0 || !streaming.isEmpty() && streamingNow < maxStreaming;
    }

    private static void wake(@Nullable Sleeper sleeper) {
        if (sleeper != null) {
            LockSupport.unpark(sleeper.thread);
        }
    }
}
