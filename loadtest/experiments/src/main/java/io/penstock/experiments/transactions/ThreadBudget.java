package io.penstock.experiments.transactions;

import java.util.Locale;

/**
 * The numbers of threads that one kind of client uses for its tasks. Threads for transactions, for calls and for a selector are counted.
 * The threads of the JVM itself, and the thread that measures the time, are not counted: they are the same for both kinds of client.
 *
 * @param users the number of threads that each run one transaction after the other
 * @param callThreads the number of threads that only make calls for these users
 * @param selectors the number of threads that watch all connections with a selector
 */
record ThreadBudget(int users, int callThreads, int selectors) {

    ThreadBudget {
        if (users < 1 || callThreads < 0 || selectors < 0) {
            throw new IllegalArgumentException(
                    "Invalid numbers of threads: " + users + ", " + callThreads + ", " + selectors);
        }
    }

    int threads() {
        return users + callThreads + selectors;
    }

    /**
     * Returns the budget of a multiplexed client. One thread runs the selector, and all other threads run transactions. Each of them waits
     * for all calls of a search at the same time.
     */
    static ThreadBudget multiplexed(int threads) {
        if (threads < 2) {
            throw new IllegalArgumentException(
                    "--threads must be at least 2: the multiplexed client needs a selector thread and a"
                            + " thread for transactions");
        }
        return new ThreadBudget(threads - 1, 0, 1);
    }

    /**
     * Returns the budget of a blocking client. A search that calls {@code fanOut} suppliers at the same time needs this number of threads:
     * the thread of the user, and a call thread for each other supplier.
     *
     * @param users the number of threads that run transactions
     */
    static ThreadBudget blocking(int threads, int users, int fanOut) {
        if (users < 1 || users > threads) {
            throw new IllegalArgumentException(String.format(
                    Locale.ROOT, "--blocking-users must be between 1 and the %d threads, not %d", threads, users));
        }
        return new ThreadBudget(users, fanOut < 2 ? 0 : threads - users, 0);
    }

    /**
     * Returns the budget of a blocking client in which the threads of users and the call threads are equally busy. A transaction occupies
     * the user's thread during the slowest call to a supplier and during the booking. It occupies call threads for all suppliers except
     * one. With fewer users, call threads would be idle. With more users, calls would have to wait for a thread.
     */
    static ThreadBudget blockingBalanced(int threads, TransactionShape shape, Latencies latencies) {
        int fanOut = shape.suppliers();
        if (threads < Math.max(1, fanOut)) {
            throw new IllegalArgumentException(String.format(
                    Locale.ROOT,
                    "--threads must be at least %d: with blocking I/O a transaction needs a thread for each"
                            + " of its %d suppliers",
                    fanOut,
                    fanOut));
        }
        if (fanOut < 2) {
            return blocking(threads, threads, fanOut);
        }
        double held = latencies.meanOfSlowest(fanOut) + latencies.meanNanos();
        double lent = (fanOut - 1) * latencies.meanNanos();
        int users = (int) Math.round(threads * held / (held + lent));
        return blocking(threads, Math.max(1, Math.min(users, threads - (fanOut - 1))), fanOut);
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%d for users%s%s",
                users,
                callThreads > 0 ? ", " + callThreads + " for calls" : "",
                selectors > 0 ? ", " + selectors + " with the selector" : "");
    }
}
