package io.penstock.loadtest.compare.users;

/**
 * Counts the attempts of users to connect, and their errors.
 *
 * <p>Thread: the loop writes, any may read.
 */
final class ConnectTally {
    private static final double NANOS_PER_MINUTE = 60e9;

    /**
     * The number of errors up to a moment.
     *
     * @param nanos as {@link System#nanoTime} counts
     */
    record Reading(long nanos, long errors) {
        double errorsPerMinuteSince(Reading earlier) {
            return (errors - earlier.errors) * NANOS_PER_MINUTE / (nanos - earlier.nanos);
        }
    }

    private volatile long made;
    private volatile long errors;
    private volatile String firstTrouble = "";

    @SuppressWarnings("NonAtomicVolatileUpdate") // The loop alone writes.
    void onMade() {
        made++;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // The loop alone writes.
    void onError(String trouble) {
        errors++;
        if (firstTrouble.isEmpty()) {
            firstTrouble = trouble;
        }
    }

    long made() {
        return made;
    }

    Reading read() {
        return new Reading(System.nanoTime(), errors);
    }

    long errors() {
        return errors;
    }

    /** In words; empty if there was none. */
    String firstTrouble() {
        return firstTrouble;
    }
}
