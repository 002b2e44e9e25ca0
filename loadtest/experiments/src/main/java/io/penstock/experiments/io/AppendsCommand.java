package io.penstock.experiments.io;

import io.penstock.experiments.io.appends.AppendsOptions;
import io.penstock.experiments.io.measure.Experiment;
import io.penstock.experiments.io.measure.MeasureOptions;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code experiments io appends}. */
@Command(
        name = "appends",
        description = {
            "Appends records to a file: conventionally, and asynchronously with three kinds of thread pools.",
            "Checks that a close that waits loses nothing, and counts what a plain close loses when the JVM exits after it."
        },
        exitCodeList = {
            "0:all was measured",
            "1:a record is missing after a close that waits",
            "2:an option is wrong",
            "3:not all could be measured"
        })
public final class AppendsCommand extends ExperimentCommand {
    @Mixin
    private AppendsOptions options = new AppendsOptions();

    @Override
    List<Experiment> experiments(MeasureOptions measure) {
        return List.of(options.experiment(measure));
    }
}
