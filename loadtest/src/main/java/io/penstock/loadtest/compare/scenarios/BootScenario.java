package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.client.Target;
import io.penstock.loadtest.compare.rows.Client;
import io.penstock.loadtest.compare.rows.Work;
import io.penstock.loadtest.peers.FirstRequest;
import io.penstock.loadtest.peers.ProcessAccount;
import io.penstock.loadtest.peers.Server;
import io.penstock.loadtest.peers.ServerProcess;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;

/**
 * Measures a Spring Boot application without slow clients: the time of its start, its memory, and the number of requests per second.
 *
 * @param client the client that requests a JSON object
 */
record BootScenario(BootPlan plan, Client client) implements Scenario {
    /** The path of a page with one row of the database. */
    static final String PRODUCT = "/products/1";

    /** The settings of all servers, in words. */
    static final String SETTINGS =
            "server and application as Spring Boot sets them up by default: JPA with Hibernate, HikariCP with ten"
                    + " connections, H2 in memory, `spring.jpa.open-in-view` on; virtual threads by"
                    + " `spring.threads.virtual.enabled`";

    private static final String GREETING = "/greeting";
    private static final int ANSWER = 40;

    private static final Measure ANSWERS = Measure.whole("firstResponseMillis", "first response, ms");
    private static final Measure START_CPU = Measure.whole("cpuMillis", "CPU until then, ms");
    private static final Measure RESIDENT = Measure.whole("residentMegabytes", "resident then, MB");
    private static final Measure REQUESTS = Measure.whole("requestsPerSecond", "JSON requests/s");
    private static final Measure CPU = Measure.tenths("cpuMicrosPerRequest", "server CPU µs/request");
    private static final Measure LOADED = Measure.whole("residentLoadedMegabytes", "resident after load, MB");
    private static final Measure HEAP = Measure.tenths("heapMegabytes", "live heap after load, MB");
    private static final Measure FAILED = Measure.whole("failed", "failed");
    private static final Measure TROUBLE = Measure.text("firstTrouble", "first error");
    private static final double MEGABYTE = 1e6;

    @Override
    public String name() {
        return "boot-start";
    }

    @Override
    public String title() {
        return "Start, memory and requests a second of a Spring Boot application";
    }

    @Override
    public String explanation() {
        return String.format(
                Locale.ROOT,
                "The start is the time from the launch of the JVM until the application has answered its first"
                        + " request, `%s`, with a row of the database. Each round starts a new process. Then %d connections"
                        + " request a small JSON object of a controller without database, `%s`, as fast as they can, for %d"
                        + " s after %d s that do not count. The client `%s` uses the same processors. Tomcat closes a"
                        + " connection after 100 requests, by default. The live heap is that after two full collections.",
                PRODUCT,
                plan.connections(),
                GREETING,
                plan.time().toSeconds(),
                plan.warmUp().toSeconds(),
                client.title());
    }

    @Override
    public String partTitle() {
        return "";
    }

    @Override
    public List<Measure> columns() {
        return List.of(ANSWERS, START_CPU, RESIDENT, REQUESTS, CPU, LOADED, HEAP, FAILED, TROUBLE);
    }

    @Override
    public String settings() {
        return SETTINGS;
    }

    @Override
    public int connections() {
        return plan.connections();
    }

    @Override
    public void measure(Server server, Launch launch, Recorder recorder) throws IOException, InterruptedException {
        long start = System.nanoTime();
        try (ServerProcess process = launch.start(UnaryOperator.identity())) {
            long answered = FirstRequest.send(process.port(), PRODUCT) - start;
            ProcessAccount account = process.account();
            recorder.started(process);
            Results.Round round = recorder.part("");
            round.put(ANSWERS, answered / 1e6)
                    .put(START_CPU, account.cpuNanos() / 1e6)
                    .put(RESIDENT, account.residentBytes() / MEGABYTE);
            measureRequests(process, round);
            round.put(LOADED, process.account().residentBytes() / MEGABYTE)
                    .put(HEAP, process.collectTwice().heapBytes() / MEGABYTE);
        }
    }

    private void measureRequests(ServerProcess process, Results.Round round) throws IOException, InterruptedException {
        Target target = process.target(GREETING);
        Work.Requests work = Work.Requests.get("json", "a small JSON object", GREETING, ANSWER, plan.connections());
        client.ask(target, work, plan.warmUp());
        ProcessAccount before = process.account();
        Client.Got got = client.ask(target, work, plan.time());
        double micros = process.account().cpuSecondsSince(before) * 1e6;
        round.put(FAILED, got.failed()).put(TROUBLE, got.firstTrouble());
        if (got.good() > 0) {
            round.put(REQUESTS, got.good() / got.seconds()).put(CPU, micros / got.good());
        }
    }
}
