package io.penstock.experiments.io.copy;

import io.penstock.experiments.io.measure.Experiment;
import io.penstock.experiments.io.measure.MeasureOptions;
import io.penstock.loadtest.cli.SizeConverter;
import java.util.List;
import picocli.CommandLine.Option;

/** A picocli mixin: the options for the experiment with copies of files. */
public final class CopyOptions {
    @Option(
            names = "--sizes",
            paramLabel = "SIZE",
            split = ",",
            converter = SizeConverter.class,
            description = "Sizes of the files to copy, such as 1m,16m,256m.",
            defaultValue = "1m,16m,256m")
    private List<Long> sizes = List.of();

    @Option(
            names = "--jmh-up-to",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            description = "Maximum size of a file for JMH. Larger files are measured in alternating rounds.",
            defaultValue = "64m")
    private long largestForJmh;

    /** @throws IllegalArgumentException if an option is wrong */
    public Experiment experiment(MeasureOptions measure) {
        if (sizes.stream().anyMatch(size -> size < 1)) {
            throw new IllegalArgumentException("--sizes must be at least 1 byte each");
        }
        return new CopyExperiment(sizes.stream().distinct().toList(), measure.rounds(), measure.jmh(), largestForJmh);
    }
}
