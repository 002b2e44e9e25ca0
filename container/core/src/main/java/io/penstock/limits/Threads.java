package io.penstock.limits;

/**
 * How many threads of each role there are, and how many requests may wait for a worker.
 *
 * @param workers threads that run servlets; fixed, independent of the number of clients
 * @param reactors selector threads
 * @param queue requests that may wait for a worker; one more is answered 503
 * @param maxStreaming workers that streaming requests may hold together
 */
public record Threads(int workers, int reactors, int queue, int maxStreaming) {

    public Threads {
        Check.atLeast("workers", workers, 1);
        Check.atLeast("reactors", reactors, 1);
        Check.atLeast("queue", queue, 0);
        Check.atLeast("max-streaming", maxStreaming, 1);
    }

    public static Threads defaults() {
        int cores = Runtime.getRuntime().availableProcessors();
        int workers = Math.max(32, 8 * cores);
        return new Threads(workers, Math.max(1, cores / 4), 1024, Math.max(1, workers / 2));
    }
}
