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
 * What waits for a worker: new requests in a bounded lane, continuations of admitted ones in a lane of their own that refuses
 * nothing, and requests that stream in a third one that only a part of the workers serves.
 *
 * <p>Thread: reactors offer, anyone continues, workers take. Only {@link #take} waits. Idle workers are woken last in, first out:
 * the one whose caches are warm works, the others sleep on.
 */
public final class RequestQueue {

    /** The lines in which what is never refused can wait. */
    private enum Lane {
        CONTINUATIONS,
        REQUESTS
    }

    /** What became of a request that was offered. */
    public enum Offered {
        /** An idle worker has it. */
        TAKEN,
        /** It waits for a worker. */
        WAITS,
        /** There is no room for it, or the workers have ended. */
        FULL,
        /** Requests have waited without a break for so long that no more may. */
        OVERLOADED
    }

    /** A worker that sleeps until somebody puts a job into its hands. */
    private static final class Sleeper {
        final Thread thread = Thread.currentThread();
        volatile @Nullable Job job;
    }

    /** What a sleeper gets into its hands that is to leave for another. */
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

    /** Threads that are to leave, one at a time. */
    @GuardedBy("lock")
    private final Set<Thread> relieved = new HashSet<>();

    /** The one that has been told to leave, as long as nobody has come in its place. */
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

    // Written under the lock; read without by those who only want to know whether somebody waits.
    private volatile int waiting;

    private volatile boolean wanted;

    /**
     * @param capacity requests that may wait, and streaming ones that may, each in a line of their own: clients for whom the workers
     *     that stream wait cannot use up the room of the others. With 0 a request is taken only by an idle worker
     * @param maxStreaming streaming jobs that may run at once
     */
    public RequestQueue(int capacity, int maxStreaming) {
        this(capacity, maxStreaming, Duration.ZERO, 0, Clock.SYSTEM);
    }

    /**
     * @param overloadAfter how long requests may wait without a break; from then on fewer may, and those that have waited longest are
     *     told that they are outdated. Zero for as long as they like
     * @param workers how many threads take from the queue
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
            boolean runnable = !job.isStreaming() || streamingNow < maxStreaming;
            woken = runnable ? idle.pollLast() : null;
            if (woken != null) {
                started(job);
                speed.took();
                woken.job = job;
            } else {
                long now = clock.nanos();
                int most = job.isStreaming() ? capacity : Math.min(capacity, mostRequests(now));
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

    /** Takes out the requests for which there is no room any more: those that have waited longest. */
    @GuardedBy("lock")
    private List<Job> beyond(int most) {
        if (most >= capacity || requests.size() <= most) {
            return List.of(); // as nearly always; what was let in beyond the capacity stays
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
        Line lane = laneOf(job);
        if (lane.size() >= most) {
            return most < capacity ? Offered.OVERLOADED : Offered.FULL;
        }
        lane.add(job, now);
        speed.look(now);
        count();
        return Offered.WAITS;
    }

    /**
     * Takes a request out that waits; false if it does not, since a worker has it. Of worker and caller exactly one gets it. Quick for
     * those that have waited longest. Any thread.
     */
    public boolean withdraw(Job job) {
        lock.lock();
        try {
            boolean waited = laneOf(job).remove(job);
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

    /** Queues a continuation of what was admitted before; never refused while the workers live. */
    public void resume(Job job) {
        if (!accepted(job, Lane.CONTINUATIONS)) {
            job.abandon();
        }
    }

    /** Queues a request that its worker could serve at once behind those that wait; never refused while the workers live. */
    public void giveWay(Job job) {
        if (!accepted(job, Lane.REQUESTS)) {
            job.abandon();
        }
    }

    private boolean accepted(Job job, Lane lane) {
        assert !job.isStreaming() : "what streams is offered";
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
                (lane == Lane.REQUESTS ? requests : continuations).add(job, clock.nanos());
                count();
            }
        } finally {
            lock.unlock();
        }
        wake(woken);
        return true;
    }

    /**
     * The next job; waits for one. Null once the queue is closed and empty, and for a thread that is to leave, although jobs may wait:
     * whoever takes its place finds them. Thread: a worker.
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
            LockSupport.park(this); // for offer, resume, relieve or close
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
     * These workers are to leave, one after another, each when it next has nothing to do: {@link #take} gives it null, and the next one's
     * turn comes when somebody has called {@link #tookOver}. Any thread.
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

    /** Whether the worker has been told to leave, and somebody is to come in its place. Thread: that worker. */
    boolean isLeaving(Thread worker) {
        lock.lock();
        try {
            return leaving == worker;
        } finally {
            lock.unlock();
        }
    }

    /** The place of the worker that was told to leave is taken, perhaps by itself again. Thread: whoever takes it. */
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

    /** A job that runs begins to wait for its client; false if as many as may do so already. Any thread. */
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

    /** A worker has run a job that {@link #take} gave it. */
    void done(Job job) {
        if (job.isStreaming()) {
            endStreaming();
        }
    }

    /** The end of what {@link #beginStreaming} began. */
    public void endStreaming() {
        Sleeper woken = null;
        lock.lock();
        try {
            streamingNow--;
            if (!streaming.isEmpty() && (woken = idle.pollLast()) != null) {
                Job next = Objects.requireNonNull(streaming.poll());
                started(next);
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

    /** Nanoseconds for which the job has waited that has waited longest, 0 if none waits; a snapshot. Any thread. */
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

    /** Whether a worker that came free now would have something to do; a snapshot. Any thread. */
    public boolean wantsWorkers() {
        return wanted;
    }

    /** Jobs that stream, or wait for a client, at this moment. Any thread. */
    public int streaming() {
        lock.lock();
        try {
            return streamingNow;
        } finally {
            lock.unlock();
        }
    }

    /** Nothing is accepted any more; what is queued still runs, then workers get null. */
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

    /** What waits is told that no worker will take it. Thread: the owner of the workers. */
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

    /** Of those that sleep the one that has slept longest, if one is to leave now. */
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

    /** Whether the thread is to leave, and none is between places; from then on it is the one. */
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
            started(job);
            speed.took();
        }
        return job;
    }

    @GuardedBy("lock")
    private Line laneOf(Job request) {
        return request.isStreaming() ? streaming : requests;
    }

    /** With both kinds waiting, the longer line goes first: neither starves. */
    @GuardedBy("lock")
    private boolean turnOfStreaming() {
        return streaming.size() >= requests.size();
    }

    @GuardedBy("lock")
    private void started(Job job) {
        if (job.isStreaming()) {
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
