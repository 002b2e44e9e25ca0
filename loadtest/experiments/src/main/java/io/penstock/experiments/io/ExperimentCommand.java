package io.penstock.experiments.io;

import io.penstock.experiments.io.measure.Experiment;
import io.penstock.experiments.io.measure.MeasureOptions;
import io.penstock.experiments.io.measure.Session;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The part that all commands of {@code experiments io} share. */
@Command(
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:all is measured", "2:an option is invalid", "3:not all is measured"})
abstract class ExperimentCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private MeasureOptions measure = new MeasureOptions();

    /** @throws IllegalArgumentException with a message for the user if an option is wrong */
    abstract List<Experiment> experiments(MeasureOptions measure);

    @Override
    public final Integer call() throws IOException {
        return Session.run(Objects.requireNonNull(spec), measure, () -> experiments(measure));
    }
}
