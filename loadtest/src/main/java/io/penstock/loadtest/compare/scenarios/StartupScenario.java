package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.client.ClientSettings;
import io.penstock.loadtest.client.MultiplexedClient;
import io.penstock.loadtest.peers.Server;
import io.penstock.loadtest.peers.ServerProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

/** Measures the time from the start of a server's process to its first response. */
final class StartupScenario implements Scenario {
    private static final Measure LISTENS = Measure.whole("listensMillis", "listens, ms");
    private static final Measure ANSWERS = Measure.whole("firstResponseMillis", "first response, ms");
    private static final Measure CPU = Measure.whole("cpuMillis", "CPU until then, ms");
    private static final Measure RESIDENT = Measure.tenths("residentMegabytes", "resident, MB");

    private static final int OK = 200;
    private static final Duration DEADLINE = Duration.ofSeconds(30);

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
        return "From the launch of the server's JVM until it listens, and until the first request to a small servlet is"
                + " answered. Each round starts a new process.";
    }

    @Override
    public String partTitle() {
        return "";
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
        Results.Round round = recorder.part("");
        try (MultiplexedClient client = MultiplexedClient.start(ClientSettings.defaults())) {
            long start = System.nanoTime();
            try (ServerProcess process = launch.start(UnaryOperator.identity())) {
                int status = client.fetch(process.uri("/hello"), DEADLINE).status();
                if (status != OK) {
                    throw new IOException("the first request was answered with status " + status);
                }
                round.put(ANSWERS, (System.nanoTime() - start) / 1e6);
                recorder.started(process);
                round.put(LISTENS, process.startedIn().toNanos() / 1e6);
                round.put(CPU, process.account().cpuNanos() / 1e6);
                round.put(RESIDENT, process.account().residentBytes() / 1e6);
            }
        }
    }
}
