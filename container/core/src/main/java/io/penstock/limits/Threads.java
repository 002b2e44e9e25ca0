package io.penstock.limits;

/**
 * The numbers of threads, and the number of requests that may wait for a worker.
 *
 * @param workers the largest number of threads that run servlets, independent of the number of clients
 * @param reactors the number of selector threads
 * @param queue the most requests that may wait for a worker; a further request is answered 503
 * @param virtual whether the workers are virtual threads. The setting has no effect if the Java version has no virtual threads
 * @param streamingPaths URL patterns, separated by commas; {@code none} for no pattern. A worker gets a matching request before the request
 *     body has arrived
 * @param maxStreaming the most workers that streaming requests may occupy
 * @param maxSpooling the most workers for requests whose responses will probably wait for the disk
 */
public record Threads(
        int workers,
        Switch virtual,
        int reactors,
        int queue,
        int maxStreaming,
        int maxSpooling,
        String streamingPaths) {

    public Threads {
        Check.atLeast(Key.WORKERS, workers, 1);
        Check.atLeast(Key.REACTORS, reactors, 1);
        Check.atLeast(Key.QUEUE, queue, 0);
        Check.atLeast(Key.MAX_STREAMING, maxStreaming, 1);
        Check.atLeast(Key.MAX_SPOOLING, maxSpooling, 1);
    }

    public static Threads defaults() {
        return of(Configuration.defaults());
    }

    static Threads of(Configuration given) {
        return new Threads(
                given.number(Key.WORKERS),
                Check.choice(Key.VIRTUAL_THREADS, given.text(Key.VIRTUAL_THREADS), Switch.class),
                given.number(Key.REACTORS),
                given.number(Key.QUEUE),
                given.number(Key.MAX_STREAMING),
                given.number(Key.MAX_SPOOLING),
                given.text(Key.STREAMING_PATHS));
    }
}
