package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.client.ClientSettings;
import io.penstock.loadtest.client.MultiplexedClient;
import io.penstock.loadtest.peers.ContentFolder;
import io.penstock.loadtest.peers.JarContent;
import io.penstock.loadtest.peers.ProcessAccount;
import io.penstock.loadtest.peers.RunnableJar;
import io.penstock.loadtest.peers.Server;
import io.penstock.loadtest.peers.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Measures the time from the start of a server's process to its first response. */
final class StartupScenario implements Scenario {
    private static final Measure LISTENS = Measure.whole("listensMillis", "listens, ms");
    private static final Measure ANSWERS = Measure.whole("firstResponseMillis", "first response, ms");
    private static final Measure CPU = Measure.whole("cpuMillis", "CPU until then, ms");
    private static final Measure RESIDENT = Measure.tenths("residentMegabytes", "resident, MB");

    private static final String EMBEDDED = "a small servlet, embedded";
    private static final int OK = 200;
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    private final @Nullable RunnableJar jar;
    private final @Nullable Path war;
    private final List<Way> ways = new ArrayList<>();

    /** A way to start the jar. */
    private record Way(String title, JarContent content) {}

    private StartupScenario(@Nullable RunnableJar jar, @Nullable Path war) {
        this.jar = jar;
        this.war = war;
    }

    /** Creates a scenario that does not measure the runnable jar {@code penstock.jar}. */
    static StartupScenario embedded() {
        return new StartupScenario(null, null);
    }

    /**
     * Creates a scenario that also measures the runnable jar {@code penstock.jar}.
     *
     * @param war an application with a page at {@code /}, for additional measurements of the jar; null for none
     */
    static StartupScenario with(RunnableJar jar, @Nullable Path war) {
        return new StartupScenario(jar, war);
    }

    @Override
    public String name() {
        return "startup";
    }

    @Override
    public String title() {
        return "From start to first response";
    }

    @Override
    public String explanation() {
        String ofJar = jar == null
                ? ""
                : " *penstock.jar* is started by its command line, `java .. -jar penstock.jar FOLDER` or `WAR`, with the"
                        + " same options of the JVM. The archive was made by its `--train` with that folder or WAR.";
        return "The time from the launch of the server's JVM until the server listens, and until it has answered"
                + " the first request to a small servlet. Each round starts a new process." + ofJar;
    }

    @Override
    public String partTitle() {
        return jar == null ? "" : "what is started";
    }

    @Override
    public void prepare(ContentFolder content) throws IOException, InterruptedException {
        if (jar == null) {
            return;
        }
        Path archives = content.root();
        addWays("penstock.jar, a folder", JarContent.ofFolder(jar, content), archives.resolve("folder.archive"));
        if (war != null) {
            addWays("penstock.jar, a WAR", JarContent.ofWar(jar, war), archives.resolve("war.archive"));
        }
    }

    private void addWays(String title, JarContent content, Path archive) throws IOException, InterruptedException {
        ways.add(new Way(title, content));
        ways.add(new Way(title + ", with an archive", content.withArchive(archive)));
    }

    @Override
    public List<Measure> columns() {
        return List.of(LISTENS, ANSWERS, CPU, RESIDENT);
    }

    @Override
    public int connections() {
        return 1;
    }

    @Override
    public void measure(Server server, Launch launch, Recorder recorder) throws IOException, InterruptedException {
        measureEmbedded(launch, recorder);
        if (server == Server.PENSTOCK && jar != null) {
            for (Way way : ways) {
                Results.Round round = recorder.part(way.title());
                RunnableJar.Start start = way.content().start();
                put(round, start.answered().toNanos(), start.listens().toNanos(), start.account());
            }
        }
    }

    private void measureEmbedded(Launch launch, Recorder recorder) throws IOException, InterruptedException {
        Results.Round round = recorder.part(jar == null ? "" : EMBEDDED);
        try (MultiplexedClient client = MultiplexedClient.start(ClientSettings.defaults())) {
            long start = System.nanoTime();
            try (ServerProcess process = launch.start(UnaryOperator.identity())) {
                int status = client.fetch(process.uri("/hello"), DEADLINE).status();
                if (status != OK) {
                    throw new IOException("the first request was answered with status " + status);
                }
                long answered = System.nanoTime() - start;
                recorder.started(process);
                put(round, answered, process.startedIn().toNanos(), process.account());
            }
        }
    }

    private static void put(Results.Round round, long answered, long listens, ProcessAccount account) {
        round.put(ANSWERS, answered / 1e6);
        round.put(LISTENS, listens / 1e6);
        round.put(CPU, account.cpuNanos() / 1e6);
        round.put(RESIDENT, account.residentBytes() / 1e6);
    }
}
