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

/** The options of {@code compare boot}. */
@Command(
        name = "boot",
        description = {
            "One application of Spring Boot on Penstock, Tomcat and Jetty, on platform and on virtual threads, with Boot's"
                    + " default settings: JPA, a pool of ten database connections, open-in-view.",
            "Are normal requests answered while slow clients use the same controller? First uploads whose body Spring reads before"
                    + " the controller is called, then uploads that the controller reads after a look into the database, then"
                    + " readers. With --start other questions. Virtual threads need --java of a JDK 21 or newer."
        },
        defaultValueProvider = OtherDefaults.One.class)
public final class BootCommand extends SlowClientsCommand {
    private static final String PICTURE = BootScenario.PRODUCT + "/picture";
    private static final String STREAM = BootScenario.PRODUCT + "/picture-stream";
    private static final long PICTURE_BYTES = 1L << 20;

    @Option(
            names = "--start",
            description =
                    "Without slow clients: how soon the application answers, what memory it takes, and how many requests"
                            + " a second a JSON controller answers, asked by wrk if it is on the path.")
    private boolean start;

    @Option(names = "--slow", paramLabel = "N", description = "Slow clients of each kind; 400 if absent.")
    private @Nullable Integer slow;

    @Option(
            names = "--users",
            paramLabel = "N",
            description = "With --start: connections that ask for JSON as fast as they can; 64 if absent.")
    private @Nullable Integer users;

    @Option(
            names = "--json-warm-up",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "With --start: how long they ask before it counts, such as 15s; 15s if absent.")
    private @Nullable Duration warmUp;

    @Option(
            names = "--json-duration",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "With --start: how long they ask in a round, such as 10s; 10s if absent.")
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
                .forEach(server -> leftOut.add(server.id() + " is left out: it is not under Spring Boot"));
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
            throw new IllegalArgumentException("--response-size: the picture of the product has 1 MB");
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
