package io.penstock.loadtest.compare.rows;

import io.penstock.loadtest.peers.ContentFolder;
import io.penstock.loadtest.peers.FirstRequest;
import io.penstock.loadtest.peers.JvmSettings;
import io.penstock.loadtest.peers.PeersFolder;
import io.penstock.loadtest.peers.RunnableJar;
import io.penstock.loadtest.peers.Server;
import io.penstock.loadtest.peers.ServerOptions;
import io.penstock.loadtest.peers.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Measures starts of one kind. Thread: one. */
final class StartMeter {
    /** The name in results. */
    static final String NAME = "penstock.jar";

    private static final String HELLO = "/hello";
    private static final String FILE = "start.txt";
    private static final int FILE_BYTES = 1000;

    private final PeersFolder peers;
    private final JvmSettings jvm;
    private final RowsResults results;

    StartMeter(PeersFolder peers, JvmSettings jvm, RowsResults results) {
        this.peers = peers;
        this.jvm = jvm;
        this.results = results;
    }

    /**
     * The runnable jar with its content.
     *
     * @param options of the JVM for it
     * @param path the page that is asked for
     */
    record Ready(RunnableJar jar, List<String> options, Path content, String path) {

        TurnMeter.Measured start() throws IOException, InterruptedException {
            return measured(jar.start(options, content, path).answered());
        }
    }

    /** Makes the archive, if the work has one. */
    Ready prepare(Work.Start work, ContentFolder content) throws IOException, InterruptedException {
        RunnableJar jar = new RunnableJar(jvm, peers.runnableJar());
        boolean war = work.served() == Work.Start.Served.WAR;
        Path served = war ? peers.sampleWebapp() : content.files();
        content.add(FILE, FILE_BYTES);
        Path archive = content.root().resolve(work.id());
        List<String> options = work.archive() ? List.of(jar.train(archive, served)) : List.of();
        List<String> command = new ArrayList<>(List.of("java"));
        command.addAll(jvm.options());
        options.forEach(option -> command.add(option.replace(archive.toString(), "ARCHIVE")));
        command.addAll(List.of("-jar", NAME, war ? "WAR" : "FOLDER"));
        results.startedBy(NAME, String.join(" ", command));
        return new Ready(jar, options, served, war ? "/" : "/" + FILE);
    }

    /** Starts a server with its small servlet. */
    TurnMeter.Measured embedded(Server server, ServerOptions options) throws IOException, InterruptedException {
        long begun = System.nanoTime();
        try (ServerProcess process = ServerProcess.start(server, peers, jvm, options)) {
            long answered = FirstRequest.send(process.port(), HELLO);
            results.started(server.id(), process.title(), process.commandLine());
            return measured(Duration.ofNanos(answered - begun));
        }
    }

    private static TurnMeter.Measured measured(Duration start) {
        return new TurnMeter.Measured(Map.of(Figure.START, start.toNanos() / 1e6), "");
    }
}
