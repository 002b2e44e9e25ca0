package io.penstock.work;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.time.Clock;
import io.penstock.time.Saturated;
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
 * The jobs that wait for a worker. Each request waits in a lane ({@link Lane}): streaming requests, which can make their worker wait for
 * the client; spooling requests, which make their worker wait for the disk; requests of a bulkhead; and all usual requests. The lanes have
 * the same rules, with different limits. Only tasks of the server, for example deployments, are in no lane: they run first.
 *
 * <p><b>Fairness.</b> In each lane, the jobs wait by {@link Mapping}. Among the jobs that may run, a job of the mapping with the fewest
 * workers runs first, among equals the job that has waited longest. From {@link #FAIR_FROM} workers on, a mapping gets a further worker only
 * while it has fewer than {@link #FAIR} times as many as are idle or not started. So one mapping alone stops at seven eighths of the
 * workers, and a mapping whose calls hang leaves workers for the others. Continuations, which are the later parts of asynchronous requests,
 * run before new requests of their mapping, and are never refused.
 *
 * <p><b>Overload.</b> The queue is full for the mapping that fills it: if no place is left, a request of a mapping with fewer waiting
 * requests takes the place of the oldest request of the mapping with the most. If requests of a mapping wait without a break for a
 * configured time, more arrive than workers serve, and all responses of this mapping are late. Then the mapping keeps only as many waiting
 * requests as its workers take in {@link #MOMENT}, and the requests that have waited longest are dropped, until none waits. Requests of
 * bulkheads, streaming and spooling requests have a limit of their own instead.
 *
 * <p>The queue knows whether a request streams when the request is offered. But a request begins to spool only while it runs. So the queue
 * uses an expectation, which is based on earlier requests of the same servlet ({@link Job#isSpooling}). Every worker that waits for the disk
 * counts as spooling, until its job is done or does not need the disk any more. When such a wait begins, waiting requests that are expected
 * to spool move to the lane of spooling requests. A streaming request of a bulkhead needs a place in both lanes.
 *
 * <p>Thread: reactors call {@link #offer}, workers call {@link #take}, and any thread calls {@link #resume}. Only {@link #take} waits.
 * {@link IdleWorkers} describes how workers are woken and started.
 */
public final class RequestQueue {

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
        /** The job was refused: no place is left, or the queue is closed. */
        FULL,
        /** The job was refused: its mapping is overloaded. */
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

    /** With fewer workers, a mapping may use all of them. */
    static final int FAIR_FROM = 16;

    /** A mapping gets a further worker while it has fewer than this many times the workers that are idle or not started. */
    static final int FAIR = 7;

    /** One offer drops at most this number of requests. A larger number would delay the new request for too long. */
    static final int DROPPED_AT_ONCE = 8;

    /** During overload, a mapping keeps as many waiting requests as workers take in this time. A short time lets it recover soon. */
    private static final long MOMENT = TimeUnit.MILLISECONDS.toNanos(400);

    /**
     * During overload, a mapping keeps at least this number of waiting requests for each of its workers, and for the usual number of
     * workers if they have been started. Slow requests need this minimum, since workers take few of them in {@link #MOMENT}.
     */
    private static final int FOR_EACH_WORKER = 20;

    private final int capacity;
    private final long overloadNanos;
    private final long idleNanos;
    private final ReentrantLock lock = new ReentrantLock();

    /** Jobs that run before all others: tasks of the server, and requests that have their places and an idle worker. */
    @GuardedBy("lock")
    private final Line first = new Line();

    // Only the figures of a lane may be read without the lock.

    private final Lane usual = new Lane(Integer.MAX_VALUE, Integer.MAX_VALUE);

    private final Lane streaming;
    private final Lane spooling;

    /** The mapping of jobs that have none. Its running jobs are not counted. */
    @GuardedBy("lock")
    private final Mapping others = new Mapping("others");

    /** The first line in which jobs wait; the lines are linked by {@link Mapping.Waiting#after}. */
    @GuardedBy("lock")
    private Mapping.@Nullable Waiting listed;

    /** The workers that count as spooling. The set counts each worker once. */
    @GuardedBy("lock")
    private final Set<Thread> spoolers;

    @GuardedBy("lock")
    private final IdleWorkers idle;

    /** Set before the first job, and then never again; null without {@link Workers}. */
    private volatile @Nullable Starter starter;

    private final Runnable wakeUp = this::wakeWorker;
    private final Clock clock;

    @GuardedBy("lock")
    private final QueueSpeed speed = new QueueSpeed();

    @GuardedBy("lock")
    private boolean closed;

    /** How many of the waiting jobs could run if there were enough workers. */
    @GuardedBy("lock")
    private int runnable;

    // These fields are written under the lock, and read without the lock.

    private volatile int waiting;

    /** Whether a waiting job could run if a worker were idle. */
    private volatile boolean findable;

    /** Whether the number of jobs that could run is larger than the number of workers that are idle or can be started. */
    private volatile boolean wanting;

    /** Whether jobs could run, no worker is idle, the usual number of workers is there, and more can be started. */
    private volatile boolean lacking;

    /** The only mapping with waiting jobs; null if there is none, or more than one. */
    private volatile @Nullable Mapping onlyWaiting;

    /** Whether more workers than the usual number would not help now. Written by the {@link Starter}. */
    private volatile boolean growthRefused;

    private volatile boolean anySpools;

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
        this.capacity = capacity;
        this.overloadNanos = overloadAfter.isZero() ? Long.MAX_VALUE : Saturated.nanos(overloadAfter);
        this.idleNanos = Saturated.nanos(idle);
        this.streaming = new Lane(maxStreaming, capacity);
        this.spooling = new Lane(maxSpooling, capacity);
        this.idle = new IdleWorkers(
                workers,
                Math.max(USUAL, USUAL_PER_PROCESSOR * Runtime.getRuntime().availableProcessors()));
        // The set is large enough, so it never grows. If a HashSet cannot grow for lack of memory, add() throws,
        // although the set contains the new element.
        this.spoolers = new HashSet<>(2 * workers + 2);
        this.clock = clock;
    }

    // ---- offers

    /** Queues a request if it finds a place. Wakes a worker if no worker searches for jobs. Any thread. */
    public Offered offer(Job job) {
        Offered offered = offerOneOfMany(job);
        wakeWorker();
        return offered;
    }

    /** Queues a request if it finds a place. The caller may queue more jobs, and must soon call {@link #wakeWorker}. Any thread. */
    public Offered offerOneOfMany(Job job) {
        Line outdated = null;
        lock.lock();
        try {
            if (closed) {
                return Offered.FULL;
            }
            long now = clock.nanos();
            Mapping.Waiting line = lineOf(job);
            if (idleTakes(line)) {
                first.add(job, now);
                taken(job, line);
                count();
                return Offered.TAKEN;
            }
            if (line.lane == usual) {
                Mapping mapping = line.mapping;
                int most = mostWaiting(mapping, now);
                int places = Math.max(capacity, forNewWorkers());
                if (mapping.usual() > most) {
                    outdated = cut(line, Math.max(most, mapping.usual() - DROPPED_AT_ONCE));
                }
                if (mapping.usual() >= Math.max(most, forNewWorkers())) {
                    return Offered.OVERLOADED;
                }
                if (usual.requests() >= places) {
                    Mapping.Waiting longest = longest(mapping);
                    if (longest == null) {
                        return Offered.FULL;
                    }
                    outdated = cut(longest, longest.requests.size() - 1);
                }
            } else if (line.lane == spooling && spooling.requests() < idleForSpooling()) {
                // An idle worker takes the request soon.
            } else if (job.lane() != null ? line.lane.isFull() : line.lane.requests() >= capacity) {
                return Offered.FULL;
            }
            add(job, line, now);
            return Offered.WAITS;
        } finally {
            lock.unlock();
            // This call is in the finally block because the dropped requests need a response even if the request cannot
            // be queued.
            drop(outdated);
        }
    }

    /**
     * Queues a job of the server before all waiting requests. Does nothing if no worker is idle for the job. Returns whether the job was
     * queued. The caller may queue more jobs, and must soon call {@link #wakeWorker}. Any thread.
     */
    public boolean offerToIdle(Job job) {
        lock.lock();
        try {
            boolean taken = !closed && runnable < idle.count();
            if (taken) {
                first.add(job, clock.nanos());
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

    /**
     * Whether an idle worker can take a new request of this line, and no waiting job goes before. A worker must have taken a spooling
     * request before the request gets its place.
     */
    @GuardedBy("lock")
    private boolean idleTakes(Mapping.Waiting line) {
        return first.size() == runnable && first.size() < idle.count() && line.lane != spooling && mayRun(line, 0);
    }

    /** How many usual requests may wait if each gets a worker that is idle or can be started. Other waiting jobs use them first. */
    @GuardedBy("lock")
    private int forNewWorkers() {
        return Math.max(0, room() - runnable + usual.requests());
    }

    /** The number of workers that are idle, or that can be started if more workers help. */
    @GuardedBy("lock")
    private int room() {
        return idle.count() + (growthRefused ? 0 : idle.startable());
    }

    /** The number of idle workers that spooling requests could use now. Other waiting jobs use idle workers first. */
    @GuardedBy("lock")
    private int idleForSpooling() {
        return Math.min(spooling.room(), idle.count() - runnable + Math.min(spooling.requests(), spooling.room()));
    }

    /** The largest number of usual requests of this mapping that may wait now. */
    @GuardedBy("lock")
    private int mostWaiting(Mapping mapping, long now) {
        if (mapping.waitsFor(now) < overloadNanos) {
            return Integer.MAX_VALUE;
        }
        int workers = Math.max(mapping.begun(), Math.min(idle.started(), idle.usual()));
        return Math.max(FOR_EACH_WORKER * workers, mapping.speed().takenIn(MOMENT, now));
    }

    /** Removes the requests of a line of usual requests that have waited longest, until {@code most} are left. */
    @GuardedBy("lock")
    private Line cut(Mapping.Waiting line, int most) {
        Line outdated = line.requests.cutTo(most);
        counted(line, -outdated.size());
        count();
        return outdated;
    }

    /** The line of the mapping that has the most waiting usual requests: more than {@code mapping} would have. Null if there is none. */
    @GuardedBy("lock")
    private Mapping.@Nullable Waiting longest(Mapping mapping) {
        Mapping.Waiting longest = null;
        int most = mapping.usual() + 1;
        for (Mapping.Waiting line = listed; line != null; line = line.after) {
            if (line.lane == usual && line.requests.size() > most) {
                most = line.requests.size();
                longest = line;
            }
        }
        return longest;
    }

    @GuardedBy("lock")
    private void add(Job request, Mapping.Waiting line, long now) {
        // The calls of look() must be the first ones. If they run out of memory, the job is not in a line yet.
        speed.look(now);
        line.lane.speed().look(now);
        line.mapping.speed().look(now);
        if (line.lane == usual && line.mapping.usual() == 0) {
            line.mapping.beginsToWait(now);
        }
        line.requests.add(request, now);
        counted(line, 1);
        count();
    }

    /** Counts requests that were added to a line, or removed from it if {@code more} is negative. */
    @GuardedBy("lock")
    private void counted(Mapping.Waiting line, int more) {
        line.lane.request(more);
        line.mapping.waits(more);
        if (line.lane == usual) {
            line.mapping.usual(more);
        }
        list(line);
    }

    /** Puts the line into the list of lines with waiting jobs, or removes it from there. */
    @GuardedBy("lock")
    private void list(Mapping.Waiting line) {
        boolean waits = line.size() > 0;
        if (waits == line.listed) {
            return;
        }
        line.listed = waits;
        if (waits) {
            line.before = null;
            line.after = listed;
            if (listed != null) {
                listed.before = line;
            }
            listed = line;
            return;
        }
        if (line.before == null) {
            listed = line.after;
        } else {
            line.before.after = line.after;
        }
        if (line.after != null) {
            line.after.before = line.before;
        }
        line.before = null;
        line.after = null;
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
     * Removes a waiting request. Returns false if a worker has taken the request. If the result is true, no worker will get the request.
     * The search begins with the oldest request. Any thread.
     */
    public boolean withdraw(Job job) {
        lock.lock();
        try {
            Mapping.Waiting line = lineOf(job);
            boolean waited = withdrawn(job, line);
            if (!waited && job.lane() == null && !job.isStreaming()) {
                Lane other = line.lane == usual ? spooling : usual;
                waited = withdrawn(job, line.mapping.line(other, false));
            }
            count();
            return waited;
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private boolean withdrawn(Job job, Mapping.Waiting line) {
        boolean waited = line.requests.remove(job);
        if (waited) {
            counted(line, -1);
        }
        return waited;
    }

    /**
     * Estimates the number of seconds in which workers take all requests that wait now. The result is 1 to 60. The estimate uses the speed
     * of the last seconds. Any thread.
     */
    public int secondsToEmpty() {
        lock.lock();
        try {
            return speed.secondsFor(usual.requests() + streaming.requests() + spooling.requests(), clock.nanos());
        } finally {
            lock.unlock();
        }
    }

    /** As {@link #secondsToEmpty()}, but only for the mapping, or for the bulkhead, of the refused request. Any thread. */
    public int secondsToEmpty(Job refused) {
        Lane lane = refused.lane();
        lock.lock();
        try {
            if (lane != null) {
                return lane.speed().secondsFor(lane.waiting(), clock.nanos());
            }
            Mapping mapping = mappingOf(refused);
            return mapping.speed().secondsFor(mapping.all(), clock.nanos());
        } finally {
            lock.unlock();
        }
    }

    /**
     * Queues a continuation of a request. A job without a mapping and without a bulkhead is a task of the server, which runs before all
     * others. If the queue is closed, abandons the job instead.
     */
    public void resume(Job job) {
        assert !job.isStreaming() : "a streaming job must be offered, not resumed";
        boolean added = false;
        Sleeper woken = null;
        lock.lock();
        try {
            if (!closed) {
                addContinuation(job);
                woken = searcher();
                added = true;
            }
        } finally {
            lock.unlock();
        }
        wake(woken);
        if (!added) {
            job.abandon();
        }
    }

    @GuardedBy("lock")
    private void addContinuation(Job job) {
        Lane lane = job.lane();
        if (lane == null && job.mapping() == null) {
            first.add(job, clock.nanos());
        } else {
            Mapping.Waiting line = mappingOf(job).line(lane == null ? usual : lane, false);
            line.continuations.add(job, clock.nanos());
            line.lane.continuation(1);
            line.mapping.waits(1);
            list(line);
        }
        count();
    }

    /**
     * Queues a request behind the waiting requests, without a check of the capacity. The calling worker could serve this request at once,
     * but lets other requests be served first. If the queue is closed, abandons the job instead.
     */
    public void giveWay(Job job) {
        assert job.lane() == null && !job.isStreaming() : "such a request must be offered, since its lane may be full";
        boolean added = false;
        Sleeper woken = null;
        lock.lock();
        try {
            if (!closed) {
                add(job, lineOf(job), clock.nanos());
                woken = searcher();
                added = true;
            }
        } finally {
            lock.unlock();
        }
        wake(woken);
        if (!added) {
            job.abandon();
        }
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
     * @param justStarted whether this is the first call of a worker that the {@link Starter} has started
     */
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
                count();
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

    /**
     * Gives back the places of a job that {@link #take} or this method has returned and that has run. Returns the next job; null if none
     * waits, or if the worker must end. Does not wait. After null, the worker calls {@link #take}. Thread: that worker.
     */
    @Nullable
    Job takeNext(Job done) {
        Job job = null;
        Sleeper woken;
        lock.lock();
        try {
            giveBack(done);
            if (!idle.mustLeave(Thread.currentThread())) {
                job = next();
            }
            count();
            woken = searcher();
        } finally {
            lock.unlock();
        }
        wake(woken);
        return job;
    }

    @GuardedBy("lock")
    private void giveBack(Job done) {
        Lane lane = done.lane();
        if (lane != null) {
            lane.end();
        }
        if (done.isStreaming()) {
            streaming.end();
        }
        if (anySpools && spoolers.remove(Thread.currentThread())) {
            spooling.end();
        }
        Mapping mapping = done.mapping();
        if (mapping != null) {
            mapping.end();
        }
    }

    /** Removes and returns the job that runs next, and gives it its places. Null if no job may run. Thread: the worker that will run it. */
    @GuardedBy("lock")
    private @Nullable Job next() {
        Job task = first.poll();
        if (task != null) {
            return task;
        }
        Mapping.Waiting line = null;
        for (Mapping.Waiting one = listed; one != null; one = one.after) {
            if (mayRun(one, 1) && (line == null || goesBefore(one, line))) {
                line = one;
            }
        }
        return line == null ? null : begin(line);
    }

    /** Removes and returns the first job of a line, which begins to run. */
    @GuardedBy("lock")
    private @Nullable Job begin(Mapping.Waiting line) {
        Job job = poll(line);
        if (job == null) {
            throw new IllegalStateException("a line without jobs is listed");
        }
        taken(job, line);
        return job;
    }

    /** Removes and returns the job of a line that runs next. */
    @GuardedBy("lock")
    private @Nullable Job poll(Mapping.Waiting line) {
        Line next = line.first();
        Job job = next.poll();
        if (next == line.continuations) {
            line.lane.continuation(-1);
            line.mapping.waits(-1);
            list(line);
        } else {
            counted(line, -1);
        }
        return job;
    }

    /** A worker has taken a job, or will take it at once. The job gets its places. */
    @GuardedBy("lock")
    private void taken(Job job, Mapping.Waiting line) {
        speed.took();
        line.mapping.speed().took();
        line.lane.speed().took();
        if (line.lane == spooling) {
            beginSpooling();
        } else if (line.lane != usual) {
            line.lane.begin();
        }
        if (line.streams && line.lane != streaming) {
            streaming.begin();
        }
        Mapping mapping = job.mapping();
        if (mapping != null) {
            mapping.begin();
        }
    }

    /** The number of workers that have no job and get none of {@link #first}, or are not started. */
    @GuardedBy("lock")
    private int left() {
        return idle.most() - idle.started() + Math.max(0, idle.count() - first.size());
    }

    /** @param own 1 if the calling worker would run the job, otherwise 0 */
    @GuardedBy("lock")
    private boolean mayRun(Mapping.Waiting line, int own) {
        return line.lane.room() > 0 && (!line.streams || streaming.room() > 0) && mayTake(line.mapping, own) > 0;
    }

    @GuardedBy("lock")
    private boolean goesBefore(Mapping.Waiting one, Mapping.Waiting other) {
        int fewer = Integer.compare(one.mapping.begun(), other.mapping.begun());
        return fewer < 0 || (fewer == 0 && one.first().isOlderThan(other.first()));
    }

    /**
     * How many more workers this mapping may take if no other mapping takes one: with each, it has one more, and one less is left. It takes
     * one while it has fewer than {@link #FAIR} times as many as are left.
     *
     * @param own 1 if the calling worker is left, too, although it does not count as idle; otherwise 0
     */
    @GuardedBy("lock")
    private int mayTake(Mapping mapping, int own) {
        int most = idle.most();
        if (most < FAIR_FROM) {
            return Integer.MAX_VALUE;
        }
        int left = left() + own;
        return Math.max(0, Math.floorDiv(FAIR * left - mapping.begun() + FAIR, FAIR + 1));
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

    /** The number of workers that sleep. Any thread. */
    int asleep() {
        lock.lock();
        try {
            return idle.asleep();
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
            return idle.count() == 0 ? Math.min(idle.startable(), runnable) : 0;
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

    /** Gives back the places of a job, as {@link #takeNext} does, without a next job. Thread: the worker that has run the job. */
    void done(Job job) {
        Sleeper woken;
        lock.lock();
        try {
            giveBack(job);
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
     * #endSpooling} is called. Waiting requests that are expected to spool move to the lane of spooling requests. Any thread.
     */
    public void waitsForDisk() {
        lock.lock();
        try {
            if (Workers.isCurrentOf(this)) {
                beginSpooling();
            }
            Mapping.Waiting next = listed;
            while (next != null) {
                Mapping.Waiting line = next;
                next = line.after;
                if (line.lane == usual && !line.requests.isEmpty()) {
                    moveSpooling(line, line.mapping.line(spooling, false));
                }
            }
            count();
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void moveSpooling(Mapping.Waiting from, Mapping.Waiting to) {
        int before = from.requests.size();
        from.requests.moveTo(to.requests, Job::isSpooling);
        int moved = before - from.requests.size();
        if (moved > 0) {
            counted(from, -moved);
            counted(to, moved);
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

    // ---- figures

    /** The number of jobs that wait for a worker, without jobs of bulkheads; a snapshot. Any thread. */
    public int size() {
        return waiting;
    }

    /** The mappings whose jobs wait for a worker; a snapshot. Any thread. */
    public Set<Mapping> waitingMappings() {
        Set<Mapping> all = new HashSet<>();
        lock.lock();
        try {
            for (Mapping.Waiting line = listed; line != null; line = line.after) {
                if (line.mapping != others) {
                    all.add(line.mapping);
                }
            }
            return all;
        } finally {
            lock.unlock();
        }
    }

    /** The longest wait of the jobs that {@link #size} counts, in nanoseconds; 0 if no such job waits; a snapshot. Any thread. */
    public long oldestNanos() {
        if (waiting == 0) {
            return 0;
        }
        lock.lock();
        try {
            long now = clock.nanos();
            long oldest = first.age(now);
            for (Mapping.Waiting line = listed; line != null; line = line.after) {
                if (isShared(line.lane)) {
                    oldest = Math.max(oldest, Math.max(line.continuations.age(now), line.requests.age(now)));
                }
            }
            return oldest;
        } finally {
            lock.unlock();
        }
    }

    /** Whether the lane is not that of a bulkhead. */
    @GuardedBy("lock")
    private boolean isShared(Lane lane) {
        return lane == usual || lane == streaming || lane == spooling;
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
        return findable && onlyWaiting != mapping && wanting;
    }

    /** The number of running jobs that are streaming requests or wait for a client. Any thread. */
    public int streaming() {
        return streaming.running();
    }

    /** The number of workers that count as spooling: their jobs have waited for the disk, or are expected to wait for it. Any thread. */
    public int spooling() {
        return spooling.running();
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
            Job job = first.poll();
            if (job != null) {
                giveBack(job);
            } else if (listed != null) {
                job = poll(listed);
            }
            count();
            return job;
        } finally {
            lock.unlock();
        }
    }

    // ---- lines

    @GuardedBy("lock")
    private Mapping mappingOf(Job job) {
        Mapping mapping = job.mapping();
        return mapping == null ? others : mapping;
    }

    @GuardedBy("lock")
    private Mapping.Waiting lineOf(Job request) {
        Lane bulkhead = request.lane();
        boolean streams = request.isStreaming();
        Lane lane = bulkhead != null ? bulkhead : streams ? streaming : request.isSpooling() ? spooling : usual;
        return mappingOf(request).line(lane, streams);
    }

    /** Updates what is derived from the lines, places and workers. */
    @GuardedBy("lock")
    private void count() {
        int shared = first.size();
        int could = first.size();
        Mapping only = null;
        boolean several = false;
        // If no worker is left, a job of each mapping could run with one more.
        int own = left() == 0 ? 1 : 0;
        for (Mapping.Waiting line = listed; line != null; line = line.after) {
            line.lane.left = line.lane.room();
            line.mapping.left = mayTake(line.mapping, own);
        }
        streaming.left = streaming.room();
        for (Mapping.Waiting line = listed; line != null; line = line.after) {
            int size = line.size();
            int may = Math.min(Math.min(size, line.lane.left), line.mapping.left);
            if (line.streams && line.lane != streaming) {
                may = Math.min(may, streaming.left);
                streaming.left -= may;
            }
            line.lane.left -= may;
            line.mapping.left -= may;
            could += may;
            shared += isShared(line.lane) ? size : 0;
            several |= only != null && only != line.mapping;
            only = line.mapping;
        }
        runnable = could;
        publish(shared, several ? null : only);
    }

    /** Sets the fields that are read without the lock. Most calls change few of them, and a volatile write costs more than a read. */
    @GuardedBy("lock")
    private void publish(int shared, @Nullable Mapping only) {
        boolean spools = spooling.running() > 0;
        boolean wants = runnable > room();
        boolean lacks = runnable > 0 && idle.count() == 0 && idle.isUsual() && idle.startable() > 0;
        if (waiting != shared) {
            waiting = shared;
        }
        if (onlyWaiting != only) {
            onlyWaiting = only;
        }
        if (anySpools != spools) {
            anySpools = spools;
        }
        if (findable != runnable > 0) {
            findable = runnable > 0;
        }
        if (wanting != wants) {
            wanting = wants;
        }
        if (lacking != lacks) {
            lacking = lacks;
        }
    }
}
