package io.penstock.loadtest.compare.users;

import io.penstock.loadtest.cli.CommandLineUsed;
import io.penstock.loadtest.cli.DurationConverter;
import io.penstock.loadtest.compare.setup.ComparisonOptions;
import io.penstock.loadtest.compare.setup.Lineup;
import io.penstock.loadtest.compare.setup.OtherPrograms;
import io.penstock.loadtest.compare.setup.PartialResults;
import io.penstock.loadtest.load.FileDescriptors;
import io.penstock.loadtest.peers.JvmSettings;
import io.penstock.loadtest.peers.Server;
import io.penstock.loadtest.report.Environment;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code loadtest compare users}: its options, and the output of its results. */
@Command(
        name = "users",
        description = {
            "Measures requests per second, latency and connect errors for different numbers of users. Each"
                    + " user holds a connection, and sends the next request as soon as a response has arrived. Draws"
                    + " Figures 2 and 3 of the article on the reactor.",
            "Writes results to standard output, progress to standard error."
        },
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:measured, at least partly", "2:an option is invalid", "3:nothing was measured"})
public final class UsersCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = "--users",
            paramLabel = "N",
            split = ",",
            defaultValue = "200,400,600,800,1200,1600,2000,4000,8000",
            description = "Numbers of users, separated by commas. Each user needs a file descriptor on both sides.")
    private List<Integer> users = List.of();

    @Option(
            names = "--content",
            paramLabel = "NAME",
            split = ",",
            converter = AskedConverter.class,
            defaultValue = "text,servlet",
            description = "Content to request: text (a file of 4 KB), servlet (13 bytes), or both, one after the"
                    + " other over the same connections.")
    private List<Asked> content = List.of();

    @Option(
            names = "--ramp-up",
            paramLabel = "TIME",
            defaultValue = "2s",
            converter = DurationConverter.class,
            description = "Time within which all users start, such as 2s or 500ms.")
    private Duration rampUp = Duration.ZERO;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            defaultValue = "4s",
            converter = DurationConverter.class,
            description =
                    "Measured time of each run and content, such as 4s. Without a response in this time, a run ends with its first"
                            + " response.")
    private Duration duration = Duration.ZERO;

    @Option(
            names = "--warm-up",
            paramLabel = "TIME",
            defaultValue = "4s",
            converter = DurationConverter.class,
            description = "Warm-up time after each start of a server, for each content, with 64 users, such as 4s.")
    private Duration warmUp = Duration.ZERO;

    @Mixin
    private ComparisonOptions comparison = new ComparisonOptions();

    @Override
    public Integer call() throws IOException, InterruptedException {
        UsersPlan plan = plan();
        JvmSettings jvm = comparison.jvm();
        OtherPrograms others = comparison.otherPrograms();
        FileDescriptors.check(plan.mostUsers());
        comparison.prepareFiles(List.of(UsersReport.SECTION));
        Lineup lineup = comparison.lineup(Server.forRequestsWithoutBodies());
        CommandSpec command = Objects.requireNonNull(spec);
        Environment environment = Environment.of(CommandLineUsed.of(command));
        UsersResults results = new UsersResults();
        UsersReport report = new UsersReport(plan, lineup, jvm, environment, results, others);
        UsersProgress progress = new UsersProgress(
                command.commandLine().getErr(),
                plan,
                lineup,
                results,
                report,
                comparison.out().orElse(null));
        progress.begin();
        PartialResults partial = new PartialResults(
                report, command.commandLine().getOut(), comparison.out().orElse(null));
        try (partial) {
            new UsersExperiment(plan, lineup, comparison.peers(), jvm, others, results, progress).run();
        }
        return finish(results, report);
    }

    private int finish(UsersResults results, UsersReport report) throws IOException {
        if (results.isEmpty()) {
            throw new IOException(
                    "Nothing was measured: " + results.gaps().get(0).reason());
        }
        Objects.requireNonNull(spec).commandLine().getOut().println(report.text());
        if (comparison.out().isPresent()) {
            report.save(comparison.out().get());
        }
        Optional<Path> document = comparison.docs(UsersReport.SECTION);
        if (document.isPresent()) {
            report.writeDocument(document.get());
        }
        return 0;
    }

    private UsersPlan plan() {
        try {
            return new UsersPlan(users, content, rampUp, duration, warmUp, comparison.rounds());
        } catch (IllegalArgumentException wrong) {
            throw comparison.wrong(String.valueOf(wrong.getMessage()));
        }
    }
}
