package io.penstock.loadtest.capacity;

import java.util.Arrays;

/** The values of one {@link Quantity}, with one value for each second. */
final class Series {
    private static final double HIGH = 0.99;

    private double[] values = new double[1024];
    private int size;
    private double sum;
    private double now;

    /** Changes the value of the present second. */
    void change(double by) {
        now += by;
    }

    /** Ends the present second, and records the value of this second. The next second starts with the same value. */
    void keep() {
        if (size == values.length) {
            values = Arrays.copyOf(values, 2 * size);
        }
        values[size++] = now;
        sum += now;
    }

    /** Sets the value to zero, so that the next second starts with zero. */
    void reset() {
        now = 0;
    }

    double mean() {
        return sum / size;
    }

    /** The 99th percentile. In 99 of 100 seconds, the quantity is not larger than this value. */
    double p99() {
        double[] sorted = Arrays.copyOf(values, size);
        Arrays.sort(sorted);
        return sorted[Math.max(0, (int) Math.ceil(HIGH * size) - 1)];
    }
}
