package io.penstock.limits;

/** The numbers of threads, and the number of requests that may wait for a worker. {@link Key} explains the values. */
public record Threads(
        int workers,
        Switch virtual,
        int reactors,
        int queue,
        int maxStreaming,
        int maxSpooling,
        String streamingPaths) {

    static Threads of(Configuration given) {
        return new Threads(
                given.number(Key.WORKERS),
                given.choice(Key.VIRTUAL_THREADS),
                given.number(Key.REACTORS),
                given.number(Key.QUEUE),
                given.number(Key.MAX_STREAMING),
                given.number(Key.MAX_SPOOLING),
                given.text(Key.STREAMING_PATHS));
    }
}
