package io.penstock.metrics;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;

/**
 * Reads the current value of each {@link Gauge} of a server.
 *
 * <p>Thread: any. Each value is a snapshot. Values from two calls belong to different moments.
 */
public final class Gauges {
    private final Map<Gauge, LongSupplier> sources;

    /** @param sources a supplier of the value for each gauge */
    public Gauges(Map<Gauge, LongSupplier> sources) {
        this.sources = new EnumMap<>(sources);
        for (Gauge gauge : Gauge.values()) {
            if (!sources.containsKey(gauge)) {
                throw new IllegalArgumentException("no source for " + gauge.id());
            }
        }
    }

    public long value(Gauge gauge) {
        return Objects.requireNonNull(sources.get(gauge)).getAsLong();
    }
}
