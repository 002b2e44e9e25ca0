package io.penstock.metrics;

import java.util.Arrays;

/** Up to which times a scraped histogram counts. All of them are ends of cells of {@link Durations}, so the counts are exact. */
public enum Buckets {
    /** What the conventions of OpenTelemetry advise for {@code http.server.request.duration}. */
    REQUEST(5, 10, 25, 50, 75, 100, 250, 500, 750, 1_000, 2_500, 5_000, 7_500, 10_000),

    /** For the parts of a request: finer where workers are waited for, longer where clients are. */
    STAGE(0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 60_000);

    /** In a second. */
    static final double NANOS = 1e9;

    private final long[] nanos;

    Buckets(double... millis) {
        nanos = Arrays.stream(millis).mapToLong(one -> Math.round(one * 1e6)).toArray();
    }

    long[] nanos() {
        return nanos.clone();
    }
}
