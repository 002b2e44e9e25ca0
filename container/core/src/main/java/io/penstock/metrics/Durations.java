package io.penstock.metrics;

import io.penstock.telemetry.Times;
import java.util.Arrays;
import java.util.List;

/**
 * A histogram of durations from a microsecond to some hours. It consists of cells, and each cell counts the durations in one interval. The
 * width of a cell is at most a tenth of the cell's lower bound. The size of a histogram does not depend on the number of recorded
 * durations.
 *
 * <pre>
 *   cell    (.., 1 us]   (1.0, 1.1]  (1.1, 1.2] .. (9.9, 10] us   (10, 11] .. (99, 100] us   ..   (9900, 10000] s   (10000 s, ..)
 * </pre>
 *
 * The bounds are decimal. So the buckets of OpenTelemetry's conventions (5 ms, 10 ms, 25 ms, 75 ms ..) are counted exactly.
 *
 * <p>Thread: one at a time; the owner of the histogram ensures this. Recording allocates nothing.
 */
public final class Durations {
    private static final int DECADES = 10;
    private static final int OF_DECADE = 90;
    private static final int CELLS = 1 + DECADES * OF_DECADE + 1;

    /** The end of the first cell in nanoseconds. */
    private static final long SHORTEST = 1_000;

    private final long[] cells = new long[CELLS];
    private long sum;
    private long longest;

    void record(long nanos) {
        cells[cell(nanos)]++;
        sum += nanos;
        longest = Math.max(longest, nanos);
    }

    /** A copy of the current counts. */
    Snapshot snapshot() {
        return new Snapshot(cells.clone(), sum, longest);
    }

    private static int cell(long nanos) {
        if (nanos <= SHORTEST) {
            return 0;
        }
        long width = SHORTEST / 10;
        int before = 1;
        for (int decade = 0; decade < DECADES; decade++) {
            if (nanos <= width * 100) {
                // A decade has the cells from (10, 11] to (99, 100] widths.
                return before + (int) ((nanos + width - 1) / width) - 11;
            }
            width *= 10;
            before += OF_DECADE;
        }
        return CELLS - 1;
    }

    /** The longest duration of a cell in nanoseconds. */
    private static long end(int cell) {
        if (cell == 0) {
            return SHORTEST;
        }
        if (cell == CELLS - 1) {
            return Long.MAX_VALUE;
        }
        long width = SHORTEST / 10;
        for (int decade = (cell - 1) / OF_DECADE; decade > 0; decade--) {
            width *= 10;
        }
        return (11 + (cell - 1) % OF_DECADE) * width;
    }

    /** The counts of a histogram at one moment. Immutable. */
    public static final class Snapshot {
        /** No durations. */
        public static final Snapshot EMPTY = new Snapshot(new long[CELLS], 0, 0);

        private final long[] counts;
        private final long count;
        private final long sum;
        private final long longest;

        private Snapshot(long[] counts, long sum, long longest) {
            this.counts = counts;
            this.count = Arrays.stream(counts).sum();
            this.sum = sum;
            this.longest = longest;
        }

        /** The number of durations. */
        public long count() {
            return count;
        }

        /** The sum of the durations in nanoseconds. */
        public long sum() {
            return sum;
        }

        /**
         * The longest duration in nanoseconds; 0 if there is none. For a {@link #since difference} of snapshots, only the cell of the
         * longest duration is known. In this case, the result is the shorter of two values: the end of this cell, and the longest duration
         * since the start.
         */
        public long longest() {
            return longest;
        }

        /**
         * How many durations are at most {@code nanos}. The count is exact if a cell ends at {@code nanos}. Otherwise, the count includes
         * only durations up to the end of the previous cell.
         */
        public long upTo(long nanos) {
            long found = 0;
            for (int cell = 0; cell < CELLS && end(cell) <= nanos; cell++) {
                found += counts[cell];
            }
            return found;
        }

        /** Converts to a histogram with fewer buckets. */
        Times times(Buckets buckets) {
            List<Times.Bucket> fewer = Arrays.stream(buckets.nanos())
                    .mapToObj(bound -> new Times.Bucket(bound / Buckets.NANOS, upTo(bound)))
                    .toList();
            return new Times(count, sum / Buckets.NANOS, longest / Buckets.NANOS, fewer);
        }

        /**
         * A percentile in nanoseconds. The result is up to a tenth above the exact percentile, and never above the longest duration. It is
         * 0 if there is no duration.
         */
        public long percentile(double percent) {
            if (count == 0) {
                return 0;
            }
            long rank = Math.max(1, (long) Math.ceil(count * percent / 100));
            long found = 0;
            int cell = -1;
            while (found < rank) {
                cell++;
                found += counts[cell];
            }
            return Math.min(end(cell), longest);
        }

        /** A snapshot of the durations in this snapshot and in {@code other}. */
        Snapshot plus(Snapshot other) {
            long[] both = new long[CELLS];
            Arrays.setAll(both, cell -> counts[cell] + other.counts[cell]);
            return new Snapshot(both, sum + other.sum, Math.max(longest, other.longest));
        }

        /** The durations since an earlier snapshot of the same histogram. */
        public Snapshot since(Snapshot earlier) {
            long[] more = new long[CELLS];
            long most = 0;
            for (int cell = 0; cell < CELLS; cell++) {
                more[cell] = counts[cell] - earlier.counts[cell];
                if (more[cell] > 0) {
                    most = end(cell);
                }
            }
            return new Snapshot(more, sum - earlier.sum, Math.min(most, longest));
        }
    }
}
