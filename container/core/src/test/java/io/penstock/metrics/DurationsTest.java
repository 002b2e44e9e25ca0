package io.penstock.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that a histogram has the same results as a list of all times, within the documented precision of the histogram. */
class DurationsTest {
    private final Durations durations = new Durations();

    @ParameterizedTest
    @EnumSource(Buckets.class)
    void theCountUpToTheBoundOfABucketIsExact(Buckets buckets) {
        for (long bound : buckets.nanos()) {
            Durations one = new Durations();
            one.record(bound);
            one.record(bound + 1);
            one.record(bound - 1);
            assertEquals(2, one.snapshot().upTo(bound), () -> "the number of durations of at most " + bound + " ns");
        }
    }

    @Test
    void aPercentileIsAtMostTenPercentTooHigh() {
        Random random = new Random(7);
        List<Long> all = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            long nanos = 1_000 + (long) Math.exp(random.nextDouble() * 25);
            all.add(nanos);
            durations.record(nanos);
        }
        all.sort(null);
        Durations.Snapshot snapshot = durations.snapshot();
        for (double percent : new double[] {0.1, 1, 25, 50, 75, 90, 99, 99.9, 100}) {
            long exact = all.get((int) Math.ceil(all.size() * percent / 100) - 1);
            long reported = snapshot.percentile(percent);
            assertTrue(
                    reported >= exact && reported <= exact * 1.1 + 1,
                    () -> "percentile " + percent + ": " + reported + " in place of " + exact);
        }
        assertEquals(all.size(), snapshot.count());
        assertEquals(all.stream().mapToLong(Long::longValue).sum(), snapshot.sum());
        assertEquals(all.get(all.size() - 1), snapshot.longest());
        assertEquals(snapshot.longest(), snapshot.percentile(100));
    }

    @Test
    void veryShortAndVeryLongTimesAreCounted() {
        durations.record(0);
        durations.record(1);
        durations.record(TimeUnit.DAYS.toNanos(3));
        Durations.Snapshot snapshot = durations.snapshot();
        assertEquals(3, snapshot.count());
        assertEquals(2, snapshot.upTo(1_000));
        assertEquals(2, snapshot.upTo(TimeUnit.HOURS.toNanos(3)));
        assertEquals(TimeUnit.DAYS.toNanos(3), snapshot.percentile(99));
    }

    @Test
    void anEmptyHistogramHasNoPercentiles() {
        assertEquals(0, durations.snapshot().percentile(50));
        assertEquals(0, Durations.Snapshot.EMPTY.longest());
    }

    @Test
    void theDifferenceOfTwoSnapshotsContainsOnlyTheTimesBetweenThem() {
        durations.record(TimeUnit.SECONDS.toNanos(50));
        Durations.Snapshot before = durations.snapshot();
        durations.record(TimeUnit.MILLISECONDS.toNanos(2));
        durations.record(TimeUnit.MILLISECONDS.toNanos(3));
        Durations.Snapshot between = durations.snapshot().since(before);
        assertEquals(2, between.count());
        assertEquals(TimeUnit.MILLISECONDS.toNanos(5), between.sum());
        assertEquals(TimeUnit.MILLISECONDS.toNanos(2), between.percentile(50));
        assertEquals(TimeUnit.MILLISECONDS.toNanos(3), between.longest());
    }

    @Test
    void theSumOfTwoHistogramsEqualsAHistogramOfAllTimes() {
        Durations other = new Durations();
        Durations all = new Durations();
        for (long nanos = 500; nanos < 50_000_000_000L; nanos *= 3) {
            (nanos % 2 == 0 ? durations : other).record(nanos);
            all.record(nanos);
        }
        other.record(7_000_000);
        all.record(7_000_000);
        Durations.Snapshot sum = durations.snapshot().plus(other.snapshot());
        assertEquals(all.snapshot().count(), sum.count());
        assertEquals(all.snapshot().sum(), sum.sum());
        assertEquals(all.snapshot().longest(), sum.longest());
        for (double percent : new double[] {1, 50, 99}) {
            assertEquals(all.snapshot().percentile(percent), sum.percentile(percent));
        }
    }
}
