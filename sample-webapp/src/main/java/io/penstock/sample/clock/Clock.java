package io.penstock.sample.clock;

import io.penstock.sample.async.AsyncOutput;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Sends the time to all clients that watch the clock. A client that is not ready misses a tick. Thread: {@link #add}:
 * any; {@link #tick}: the only thread of the ticker. This thread never waits for a client.
 */
public final class Clock {
    /** The name of the servlet context's attribute that contains the only clock of the application. */
    public static final String ATTRIBUTE = Clock.class.getName();

    private final Set<AsyncOutput> watchers = ConcurrentHashMap.newKeySet();

    void add(AsyncOutput watcher) {
        watchers.add(watcher);
    }

    /** Sends the time to all clients that are ready. */
    public void tick() {
        watchers.removeIf(AsyncOutput::hasEnded);
        byte[] event = """
                event: tick
                data: {"time":"%s","watchers":%d}

                """.formatted(Instant.now().truncatedTo(ChronoUnit.SECONDS), watchers.size())
                .getBytes(StandardCharsets.UTF_8);
        watchers.forEach(watcher -> watcher.offer(event));
    }

    /** Ends all responses, because the application stops. */
    public void stop() {
        watchers.forEach(AsyncOutput::finish);
    }
}
