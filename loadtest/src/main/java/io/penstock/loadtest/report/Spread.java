package io.penstock.loadtest.report;

import java.util.Collection;

/** The median, lowest and highest value of repeated measurements. */
public record Spread(double median, double lowest, double highest) {

    /**
     * Computes the spread of values. For an even number of values, the median is the mean of the two middle values.
     *
     * @throws IllegalArgumentException if there are no values
     */
    public static Spread of(Collection<? extends Number> values) {
        double[] sorted =
                values.stream().mapToDouble(Number::doubleValue).sorted().toArray();
        if (sorted.length == 0) {
            throw new IllegalArgumentException("No values");
        }
        int middle = sorted.length / 2;
        double median = sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return new Spread(median, sorted[0], sorted[sorted.length - 1]);
    }
}
