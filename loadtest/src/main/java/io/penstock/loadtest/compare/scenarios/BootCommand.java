package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.cli.DurationConverter;
import io.penstock.loadtest.compare.rows.Clients;
import io.penstock.loadtest.compare.setup.Lineup;
import io.penstock.loadtest.crowd.CrowdPlan;
import io.penstock.loadtest.peers.Server;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code compare boot} and its options. */
@Command(
        name = "boot",
        description = {
            "Runs one Spring Boot application on Penstock, Tomcat and Jetty, on platform and on virtual"
                    + " threads, with Boot's default settings: JPA, a pool of ten database connections, open-in-view.",
            "Measures normal requests while slow clients use the same controller. The slow clients are:"
                    + " uploads whose body Spring reads before it calls the controller; uploads that the controller"
                    + " reads after a database query; readers. With --start it measures start, memory and rate instead."
                    + " Virtual threads need a JDK 21 or newer; see --java."
        },
        defaultValueProvider = OtherDefaults.One.class)
public final class BootCommand extends SlowClientsCommand {
    private static final String PICTURE = BootScenario.PRODUCT + "/picture";
    private static final String STREAM = BootScenario.PRODUCT + "/picture-stream";
    private static final long PICTURE_BYTES = 1L << 20;

    @Option(
            names = "--start",
            description = "Measure without slow clients: the time until the first response, memory, and requests"
                    + " per second of a JSON controller. The client is wrk if it is on the path.")
    private boolean start;

    @Option(names = "--slow", paramLabel = "N", description = "Number of slow clients of each kind. Default: 400.")
    private @Nullable Integer slow;

    @Option(
            names = "--users",
            paramLabel = "N",
            description = "With --start: number of connections that request JSON without pauses. Default: 64.")
    private @Nullable Integer users;

    @Option(
            names = "--json-warm-up",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "With --start: warm-up time, not measured, such as 15s. Default: 15s.")
    private @Nullable Duration warmUp;

    @Option(
            names = "--json-duration",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "With --start: measured time of each round, such as 10s. Default: 10s.")
    private @Nullable Duration duration;

    @Mixin
    private SlowUploads uploads = new SlowUploads();

    @Mixin
    private SlowReaders readers = new SlowReaders();

    @Override
    List<Server> usual() {
        return Server.forBoot();
    }

    @Override
    Lineup adapt(Lineup wished) {
        List<String> leftOut = new ArrayList<>(wished.leftOut());
        wished.servers().stream()
                .filter(server -> !server.isUnderBoot())
                .forEach(server -> leftOut.add(server.id() + " is left out: it does not run under Spring Boot"));
        return new Lineup(wished.servers().stream().filter(Server::isUnderBoot).toList(), leftOut, wished.java());
    }

    @Override
    List<Scenario> scenarios() {
        return List.of(start ? withoutSlowClients() : besideSlowClients());
    }

    private Scenario withoutSlowClients() {
        return new BootScenario(
                new BootPlan(
                        atLeast(1, size(users, 64, 4), "--users"),
                        size(warmUp, Duration.ofSeconds(15), Duration.ofSeconds(1)),
                        size(duration, Duration.ofSeconds(10), Duration.ofSeconds(1))),
                Clients.of(Clients.Choice.AUTO).small());
    }

    private Scenario besideSlowClients() {
        uploads.check();
        readers.check();
        if (readers.length(PICTURE_BYTES) != PICTURE_BYTES) {
            throw new IllegalArgumentException("--response-size does not apply: the response is a picture of 1 MB");
        }
        int size = atLeast(1, size(slow, 400, 20), "--slow");
        return new SlowScenario(
                "boot",
                "Normal requests to a Spring Boot controller beside slow clients of it",
                BootScenario.PRODUCT,
                List.of(
                        uploading(size, " slow uploads, @RequestBody", PICTURE),
                        uploading(size, " slow uploads, InputStream", STREAM),
                        Company.of(
                                size + " slow readers",
                                size,
                                size,
                                process -> CrowdPlan.of(size, readers.of(process.target(PICTURE))))),
                plan(),
                SlowScenario.Application.BOOT);
    }

    private Company uploading(int size, String name, String path) {
        return Company.of(size + name, size, size, process -> CrowdPlan.of(size, uploads.to(process.target(path))));
    }
}
