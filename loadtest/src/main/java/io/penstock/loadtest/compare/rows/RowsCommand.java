package io.penstock.loadtest.compare.rows;

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
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options of {@code loadtest compare rows}, and the output of its results. */
@Command(
        name = "rows",
        description = {
            "One table of many kinds of work: small requests over 64 to 8,192 connections, uploads, servlets that"
                    + " write, pipelining, new connections, a servlet that waits, a large file, the start of penstock.jar, idle connections, a burst of slow readers; with"
                    + " the ratio of Penstock, in its default settings, to the best of the others, and the bar for it.",
            "Results go to the standard output, progress to the standard error."
        },
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:measured, at least in part", "2:an option is wrong", "3:nothing could be measured"})
public final class RowsCommand implements Callable<Integer> {
    private static final int COULD_NOT_MEASURE = 3;

    /** Penstock in its default settings is first; the others have the same settings where their defaults would stop a measurement. */
    private static final List<Server> USUAL =
            List.of(Server.PENSTOCK_DEFAULTS, Server.PENSTOCK, Server.TOMCAT, Server.JETTY, Server.UNDERTOW);

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private ComparisonOptions comparison = new ComparisonOptions();

    @Option(
            names = "--works",
            paramLabel = "NAME",
            split = ",",
            description =
                    "What is done, by names separated by commas, such as hello-64,echo-1m; by default all:"
                            + " hello-64, hello-256, hello-1024, hello-8192, echo-1k, echo-64k, echo-256k, echo-1m, output-64k,"
                            + " output-1m, pipelined, new-connection, sleep, file, start-folder, start-war, start-folder-archive, start-war-archive, idle, burst.")
    private List<String> names = List.of();

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Time of each turn, such as 2s; 2s if absent. wrk knows only whole seconds.")
    private @Nullable Duration duration;

    @Option(
            names = "--warm-up",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Time for which each server is warmed up for each work, such as 4s; 4s if absent.")
    private @Nullable Duration warmUp;

    @Option(
            names = "--client",
            paramLabel = "NAME",
            converter = Clients.ChoiceConverter.class,
            description =
                    "What asks for small answers: wrk, own (the load test's own client), or auto, which is wrk if it"
                            + " is on the path.")
    private Clients.Choice client = Clients.Choice.AUTO;

    @Option(
            names = "--smoke",
            description = "Only a few seconds for each server, few connections and little data, to see that all works;"
                    + " options given beside it still count. What it prints is no measurement.")
    private boolean smoke;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (smoke && comparison.docs().isPresent()) {
            throw comparison.wrong("--smoke measures nothing that may be written with --write-docs; leave one out");
        }
        Work.Size size = smoke ? Work.Size.SMOKE : Work.Size.FULL;
        RowsPlan plan;
        Clients clients;
        try {
            plan = plan(size);
            clients = Clients.of(smoke && client == Clients.Choice.AUTO ? Clients.Choice.OWN : client);
        } catch (IllegalArgumentException wrong) {
            throw comparison.wrong(String.valueOf(wrong.getMessage()));
        }
        JvmSettings jvm = comparison.jvm();
        OtherPrograms others = comparison.otherPrograms();
        if (smoke) {
            // It has no figures that other programs could disturb.
            others = new OtherPrograms(0);
        }
        FileDescriptors.check(plan.connections());
        FileDescriptors.checkServer(plan.connections(), plan.files());
        comparison.prepareFiles(List.of(RowsReport.SECTION));
        return measure(plan, clients, jvm, others, size);
    }

    private int measure(RowsPlan plan, Clients clients, JvmSettings jvm, OtherPrograms others, Work.Size size)
            throws IOException, InterruptedException {
        Lineup lineup = comparison.lineup(USUAL);
        CommandSpec command = Objects.requireNonNull(spec);
        PrintWriter out = command.commandLine().getOut();
        RowsResults results = new RowsResults();
        RowsReport report = new RowsReport(
                plan, clients, lineup, jvm, others, results, Environment.of(CommandLineUsed.of(command)));
        RowsProgress progress = new RowsProgress(
                command.commandLine().getErr(),
                plan.turns(lineup.servers().size()),
                report,
                comparison.out().orElse(null));
        PartialResults partial =
                new PartialResults(report, out, comparison.out().orElse(null));
        try (partial) {
            new RowsExperiment(
                            plan,
                            lineup,
                            comparison.peers(),
                            jvm,
                            new TurnMeter(clients, plan),
                            others,
                            results,
                            progress)
                    .run(size.file());
        }
        if (results.isClosed()) {
            return COULD_NOT_MEASURE;
        }
        if (results.isEmpty()) {
            throw new IOException(
                    "Nothing could be measured; " + results.gaps().get(0).reason());
        }
        out.println(report.text());
        out.flush();
        if (comparison.docs().isPresent()) {
            report.writeDocument(comparison.docs().get());
        }
        return 0;
    }

    private RowsPlan plan(Work.Size size) {
        List<Work> works = new ArrayList<>(Work.all(size));
        for (String name : names) {
            if (works.stream().noneMatch(work -> work.id().equals(name))) {
                throw new IllegalArgumentException("--works: there is no work '" + name + "'; there are "
                        + String.join(", ", works.stream().map(Work::id).toList()));
            }
        }
        works.removeIf(work -> !names.isEmpty() && !names.contains(work.id()));
        return new RowsPlan(
                works,
                time(warmUp, Duration.ofSeconds(4), Duration.ofMillis(200)),
                time(duration, Duration.ofSeconds(2), Duration.ofMillis(300)),
                smoke ? 1 : comparison.rounds());
    }

    private Duration time(@Nullable Duration given, Duration full, Duration small) {
        if (given != null) {
            return given;
        }
        return smoke ? small : full;
    }
}
