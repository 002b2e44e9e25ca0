package io.penstock.work;

import io.penstock.time.Clock;
import java.util.concurrent.atomic.LongAdder;

/**
 * The limit of the workers that the jobs of one bulkhead may use at the same time, and the lines in which further jobs wait. When this
 * limit is reached, further requests of the bulkhead wait in these lines or are refused. Waiting requests of a bulkhead use no worker, and
 * no place in the lines of other jobs.
 *
 * <p>Each running job has a place in the bulkhead. The job gets the place when the {@link RequestQueue} finds an idle worker for the job.
 * The place becomes free when the worker has run the job. An asynchronous request or an upgraded connection has a place only while a worker
 * runs code for it. Continuations are never refused, and they run before new requests.
 *
 * <p>Thread: the holder of the queue's lock. Any thread may call the constructor and the methods {@link #running}, {@link #queued}, {@link
 * #refused} and {@link #refuse}.
 */
public final class WorkerShare {
    private final Share requests;
    private final Line streaming = new Line();
    private final Line continuations = new Line();
    private final int most;
    private final int mostQueued;
    private final QueueSpeed speed;
    private final LongAdder refused = new LongAdder();

    // These fields are written under the lock, and read without the lock.
    private volatile int runningNow;
    private volatile int queuedNow;

    /**
     * @param most the largest number of jobs that workers run at the same time
     * @param mostQueued the largest number of waiting requests
     */
    public WorkerShare(int most, int mostQueued, Clock clock) {
        this.most = most;
        this.mostQueued = mostQueued;
        this.requests = new Share(most);
        this.speed = new QueueSpeed(clock);
    }

    // ---- figures

    /** The number of jobs that workers run or are about to run. Any thread. */
    public int running() {
        return runningNow;
    }

    /** The number of waiting jobs. Any thread. */
    public int queued() {
        return queuedNow;
    }

    /** The number of refused requests. A request is refused if too many requests wait, or after it has waited too long. Any thread. */
    public long refused() {
        return refused.sum();
    }

    /** A request of this bulkhead has been refused. Any thread. */
    public void refuse() {
        refused.increment();
    }

    // ---- the queue

    /** @param streams true for the line of streaming requests, false for the line of all other requests */
    Line requests(boolean streams) {
        return streams ? streaming : requests.waiting();
    }

    Line continuations() {
        return continuations;
    }

    boolean hasRoom() {
        return requests.room() > 0;
    }

    /**
     * Whether so many requests wait that the next request must be refused. Requests for which the bulkhead has a free place do not count,
     * since they wait only for a worker.
     */
    boolean isFull() {
        return waitingRequests() >= mostQueued + requests.room();
    }

    int waiting() {
        return waitingRequests() + continuations.size();
    }

    private int waitingRequests() {
        return requests.waiting().size() + streaming.size();
    }

    /**
     * How many waiting jobs could run if there were enough workers.
     *
     * @param roomToStream how many more streaming jobs may run in the whole server
     */
    int runnable(int roomToStream) {
        if (waiting() == 0) {
            return 0;
        }
        int allowed = continuations.size() + requests.waiting().size() + Math.min(streaming.size(), roomToStream);
        return Math.min(allowed, requests.room());
    }

    /**
     * Returns the line of requests whose first request has waited longest. If {@code mayStream} is false, the line of streaming requests is
     * ignored. The returned line can be empty.
     */
    Line oldest(boolean mayStream) {
        Line line = requests.waiting();
        return mayStream && streaming.isOlderThan(line) ? streaming : line;
    }

    /** A worker has been found for a job of the bulkhead. */
    void begin() {
        assert hasRoom() : "a job begins, but the bulkhead has no free place";
        requests.begin();
        speed.took();
        publish();
    }

    /** A job that has a place has been run, or no worker will run this job. The place becomes free. */
    void end() {
        assert requests.running() > 0 : "a place was given back twice";
        requests.end();
        publish();
    }

    /** A request of the bulkhead begins to wait. */
    void look(long now) {
        speed.look(now);
    }

    /** Estimates the number of seconds in which workers take all jobs of the bulkhead that wait now. The result is 1 to 60. */
    int secondsToEmpty() {
        return speed.secondsFor(waiting());
    }

    /** Updates the values of {@link #running} and {@link #queued} after a change of the lines or places. */
    void publish() {
        runningNow = requests.running();
        queuedNow = waiting();
    }

    @Override
    public String toString() {
        return requests.running() + " of " + most + " run, " + waiting() + " wait";
    }
}
