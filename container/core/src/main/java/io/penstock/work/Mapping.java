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
    /** The most characters of a name. */
    private static final int LONGEST = 200;

    private final String name;
    private final QueueSpeed speed = new QueueSpeed();

    /** The lines of the jobs of this mapping, one for each lane that has had such a job; linked by {@link Waiting#sibling}. */
    private @Nullable Waiting lines;

    private volatile int running;
    private volatile int waiting;

    /** How many more jobs of the mapping may run, while the queue counts which jobs could run. */
    int left;

    /**
     * @param name the context path and the servlet or path, for operators. It may contain what a client has sent: control characters are
     *     replaced, and a long name is cut
     */
    public Mapping(String name) {
        this.name = shown(name);
    }

    private static String shown(String name) {
        StringBuilder shown = new StringBuilder(name);
        if (name.length() > LONGEST) {
            shown.setLength(LONGEST);
            shown.append("...");
        }
        for (int i = 0; i < shown.length(); i++) {
            char c = shown.charAt(i);
            if (Character.isISOControl(c) || Character.isSurrogate(c)) {
                shown.setCharAt(i, '?');
            }
        }
        return shown.toString();
    }

    /** The context path and the servlet or path, for operators. Any thread. */
    public String name() {
        return name;
    }

    /** The number of workers that run code of this mapping's requests; a snapshot. Any thread. */
    public int running() {
        return running;
    }

    /** The number of jobs of this mapping that wait for a worker; a snapshot. Any thread. */
    public int waiting() {
        return waiting;
    }

    /** The line of this mapping's jobs that need a place in these lanes. Makes the line if there is none. */
    Waiting line(Lane lane, @Nullable Lane also) {
        for (Waiting line = lines; line != null; line = line.sibling) {
            if (line.lane == lane && line.also == also) {
                return line;
            }
        }
        Waiting made = new Waiting(this, lane, also, lines);
        lines = made;
        return made;
    }

    void begin() {
        running = running() + 1;
    }

    void end() {
        running = running() - 1;
    }

    /** Jobs begin to wait, or wait no longer if {@code more} is negative. */
    void waits(int more) {
        waiting = waiting() + more;
    }

    QueueSpeed speed() {
        return speed;
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

        /** A second lane in which the requests need a place; null if there is none. */
        final @Nullable Lane also;

        final Line continuations = new Line();
        final Line requests = new Line();

        /** The time since when requests have waited without a break. */
        long since;

        /** The next line of the same mapping. */
        final @Nullable Waiting sibling;

        // The line is in a list of the queue while a job waits in it. The link is a field, so that no change needs
        // memory.
        boolean listed;

        @Nullable
        Waiting after;

        Waiting(Mapping mapping, Lane lane, @Nullable Lane also, @Nullable Waiting sibling) {
            this.mapping = mapping;
            this.lane = lane;
            this.also = also;
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
