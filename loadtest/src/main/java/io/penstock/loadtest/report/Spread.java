package io.penstock.loadtest.report;

import java.util.Collection;

/** The median of repeated measurements, with the lowest and the highest. */
public record Spread(double median, double lowest, double highest) {

    /**
     * Of an even number of values the median is the mean of the two in the middle.
     *
     * @throws IllegalArgumentException if there are none
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
