package io.penstock.loadtest.compare.users;

/**
 * How users came by their connections. A number that has not changed since it was read stays as it was read.
 *
 * <p>Thread: the loop writes, any may read.
 */
final class ConnectTally {
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

    long errors() {
        return errors;
    }

    /** In words; empty if there was none. */
    String firstTrouble() {
        return firstTrouble;
    }
}
