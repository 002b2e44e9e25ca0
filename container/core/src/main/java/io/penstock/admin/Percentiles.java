package io.penstock.admin;

import io.penstock.metrics.Durations;

/**
 * How long something took of late, in nanoseconds.
 *
 * @param count how often there was any
 */
record Percentiles(long count, long half, long ninetyNine, long longest) {
    static final Percentiles NONE = new Percentiles(0, 0, 0, 0);

    static Percentiles of(Durations.Snapshot recent) {
        return new Percentiles(recent.count(), recent.percentile(50), recent.percentile(99), recent.longest());
    }
}
