package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.cli.CommandLineUsed;
import io.penstock.loadtest.compare.setup.ComparisonOptions;
import io.penstock.loadtest.compare.setup.Lineup;
import io.penstock.loadtest.compare.setup.OtherPrograms;
import io.penstock.loadtest.compare.setup.PartialResults;
import io.penstock.loadtest.load.FileDescriptors;
import io.penstock.loadtest.peers.JvmSettings;
import io.penstock.loadtest.peers.Server;
import io.penstock.loadtest.peers.ServerOptions;
import io.penstock.loadtest.report.Environment;
import io.penstock.loadtest.report.ResultCsv;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The part that the commands of all {@linkplain Scenario scenarios} share. */
@Command(
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:measured, at least partly", "2:an option is invalid", "3:nothing was measured"},
        footerHeading = "%n",
        footer = "Writes results to standard output, progress to standard error.")
abstract class ScenarioCommand implements Callable<Integer> {
    private static final int COULD_NOT_MEASURE = 3;

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private ComparisonOptions comparison = new ComparisonOptions();

    @Option(
            names = "--smoke",
            description = "Test run: a few seconds for each server. Other options still apply. The printed figures"
                    + " are not measurements.")
    private boolean smoke;

    @Option(
            names = "--admin-port",
            paramLabel = "PORT",
            description = "Show Penstock's flow board at http://localhost:PORT/ during the measurement. This has a"
                    + " small cost, since requests are measured for it. Default: no flow board.")
    private @Nullable Integer adminPort;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            showDefaultValue = CommandLine.Help.Visibility.NEVER,
            description = "Additional setting of Penstock, such as tls-threads=1. Can be repeated.")
    private Map<String, String> settings = new TreeMap<>();

    /**
     * Returns the scenarios to run, according to the options.
     *
     * @throws IllegalArgumentException with a message for the user if an option is wrong
     * @throws IOException with a message for the user if a file or program that the scenario needs is missing
     */
    abstract List<Scenario> scenarios() throws IOException;

    /** Changes the list of servers for the scenario: replaces a server by the same server with other settings, or leaves it out. */
    Lineup adapt(Lineup wished) {
        return wished;
    }

    /** Returns the size that the user has given. Without it, returns the default size for a measurement or for a smoke test. */
    final <T> T size(@Nullable T given, T full, T small) {
        if (given != null) {
            return given;
        }
        return smoke ? small : full;
    }

    /** @throws ParameterException if an option is wrong */
    final JvmSettings jvm() {
        return comparison.jvm();
    }

    final boolean isSmoke() {
        return smoke;
    }

    static int atLeast(int least, int value, String option) {
        if (value < least) {
            throw new IllegalArgumentException(option + " must be at least " + least + ", not " + value);
        }
        return value;
    }

    /** Checks that a number of bytes or milliseconds is in the range of {@code int}. */
    static int atMostTwoGigabytes(long value, String option) {
        if (value > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(option + " must be at most " + Integer.MAX_VALUE + ", not " + value);
        }
        return (int) value;
    }

    /** The default servers. Only servers with changed settings are measured, not servers with their own default settings. */
    List<Server> usual() {
        return Server.forRequestsWithoutBodies().stream()
                .filter(server -> server.settings() == Server.Settings.TUNED)
                .toList();
    }

    @Override
    public final Integer call() throws IOException, InterruptedException {
        comparison.checkDocs(smoke);
        List<Scenario> scenarios;
        try {
            scenarios = scenarios();
        } catch (IllegalArgumentException wrong) {
            throw comparison.wrong(String.valueOf(wrong.getMessage()));
        }
        JvmSettings jvm = comparison.jvm(smoke);
        int rounds = smoke ? 1 : comparison.rounds();
        comparison.otherPrograms();
        Lineup lineup = adapt(comparison.lineup(usual()));
        if (lineup.servers().isEmpty()) {
            throw comparison.wrong("No server can be compared: " + String.join("; ", lineup.leftOut()));
        }
        for (Scenario scenario : scenarios) {
            FileDescriptors.check(scenario.connections());
            FileDescriptors.checkServer(scenario.connections(), scenario.files());
        }
        comparison.prepareFiles(scenarios.stream().map(ScenarioCommand::section).toList());
        boolean measured = true;
        for (Scenario scenario : scenarios) {
            measured &= run(scenario, lineup, jvm.with(scenario.jvmOptions()), rounds);
        }
        return measured ? 0 : COULD_NOT_MEASURE;
    }

    private static String section(Scenario scenario) {
        return "compare-" + scenario.name();
    }

    private boolean run(Scenario scenario, Lineup lineup, JvmSettings jvm, int rounds)
            throws IOException, InterruptedException {
        Results results = new Results(scenario.columns());
        // A smoke test has no figures that other programs could disturb.
        OtherPrograms others = smoke ? new OtherPrograms(0) : comparison.otherPrograms();
        Report report = new Report(
                scenario,
                results,
                others,
                Environment.of(CommandLineUsed.of(Objects.requireNonNull(spec))),
                setting(scenario, lineup, jvm, rounds));
        ScenarioProgress progress = new ScenarioProgress(
                commandLine().getErr(),
                report,
                rounds,
                lineup.servers().size(),
                comparison.out().orElse(null));
        PartialResults partial =
                new PartialResults(report, out(), comparison.out().orElse(null));
        try (partial) {
            new ScenarioRun(scenario, lineup, comparison.peers(), jvm, this::ofPenstock, others, results, progress)
                    .run(rounds);
        }
        if (results.isClosed()) {
            return false;
        }
        out().println(report.text());
        out().flush();
        Optional<Path> document = comparison.docs(section(scenario));
        if (document.isPresent() && !results.isEmpty()) {
            ResultCsv.publish(document.get(), section(scenario), report.markdown());
        }
        return !results.isEmpty();
    }

    /** Adds the user's settings to the options if the server is Penstock. Turns on the flow board if the user has requested it. */
    private ServerOptions ofPenstock(Server server, ServerOptions options) {
        if (!server.isPenstock()) {
            return options;
        }
        ServerOptions all = options;
        for (Map.Entry<String, String> setting : settings.entrySet()) {
            all = all.with(server.key(setting.getKey()), setting.getValue());
        }
        return adminPort == null ? all : all.with(server.key("admin-port"), Integer.toString(adminPort));
    }

    private static String setting(Scenario scenario, Lineup lineup, JvmSettings jvm, int rounds) {
        String text = String.format(
                Locale.ROOT,
                "Each server in a JVM of its own, Java %s, `%s`; %s. Rounds: %d%s.",
                lineup.java().text(),
                String.join(" ", jvm.options()),
                scenario.settings(),
                rounds,
                rounds > 1
                        ? ", servers in turns; each round begins with another server. Figures are medians, and in"
                                + " parentheses the lowest and highest"
                        : ", so there is no spread between rounds");
        return lineup.leftOut().isEmpty() ? text : text + " " + String.join(". ", lineup.leftOut()) + ".";
    }

    private CommandLine commandLine() {
        return Objects.requireNonNull(spec).commandLine();
    }

    private PrintWriter out() {
        return commandLine().getOut();
    }
}
