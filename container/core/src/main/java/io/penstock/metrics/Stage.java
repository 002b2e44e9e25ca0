package io.penstock.metrics;

import io.penstock.events.RequestSummary.Times;
import java.util.Locale;
import java.util.function.ToLongFunction;

/** Where the time of a request goes, one after the other. */
public enum Stage {
    HEAD("its head arrived", Times::head),
    BODY("its body arrived", Times::body),
    QUEUE("it waited for a worker", Times::queue),
    SERVICE("the application served it", Times::service),
    DRAIN("its client took the answer", Times::drain);

    private final String meaning;
    private final ToLongFunction<Times> of;

    Stage(String meaning, ToLongFunction<Times> of) {
        this.meaning = meaning;
        this.of = of;
    }

    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** What happened meanwhile. */
    public String meaning() {
        return meaning;
    }

    /** Nanoseconds; 0 if it was not reached. */
    long of(Times times) {
        return of.applyAsLong(times);
    }
}
