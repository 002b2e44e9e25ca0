package io.penstock.sample.sensor;

import java.util.Locale;

/** Four figures that summarise a series of numbers. */
record Statistics(int count, float min, float max, double mean) {

    /** @throws IllegalArgumentException if the series is empty, or a number is not finite */
    static Statistics of(float[] series) {
        if (series.length == 0) {
            throw new IllegalArgumentException("The block has no numbers.");
        }
        float min = Float.POSITIVE_INFINITY;
        float max = Float.NEGATIVE_INFINITY;
        double sum = 0;
        for (float value : series) {
            if (!Float.isFinite(value)) {
                throw new IllegalArgumentException("The block has a value that is not a finite number.");
            }
            min = Math.min(min, value);
            max = Math.max(max, value);
            sum += value;
        }
        return new Statistics(series.length, min, max, sum / series.length);
    }

    String toJson() {
        return String.format(
                Locale.ROOT, "{\"count\":%d,\"min\":%s,\"max\":%s,\"mean\":%s}", count, min, max, (float) mean);
    }
}
