package io.penstock.admin;

import io.penstock.metrics.Durations;

/**
 * Recent durations of one kind, in nanoseconds.
 *
 * @param count the number of durations
 */
record Percentiles(long count, long half, long ninetyNine, long longest) {
    static final Percentiles NONE = new Percentiles(0, 0, 0, 0);

    static Percentiles of(Durations.Snapshot recent) {
        return new Percentiles(recent.count(), recent.percentile(50), recent.percentile(99), recent.longest());
    }
}
