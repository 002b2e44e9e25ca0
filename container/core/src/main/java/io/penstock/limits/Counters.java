package io.penstock.limits;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the events of each {@link Counter} since the server was created.
 *
 * <p>Thread: any; an increment never waits.
 */
public final class Counters {

    /** Only the constructor changes this map. */
    private final Map<Counter, LongAdder> adders = new EnumMap<>(Counter.class);

    public Counters() {
        for (Counter counter : Counter.values()) {
            adders.put(counter, new LongAdder());
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

    private LongAdder adder(Counter counter) {
        return Objects.requireNonNull(adders.get(counter));
    }
}
