package io.penstock.loadtest.io;

import io.penstock.loadtest.io.appends.AppendsOptions;
import io.penstock.loadtest.io.copy.CopyOptions;
import io.penstock.loadtest.io.floats.FloatsOptions;
import io.penstock.loadtest.io.measure.MeasureOptions;
import io.penstock.loadtest.io.measure.Session;
import io.penstock.loadtest.io.packets.PacketsOptions;
import io.penstock.loadtest.io.send.SendOptions;
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

/** {@code loadtest io all}. */
@Command(
        name = "all",
        description = {
            "Measures send, copy, floats, packets, appends and tell, one after the other, with the options of all."
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
public final class AllCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

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

    @Mixin
    private MeasureOptions measure = new MeasureOptions();

    @Override
    public Integer call() throws IOException {
        return Session.run(
                Objects.requireNonNull(spec),
                measure,
                () -> List.of(
                        send.experiment(measure),
                        copy.experiment(measure),
                        floats.experiment(measure),
                        packets.experiment(measure),
                        appends.experiment(measure),
                        new TellExperiment(measure.jmh())));
    }
}
