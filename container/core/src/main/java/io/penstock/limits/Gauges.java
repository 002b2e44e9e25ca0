package io.penstock.limits;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;

/**
 * The gauges of a server: a source for each {@link Gauge}.
 *
 * <p>Thread: any. A reading is a snapshot; two readings are taken at different moments.
 */
public final class Gauges {
    private final Map<Gauge, LongSupplier> sources;

    /** @param sources a source for each gauge */
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
