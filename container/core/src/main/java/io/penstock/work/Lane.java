package io.penstock.work;

import java.util.concurrent.atomic.LongAdder;

/**
 * Jobs that may use only a limited number of workers at the same time. The queue has a lane for usual requests, one for streaming requests
 * and one for spooling requests; each bulkhead is a lane, too. They differ only in their limits. A job that runs has a place in its lane,
 * and gives it back when its worker takes the next job. An asynchronous request or an upgraded connection has a place only while a worker
 * runs code for it.
 *
 * <p>Thread: as {@link Share}. Any thread may also call {@link #refused} and {@link #refuse}.
 */
public final class Lane extends Share {
    private final int most;

    /** The largest number of waiting requests. Continuations are never refused. */
    final int mostQueued;

    private final LongAdder refused = new LongAdder();

    /**
     * @param most the limit of running jobs. At this limit, no further job begins to run. More jobs can be running, since a running job can
     *     become a job of this lane
     */
    public Lane(int most, int mostQueued) {
        this.most = most;
        this.mostQueued = mostQueued;
    }

    /** The number of refused requests. A request is refused if too many requests wait, or after it has waited too long. Any thread. */
    public long refused() {
        return refused.sum();
    }

    /** A request of this lane has been refused. Any thread. */
    public void refuse() {
        refused.increment();
    }

    /** How many more jobs may run. */
    int room() {
        return Math.max(0, most - running);
    }
}
