package io.penstock.metrics;

import io.penstock.telemetry.Times;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * How long something took, each time, counted in the buckets that are scraped and no finer: some hundred bytes.
 *
 * <p>Thread: any. Recording never waits and makes nothing.
 */
final class BucketCounts {
    private final long[] bounds;
    private final AtomicLongArray counts;
    private final LongAdder sum = new LongAdder();
    private final AtomicLong longest = new AtomicLong();

    BucketCounts(Buckets buckets) {
        bounds = buckets.nanos();
        counts = new AtomicLongArray(bounds.length + 1);
    }

    void record(long nanos) {
        sum.add(nanos);
        if (nanos > longest.get()) {
            longest.accumulateAndGet(nanos, Math::max);
        }
        int found = Arrays.binarySearch(bounds, nanos);
        counts.getAndIncrement(
                found < 0 ? -found - 1 : found); // last, as in Durations: what is counted is in the others
    }

    /** How often. */
    long count() {
        long count = 0;
        for (int i = 0; i < counts.length(); i++) {
            count += counts.get(i);
        }
        return count;
    }

    Times times() {
        List<Times.Bucket> buckets = new ArrayList<>();
        long count = 0;
        for (int i = 0; i < bounds.length; i++) {
            count += counts.get(i);
            buckets.add(new Times.Bucket(bounds[i] / Buckets.NANOS, count));
        }
        count += counts.get(bounds.length);
        return new Times(count, sum.sum() / Buckets.NANOS, longest.get() / Buckets.NANOS, buckets);
    }
}
