package io.penstock.experiments.io.floats;

import io.penstock.experiments.io.measure.Experiment;
import io.penstock.experiments.io.measure.MeasureOptions;
import picocli.CommandLine.Option;

/** A picocli mixin: the options for the experiment with floats. */
public final class FloatsOptions {
    private static final int MOST = 100_000_000;

    @Option(
            names = "--floats",
            paramLabel = "N",
            description = "Number of floats in the array.",
            defaultValue = "100000")
    private int floats;

    /** @throws IllegalArgumentException if an option is wrong */
    public Experiment experiment(MeasureOptions measure) {
        if (floats < 1 || floats > MOST) {
            throw new IllegalArgumentException("--floats must be from 1 to " + MOST + ", not " + floats);
        }
        return new FloatsExperiment(floats, measure.jmh());
    }
}
