package io.penstock.loadtest.io;

import io.penstock.loadtest.io.measure.MeasureOptions;
import io.penstock.loadtest.io.measure.Session;
import io.penstock.loadtest.io.send.SendOptions;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code loadtest io send}. */
@Command(
        name = "send",
        description = {
            "Sends one large file over loopback: read and write through streams, map, transferTo, and a server.",
            "Needs as much free space as the file has bytes, and as much free memory to keep it in the page cache."
        },
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:all was measured", "2:an option is wrong", "3:not all could be measured"})
public final class SendCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private SendOptions options = new SendOptions();

    @Mixin
    private MeasureOptions measure = new MeasureOptions();

    @Override
    public Integer call() throws IOException {
        return Session.run(Objects.requireNonNull(spec), measure, () -> List.of(options.experiment(measure)));
    }
}
