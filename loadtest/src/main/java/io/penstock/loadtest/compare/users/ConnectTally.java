package io.penstock.loadtest.compare.users;

/**
 * Counts the connections that users have made, and the attempts that have failed.
 *
 * <p>Thread: the thread of the {@code ClientLoop} writes; any thread reads.
 */
final class ConnectTally {
    private static final double NANOS_PER_MINUTE = 60e9;

    /**
     * The number of errors up to a certain time.
     *
     * @param nanos the time, as a value of {@link System#nanoTime}
     */
    record Reading(long nanos, long errors) {
        double errorsPerMinuteSince(Reading earlier) {
            return (errors - earlier.errors) * NANOS_PER_MINUTE / (nanos - earlier.nanos);
        }
    }

    private volatile long made;
    private volatile long errors;
    private volatile String firstTrouble = "";

    @SuppressWarnings("NonAtomicVolatileUpdate") // Only the thread of the loop writes this field.
    void onMade() {
        made++;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // Only the thread of the loop writes this field.
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

    /** The description of the first error; empty if there was no error. */
    String firstTrouble() {
        return firstTrouble;
    }
}
