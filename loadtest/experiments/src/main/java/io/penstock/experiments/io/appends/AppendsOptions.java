package io.penstock.experiments.io.appends;

import io.penstock.experiments.io.measure.Experiment;
import io.penstock.experiments.io.measure.MeasureOptions;
import picocli.CommandLine.Option;

/** A picocli mixin: the options for the experiment with appends. */
public final class AppendsOptions {
    @Option(
            names = "--records",
            paramLabel = "N",
            description = "Number of records to append, of 64 bytes each.",
            defaultValue = "200000")
    private long records;

    /** @throws IllegalArgumentException if an option is wrong */
    public Experiment experiment(MeasureOptions measure) {
        if (records < 1 || records > 1_000_000_000) {
            throw new IllegalArgumentException("--records must be from 1 to 1000000000, not " + records);
        }
        return new AppendsExperiment(records, measure.rounds());
    }
}
