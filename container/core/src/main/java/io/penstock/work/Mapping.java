package io.penstock.work;

import org.jspecify.annotations.Nullable;

/**
 * The requests that share the workers fairly with all others: those of one servlet, or of one kind of path if one servlet serves a whole
 * application. Among the jobs that may run, the mapping with the fewest workers goes first. One mapping alone may not use all workers
 * ({@link RequestQueue}), and each mapping has its own overload.
 *
 * <p>A request counts for its mapping while a worker runs code of it. An open asynchronous request counts nothing between its turns.
 *
 * <p>Thread: as {@link Share}. Any thread may also call {@link #name}.
 */
public final class Mapping extends Share {
    /** The most characters of a name. */
    private static final int LONGEST = 200;

    /** After this number of quick responses in a row, the next one is expected to be quick. */
    private static final int MANY_QUICK = 64;

    private final String name;

    /** The lines of the jobs of this mapping, one for each lane that has had such a job; linked by {@link Waiting#sibling}. */
    private @Nullable Waiting lines;

    // How many quick responses have ended since the last slow one, up to MANY_QUICK. Workers may lose an increment; in
    // most cases they only read the value.
    private volatile int quickInRow;

    /**
     * @param name the context path and the servlet or path, for operators. It may contain what a client has sent: control characters are
     *     replaced, and a long name is cut
     */
    public Mapping(String name) {
        this.name = shown(name);
    }

    private static String shown(String name) {
        StringBuilder shown = new StringBuilder(name.length() > LONGEST ? name.substring(0, LONGEST) + "..." : name);
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

    /** A response of this mapping has ended; {@code quick}: soon after its job has begun. Thread: its worker. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // a lost increment does no harm
    void answered(boolean quick) {
        if (!quick) {
            quickInRow = 0;
        } else if (quickInRow < MANY_QUICK) {
            quickInRow++;
        }
    }

    /** Whether the next job is expected to be quick. Any thread. */
    boolean isQuick() {
        return quickInRow >= MANY_QUICK;
    }

    /** The line of this mapping's jobs that need a place in these lanes. Makes the line if there is none. */
    Waiting line(Lane lane, Lane also) {
        for (Waiting line = lines; line != null; line = line.sibling) {
            if (line.lane == lane && line.also == also) {
                return line;
            }
        }
        Waiting made = new Waiting(this, lane, also, lines);
        lines = made;
        return made;
    }

    /**
     * The waiting jobs of one {@link Mapping} in one {@link Lane}: continuations first, then requests, each in the order of their arrival.
     * Among them are the continuations that have given way: one of them runs before the next other job if it has waited longer.
     *
     * <p>Thread: the holder of the queue's lock.
     */
    static final class Waiting {
        final Mapping mapping;
        final Lane lane;

        /** A second lane in which the requests need a place. It is that of usual requests, without a limit, if there is no other. */
        final Lane also;

        final Line continuations = new Line();

        /** Continuations that have given way ({@link RequestQueue#resumeLater}). */
        final Line later = new Line();

        final Line requests = new Line();

        /** The time since when requests have waited without a break. */
        long since;

        /** The next line of the same mapping. */
        final @Nullable Waiting sibling;

        // The line is in a list while a job waits in it. The link is a field, so that no change of the list needs
        // memory.
        boolean listed;

        @Nullable
        Waiting after;

        Waiting(Mapping mapping, Lane lane, Lane also, @Nullable Waiting sibling) {
            this.mapping = mapping;
            this.lane = lane;
            this.also = also;
            this.sibling = sibling;
        }

        int size() {
            return continuations.size + later.size + requests.size;
        }

        /** For how many nanoseconds the oldest job has waited. */
        long age(long now) {
            return Math.max(Math.max(continuations.age(now), later.age(now)), requests.age(now));
        }

        /** The line whose first job runs next. */
        Line first() {
            Line usual = continuations.isEmpty() ? requests : continuations;
            return later.isOlderThan(usual) ? later : usual;
        }
    }
}
