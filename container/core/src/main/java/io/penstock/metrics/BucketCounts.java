package io.penstock.metrics;

import io.penstock.telemetry.Times;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * How long something took, each time, counted in the buckets that are scraped and no finer: some hundred bytes.
 *
 * <p>Thread: one at a time; whoever owns it sees to that. Recording makes nothing.
 */
final class BucketCounts {
    private final long[] bounds;
    private final long[] counts;
    private long sum;
    private long longest;

    BucketCounts(Buckets buckets) {
        bounds = buckets.nanos();
        counts = new long[bounds.length + 1];
    }

    void record(long nanos) {
        int found = Arrays.binarySearch(bounds, nanos);
        counts[found < 0 ? -found - 1 : found]++;
        sum += nanos;
        longest = Math.max(longest, nanos);
    }

    /** Adds what another with the same buckets has counted. */
    void add(BucketCounts other) {
        Arrays.setAll(counts, i -> counts[i] + other.counts[i]);
        sum += other.sum;
        longest = Math.max(longest, other.longest);
    }

    /** How often. */
    long count() {
        return Arrays.stream(counts).sum();
    }

    Times times() {
        List<Times.Bucket> buckets = new ArrayList<>();
        long upTo = 0;
        for (int i = 0; i < bounds.length; i++) {
            upTo += counts[i];
            buckets.add(new Times.Bucket(bounds[i] / Buckets.NANOS, upTo));
        }
        return new Times(count(), sum / Buckets.NANOS, longest / Buckets.NANOS, buckets);
    }
}
