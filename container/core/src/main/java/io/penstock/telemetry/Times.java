package io.penstock.telemetry;

import java.math.BigDecimal;
import java.util.List;

/**
 * How long something took, each time, as a histogram. All times are seconds.
 *
 * @param count how often it happened
 * @param sum all together
 * @param longest the longest since the start
 * @param buckets from the shortest; what took longer than the last says is in {@code count} alone
 */
public record Times(long count, double sum, double longest, List<Bucket> buckets) {

    public Times {
        buckets = List.copyOf(buckets);
    }

    /** How many took {@code upTo} at most; those of shorter buckets are among them. */
    public record Bucket(double upTo, long count) {

        /** The bound as OpenMetrics writes it: {@code 0.005}, {@code 1.0}. */
        public String le() {
            String plain = BigDecimal.valueOf(upTo).stripTrailingZeros().toPlainString();
            return plain.indexOf('.') < 0 ? plain + ".0" : plain;
        }
    }
}
