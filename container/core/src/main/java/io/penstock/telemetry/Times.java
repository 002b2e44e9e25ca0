package io.penstock.telemetry;

import java.math.BigDecimal;
import java.util.List;

/**
 * A histogram of durations. All times are in seconds.
 *
 * @param count the number of durations
 * @param sum the sum of all durations
 * @param longest the longest duration since the server's start
 * @param buckets the buckets in ascending order; durations above the last bound are only in {@code count}
 */
public record Times(long count, double sum, double longest, List<Bucket> buckets) {

    public Times {
        buckets = List.copyOf(buckets);
    }

    /** A cumulative bucket: the number of all durations that are at most {@code upTo}. */
    public record Bucket(double upTo, long count) {

        /** The bound in the spelling of OpenMetrics: {@code 0.005}, {@code 1.0}. */
        public String le() {
            String plain = BigDecimal.valueOf(upTo).stripTrailingZeros().toPlainString();
            return plain.indexOf('.') < 0 ? plain + ".0" : plain;
        }
    }
}
