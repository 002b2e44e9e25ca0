package io.penstock.experiments.io.measure;

import java.util.ArrayList;
import java.util.List;

/** What was measured of one thing, in one unit, in the order of the rounds. */
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

    /** The middle one, or half-way between the middle two. */
    public double median() {
        List<Double> sorted = sorted();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    public double lowest() {
        return sorted().get(0);
    }

    public double highest() {
        List<Double> sorted = sorted();
        return sorted.get(sorted.size() - 1);
    }

    private List<Double> sorted() {
        if (values.isEmpty()) {
            throw new IllegalStateException("nothing was measured");
        }
        return values.stream().sorted().toList();
    }
}
