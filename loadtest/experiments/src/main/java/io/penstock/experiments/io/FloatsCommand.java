package io.penstock.experiments.io;

import io.penstock.experiments.io.floats.FloatsOptions;
import io.penstock.experiments.io.measure.Experiment;
import io.penstock.experiments.io.measure.MeasureOptions;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code experiments io floats}. */
@Command(
        name = "floats",
        description = {
            "Writes and reads an array of floats one by one through a data stream, and as one block through a view of a buffer."
        })
public final class FloatsCommand extends ExperimentCommand {
    @Mixin
    private FloatsOptions options = new FloatsOptions();

    @Override
    List<Experiment> experiments(MeasureOptions measure) {
        return List.of(options.experiment(measure));
    }
}
