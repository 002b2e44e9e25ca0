package io.penstock.experiments.io.send;

import io.penstock.experiments.io.measure.Experiment;
import io.penstock.experiments.io.measure.MeasureOptions;
import io.penstock.loadtest.cli.SizeConverter;
import io.penstock.loadtest.peers.PeersFolder;
import java.net.URI;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A picocli mixin: the options for the experiment that sends a large file. */
public final class SendOptions {
    @Option(
            names = "--size",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            description = "Size of the file to send, such as 100m or 2300047434.",
            defaultValue = "2300047434")
    private long size;

    @Option(
            names = "--server",
            paramLabel = "URL",
            description = "URL of a running server whose document root is --dir. Default: Penstock is started.")
    private @Nullable URI server;

    @Option(
            names = "--peers",
            paramLabel = "DIR",
            description = "Folder with the programs of the servers. Default: the folder beside experiments.jar.")
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
