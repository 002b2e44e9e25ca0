package io.penstock.limits;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the events of each {@link Counter}, and the streams of HTTP/2 that were reset, since the server was created.
 *
 * <p>Thread: any; an increment never waits.
 */
public final class Counters {

    // Only the constructor changes these maps.
    private final Map<Counter, LongAdder> adders = new EnumMap<>(Counter.class);
    private final Map<StreamReset, LongAdder> resets = new EnumMap<>(StreamReset.class);

    public Counters() {
        for (Counter counter : Counter.values()) {
            adders.put(counter, new LongAdder());
        }
        for (StreamReset cause : StreamReset.values()) {
            resets.put(cause, new LongAdder());
        }
    }

    public void increment(Counter counter) {
        adder(counter).increment();
    }

    /** Counts that a limit was reached. This method has no effect if the limit has no counter. */
    public void reached(Key limit) {
        Counter counter = limit.consequence().counter();
        if (counter != null) {
            increment(counter);
        }
    }

    public void add(Counter counter, long count) {
        adder(counter).add(count);
    }

    public long value(Counter counter) {
        return adder(counter).sum();
    }

    public void increment(StreamReset cause) {
        Objects.requireNonNull(resets.get(cause)).increment();
    }

    public long value(StreamReset cause) {
        return Objects.requireNonNull(resets.get(cause)).sum();
    }

    private LongAdder adder(Counter counter) {
        return Objects.requireNonNull(adders.get(counter));
    }
}
