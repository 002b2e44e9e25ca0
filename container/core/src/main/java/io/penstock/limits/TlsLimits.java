package io.penstock.limits;

/**
 * The memory and the threads of all TLS connections of a server together.
 *
 * @param threads that run the long arithmetic of handshakes
 * @param tasks of handshakes that may wait for these threads or run; the connection of a further one is closed
 * @param budget bytes of the buffers of TLS
 */
public record TlsLimits(int threads, int tasks, long budget) {
    /** One connection must be able to read and to write. */
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
