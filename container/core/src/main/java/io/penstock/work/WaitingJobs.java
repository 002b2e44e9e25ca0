package io.penstock.work;

import io.penstock.time.Clock;
import io.penstock.time.Saturated;
import io.penstock.work.IdleWorkers.Taker;
import io.penstock.work.Mapping.Waiting;
import io.penstock.work.RequestQueue.Offered;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that wait for a worker, and the rules by which they run or are refused ({@link RequestQueue}).
 *
 * <p>The jobs of one mapping and one lane form a line ({@link Waiting}). After each step, the queue calls {@link #publish}.
 *
 * <p>Thread: the holder of the queue's lock. Any thread may read the volatile fields, and the figures of {@link #workers}, {@link
 * #streaming} and {@link #spooling}.
 */
final class WaitingJobs {

    // The numbers of fairness; RequestQueue says what they mean. With fewer than FAIR_FROM workers, a mapping may use
    // all.
    static final int FAIR_FROM = 16;
    static final int FAIR = 7;
    static final int LAST = 30; // the last workers are a thirtieth of all

    /** A client gets a further worker only if no other client waits, while it has a quarter of them, and at least this number. */
    static final int MIN_OF_CLIENT = 4;

    /** One offer drops at most this number of requests. A larger number would delay the new request for too long. */
    static final int DROPPED_AT_ONCE = 8;

    /** During overload, a mapping keeps as many waiting requests as workers take in this time. A short time lets it recover soon. */
    private static final long MOMENT = TimeUnit.MILLISECONDS.toNanos(400);

    /**
     * During overload, a mapping keeps at least this number of waiting requests for each of its workers, and for the usual number of
     * workers if they have been started. Slow requests need this minimum, since workers take few of them in {@link #MOMENT}. While calls
     * compute, so that more workers would not help, only as many workers count as the processors can run: the others are just slower.
     */
    private static final int FOR_EACH_WORKER = 20;

    final IdleWorkers workers;

    final Lane streaming;
    final Lane spooling;
    private final Lane usual;

    /** All jobs. Only their speed is measured. */
    private final Share all = new Share();

    /** The mapping of jobs that have none. Its running jobs are not counted. */
    private final Mapping others = new Mapping("others");

    /** Jobs that run before all others: tasks of the server, and requests that have their places and an idle worker. */
    private final Line first = new Line();

    /** The first line in which jobs wait; the lines are linked by {@link Waiting#after}. */
    private @Nullable Waiting listed;

    /** Whether the client of a job has its share of the workers. */
    private final Predicate<Job> ofBusyClient = this::isOfBusyClient;

    /** The dropped requests whose clients have no response yet. */
    final Line outdated = new Line();

    /** The workers that count as spooling. The set counts each worker once. */
    final Set<Thread> spoolers;

    private final long overloadNanos;
    final Clock clock;

    /**
     * How many workers of each mapping waited for the application when the server looked last. Used only while growth is refused: then a
     * mapping may have as many workers, and {@link IdleWorkers#USEFUL} that compute. More would not compute faster, and would take the
     * processors from the other threads, also from the reactors.
     */
    private Map<Mapping, Integer> waitedIn = Map.of();

    /** How many of the waiting jobs could run if there were enough workers. Valid after {@link #publish}, until the next change. */
    private int runnable;

    // Any thread may read these figures.
    volatile boolean closed;

    /** Whether a waiting job could run if a worker were idle. */
    volatile boolean findable;

    /** Whether more jobs could run than workers are idle or can be started. */
    volatile boolean wanting;

    /** The only mapping with waiting jobs; null if there is none, or more than one. */
    volatile @Nullable Mapping onlyWaiting;

    /** The parameters are those of the {@link RequestQueue}. */
    WaitingJobs(int capacity, int maxStreaming, int maxSpooling, Duration overloadAfter, int maxWorkers, Clock clock) {
        this.overloadNanos = overloadAfter.isZero() ? Long.MAX_VALUE : Saturated.nanos(overloadAfter);
        this.clock = clock;
        this.workers = new IdleWorkers(maxWorkers);
        this.usual = new Lane(Integer.MAX_VALUE, capacity);
        this.streaming = new Lane(maxStreaming, capacity);
        this.spooling = new Lane(maxSpooling, capacity);
        // The set is large enough, so it never grows. If a HashSet cannot grow for lack of memory, add() throws,
        // although the set contains the new element.
        this.spoolers = new HashSet<>(2 * maxWorkers + 2);
    }

    // ---- arrivals

    /** Adds a request if it finds a place. May drop requests that have waited long ({@link #outdated}). */
    Offered offer(Job request) {
        if (closed) {
            return Offered.FULL;
        }
        long now = clock.nanos();
        Waiting line = lineOf(request);
        if (idleTakes(line)) {
            first.add(request, now);
            begins(request, line);
            return Offered.TAKEN;
        }
        Offered result = place(request, line, now);
        if (result == Offered.WAITS) {
            add(request, line, now);
        }
        return result;
    }

    /**
     * Whether an idle worker can take a new request of this line, and no waiting job goes before. A worker must have taken a spooling
     * request before the request gets its place.
     */
    private boolean idleTakes(Waiting line) {
        return first.size == runnable
                && runnable < workers.count()
                && line.lane != spooling
                && mayRun(line, possible(), 0);
    }

    /**
     * Whether a new request of this line waits only until a worker that is idle or can be started takes it. If requests wait for long
     * although there are such workers, no processor is free for them: for example virtual threads whose carriers compute.
     */
    private boolean getsWorker(Waiting line, long now) {
        return runnable < workers.room()
                && (overloadNanos == Long.MAX_VALUE || line.requests.age(now) < MOMENT)
                && line.lane.waiting() < line.lane.room()
                && line.size() < mayTake(line.mapping, possible(), 0);
    }

    private Offered place(Job request, Waiting line, long now) {
        if (getsWorker(line, now)) {
            return Offered.WAITS;
        }
        if (line.lane != usual) {
            // Requests for which a bulkhead has a free place do not count, since they wait only for a worker.
            int places = request.lane() == null ? 0 : request.lane().room();
            return requests(line.lane) < (long) line.lane.mostQueued + places ? Offered.WAITS : Offered.FULL;
        }
        int most = mostWaiting(line, now);
        int waits = line.requests.size;
        if (waits >= most) {
            drop(line, Math.max(most, waits - DROPPED_AT_ONCE));
            return Offered.OVERLOADED;
        }
        if (requests(usual) < usual.mostQueued) {
            return Offered.WAITS;
        }
        Waiting longest = longest(line);
        if (longest == null) {
            return Offered.FULL;
        }
        drop(longest, longest.requests.size - 1);
        return Offered.WAITS;
    }

    private void add(Job request, Waiting line, long now) {
        // The calls of look() must be the first ones. If they run out of memory, the job is not in a line yet.
        all.look(now);
        line.lane.look(now);
        line.mapping.look(now);
        if (line.requests.isEmpty()) {
            line.since = now;
        }
        line.requests.add(request, now);
        counted(line, 1);
    }

    /** Adds a request without a check of the capacity. Returns false if the queue is closed. */
    boolean giveWay(Job request) {
        if (!closed) {
            add(request, lineOf(request), clock.nanos());
        }
        return !closed;
    }

    /** Adds a continuation, or a task of the server. Returns false if the queue is closed. */
    boolean resume(Job job) {
        boolean task = job.lane() == null && job.mapping() == null;
        if (!closed && task) {
            first.add(job, clock.nanos());
        } else if (!closed) {
            Waiting line = lineOfContinuation(job);
            line.continuations.add(job, clock.nanos());
            counted(line, 1);
        }
        return !closed;
    }

    /** Adds a continuation that gives way. Returns false if the queue is closed. */
    boolean resumeLater(Job job) {
        if (!closed) {
            Waiting line = lineOfContinuation(job);
            line.later.add(job, clock.nanos());
            counted(line, 1);
        }
        return !closed;
    }

    private Waiting lineOfContinuation(Job job) {
        return mappingOf(job).line(job.lane() == null ? usual : job.lane(), usual);
    }

    /** Adds a task of the server if a worker is idle for it. Returns whether it was added. */
    boolean offerToIdle(Job task) {
        boolean idle = !closed && runnable < workers.count();
        if (idle) {
            first.add(task, clock.nanos());
        }
        return idle;
    }

    private Mapping mappingOf(Job job) {
        Mapping mapping = job.mapping();
        return mapping == null ? others : mapping;
    }

    private Waiting lineOf(Job request) {
        Mapping mapping = mappingOf(request);
        Lane bulkhead = request.lane();
        if (bulkhead != null) {
            return mapping.line(bulkhead, request.isStreaming() ? streaming : usual);
        }
        return mapping.line(request.isStreaming() ? streaming : request.isSpooling() ? spooling : usual, usual);
    }

    /** Counts jobs that were added to a line, or removed from it if the number is negative. */
    private void counted(Waiting line, int jobs) {
        line.lane.waits(jobs);
        line.mapping.waits(jobs);
        if (!line.listed && line.size() > 0) {
            line.listed = true;
            line.after = listed;
            listed = line;
        }
    }

    /** The number of requests that wait in a lane. */
    private int requests(Lane lane) {
        int requests = 0;
        for (Waiting line = listed; line != null; line = line.after) {
            requests += line.lane == lane ? line.requests.size : 0;
        }
        return requests;
    }

    // ---- overload

    /** The largest number of requests of this line of usual requests that may wait now. */
    private int mostWaiting(Waiting line, long now) {
        if (line.requests.isEmpty() || now - line.since < overloadNanos) {
            return Integer.MAX_VALUE;
        }
        int serving = workers.growthRefused
                ? IdleWorkers.USEFUL
                : Math.max(line.mapping.running(), Math.min(workers.started(), workers.usual));
        return Math.max(FOR_EACH_WORKER * serving, line.mapping.takenIn(MOMENT, now));
    }

    /** The line of usual requests that is the longest, and longer than {@code than} with one more request. Null if there is none. */
    private @Nullable Waiting longest(Waiting than) {
        Waiting longest = null;
        int most = than.requests.size + 1;
        for (Waiting line = listed; line != null; line = line.after) {
            if (line.lane == usual && line.requests.size > most) {
                most = line.requests.size;
                longest = line;
            }
        }
        return longest;
    }

    /** Drops the requests of a line that have waited longest, until {@code most} are left. */
    private void drop(Waiting line, int most) {
        counted(line, -line.requests.cutTo(most, outdated));
    }

    /** Estimates in how many seconds workers take all requests that wait, or only those of the mapping or bulkhead of a refused one. */
    int secondsToEmpty(@Nullable Job refused) {
        if (refused == null) {
            return all.secondsFor(requests(usual) + requests(streaming) + requests(spooling), clock.nanos());
        }
        Share share = refused.lane() == null ? mappingOf(refused) : refused.lane();
        return share.secondsFor(share.waiting(), clock.nanos());
    }

    // ---- the next job

    /** Gives back the places of the worker's job, and returns its next job. If none may run, the worker begins to sleep, unless it must end. */
    @Nullable
    Job nextOrSleep(Taker worker) {
        workers.look(worker);
        Job done = worker.job;
        worker.job = null;
        if (done != null) {
            giveBack(done);
        }
        // In a closed queue, all workers end anyway.
        boolean leaves = !closed && workers.leaves(worker);
        Job next = leaves ? null : next();
        worker.job = next;
        if (next == null && !leaves && !closed) {
            workers.fallAsleep(worker);
        }
        return next;
    }

    /** Removes and returns the job that runs next, and gives it its places. Null if no job may run. Thread: the worker that will run it. */
    @Nullable
    Job next() {
        Job task = first.poll();
        if (task != null) {
            return task;
        }
        Waiting line = null;
        int possible = possible();
        for (Waiting one = listed; one != null; one = one.after) {
            if (mayRun(one, possible, 1) && (line == null || goesBefore(one, line))) {
                line = one;
            }
        }
        if (line == null) {
            return null;
        }
        if (line.lane == spooling) {
            beginSpooling(); // needs memory, so it comes before the job leaves its line
        }
        Job job = poll(line);
        begins(job, line);
        return job;
    }

    /** Removes and returns any job, which will not run. Null if no job waits. */
    @Nullable
    Job nextAbandoned() {
        Job job = first.poll();
        if (job != null) {
            giveBack(job);
        } else if (listed != null) {
            job = poll(listed);
        }
        return job;
    }

    private Job poll(Waiting line) {
        Job job = Objects.requireNonNull(line.first().pollUnless(ofBusyClient));
        counted(line, -1);
        return job;
    }

    private boolean isOfBusyClient(Job job) {
        return job instanceof ClientJob one && one.ofClient().hasItsShare(Math.max(MIN_OF_CLIENT, workers.most / 4));
    }

    /** A worker has taken a job, or will take it at once. The job gets its places; {@link #beginSpooling} is called apart. */
    private void begins(Job job, Waiting line) {
        all.took();
        line.mapping.took();
        line.lane.took();
        places(job, 1);
    }

    /** Gives back the places of a job that has run. Thread: its worker. */
    void giveBack(Job done) {
        places(done, -1);
        endSpooling();
    }

    private void places(Job job, int more) {
        Lane bulkhead = job.lane();
        if (bulkhead != null) {
            bulkhead.runs(more);
        }
        if (job.isStreaming()) {
            streaming.runs(more);
        }
        if (job instanceof ClientJob one) {
            one.ofClient().running += more;
        }
        Mapping mapping = job.mapping();
        if (mapping != null) {
            mapping.runs(more);
        }
    }

    /**
     * @param possible how many workers there can be
     * @param own 1 if the calling worker would run the job, otherwise 0
     */
    private boolean mayRun(Waiting line, int possible, int own) {
        return line.lane.room() > 0
                && (line.also == line.lane || line.also.room() > 0)
                && mayTake(line.mapping, possible, own) > 0;
    }

    private static boolean goesBefore(Waiting one, Waiting other) {
        int fewer = Integer.compare(one.mapping.running(), other.mapping.running());
        return fewer < 0 || (fewer == 0 && one.first().isOlderThan(other.first()));
    }

    /**
     * How many more workers this mapping may take if no other mapping takes one: with each, it has one more, and one less is left.
     *
     * @param possible how many workers there can be
     * @param own 1 if the calling worker is left, too, although it does not count as idle; otherwise 0
     */
    private int mayTake(Mapping mapping, int possible, int own) {
        if (closed || possible < FAIR_FROM) {
            return Integer.MAX_VALUE;
        }
        int running = mapping.running;
        int left = left(possible) + own;
        int last = possible / LAST;
        int may = Math.min(fairShare(FAIR, left, running), Math.max(0, left - last));
        may = left - may > last ? may : may + fairShare(1, left - may, running + may);
        Integer waited = possible == workers.most ? null : waitedIn.get(mapping); // while growth is refused
        return waited == null ? may : Math.min(may, Math.max(0, waited + IdleWorkers.USEFUL - running));
    }

    /** How many more workers a mapping may take while it has fewer than {@code times} as many as are left. */
    private static int fairShare(int times, int left, int running) {
        return Math.max(0, Math.floorDiv(times * left - running + times, times + 1));
    }

    /**
     * The server has looked at the workers.
     *
     * @param helps whether more workers would help
     * @param waits how many workers of each mapping with a running job wait for the application
     */
    void looked(boolean helps, Map<Mapping, Integer> waits) {
        workers.growthRefused = !helps;
        waitedIn = waits;
    }

    /** How many workers there can be: only those that are started, while more would not help. */
    private int possible() {
        return workers.growthRefused ? workers.started() : workers.most;
    }

    /** The number of workers that have no job and get none of {@link #first}, or can be started. */
    private int left(int possible) {
        return possible - workers.started() + Math.max(0, workers.count() - first.size);
    }

    /** Removes a waiting request. Returns false if it does not wait. */
    boolean withdraw(Job job) {
        Waiting line = lineOf(job);
        boolean waited = line.requests.remove(job);
        if (!waited && (line.lane == usual || line.lane == spooling)) {
            // The expectation that the request spools can have changed.
            line = line.mapping.line(line.lane == usual ? spooling : usual, usual);
            waited = line.requests.remove(job);
        }
        counted(line, waited ? -1 : 0);
        return waited;
    }

    // ---- clients and disks that make workers wait

    /** A running job becomes a streaming job, if there is room for one. */
    boolean beginStreaming() {
        boolean room = streaming.room() > 0;
        streaming.runs(room ? 1 : 0);
        return room;
    }

    /** The calling worker counts as spooling until {@link #endSpooling} or the end of its job. */
    void beginSpooling() {
        if (spoolers.add(Thread.currentThread())) {
            spooling.runs(1);
        }
    }

    /** The calling worker counts as spooling no longer. Idempotent. */
    void endSpooling() {
        if (!spoolers.isEmpty() && spoolers.remove(Thread.currentThread())) {
            spooling.runs(-1);
        }
    }

    /** Moves waiting requests that are expected to spool to the lane of spooling requests. */
    void moveSpooling() {
        for (Waiting line = listed; line != null; line = line.after) {
            if (line.lane == usual && !line.requests.isEmpty()) {
                Waiting to = line.mapping.line(spooling, usual);
                int moved = line.requests.moveTo(to.requests, Job::isSpooling);
                counted(line, -moved);
                counted(to, moved);
            }
        }
    }

    // ---- figures

    /** Publishes the figures. Most changes change few of them, and a volatile write costs more than a read. */
    void publish() {
        Mapping only = count(possible());
        if (findable != (runnable > 0)) {
            findable = runnable > 0;
        }
        boolean wants = runnable > 0 && runnable > workers.room();
        if (wanting != wants) {
            wanting = wants;
        }
        if (onlyWaiting != only) {
            onlyWaiting = only;
        }
    }

    /**
     * Removes empty lines from the list, and counts which jobs could run. Returns the only mapping with waiting jobs, or null.
     *
     * @param possible how many workers there can be
     */
    private @Nullable Mapping count(int possible) {
        runnable = first.size;
        if (listed == null) {
            return null;
        }
        // If no worker is left, a job of each mapping could run with one more.
        int own = left(possible) == 0 ? 1 : 0;
        Waiting before = null;
        for (Waiting line = listed; line != null; line = line.after) {
            if (line.size() > 0) {
                line.lane.left = line.lane.room();
                line.mapping.left = mayTake(line.mapping, possible, own);
                before = line;
            } else {
                line.listed = false;
                if (before == null) {
                    listed = line.after;
                } else {
                    before.after = line.after;
                }
            }
        }
        streaming.left = streaming.room();
        usual.left = usual.room();
        Mapping only = listed == null ? null : listed.mapping;
        for (Waiting line = listed; line != null; line = line.after) {
            int may = Math.min(Math.min(line.size(), line.lane.left), Math.min(line.mapping.left, line.also.left));
            line.lane.left -= may;
            line.also.left -= may;
            line.mapping.left -= may;
            runnable += may;
            only = only == line.mapping ? only : null;
        }
        return only;
    }

    /** The number of waiting jobs, without jobs of bulkheads. */
    int size() {
        return first.size + usual.waiting() + streaming.waiting() + spooling.waiting();
    }

    /** How many workers waiting jobs could use if more helped: further ones and, while growth is refused, idle ones that are kept for others. */
    int lacking() {
        if (!workers.growthRefused) {
            return workers.count() == 0 ? Math.min(workers.startable(), runnable) : 0;
        }
        count(workers.most); // the queue counts again after this step
        return Math.min(workers.count() + workers.startable(), runnable);
    }

    /** Whether no worker is idle, and a task of the server waits, or a job whose mapping has no worker. */
    boolean isStarved() {
        boolean starved = !first.isEmpty();
        for (Waiting line = listed; line != null; line = line.after) {
            starved |= line.size() > 0
                    && line.mapping != others
                    && line.mapping.running() == 0
                    && line.lane.room() > 0
                    && line.also.room() > 0;
        }
        return starved && workers.count() == 0;
    }

    /** The mappings whose jobs wait, and for how many nanoseconds the oldest of these jobs has waited. */
    Map<Mapping, Long> mappings() {
        long now = clock.nanos();
        Map<Mapping, Long> all = new HashMap<>();
        for (Waiting line = listed; line != null; line = line.after) {
            if (line.mapping != others) {
                all.merge(line.mapping, line.age(now), Math::max);
            }
        }
        return all;
    }

    /** The longest wait of the jobs that {@link #size} counts, in nanoseconds. */
    long oldestNanos() {
        long now = clock.nanos();
        long oldest = first.age(now);
        for (Waiting line = listed; line != null; line = line.after) {
            if (line.lane == usual || line.lane == streaming || line.lane == spooling) {
                oldest = Math.max(oldest, line.age(now));
            }
        }
        return oldest;
    }
}
