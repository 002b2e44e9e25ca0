package io.penstock.experiments.io;

import io.penstock.experiments.io.copy.CopyOptions;
import io.penstock.experiments.io.measure.Experiment;
import io.penstock.experiments.io.measure.MeasureOptions;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code experiments io copy}. */
@Command(
        name = "copy",
        description = {
            "Copies files in five ways: stream, heap buffer, direct buffer, mapped, transferTo; the stream is 100 %%.",
            "Needs free space for two copies of the largest file."
        })
public final class CopyCommand extends ExperimentCommand {
    @Mixin
    private CopyOptions options = new CopyOptions();

    @Override
    List<Experiment> experiments(MeasureOptions measure) {
        return List.of(options.experiment(measure));
    }
}
