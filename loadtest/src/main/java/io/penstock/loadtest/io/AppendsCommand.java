package io.penstock.loadtest.io;

import io.penstock.loadtest.io.appends.AppendsOptions;
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

/** {@code loadtest io appends}. */
@Command(
        name = "appends",
        description = {
            "Appends records to a file: conventionally, and asynchronously with three kinds of thread pools.",
            "Checks that a close that waits loses nothing, and counts what a plain close loses when the JVM exits after it."
        },
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:all was measured",
            "1:a record is missing after a close that waits",
            "2:an option is wrong",
            "3:not all could be measured"
        })
public final class AppendsCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private AppendsOptions options = new AppendsOptions();

    @Mixin
    private MeasureOptions measure = new MeasureOptions();

    @Override
    public Integer call() throws IOException {
        return Session.run(Objects.requireNonNull(spec), measure, () -> List.of(options.experiment(measure)));
    }
}
