package io.penstock.experiments.transactions;

import java.util.Locale;

/**
 * The use of the available threads by one kind of client. Every thread of a transaction, a call or a selector counts. Those of
 * the virtual machine, and the one that reads the clock, are the same for both kinds and do not count.
 *
 * @param users threads that each run one transaction after another
 * @param callThreads threads that only make calls for them
 * @param selectors threads that watch all connections
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

    /** Every thread except the selector's runs transactions: each of these threads waits for all calls of a search at once. */
    static ThreadBudget multiplexed(int threads) {
        if (threads < 2) {
            throw new IllegalArgumentException(
                    "--threads must be at least 2: the multiplexed client needs a selector thread and a"
                            + " thread for transactions");
        }
        return new ThreadBudget(threads - 1, 0, 1);
    }

    /**
     * A search that calls so many suppliers at the same time needs as many threads: the user's own, and call threads for the
     * others.
     *
     * @param users how many of the threads run transactions
     */
    static ThreadBudget blocking(int threads, int users, int fanOut) {
        if (users < 1 || users > threads) {
            throw new IllegalArgumentException(String.format(
                    Locale.ROOT, "--blocking-users must be between 1 and the %d threads, not %d", threads, users));
        }
        return new ThreadBudget(users, fanOut < 2 ? 0 : threads - users, 0);
    }

    /**
     * The division at which users' threads and call threads are equally busy. A transaction occupies the user's thread for the
     * slowest supplier and the booking, and call threads for all suppliers except one. Fewer users leave call threads idle; more
     * make calls wait for a thread.
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
