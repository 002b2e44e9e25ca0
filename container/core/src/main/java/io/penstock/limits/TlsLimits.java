package io.penstock.limits;

/**
 * Limits on the memory and the threads of all TLS connections together.
 *
 * @param threads the number of threads for the long calculations of handshakes
 * @param tasks the maximum number of these calculations that wait or run at one time; a connection that needs a further calculation is
 *     closed
 * @param budget the maximum total size of the TLS buffers, in bytes
 */
public record TlsLimits(int threads, int tasks, long budget) {
    /** This budget is enough for one connection that reads and writes. */
    private static final int MIN_BUDGET = 256 * 1024;

    public TlsLimits {
        Check.atLeast(Key.TLS_THREADS, threads, 1);
        Check.atLeast(Key.TLS_TASKS, tasks, 1);
        Check.atLeast(Key.TLS_BUDGET, budget, MIN_BUDGET);
    }

    public static TlsLimits defaults() {
        return of(Configuration.defaults());
    }

    static TlsLimits of(Configuration given) {
        return new TlsLimits(given.number(Key.TLS_THREADS), given.number(Key.TLS_TASKS), given.bytes(Key.TLS_BUDGET));
    }
}
