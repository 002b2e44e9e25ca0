package io.penstock.loadtest.io;

import io.penstock.loadtest.io.measure.MeasureOptions;
import io.penstock.loadtest.io.measure.Session;
import io.penstock.loadtest.io.tell.TellExperiment;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code loadtest io tell}. */
@Command(
        name = "tell",
        description = {
            "Tells listeners of a request, as the server does: how long does it take, with metrics, access log and Flight Recorder?"
        },
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:all was measured", "2:an option is wrong", "3:not all could be measured"})
public final class TellCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private MeasureOptions measure = new MeasureOptions();

    @Override
    public Integer call() throws IOException {
        return Session.run(Objects.requireNonNull(spec), measure, () -> List.of(new TellExperiment(measure.jmh())));
    }
}
