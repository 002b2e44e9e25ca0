package io.penstock.sample.clock;

import io.penstock.sample.async.AsyncOutput;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Sends the time to all watching clients. Thread: {@link #add} any; the ticks come from the application's only ticker thread,
 * which serves all clients and waits for none. A client that is not ready misses a tick.
 */
public final class Clock {
    /** Name of the servlet context's attribute that holds the application's one clock. */
    public static final String ATTRIBUTE = Clock.class.getName();

    private final Set<AsyncOutput> watchers = ConcurrentHashMap.newKeySet();

    void add(AsyncOutput watcher) {
        watchers.add(watcher);
    }

    /** Sends the time to all clients that are ready for it. */
    public void tick() {
        watchers.removeIf(AsyncOutput::hasEnded);
        byte[] event = """
                event: tick
                data: {"time":"%s","watchers":%d}

                """.formatted(Instant.now().truncatedTo(ChronoUnit.SECONDS), watchers.size())
                .getBytes(StandardCharsets.UTF_8);
        watchers.forEach(watcher -> watcher.offer(event));
    }

    /** Ends all responses, as the application stops. */
    public void stop() {
        watchers.forEach(AsyncOutput::finish);
    }
}
