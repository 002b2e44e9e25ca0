package io.penstock.loadtest.compare;

import io.penstock.loadtest.peers.ProcessAccount;
import io.penstock.loadtest.peers.RunnableJar.FirstRequest;
import io.penstock.loadtest.peers.Server;
import io.penstock.loadtest.peers.ServerProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** The start of a Spring Boot application, its memory, and the number of requests per second for a small JSON object. */
record BootStart(int connections, Duration warmUp, Duration time) implements Job.Alone {
    /** The path of a page with one row of the database. */
    static final String PRODUCT = "/products/1";

    private static final String GREETING = "/greeting";
    private static final int ANSWER = 40;

    private static final Size<Integer> USERS =
            Size.count("--users", 64, 4, "Number of connections that request JSON without pauses.");
    private static final Size<Duration> WARM_UP = Size.time("--json-warm-up", "15s", "1s", "Warm-up time for JSON.");
    private static final Size<Duration> DURATION =
            Size.time("--json-duration", "10s", "1s", "Measured time of each round for JSON.");

    static final List<Size<?>> SIZES = List.of(USERS, WARM_UP, DURATION);

    static BootStart of(Sizes sizes) {
        return new BootStart(sizes.of(USERS), sizes.of(WARM_UP), sizes.of(DURATION));
    }

    @Override
    public boolean fits(Server server) {
        return server.isUnderBoot();
    }

    @Override
    public void measure(Stage stage, Server server, Figures figures) throws IOException, InterruptedException {
        long begun = System.nanoTime();
        try (ServerProcess process = stage.start(server)) {
            long answered = FirstRequest.send(process.port(), PRODUCT) - begun;
            ProcessAccount account = process.account();
            figures.put(Figure.START, answered / 1e6)
                    .put(Figure.START_CPU, account.cpuNanos() / 1e6)
                    .put(Figure.START_RESIDENT, account.residentBytes() / 1e6);
            Requests json = Requests.get(GREETING, ANSWER, connections);
            stage.send(process.target(GREETING), json, warmUp, figures);
            Requests.measure(time, new Contender(server.id(), process), Figure.CPU, figures, length -> {
                Client.Got got = stage.send(process.target(GREETING), json, length, figures);
                figures.put(Figure.REQUESTS, got.good() == 0 ? 0 : got.good() / got.seconds());
                return got;
            });
            figures.put(Figure.HEAP, process.collectTwice().heapBytes() / 1e6);
        }
    }
}
