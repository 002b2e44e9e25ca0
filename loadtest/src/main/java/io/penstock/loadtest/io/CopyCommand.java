package io.penstock.loadtest.io;

import io.penstock.loadtest.io.copy.CopyOptions;
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

/** {@code loadtest io copy}. */
@Command(
        name = "copy",
        description = {
            "Copies files in five ways: stream, heap buffer, direct buffer, mapped, transferTo; the stream is 100 %%.",
            "Needs twice as much free space as the largest file has bytes."
        },
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:all was measured", "2:an option is wrong", "3:not all could be measured"})
public final class CopyCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private CopyOptions options = new CopyOptions();

    @Mixin
    private MeasureOptions measure = new MeasureOptions();

    @Override
    public Integer call() throws IOException {
        return Session.run(Objects.requireNonNull(spec), measure, () -> List.of(options.experiment(measure)));
    }
}
