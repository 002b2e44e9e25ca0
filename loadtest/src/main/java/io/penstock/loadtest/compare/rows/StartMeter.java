package io.penstock.loadtest.compare.rows;

import io.penstock.loadtest.peers.ContentFolder;
import io.penstock.loadtest.peers.FirstRequest;
import io.penstock.loadtest.peers.JarContent;
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

/** Measures the time from the start of a server to its first response. Thread: one thread. */
final class StartMeter {
    /** The name of the runnable jar in the results. */
    static final String NAME = "penstock.jar";

    private static final String HELLO = "/hello";

    private final PeersFolder peers;
    private final JvmSettings jvm;
    private final RowsResults results;

    StartMeter(PeersFolder peers, JvmSettings jvm, RowsResults results) {
        this.peers = peers;
        this.jvm = jvm;
        this.results = results;
    }

    /** Prepares the content of the runnable jar. If the work needs a class-data archive, creates the archive. */
    JarContent prepare(Work.Start work, ContentFolder content) throws IOException, InterruptedException {
        RunnableJar jar = new RunnableJar(jvm, peers.runnableJar());
        boolean war = work.served() == Work.Start.Served.WAR;
        JarContent plain = war ? JarContent.ofWar(jar, peers.sampleWebapp()) : JarContent.ofFolder(jar, content);
        Path archive = content.root().resolve(work.id());
        JarContent started = work.archive() ? plain.withArchive(archive) : plain;
        List<String> command = new ArrayList<>(List.of("java"));
        command.addAll(jvm.options());
        started.options().forEach(option -> command.add(option.replace(archive.toString(), "ARCHIVE")));
        command.addAll(List.of("-jar", NAME, war ? "WAR" : "FOLDER"));
        results.startedBy(NAME, String.join(" ", command));
        return started;
    }

    /** Starts the runnable jar, and measures the time to its first response. */
    TurnMeter.Measured runnable(JarContent content) throws IOException, InterruptedException {
        return measured(content.start().answered());
    }

    /** Starts an embedded server with a small servlet, and measures the time to its first response. */
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
