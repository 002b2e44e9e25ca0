package io.penstock.work;

/**
 * The jobs of one kind, which may occupy only a share of the workers: the line of waiting jobs, and the number of running ones.
 *
 * <p>Thread: the holder of the queue's lock.
 */
final class Share {
    private final Line waiting = new Line();
    private final int most;
    private int running;

    /** @param most jobs that may begin to run at one time; more may run, since a running job may turn out to be of this kind */
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

    /** How many could begin to run if there were enough workers. */
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
