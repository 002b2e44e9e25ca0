package io.penstock.loadtest.capacity;

import io.penstock.loadtest.cli.CommandLineUsed;
import io.penstock.loadtest.cli.DurationConverter;
import io.penstock.loadtest.cli.SizeConverter;
import io.penstock.loadtest.report.DocumentOption;
import io.penstock.loadtest.report.Environment;
import io.penstock.loadtest.report.MarkdownSection;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code loadtest capacity} and its options. */
@Command(
        name = "capacity",
        description = {
            "Computes the number of nodes and session stores for a number of users. Simulates the busiest"
                    + " hour; sends no requests.",
            "Visits begin at random, users pause between requests, connections and sessions time out. The"
                    + " default costs are measurements from docs/scaling.md; replace them by your own."
        },
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:simulated", "2:an option is invalid"})
public final class CapacityCommand implements Callable<Integer> {
    private static final double SECONDS_OF_AN_HOUR = 3600;

    @Spec
    private @Nullable CommandSpec spec;

    @ArgGroup(validate = false, heading = "%nUsers:%n")
    private SiteOptions site = new SiteOptions();

    @ArgGroup(validate = false, heading = "%nA node:%n")
    private NodeOptions node = new NodeOptions();

    @ArgGroup(validate = false, heading = "%nA store:%n")
    private StoreOptions store = new StoreOptions();

    @Option(
            names = "--fill",
            paramLabel = "SHARE",
            description = "Share of the capacity of a node or a store that may be used in 99 of 100 seconds.")
    private double fill = 0.6;

    @Option(names = "--spare", paramLabel = "N", description = "Number of spare nodes: as many nodes may fail.")
    private int spare = 1;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Simulated time that is measured.")
    private Duration duration = Duration.ofHours(1);

    @Option(
            names = "--most-requests",
            paramLabel = "N",
            description = "Approximate maximum number of simulated requests. A larger site is simulated with a"
                    + " part of its users, and scaled.")
    private double mostRequests = 2e6;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Seed of the random numbers. The same seed gives the same users.")
    private long seed = 1;

    @Mixin
    private DocumentOption docs = new DocumentOption();

    /** The options for the behaviour of users. */
    static final class SiteOptions {
        @Option(
                names = "--users",
                paramLabel = "N",
                split = ",",
                description = "Number of users of the site, such as 1e6. Several numbers give several rows.")
        private List<Double> users = List.of(1e4, 1e6, 1e8);

        @Option(names = "--visits", paramLabel = "N", description = "Number of visits of a user per day.")
        private double visits = 1;

        @Option(
                names = "--busiest-hour",
                paramLabel = "SHARE",
                description = "Share of a day's visits that begin in the busiest hour.")
        private double busiestHour = 0.1;

        @Option(
                names = "--at-once",
                description = "All users are on the site at the same time: when a user leaves, another user comes."
                        + " --visits is ignored.")
        private boolean atOnce;

        @Option(names = "--requests", paramLabel = "N", description = "Mean number of requests of a visit.")
        private double requests = 20;

        @Option(
                names = "--think",
                paramLabel = "TIME",
                converter = DurationConverter.class,
                description = "Mean time between two requests of a visit.")
        private Duration think = Duration.ofSeconds(15);

        @Option(
                names = "--think-spread",
                paramLabel = "NAME",
                description = "Distribution of this time: ${COMPLETION-CANDIDATES}.")
        private Distribution spread = Distribution.LOGNORMAL;

        @Option(names = "--connections", paramLabel = "N", description = "Number of connections of a user's browser.")
        private int connections = 2;

        @Option(
                names = "--keep-alive",
                paramLabel = "TIME",
                converter = DurationConverter.class,
                description = "Setting keep-alive-timeout of the nodes.")
        private Duration keepAlive = Duration.ofMinutes(1);

        @Option(
                names = "--session-timeout",
                paramLabel = "TIME",
                converter = DurationConverter.class,
                description = "Time without a request after which a session expires.")
        private Duration sessionTimeout = Duration.ofMinutes(30);

        @Option(
                names = "--session-size",
                paramLabel = "SIZE",
                converter = SizeConverter.class,
                description = "Mean size of a session's serialised attributes, in bytes (lognormal distribution).")
        private Long sessionSize = 2048L;

        @Option(names = "--writes", paramLabel = "SHARE", description = "Share of requests that change the session.")
        private double writes = 0.2;

        @Option(
                names = "--write-size",
                paramLabel = "SIZE",
                converter = SizeConverter.class,
                description = "Size of the attributes that such a request changes, in bytes.")
        private Long writeSize = 200L;

        private Site site(double number) {
            require(
                    !atOnce || requests > 1,
                    "--at-once needs --requests greater than 1: a visit with one request has no duration");
            double arrivals = atOnce
                    ? number / ((requests - 1) * seconds(think))
                    : number * visits * busiestHour / SECONDS_OF_AN_HOUR;
            return new Site(
                    arrivals,
                    requests,
                    seconds(think),
                    spread,
                    connections,
                    seconds(keepAlive),
                    seconds(sessionTimeout),
                    sessionSize,
                    writes,
                    writeSize);
        }

        private String words() {
            return (atOnce
                            ? "All users are on the site at one time"
                            : String.format(
                                    Locale.ROOT,
                                    "Visits of each user a day: %s; %s %% of the visits begin in the busiest hour",
                                    plain(visits),
                                    plain(100 * busiestHour)))
                    + String.format(
                            Locale.ROOT,
                            ". A visit has %s requests in the mean, with a mean of %s between two of them (distribution: %s). It has %d"
                                    + " connections, which stay open for %s after a request. %s %% of the requests change %d bytes of the session. A session has %d"
                                    + " bytes of attributes and expires after %s.",
                            plain(requests),
                            DurationConverter.text(think),
                            spread,
                            connections,
                            DurationConverter.text(keepAlive),
                            plain(100 * writes),
                            writeSize,
                            sessionSize,
                            DurationConverter.text(sessionTimeout));
        }
    }

    /** The options for the resources and costs of a node. */
    static final class NodeOptions {
        @Option(names = "--processors", paramLabel = "N", description = "Number of processors of a node.")
        private int processors = 4;

        @Option(
                names = "--application-cpu",
                paramLabel = "TIME",
                converter = DurationConverter.class,
                description =
                        "Processor time of your application for a request. It has the largest effect, so measure it.")
        private Duration application = Duration.ofMillis(1);

        @Option(
                names = "--request-cpu",
                paramLabel = "TIME",
                converter = DurationConverter.class,
                description = "Processor time of Penstock for a request whose session is in a store.")
        private Duration request = Duration.ofNanos(75_000);

        @Option(names = "--node-connections", paramLabel = "N", description = "Setting max-connections of a node.")
        private double connections = 100_000;

        @Option(
                names = "--heap",
                paramLabel = "SIZE",
                converter = SizeConverter.class,
                description = "Heap size of a node.")
        private Long heap = 4L << 30;

        @Option(
                names = "--base-heap",
                paramLabel = "SIZE",
                converter = SizeConverter.class,
                description = "Heap use of an idle node with its application.")
        private Long base = 256L << 20;

        @Option(
                names = "--connection-heap",
                paramLabel = "SIZE",
                converter = SizeConverter.class,
                description = "Heap use of an open connection.")
        private Long connection = 1000L;

        @Option(names = "--node-sessions", paramLabel = "N", description = "Setting sessions-in-memory of a node.")
        private double sessions = 10_000;

        @Option(
                names = "--session-heap",
                paramLabel = "SIZE",
                converter = SizeConverter.class,
                description = "Heap use of a session in a node's memory, without its attributes.")
        private Long session = 1000L;

        private Node node(double sessionSize) {
            return new Node(
                    processors,
                    seconds(application.plus(request)),
                    connections,
                    heap,
                    base,
                    connection,
                    sessions,
                    session + sessionSize);
        }

        private String words() {
            return String.format(
                    Locale.ROOT,
                    "A node has %d processors, a heap of %s and %,.0f connections. A request takes %s of processor time in the"
                            + " application and %s in Penstock.",
                    processors,
                    CapacityReport.bytes(heap),
                    connections,
                    DurationConverter.text(application),
                    DurationConverter.text(request));
        }
    }

    /** The options for the limits of a store. */
    static final class StoreOptions {
        @Option(
                names = "--store-calls",
                paramLabel = "N",
                description = "Maximum number of round trips of one store, per second.")
        private double calls = 58_000;

        @Option(
                names = "--store-traffic",
                paramLabel = "SIZE",
                converter = SizeConverter.class,
                description = "Maximum number of bytes on its network, per second.")
        private Long traffic = 125_000_000L;

        @Option(
                names = "--store-memory",
                paramLabel = "SIZE",
                converter = SizeConverter.class,
                description = "Memory of a store for sessions.")
        private Long memory = 16L << 30;

        @Option(
                names = "--session-overhead",
                paramLabel = "SIZE",
                converter = SizeConverter.class,
                description = "Size of a session in the store without its attributes, in bytes.")
        private Long overhead = 1180L;

        @Option(
                names = "--call-bytes",
                paramLabel = "SIZE",
                converter = SizeConverter.class,
                description = "Size of a round trip without attributes, in bytes.")
        private Long call = 365L;

        @Option(
                names = "--any-node",
                description = "Requests of a session go to any node, so each read transfers the whole session."
                        + " Without this option they are sticky, and a read transfers only a version number.")
        private boolean anyNode;

        private StoreUse use() {
            return new StoreUse(overhead, call, !anyNode);
        }

        private String words() {
            return String.format(
                    Locale.ROOT,
                    "A store can serve %,.0f calls and %s a second, and has %s for sessions. Requests of a session go to %s.",
                    calls,
                    CapacityReport.bytes(traffic),
                    CapacityReport.bytes(memory),
                    anyNode ? "any node" : "one node");
        }
    }

    @Override
    public Integer call() throws IOException {
        CommandSpec command = Objects.requireNonNull(spec);
        CapacityReport report;
        try {
            docs.check(List.of(section()));
            report = report(Environment.of(CommandLineUsed.of(command)));
        } catch (IllegalArgumentException wrong) {
            throw new ParameterException(command.commandLine(), String.valueOf(wrong.getMessage()), wrong);
        }
        command.commandLine().getOut().println(report.text());
        command.commandLine().getOut().flush();
        Optional<Path> file = docs.file(section());
        if (file.isPresent()) {
            MarkdownSection.replace(file.get(), section(), report.markdown());
        }
        return 0;
    }

    private String section() {
        return site.atOnce ? "capacity-at-once" : "capacity";
    }

    private CapacityReport report(Environment environment) {
        require(fill > 0 && fill <= 1, "--fill must be more than 0 and at most 1");
        require(spare >= 0, "--spare must be at least 0");
        require(mostRequests >= 1, "--most-requests must be at least 1");
        require(!duration.isNegative() && duration.toSeconds() >= 1, "--duration must be at least 1s");
        require(
                !site.users.isEmpty() && site.users.stream().allMatch(users -> users >= 1),
                "--users must be at least 1");
        List<CapacityReport.Row> rows = new ArrayList<>();
        for (double users : site.users) {
            Traffic traffic = Simulation.of(site.site(users), store.use(), seconds(duration), mostRequests, seed);
            rows.add(new CapacityReport.Row(
                    users,
                    traffic,
                    Needs.ofNodes(traffic, node.node(site.sessionSize), fill),
                    spare,
                    Needs.ofStores(traffic, new Store(store.calls, store.traffic, store.memory), fill)));
        }
        return new CapacityReport(
                site.atOnce ? "All users at one time" : "Users who come now and then",
                String.join(" ", site.words(), node.words(), store.words(), simulated(rows)),
                rows,
                environment);
    }

    private String simulated(List<CapacityReport.Row> rows) {
        double largest =
                rows.stream().mapToDouble(row -> row.traffic().scale()).max().orElseThrow();
        return String.format(
                Locale.ROOT,
                "In 99 of 100 seconds nodes and stores are at most %s %% full. The simulation covers %s of the busiest hour, with seed %d. %s.",
                plain(100 * fill),
                DurationConverter.text(duration),
                seed,
                largest == 1
                        ? "Every user is simulated"
                        : String.format(
                                Locale.ROOT,
                                "For the largest site 1 in %1$s users is simulated: means are multiplied by %1$s, deviations"
                                        + " by the square root of %1$s",
                                CapacityReport.count(largest)));
    }

    private static void require(boolean holds, String rule) {
        if (!holds) {
            throw new IllegalArgumentException(rule);
        }
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }

    private static String plain(double value) {
        return value == Math.rint(value) ? String.format(Locale.ROOT, "%.0f", value) : Double.toString(value);
    }
}
