package io.penstock.experiments.io;

import io.penstock.experiments.io.measure.Experiment;
import io.penstock.experiments.io.measure.MeasureOptions;
import io.penstock.experiments.io.packets.PacketsOptions;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code experiments io packets}. */
@Command(
        name = "packets",
        description = {
            "Measures the time of an exchange: sends a head and a body, in one packet and in two, and waits"
                    + " for the response."
        })
public final class PacketsCommand extends ExperimentCommand {
    @Mixin
    private PacketsOptions options = new PacketsOptions();

    @Override
    List<Experiment> experiments(MeasureOptions measure) {
        return List.of(options.experiment(measure));
    }
}
