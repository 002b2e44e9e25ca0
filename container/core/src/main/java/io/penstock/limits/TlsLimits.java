package io.penstock.limits;

/**
 * Limits on the memory and the threads of all TLS connections together.
 *
 * @param threads the number of threads for the long calculations of handshakes
 * @param tasks the most such calculations that wait or run at one time; a connection that needs a further one is closed
 * @param budget the most bytes of the buffers of TLS
 */
public record TlsLimits(int threads, int tasks, long budget) {
    /** Enough for one connection to read and to write. */
    private static final int LEAST_BUDGET = 256 * 1024;

    public TlsLimits {
        Check.atLeast(Key.TLS_THREADS, threads, 1);
        Check.atLeast(Key.TLS_TASKS, tasks, 1);
        Check.atLeast(Key.TLS_BUDGET, budget, LEAST_BUDGET);
    }

    public static TlsLimits defaults() {
        return of(Configuration.defaults());
    }

    static TlsLimits of(Configuration given) {
        return new TlsLimits(given.number(Key.TLS_THREADS), given.number(Key.TLS_TASKS), given.bytes(Key.TLS_BUDGET));
    }
}
