package io.penstock.metrics;

import io.penstock.events.CloseCause;
import io.penstock.events.ConnectionEvents;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts closed connections by cause. Each connection costs one addition, at its close.
 *
 * <p>Thread: any.
 */
public final class CloseCounts implements ConnectionEvents {

    /** The counts by cause. Only the constructor changes the map. */
    private final Map<CloseCause, LongAdder> counts = new EnumMap<>(CloseCause.class);

    public CloseCounts() {
        for (CloseCause cause : CloseCause.values()) {
            counts.put(cause, new LongAdder());
        }
    }

    @Override
    public void closed(String connection, CloseCause cause, String detail) {
        of(cause).increment();
    }

    /** The number of connections that were closed for this cause since the server was created. */
    public long count(CloseCause cause) {
        return of(cause).sum();
    }

    private LongAdder of(CloseCause cause) {
        return Objects.requireNonNull(counts.get(cause));
    }
}
