package io.penstock.work;

import io.penstock.time.Clock;
import java.util.concurrent.atomic.LongAdder;

/**
 * The share of the workers that the jobs of one bulkhead may have, and the lines in which further jobs wait. When the share is full, its
 * requests wait or are refused here. They take no worker, and no place in a line of other jobs.
 *
 * <p>A job holds a place from the moment at which the {@link RequestQueue} finds a worker for it, until that worker has run it. The worker
 * is idle at that moment, or about to take the job. The place belongs to that one run: an asynchronous request or an upgraded connection
 * holds none while no worker runs for it. Continuations are never refused; they wait before the requests.
 *
 * <p>Thread: the holder of the queue's lock. Any thread may call the constructor and read the figures.
 */
public final class WorkerShare {
    private final Share requests;
    private final Line streaming = new Line();
    private final Line continuations = new Line();
    private final int most;
    private final int mostQueued;
    private final QueueSpeed speed;
    private final LongAdder refused = new LongAdder();

    // Written under the lock, read without it.
    private volatile int runningNow;
    private volatile int queuedNow;

    /**
     * @param most jobs that workers run at one time
     * @param mostQueued requests that may wait
     */
    public WorkerShare(int most, int mostQueued, Clock clock) {
        this.most = most;
        this.mostQueued = mostQueued;
        this.requests = new Share(most);
        this.speed = new QueueSpeed(clock);
    }

    // ---- figures

    /** Jobs that workers run, or are about to run. Any thread. */
    public int running() {
        return runningNow;
    }

    /** Jobs that wait. Any thread. */
    public int queued() {
        return queuedNow;
    }

    /** Requests that were refused, because too many waited or because they had waited too long. Any thread. */
    public long refused() {
        return refused.sum();
    }

    /** A request of this bulkhead has been refused. Any thread. */
    public void refuse() {
        refused.increment();
    }

    // ---- the queue

    /** @param streams whether the line of streaming requests is meant */
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
     * Whether so many requests wait that a further one is refused. Requests for which the bulkhead has a place do not count: they wait only
     * for a worker.
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
     * @param roomToStream how many more jobs of the server may stream
     */
    int runnable(int roomToStream) {
        if (waiting() == 0) {
            return 0;
        }
        int allowed = continuations.size() + requests.waiting().size() + Math.min(streaming.size(), roomToStream);
        return Math.min(allowed, requests.room());
    }

    /** Of the lines that may run, the line whose first request has waited longest. The line may be empty. */
    Line oldest(boolean mayStream) {
        Line line = requests.waiting();
        return mayStream && streaming.isOlderThan(line) ? streaming : line;
    }

    /** A worker has been found for a job of the bulkhead. */
    void begin() {
        assert hasRoom() : "more places are held than there are";
        requests.begin();
        speed.took();
        publish();
    }

    /** The job has been run, or no worker will run it. */
    void end() {
        assert requests.running() > 0 : "a place was given back twice";
        requests.end();
        publish();
    }

    /** A request begins to wait. */
    void look(long now) {
        speed.look(now);
    }

    /** Seconds until the jobs that wait now will have been taken; 1 to 60. */
    int secondsToEmpty() {
        return speed.secondsFor(waiting());
    }

    /** Publishes the figures, after a change of the lines. */
    void publish() {
        runningNow = requests.running();
        queuedNow = waiting();
    }

    @Override
    public String toString() {
        return requests.running() + " of " + most + " run, " + waiting() + " wait";
    }
}
