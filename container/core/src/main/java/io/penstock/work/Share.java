package io.penstock.work;

/**
 * The jobs of one kind, of which only a share of the workers runs some at one time: the line of those that wait, and how many run.
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

    /** How many more may run. */
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
