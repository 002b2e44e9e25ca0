package io.penstock.experiments.io;

import io.penstock.experiments.io.appends.AppendsOptions;
import io.penstock.experiments.io.measure.Experiment;
import io.penstock.experiments.io.measure.MeasureOptions;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code experiments io appends}. */
@Command(
        name = "appends",
        description = {
            "Appends records to a file: with blocking calls, and asynchronously with three kinds of thread pools.",
            "Checks that no record is lost if close waits for all records. Also closes the file without"
                    + " waiting, lets the JVM exit, and counts the lost records."
        },
        exitCodeList = {
            "0:all is measured",
            "1:a record is missing after a close that waits",
            "2:an option is invalid",
            "3:not all is measured"
        })
public final class AppendsCommand extends ExperimentCommand {
    @Mixin
    private AppendsOptions options = new AppendsOptions();

    @Override
    List<Experiment> experiments(MeasureOptions measure) {
        return List.of(options.experiment(measure));
    }
}
