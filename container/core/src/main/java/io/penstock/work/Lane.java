package io.penstock.work;

import java.util.concurrent.atomic.LongAdder;

/**
 * Jobs that may use only a limited number of workers at the same time. The queue has a lane for usual requests, one for streaming requests
 * and one for spooling requests; each bulkhead is a lane, too. They differ only in their limits. A job that runs has a place in its lane,
 * and gives it back when its worker takes the next job. An asynchronous request or an upgraded connection has a place only while a worker
 * runs code for it.
 *
 * <p>Thread: the holder of the queue's lock. Any thread may call the constructor and the methods {@link #running}, {@link #queued}, {@link
 * #refused} and {@link #refuse}.
 */
public final class Lane {
    private final int most;
    private final int mostQueued;
    private final QueueSpeed speed = new QueueSpeed();
    private final LongAdder refused = new LongAdder();

    private volatile int running;
    private volatile int queued;
    private int requests;

    /** How many more jobs of the lane may run, while the queue counts which jobs could run. */
    int left;

    /**
     * @param most the limit of running jobs. At this limit, no further job begins to run. More jobs can be running, since a running job can
     *     become a job of this lane
     * @param mostQueued the largest number of waiting requests. Continuations are never refused
     */
    public Lane(int most, int mostQueued) {
        this.most = most;
        this.mostQueued = mostQueued;
    }

    // ---- figures

    /** The number of jobs that workers run. Any thread. */
    public int running() {
        return running;
    }

    /** The number of waiting jobs. Any thread. */
    public int queued() {
        return queued;
    }

    /** The number of refused requests. A request is refused if too many requests wait, or after it has waited too long. Any thread. */
    public long refused() {
        return refused.sum();
    }

    /** A request of this lane has been refused. Any thread. */
    public void refuse() {
        refused.increment();
    }

    // ---- the queue

    /** How many more jobs may run. */
    int room() {
        return Math.max(0, most - running);
    }

    int requests() {
        return requests;
    }

    /**
     * Whether so many requests wait that the next request must be refused. Requests for which the lane has a free place do not count, since
     * they wait only for a worker.
     */
    boolean isFull() {
        return requests >= (long) mostQueued + room();
    }

    /** Jobs begin to wait, or wait no longer if the numbers are negative. */
    void waits(int moreRequests, int moreContinuations) {
        requests += moreRequests;
        queued = queued() + moreRequests + moreContinuations;
    }

    /** A job begins to run, or a running job becomes a job of this lane. */
    void begin() {
        running = running() + 1;
    }

    void end() {
        assert running > 0 : "a place was given back twice";
        running = running() - 1;
    }

    QueueSpeed speed() {
        return speed;
    }

    @Override
    public String toString() {
        return running() + " of " + most + " run, " + queued() + " wait";
    }
}
