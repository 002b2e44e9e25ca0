package io.penstock.experiments.io.measure;

import io.penstock.loadtest.report.Spread;
import java.util.ArrayList;
import java.util.List;

/** The measurements of one quantity, in one unit, in the order of the rounds. */
public final class Samples {
    private final List<Double> values = new ArrayList<>();

    public static Samples of(double... values) {
        Samples samples = new Samples();
        for (double value : values) {
            samples.add(value);
        }
        return samples;
    }

    public void add(double value) {
        values.add(value);
    }

    public boolean isEmpty() {
        return values.isEmpty();
    }

    public List<Double> values() {
        return List.copyOf(values);
    }

    /** The median. For an even number of values, it is the mean of the two middle values. */
    public double median() {
        return spread().median();
    }

    public double lowest() {
        return spread().lowest();
    }

    public double highest() {
        return spread().highest();
    }

    private Spread spread() {
        if (values.isEmpty()) {
            throw new IllegalStateException("nothing was measured");
        }
        return Spread.of(values);
    }
}
