package io.penstock.experiments.io.packets;

import io.penstock.experiments.io.measure.Experiment;
import io.penstock.experiments.io.measure.MeasureOptions;
import picocli.CommandLine.Option;

/** A picocli mixin: the options for the experiment with packets. */
public final class PacketsOptions {
    @Option(names = "--head", paramLabel = "BYTES", description = "Size of a head in bytes.", defaultValue = "200")
    private int head;

    @Option(
            names = "--body",
            paramLabel = "BYTES",
            description = "Size of a body in bytes. Head and body should fit into one packet.",
            defaultValue = "1000")
    private int body;

    /** @throws IllegalArgumentException if an option is wrong */
    public Experiment experiment(MeasureOptions measure) {
        requireSize("--head", head);
        requireSize("--body", body);
        return new PacketsExperiment(head, body, measure.jmh());
    }

    private static void requireSize(String option, int bytes) {
        if (bytes < 1 || bytes > 1 << 20) {
            throw new IllegalArgumentException(option + " must be from 1 to 1048576 bytes, not " + bytes);
        }
    }
}
