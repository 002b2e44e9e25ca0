package io.penstock.work;

/**
 * The jobs of one kind (for example streaming jobs), which may use only a limited number of workers: the line of waiting jobs, and the
 * number of running jobs.
 *
 * <p>Thread: the holder of the queue's lock.
 */
final class Share {
    private final Line waiting = new Line();
    private final int most;
    private int running;

    /**
     * @param most the limit of running jobs. At this limit, no further job begins to run. More jobs can be running, since a running job can
     *     become a job of this kind
     */
    Share(int most) {
        this.most = most;
    }

    Line waiting() {
        return waiting;
    }

    int running() {
        return running;
    }

    /** How many more jobs of this kind may run. */
    int room() {
        return Math.max(0, most - running);
    }

    /** How many waiting jobs could begin to run if there were enough workers. */
    int runnable() {
        return Math.min(waiting.size(), room());
    }

    void begin() {
        running++;
    }

    void end() {
        running--;
    }
}
