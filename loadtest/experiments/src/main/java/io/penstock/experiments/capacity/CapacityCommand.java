package io.penstock.experiments.capacity;

import static io.penstock.experiments.capacity.Site.require;
import static io.penstock.experiments.capacity.Site.seconds;

import io.penstock.experiments.capacity.Simulation.Needs;
import io.penstock.experiments.capacity.Simulation.Quantity;
import io.penstock.loadtest.cli.CommandLineUsed;
import io.penstock.loadtest.cli.DurationConverter;
import io.penstock.loadtest.cli.SizeConverter;
import io.penstock.loadtest.report.Environment;
import io.penstock.loadtest.report.Table;
import io.penstock.loadtest.report.Table.Column;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code experiments capacity} and its options. */
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
    private static final int SEED = 1;

    // The heap use of an idle node with its application, of an open connection, and of the sessions in memory.
    private static final double BASE_HEAP = 256L << 20;
    private static final double CONNECTION_HEAP = 1000;
    private static final double SESSIONS_IN_MEMORY = 10_000;
    private static final double SESSION_HEAP = 1000;

    @Spec
    private @Nullable CommandSpec spec;

    @Option(names = "--users", split = ",", description = "Number of users. Several numbers give several rows.")
    private List<Double> users = List.of(1e4, 1e6, 1e8);

    @Option(names = "--visits", description = "Number of visits of a user per day.")
    private double visits = 1;

    @Option(names = "--busiest-hour", description = "Share of a day's visits that begin in the busiest hour.")
    private double busiestHour = 0.1;

    @Option(names = "--at-once", description = "All users are on the site at the same time. --visits is ignored.")
    private boolean atOnce;

    @Mixin
    private Site site = new Site();

    @Option(names = "--processors", description = "Number of processors of a node.")
    private int processors = 4;

    @Option(
            names = "--application-cpu",
            converter = DurationConverter.class,
            description = "Processor time of your application for a request. It has the largest effect: measure it.")
    private Duration applicationCpu = Duration.ofMillis(1);

    @Option(
            names = "--request-cpu",
            converter = DurationConverter.class,
            description = "Processor time of Penstock for a request whose session is in a store.")
    private Duration requestCpu = Duration.ofNanos(75_000);

    @Option(names = "--node-connections", description = "Setting max-connections of a node.")
    private double nodeConnections = 100_000;

    @Option(names = "--heap", converter = SizeConverter.class, description = "Heap size of a node.")
    private Long heap = 4L << 30;

    @Option(names = "--store-calls", description = "Maximum number of round trips of one store, per second.")
    private double storeCalls = 58_000;

    @Option(
            names = "--store-traffic",
            converter = SizeConverter.class,
            description = "Maximum number of bytes on its network, per second.")
    private Long storeTraffic = 125_000_000L;

    @Option(names = "--store-memory", converter = SizeConverter.class, description = "Memory of a store for sessions.")
    private Long storeMemory = 16L << 30;

    @Option(names = "--fill", description = "Share of a node or a store that may be used in 99 of 100 seconds.")
    private double fill = 0.6;

    @Option(names = "--spare", description = "Number of spare nodes: as many nodes may fail.")
    private int spare = 1;

    @Option(names = "--duration", converter = DurationConverter.class, description = "Simulated time that is measured.")
    private Duration duration = Duration.ofHours(1);

    @Option(
            names = "--most-requests",
            description = "Approximate maximum number of simulated requests. A larger site is simulated with a part of"
                    + " its users, and scaled.")
    private double mostRequests = 2e6;

    @Option(names = "--markdown", description = "Print the result as Markdown, for a document.")
    private boolean markdown;

    @Override
    public Integer call() {
        CommandSpec command = Objects.requireNonNull(spec);
        Table table = new Table(
                Column.count("users"),
                Column.count("at one time"),
                Column.count("requests/s, mean"),
                Column.count("p99 of a second"),
                Column.count("connections"),
                Column.count("live sessions"),
                Column.count("bytes in the store"),
                Column.count("store calls/s"),
                Column.count("store bytes/s"),
                Column.count("nodes"),
                Column.text("nodes by"),
                Column.count("stores"),
                Column.text("stores by"));
        double largest = 1;
        try {
            check();
            for (double number : users) {
                double arrivals = atOnce ? number / site.visit() : number * visits * busiestHour / SECONDS_OF_AN_HOUR;
                Simulation traffic = Simulation.of(site, arrivals, seconds(duration), mostRequests, SEED);
                add(table, number, traffic);
                largest = Math.max(largest, traffic.scale());
            }
        } catch (IllegalArgumentException wrong) {
            throw new ParameterException(command.commandLine(), String.valueOf(wrong.getMessage()), wrong);
        }
        Environment environment = Environment.of(CommandLineUsed.of(command));
        String title = atOnce ? "All users at one time" : "Users who come now and then";
        String setting = "Settings: " + settings(command) + ". Seed " + SEED + ". "
                + (largest == 1 ? "Every user is simulated." : sampled(largest));
        PrintWriter out = command.commandLine().getOut();
        out.println((markdown ? "### " : "") + title + "\n\n" + (markdown ? table.markdown() : table.text()) + "\n"
                + setting + "\n\n" + environment.markdown());
        out.flush();
        return 0;
    }

    private void check() {
        site.check();
        require(visits > 0 && busiestHour > 0, "--visits and --busiest-hour must be more than 0");
        require(fill > 0 && fill <= 1, "--fill must be more than 0 and at most 1");
        require(spare >= 0, "--spare must be at least 0");
        require(mostRequests >= 1, "--most-requests must be at least 1");
        require(!duration.isNegative() && duration.toSeconds() >= 1, "--duration must be at least 1s");
        require(!users.isEmpty() && users.stream().allMatch(number -> number >= 1), "--users must be at least 1");
        require(
                !atOnce || site.requests > 1,
                "--at-once needs --requests greater than 1: other visits have no duration");
        require(heapForConnections() > 0, "--heap has no room for connections beside the application and its sessions");
    }

    /** The values of all options with which the result can be computed again. */
    private static String settings(CommandSpec command) {
        return command.options().stream()
                .filter(option -> !option.usageHelp() && !option.versionHelp())
                .filter(option -> !List.of("--users", "--markdown").contains(option.longestName()))
                .map(option -> option.longestName() + " "
                        + (option.getValue() instanceof Duration time
                                ? DurationConverter.text(time)
                                : option.getValue()))
                .collect(Collectors.joining(", "));
    }

    private void add(Table table, double number, Simulation traffic) {
        double open = traffic.p99(Quantity.CONNECTIONS);
        Map<String, Double> ofNodes = new LinkedHashMap<>();
        ofNodes.put(
                "CPU", traffic.p99(Quantity.REQUESTS) * seconds(applicationCpu.plus(requestCpu)) / (fill * processors));
        ofNodes.put("connections", open / (fill * nodeConnections));
        ofNodes.put("memory", open * CONNECTION_HEAP / heapForConnections());
        Map<String, Double> ofStores = new LinkedHashMap<>();
        ofStores.put("calls", traffic.p99(Quantity.OPERATIONS) / (fill * storeCalls));
        ofStores.put("traffic", traffic.p99(Quantity.TRAFFIC) / (fill * storeTraffic));
        ofStores.put("memory", traffic.p99(Quantity.STORED) / (fill * storeMemory));
        Needs nodes = Needs.of(ofNodes);
        Needs stores = Needs.of(ofStores);
        table.add(
                count(number),
                count(traffic.mean(Quantity.USERS)),
                count(traffic.mean(Quantity.REQUESTS)),
                count(traffic.p99(Quantity.REQUESTS)),
                count(open),
                count(traffic.p99(Quantity.SESSIONS)),
                bytes(traffic.p99(Quantity.STORED)),
                count(traffic.p99(Quantity.OPERATIONS)),
                bytes(traffic.p99(Quantity.TRAFFIC)),
                String.format(Locale.ROOT, "%,d + %d", nodes.most(), spare),
                nodes.reason(),
                String.format(Locale.ROOT, "%,d", stores.most()),
                stores.reason());
    }

    private double heapForConnections() {
        return fill * heap - BASE_HEAP - SESSIONS_IN_MEMORY * (SESSION_HEAP + site.sessionSize);
    }

    private static String sampled(double scale) {
        return String.format(
                Locale.ROOT,
                "For the largest site 1 in %1$s users is simulated: means are multiplied by %1$s, deviations by the square"
                        + " root of %1$s.",
                count(scale));
    }

    /** Writes a number. Numbers from 1000 on are rounded to three significant digits, such as {@code 55,600}. */
    static String count(double value) {
        return String.format(Locale.ROOT, "%,.0f", value < 1000 ? Math.rint(value) : digits(value));
    }

    /** Writes a number of bytes in decimal units, such as {@code 12.3 GB}. */
    static String bytes(double value) {
        String[] units = {"B", "KB", "MB", "GB", "TB", "PB"};
        double number = digits(value);
        int unit = 0;
        while (number >= 1000 && unit < units.length - 1) {
            number /= 1000;
            unit++;
        }
        return BigDecimal.valueOf(digits(number)).stripTrailingZeros().toPlainString() + " " + units[unit];
    }

    private static double digits(double value) {
        return BigDecimal.valueOf(value).round(new MathContext(3)).doubleValue();
    }
}
