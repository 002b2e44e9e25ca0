package io.penstock.metrics;

import io.penstock.telemetry.Times;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A histogram of durations with exactly the buckets of the metrics text. The histogram needs a few hundred bytes.
 *
 * <p>Thread: one at a time; the owner of the histogram ensures this. Recording allocates nothing.
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

    /** Adds the counts of another histogram with the same buckets. */
    void add(BucketCounts other) {
        Arrays.setAll(counts, i -> counts[i] + other.counts[i]);
        sum += other.sum;
        longest = Math.max(longest, other.longest);
    }

    /** The number of durations. */
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
