package io.penstock.experiments.io;

import io.penstock.experiments.io.appends.AppendsOptions;
import io.penstock.experiments.io.copy.CopyOptions;
import io.penstock.experiments.io.floats.FloatsOptions;
import io.penstock.experiments.io.measure.Experiment;
import io.penstock.experiments.io.measure.MeasureOptions;
import io.penstock.experiments.io.packets.PacketsOptions;
import io.penstock.experiments.io.send.SendOptions;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code experiments io all}. */
@Command(
        name = "all",
        description = {
            "Runs send, copy, floats, packets and appends, one after the other. Has the options of all of them."
        },
        exitCodeList = {
            "0:all is measured",
            "1:a record is missing after a close that waits",
            "2:an option is invalid",
            "3:not all is measured"
        })
public final class AllCommand extends ExperimentCommand {
    @Mixin
    private SendOptions send = new SendOptions();

    @Mixin
    private CopyOptions copy = new CopyOptions();

    @Mixin
    private FloatsOptions floats = new FloatsOptions();

    @Mixin
    private PacketsOptions packets = new PacketsOptions();

    @Mixin
    private AppendsOptions appends = new AppendsOptions();

    @Override
    List<Experiment> experiments(MeasureOptions measure) {
        return List.of(
                send.experiment(measure),
                copy.experiment(measure),
                floats.experiment(measure),
                packets.experiment(measure),
                appends.experiment(measure));
    }
}
