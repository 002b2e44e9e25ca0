package io.penstock.metrics;

import java.util.Arrays;

/** The bounds of a scraped histogram's buckets. Each bound is the end of a cell of {@link Durations}, so the counts are exact. */
public enum Buckets {
    /** The bounds that OpenTelemetry's conventions advise for {@code http.server.request.duration}. */
    REQUEST(5, 10, 25, 50, 75, 100, 250, 500, 750, 1_000, 2_500, 5_000, 7_500, 10_000),

    /** For the stages of a request: finer bounds for waits for workers, longer ones for waits for clients. */
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
