package io.penstock.work;

import io.penstock.work.Mapping.Waiting;
import io.penstock.work.RequestQueue.Offered;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that wait for a worker, and the rules by which they run or are refused ({@link RequestQueue}).
 *
 * <p>The jobs of one mapping and one lane form a line ({@link Waiting}). A method that changes lines, places or workers leaves {@link
 * #count} to its caller.
 *
 * <p>Thread: the holder of the queue's lock.
 */
final class WaitingJobs {

    /** With fewer workers, a mapping may use all of them. */
    static final int FAIR_FROM = 16;

    /** A mapping gets a further worker while it has fewer than this many times the workers that are idle or not started. */
    static final int FAIR = 7;

    /**
     * Of the last thirtieth of the workers, a mapping takes a further one only while it has fewer than are left. Otherwise a slow mapping
     * that comes late would take the last workers, since it has few.
     */
    static final int LAST = 30;

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
    private final IdleWorkers workers;
    private final QueueSpeed speed = new QueueSpeed();

    /** Jobs that run before all others: tasks of the server, and requests that have their places and an idle worker. */
    private final Line first = new Line();

    private final Lane usual = new Lane(Integer.MAX_VALUE, Integer.MAX_VALUE);
    private final Lane streaming;
    private final Lane spooling;

    /** The mapping of jobs that have none. Its running jobs are not counted. */
    private final Mapping others = new Mapping("others");

    /** The first line in which jobs wait; the lines are linked by {@link Waiting#after}. */
    private @Nullable Waiting listed;

    /** The dropped requests whose clients have no response yet. */
    private final Line outdated = new Line();

    /** The workers that count as spooling. The set counts each worker once. */
    private final Set<Thread> spoolers;

    private int runnable;
    private int size;
    private @Nullable Mapping onlyMapping;

    /** @param overloadNanos how long requests of a mapping may wait without a break; {@link Long#MAX_VALUE} for no limit */
    WaitingJobs(int capacity, int maxStreaming, int maxSpooling, long overloadNanos, int most, IdleWorkers workers) {
        this.capacity = capacity;
        this.overloadNanos = overloadNanos;
        this.workers = workers;
        this.streaming = new Lane(maxStreaming, capacity);
        this.spooling = new Lane(maxSpooling, capacity);
        // The set is large enough, so it never grows. If a HashSet cannot grow for lack of memory, add() throws,
        // although the set contains the new element.
        this.spoolers = new HashSet<>(2 * most + 2);
    }

    IdleWorkers workers() {
        return workers;
    }

    /** Any thread may read the figures of the lane. */
    Lane streaming() {
        return streaming;
    }

    /** Any thread may read the figures of the lane. */
    Lane spooling() {
        return spooling;
    }

    // ---- arrivals

    /** Adds a request if it finds a place. May drop requests that have waited long ({@link #nextOutdated}). */
    Offered offer(Job request, long now) {
        Waiting line = lineOf(request);
        if (idleTakes(line)) {
            first.add(request, now);
            begins(request, line);
            return Offered.TAKEN;
        }
        Offered result = line.lane == usual ? usualPlace(line, now) : place(request, line);
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
        return first.size() == runnable && first.size() < workers.count() && line.lane != spooling && mayRun(line, 0);
    }

    /** Whether a new request of this line waits only until a worker that is idle or can be started takes it. */
    private boolean getsWorker(Waiting line) {
        return runnable < workers.room()
                && line.lane.queued() < line.lane.room()
                && line.size() < mayTake(line.mapping, 0);
    }

    private Offered place(Job request, Waiting line) {
        boolean full = request.lane() != null ? line.lane.isFull() : line.lane.requests() >= capacity;
        return full && !getsWorker(line) ? Offered.FULL : Offered.WAITS;
    }

    private Offered usualPlace(Waiting line, long now) {
        if (getsWorker(line)) {
            return Offered.WAITS;
        }
        int most = mostWaiting(line, now);
        int waits = line.requests.size();
        if (waits >= most) {
            drop(line, Math.max(most, waits - DROPPED_AT_ONCE));
            return Offered.OVERLOADED;
        }
        if (usual.requests() < capacity) {
            return Offered.WAITS;
        }
        Waiting longest = longest(line);
        if (longest == null) {
            return Offered.FULL;
        }
        drop(longest, longest.requests.size() - 1);
        return Offered.WAITS;
    }

    /** Adds a request without a check of the capacity. */
    void add(Job request, long now) {
        add(request, lineOf(request), now);
    }

    private void add(Job request, Waiting line, long now) {
        // The calls of look() must be the first ones. If they run out of memory, the job is not in a line yet.
        speed.look(now);
        line.lane.speed().look(now);
        line.mapping.speed().look(now);
        if (line.requests.isEmpty()) {
            line.since = now;
        }
        line.requests.add(request, now);
        counted(line, 1, 0);
    }

    /** Adds a continuation, or a task of the server. */
    void resume(Job job, long now) {
        if (job.lane() == null && job.mapping() == null) {
            first.add(job, now);
        } else {
            Waiting line = mappingOf(job).line(job.lane() == null ? usual : job.lane(), null);
            line.continuations.add(job, now);
            counted(line, 0, 1);
        }
    }

    /** Adds a task of the server if a worker is idle for it. Returns whether it was added. */
    boolean offerToIdle(Job task, long now) {
        boolean idle = runnable < workers.count();
        if (idle) {
            first.add(task, now);
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
            return mapping.line(bulkhead, request.isStreaming() ? streaming : null);
        }
        return mapping.line(request.isStreaming() ? streaming : request.isSpooling() ? spooling : usual, null);
    }

    /** Counts jobs that were added to a line, or removed from it if the numbers are negative. */
    private void counted(Waiting line, int requests, int continuations) {
        line.lane.waits(requests, continuations);
        line.mapping.waits(requests + continuations);
        if (!line.listed && line.size() > 0) {
            line.listed = true;
            line.after = listed;
            listed = line;
        }
    }

    // ---- overload

    /** The largest number of requests of this line of usual requests that may wait now. */
    private int mostWaiting(Waiting line, long now) {
        if (line.requests.isEmpty() || now - line.since < overloadNanos) {
            return Integer.MAX_VALUE;
        }
        int most = Math.max(line.mapping.running(), Math.min(workers.started(), workers.usual()));
        return Math.max(FOR_EACH_WORKER * most, line.mapping.speed().takenIn(MOMENT, now));
    }

    /** The line of usual requests that is the longest, and longer than {@code than} with one more request. Null if there is none. */
    private @Nullable Waiting longest(Waiting than) {
        Waiting longest = null;
        int most = than.requests.size() + 1;
        for (Waiting line = listed; line != null; line = line.after) {
            if (line.lane == usual && line.requests.size() > most) {
                most = line.requests.size();
                longest = line;
            }
        }
        return longest;
    }

    /** Drops the requests of a line that have waited longest, until {@code most} are left. */
    private void drop(Waiting line, int most) {
        counted(line, -line.requests.cutTo(most, outdated), 0);
    }

    boolean hasOutdated() {
        return !outdated.isEmpty();
    }

    /** Removes and returns a dropped request, which needs a response. Null if there is none. */
    @Nullable
    Job nextOutdated() {
        return outdated.poll();
    }

    /** Estimates the number of seconds in which workers take all requests that wait now. */
    int secondsToEmpty(long now) {
        return speed.secondsFor(usual.requests() + streaming.requests() + spooling.requests(), now);
    }

    /** As {@link #secondsToEmpty(long)}, but only for the mapping, or for the bulkhead, of the refused request. */
    int secondsToEmpty(Job refused, long now) {
        Lane lane = refused.lane();
        Mapping mapping = mappingOf(refused);
        return lane != null
                ? lane.speed().secondsFor(lane.queued(), now)
                : mapping.speed().secondsFor(mapping.waiting(), now);
    }

    // ---- the next job

    /** Removes and returns the job that runs next, and gives it its places. Null if no job may run. Thread: the worker that will run it. */
    @Nullable
    Job next() {
        Job task = first.poll();
        if (task != null) {
            return task;
        }
        Waiting line = null;
        for (Waiting one = listed; one != null; one = one.after) {
            if (mayRun(one, 1) && (line == null || goesBefore(one, line))) {
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
        boolean request = line.continuations.isEmpty();
        Job job = line.first().poll();
        if (job == null) {
            throw new IllegalStateException("a line without jobs is listed");
        }
        counted(line, request ? -1 : 0, request ? 0 : -1);
        return job;
    }

    /** A worker has taken a job, or will take it at once. The job gets its places; {@link #beginSpooling} is called apart. */
    private void begins(Job job, Waiting line) {
        speed.took();
        line.mapping.speed().took();
        line.lane.speed().took();
        if (line.lane != usual && line.lane != spooling) {
            line.lane.begin();
        }
        if (line.also != null) {
            line.also.begin();
        }
        Mapping mapping = job.mapping();
        if (mapping != null) {
            mapping.begin();
        }
    }

    /** Gives back the places of a job that has run. Thread: its worker. */
    void giveBack(Job done) {
        Lane lane = done.lane();
        if (lane != null) {
            lane.end();
        }
        if (done.isStreaming()) {
            streaming.end();
        }
        endSpooling();
        Mapping mapping = done.mapping();
        if (mapping != null) {
            mapping.end();
        }
    }

    /** @param own 1 if the calling worker would run the job, otherwise 0 */
    private boolean mayRun(Waiting line, int own) {
        return line.lane.room() > 0 && (line.also == null || line.also.room() > 0) && mayTake(line.mapping, own) > 0;
    }

    private static boolean goesBefore(Waiting one, Waiting other) {
        int fewer = Integer.compare(one.mapping.running(), other.mapping.running());
        return fewer < 0 || (fewer == 0 && one.first().isOlderThan(other.first()));
    }

    /**
     * How many more workers this mapping may take if no other mapping takes one: with each, it has one more, and one less is left. It takes
     * one while it has fewer than {@link #FAIR} times as many as are left, or of the last ones ({@link #LAST}) fewer than are left.
     *
     * @param own 1 if the calling worker is left, too, although it does not count as idle; otherwise 0
     */
    private int mayTake(Mapping mapping, int own) {
        if (workers.most() < FAIR_FROM) {
            return Integer.MAX_VALUE;
        }
        int left = left() + own;
        int last = workers.most() / LAST;
        int may = Math.min(fairShare(FAIR, left, mapping.running()), Math.max(0, left - last));
        return left - may > last ? may : may + fairShare(1, left - may, mapping.running() + may);
    }

    /** How many more workers a mapping may take while it has fewer than {@code times} as many as are left. */
    private static int fairShare(int times, int left, int running) {
        return Math.max(0, Math.floorDiv(times * left - running + times, times + 1));
    }

    /** The number of workers that have no job and get none of {@link #first}, or are not started. */
    private int left() {
        return workers.most() - workers.started() + Math.max(0, workers.count() - first.size());
    }

    /** Removes a waiting request. Returns false if it does not wait. The search begins with the oldest request. */
    boolean withdraw(Job job) {
        Waiting line = lineOf(job);
        if (withdraw(job, line)) {
            return true;
        }
        // The expectation that the request spools can have changed.
        Lane other = line.lane == usual ? spooling : line.lane == spooling ? usual : null;
        return other != null && withdraw(job, line.mapping.line(other, null));
    }

    private boolean withdraw(Job job, Waiting line) {
        boolean waited = line.requests.remove(job);
        if (waited) {
            counted(line, -1, 0);
        }
        return waited;
    }

    // ---- disk

    /** The calling worker counts as spooling until {@link #endSpooling} or the end of its job. */
    void beginSpooling() {
        if (spoolers.add(Thread.currentThread())) {
            spooling.begin();
        }
    }

    /** The calling worker counts as spooling no longer. Idempotent. */
    void endSpooling() {
        if (!spoolers.isEmpty() && spoolers.remove(Thread.currentThread())) {
            spooling.end();
        }
    }

    boolean currentSpools() {
        return spoolers.contains(Thread.currentThread());
    }

    /** Moves waiting requests that are expected to spool to the lane of spooling requests. */
    void moveSpooling() {
        for (Waiting line = listed; line != null; line = line.after) {
            if (line.lane == usual && !line.requests.isEmpty()) {
                Waiting to = line.mapping.line(spooling, null);
                int moved = line.requests.moveTo(to.requests, Job::isSpooling);
                counted(line, -moved, 0);
                counted(to, moved, 0);
            }
        }
    }

    // ---- figures

    /**
     * Counts which jobs could run, and removes empty lines from the list. Called after each change: the figures are valid until the next
     * change.
     */
    void count() {
        // If no worker is left, a job of each mapping could run with one more.
        int own = left() == 0 ? 1 : 0;
        Waiting before = null;
        for (Waiting line = listed; line != null; line = line.after) {
            if (line.size() > 0) {
                line.lane.left = line.lane.room();
                line.mapping.left = mayTake(line.mapping, own);
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
        runnable = first.size();
        size = first.size();
        onlyMapping = listed == null ? null : listed.mapping;
        for (Waiting line = listed; line != null; line = line.after) {
            runnable += runnable(line);
            size += isShared(line.lane) ? line.size() : 0;
            onlyMapping = onlyMapping == line.mapping ? onlyMapping : null;
        }
    }

    /** How many jobs of the line could run beside those of the lines before. */
    private int runnable(Waiting line) {
        int may = Math.min(Math.min(line.size(), line.lane.left), line.mapping.left);
        if (line.also != null) {
            may = Math.min(may, line.also.left);
            line.also.left -= may;
        }
        line.lane.left -= may;
        line.mapping.left -= may;
        return may;
    }

    /** Whether the lane is not that of a bulkhead. */
    private boolean isShared(Lane lane) {
        return lane == usual || lane == streaming || lane == spooling;
    }

    /** How many of the waiting jobs could run if there were enough workers. */
    int runnable() {
        return runnable;
    }

    /** The number of waiting jobs, without jobs of bulkheads. */
    int size() {
        return size;
    }

    /** The only mapping with waiting jobs; null if there is none, or more than one. */
    @Nullable
    Mapping onlyMapping() {
        return onlyMapping;
    }

    /** The mappings whose jobs wait, and for how many nanoseconds the oldest of these jobs has waited. */
    Map<Mapping, Long> mappings(long now) {
        Map<Mapping, Long> all = new HashMap<>();
        for (Waiting line = listed; line != null; line = line.after) {
            if (line.mapping != others) {
                all.merge(line.mapping, Math.max(line.continuations.age(now), line.requests.age(now)), Math::max);
            }
        }
        return all;
    }

    /** The longest wait of the jobs that {@link #size} counts, in nanoseconds. */
    long oldestNanos(long now) {
        long oldest = first.age(now);
        for (Waiting line = listed; line != null; line = line.after) {
            if (isShared(line.lane)) {
                oldest = Math.max(oldest, Math.max(line.continuations.age(now), line.requests.age(now)));
            }
        }
        return oldest;
    }
}
