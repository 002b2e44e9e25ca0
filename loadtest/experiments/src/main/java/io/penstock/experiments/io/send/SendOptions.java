package io.penstock.experiments.io.send;

import io.penstock.experiments.io.measure.Experiment;
import io.penstock.experiments.io.measure.MeasureOptions;
import io.penstock.loadtest.cli.SizeConverter;
import io.penstock.loadtest.peers.PeersFolder;
import java.net.URI;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A mixin: the options for sending a large file. */
public final class SendOptions {
    @Option(
            names = "--size",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            description = "Bytes of the large file that is sent, such as 100m or 2300047434.",
            defaultValue = "2300047434")
    private long size;

    @Option(
            names = "--server",
            paramLabel = "URL",
            description = "A server that runs already and whose document root is --dir; else Penstock is started.")
    private @Nullable URI server;

    @Option(
            names = "--peers",
            paramLabel = "DIR",
            description =
                    "Where the servers' programs are that can be started; the folder beside experiments.jar if absent.")
    private @Nullable Path peers;

    /** @throws IllegalArgumentException if an option is wrong */
    public Experiment experiment(MeasureOptions measure) {
        if (size < 1) {
            throw new IllegalArgumentException("--size must be at least 1 byte");
        }
        FileServer fileServer = server != null
                ? new RunningServer(server)
                : new OwnServer(peers == null ? PeersFolder.besideProgram() : new PeersFolder(peers));
        return new SendExperiment(size, measure.rounds(), fileServer);
    }
}
