package io.penstock.experiments.io;

import io.penstock.experiments.io.measure.Experiment;
import io.penstock.experiments.io.measure.MeasureOptions;
import io.penstock.experiments.io.send.SendOptions;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code experiments io send}. */
@Command(
        name = "send",
        description = {
            "Sends one large file over loopback: read and write through streams, map, transferTo, and a server.",
            "Needs free space for the file, and free memory to keep the file in the page cache."
        })
public final class SendCommand extends ExperimentCommand {
    @Mixin
    private SendOptions options = new SendOptions();

    @Override
    List<Experiment> experiments(MeasureOptions measure) {
        return List.of(options.experiment(measure));
    }
}
