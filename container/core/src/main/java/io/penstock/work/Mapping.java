package io.penstock.work;

import org.jspecify.annotations.Nullable;

/**
 * The requests that share the workers fairly with all others: those of one servlet, or of one kind of path if one servlet serves a whole
 * application. Among the jobs that may run, the mapping with the fewest workers goes first. One mapping alone may not use all workers
 * ({@link RequestQueue}), and each mapping has its own overload.
 *
 * <p>A request counts for its mapping while a worker runs code of it. An open asynchronous request counts nothing between its turns.
 *
 * <p>Thread: the holder of the queue's lock. Any thread may call the constructor and the methods {@link #name}, {@link #running} and {@link
 * #waiting}.
 */
public final class Mapping {
    private final String name;
    private final QueueSpeed speed = new QueueSpeed();

    /** The lines of the jobs of this mapping, one for each lane that has had such a job; linked by {@link Waiting#sibling}. */
    private @Nullable Waiting lines;

    private int begun;
    private int usual;
    private int all;

    /** The time since when usual requests have waited without a break. */
    private long since;

    private volatile int runningNow;
    private volatile int waitingNow;

    /** How many more jobs of the mapping may run, while the queue counts which jobs could run. */
    int left;

    /** @param name the context path and the servlet or path, for operators */
    public Mapping(String name) {
        this.name = name;
    }

    /** The context path and the servlet or path, for operators. Any thread. */
    public String name() {
        return name;
    }

    /** The number of workers that run code of this mapping's requests; a snapshot. Any thread. */
    public int running() {
        return runningNow;
    }

    /** The number of jobs of this mapping that wait for a worker; a snapshot. Any thread. */
    public int waiting() {
        return waitingNow;
    }

    /** The line of this mapping's jobs in a lane. Makes the line if there is none. */
    Waiting line(Lane lane, boolean streams) {
        for (Waiting line = lines; line != null; line = line.sibling) {
            if (line.lane == lane && line.streams == streams) {
                return line;
            }
        }
        Waiting made = new Waiting(this, lane, streams, lines);
        lines = made;
        return made;
    }

    int begun() {
        return begun;
    }

    void begin() {
        begun++;
        runningNow = begun;
    }

    void end() {
        begun--;
        runningNow = begun;
    }

    /** Jobs begin to wait, or wait no longer if {@code more} is negative. */
    void waits(int more) {
        all += more;
        waitingNow = all;
    }

    int all() {
        return all;
    }

    /** The number of waiting requests in the lane of usual requests. */
    int usual() {
        return usual;
    }

    void usual(int more) {
        usual += more;
    }

    QueueSpeed speed() {
        return speed;
    }

    /** No usual request of the mapping waited, and one is added now. */
    void beginsToWait(long now) {
        since = now;
    }

    /** For how many nanoseconds usual requests have waited without a break. */
    long waitsFor(long now) {
        return usual == 0 ? 0 : now - since;
    }

    @Override
    public String toString() {
        return name;
    }

    /**
     * The waiting jobs of one {@link Mapping} in one {@link Lane}: continuations first, then requests, each in the order of their arrival.
     *
     * <p>Thread: the holder of the queue's lock.
     */
    static final class Waiting {
        final Mapping mapping;
        final Lane lane;

        /** Whether the requests also need a place in the lane of streaming requests. */
        final boolean streams;

        final Line continuations = new Line();
        final Line requests = new Line();

        /** The next line of the same mapping. */
        final @Nullable Waiting sibling;

        // The line is in a list of the queue while a job waits in it. The links are fields, so that no change needs
        // memory.
        boolean listed;

        @Nullable
        Waiting before;

        @Nullable
        Waiting after;

        Waiting(Mapping mapping, Lane lane, boolean streams, @Nullable Waiting sibling) {
            this.mapping = mapping;
            this.lane = lane;
            this.streams = streams;
            this.sibling = sibling;
        }

        int size() {
            return continuations.size() + requests.size();
        }

        /** The line whose first job runs next. */
        Line first() {
            return continuations.isEmpty() ? requests : continuations;
        }
    }
}
