package io.penstock.metrics;

import java.util.Arrays;

/**
 * The upper bounds of the buckets in a scraped histogram. Each bound is also the end of a cell in {@link Durations}, so the counts are
 * exact.
 */
public enum Buckets {
    /** The bounds that OpenTelemetry's conventions advise for {@code http.server.request.duration}. */
    REQUEST(5, 10, 25, 50, 75, 100, 250, 500, 750, 1_000, 2_500, 5_000, 7_500, 10_000),

    /**
     * The bounds for the {@link Stage stages} of a request. Waits for workers need short bounds, and waits for clients need long bounds.
     */
    STAGE(0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 60_000);

    /** Nanoseconds in a second. */
    static final double NANOS = 1e9;

    private final long[] nanos;

    Buckets(double... millis) {
        nanos = Arrays.stream(millis).mapToLong(one -> Math.round(one * 1e6)).toArray();
    }

    long[] nanos() {
        return nanos.clone();
    }
}
