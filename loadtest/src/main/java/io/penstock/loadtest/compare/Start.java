package io.penstock.loadtest.compare;

import io.penstock.loadtest.peers.JvmSettings;
import io.penstock.loadtest.peers.PeersFolder;
import io.penstock.loadtest.peers.ProcessAccount;
import io.penstock.loadtest.peers.RunnableJar;
import io.penstock.loadtest.peers.RunnableJar.FirstRequest;
import io.penstock.loadtest.peers.Server;
import io.penstock.loadtest.peers.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The start of a server, from the launch of its JVM until its first response.
 *
 * @param served what is started
 * @param archive whether {@code penstock.jar} has a class-data archive
 */
record Start(Served served, boolean archive) implements Job.Alone {
    private static final String HELLO = "/hello";
    private static final String JAR = "penstock.jar";

    /** What is started. Servers other than the first Penstock in the list are always embedded. */
    enum Served {
        EMBEDDED,
        FOLDER,
        WAR
    }

    @Override
    public int connections() {
        return 1;
    }

    @Override
    public void measure(Stage stage, Server server, Figures figures) throws IOException, InterruptedException {
        boolean first =
                stage.setup().lineup().firstPenstock().filter(server::equals).isPresent();
        if (served != Served.EMBEDDED && first) {
            RunnableJar.Start start =
                    stage.prepared(RunnableJar.class, () -> prepare(stage)).start();
            put(figures, start.listens(), start.answered(), start.account());
            return;
        }
        long begun = System.nanoTime();
        try (ServerProcess process = stage.start(server)) {
            Duration answered = Duration.ofNanos(FirstRequest.send(process.port(), HELLO) - begun);
            put(figures, process.startedIn(), answered, process.account());
        }
    }

    private static void put(Figures figures, Duration listens, Duration answered, ProcessAccount account) {
        figures.put(Figure.LISTENS, listens.toNanos() / 1e6)
                .put(Figure.START, answered.toNanos() / 1e6)
                .put(Figure.START_CPU, account.cpuNanos() / 1e6)
                .put(Figure.START_RESIDENT, account.residentBytes() / 1e6);
    }

    /** Prepares the content of the runnable jar, and a class-data archive if the work needs one. */
    private RunnableJar prepare(Stage stage) throws IOException, InterruptedException {
        JvmSettings jvm = stage.setup().jvm();
        PeersFolder peers = stage.setup().peers();
        RunnableJar plain = served == Served.WAR
                ? RunnableJar.withWar(jvm, peers.runnableJar(), peers.sampleWebapp())
                : RunnableJar.withFolder(jvm, peers.runnableJar(), stage.content());
        Path file = stage.content().root().resolve(served + ".archive");
        RunnableJar started = archive ? plain.withArchive(file) : plain;
        List<String> command = new ArrayList<>(List.of("java"));
        command.addAll(jvm.options());
        started.options().forEach(option -> command.add(option.replace(file.toString(), "ARCHIVE")));
        command.addAll(List.of("-jar", JAR, served.name()));
        stage.started(JAR, JAR, String.join(" ", command));
        return started;
    }
}
