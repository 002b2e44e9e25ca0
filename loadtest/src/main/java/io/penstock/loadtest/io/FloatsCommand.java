package io.penstock.loadtest.io;

import io.penstock.loadtest.io.floats.FloatsOptions;
import io.penstock.loadtest.io.measure.MeasureOptions;
import io.penstock.loadtest.io.measure.Session;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code loadtest io floats}. */
@Command(
        name = "floats",
        description = {
            "Writes and reads an array of floats one by one through a data stream, and as one block through a view of a buffer."
        },
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:all was measured", "2:an option is wrong", "3:not all could be measured"})
public final class FloatsCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private FloatsOptions options = new FloatsOptions();

    @Mixin
    private MeasureOptions measure = new MeasureOptions();

    @Override
    public Integer call() throws IOException {
        return Session.run(Objects.requireNonNull(spec), measure, () -> List.of(options.experiment(measure)));
    }
}
