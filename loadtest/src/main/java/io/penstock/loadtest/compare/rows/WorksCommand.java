package io.penstock.loadtest.compare.rows;

import io.penstock.loadtest.cli.CommandLineUsed;
import io.penstock.loadtest.cli.DurationConverter;
import io.penstock.loadtest.compare.setup.ComparisonOptions;
import io.penstock.loadtest.compare.setup.Lineup;
import io.penstock.loadtest.compare.setup.OtherPrograms;
import io.penstock.loadtest.compare.setup.PartialResults;
import io.penstock.loadtest.load.FileDescriptors;
import io.penstock.loadtest.peers.JvmSettings;
import io.penstock.loadtest.report.Environment;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options that all comparisons with a {@link Sheet} of works share, and the output of their results. */
abstract class WorksCommand implements Callable<Integer> {
    private static final int COULD_NOT_MEASURE = 3;

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private ComparisonOptions comparison = new ComparisonOptions();

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description =
                    "Measured time of each turn, such as 2s. wrk supports only whole seconds. Default: 2s, and 10s for"
                            + " compare waiting, where a warm server has three times as long.")
    private @Nullable Duration duration;

    @Option(
            names = "--warm-up",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Warm-up time of each server for each work, such as 4s. Default: 4s.")
    private @Nullable Duration warmUp;

    @Option(
            names = "--smoke",
            description = "Test run: a few seconds for each server, with few connections and little data."
                    + " Other options still apply. The printed figures are not measurements.")
    private boolean smoke;

    @Option(
            names = "--go-on",
            description = "Continue an earlier run with the same options, whose results are in --out. So one table"
                    + " can be measured in parts; name the works of each part with --works.")
    private boolean goOn;

    /** The table to fill. */
    abstract Sheet sheet();

    /** The names of the works to measure; empty for all works. */
    abstract List<String> names();

    /**
     * The clients that send the requests.
     *
     * @throws IllegalArgumentException if a client is not installed on this machine
     */
    abstract Clients clients(boolean smokeTest);

    @Override
    public Integer call() throws IOException, InterruptedException {
        comparison.checkDocs(smoke);
        Work.Size size = smoke ? Work.Size.SMOKE : Work.Size.FULL;
        RowsPlan plan;
        Clients clients;
        try {
            plan = plan(size);
            clients = clients(smoke);
        } catch (IllegalArgumentException wrong) {
            throw comparison.wrong(String.valueOf(wrong.getMessage()));
        }
        JvmSettings jvm = comparison.jvm(smoke);
        OtherPrograms others = comparison.otherPrograms();
        if (smoke) {
            // A smoke test has no figures that other programs could disturb.
            others = new OtherPrograms(0);
        }
        FileDescriptors.check(plan.connections());
        FileDescriptors.checkServer(plan.connections(), plan.files());
        comparison.prepareFiles(List.of(sheet().section()));
        return measure(plan, clients, jvm, others, size);
    }

    private int measure(RowsPlan plan, Clients clients, JvmSettings jvm, OtherPrograms others, Work.Size size)
            throws IOException, InterruptedException {
        Lineup lineup = comparison.lineup(sheet().usual());
        CommandSpec command = Objects.requireNonNull(spec);
        PrintWriter out = command.commandLine().getOut();
        RowsResults results = new RowsResults();
        Optional<EarlierRun> earlier = earlier();
        Set<String> now = plan.works().stream().map(Work::id).collect(Collectors.toSet());
        earlier.ifPresent(run -> results.takeOver(run, now));
        RowsReport report = new RowsReport(
                plan.showing(sheet().works(size).stream()
                        .filter(work -> now.contains(work.id())
                                || earlier.filter(run -> run.works().contains(work.id()))
                                        .isPresent())
                        .toList()),
                clients,
                lineup,
                jvm,
                others,
                results,
                Environment.of(CommandLineUsed.of(command)));
        if (earlier.isPresent() && !earlier.get().terms().equals(report.terms())) {
            throw comparison.wrong("--go-on needs the same options. Options of the earlier run: "
                    + earlier.get().terms() + "; of this run: " + report.terms());
        }
        RowsProgress progress = new RowsProgress(
                command.commandLine().getErr(),
                plan.turns(lineup.servers()),
                report,
                comparison.out().orElse(null));
        PartialResults partial =
                new PartialResults(report, out, comparison.out().orElse(null));
        try (partial;
                TurnMeter meter = new TurnMeter(clients, plan)) {
            new RowsExperiment(plan, lineup, comparison.peers(), jvm, meter, others, results, progress).run(size);
        }
        if (results.isClosed()) {
            return COULD_NOT_MEASURE;
        }
        if (results.isEmpty()) {
            throw new IOException("Nothing was measured: "
                    + results.gaps().stream()
                            .map(RowsResults.Gap::reason)
                            .findFirst()
                            .orElse("none of the servers has the content that these works need"));
        }
        out.println(report.text());
        out.flush();
        Optional<Path> document = comparison.docs(sheet().section());
        if (document.isPresent()) {
            report.writeDocument(document.get());
        }
        return 0;
    }

    private Optional<EarlierRun> earlier() throws IOException {
        if (!goOn) {
            return Optional.empty();
        }
        Path folder = comparison.out().orElseThrow(() -> comparison.wrong("--go-on needs --out"));
        return Optional.of(EarlierRun.read(folder.resolve(sheet().file() + ".json")));
    }

    private RowsPlan plan(Work.Size size) {
        List<Work> works = new ArrayList<>(sheet().works(size));
        List<String> names = names();
        for (String name : names) {
            if (works.stream().noneMatch(work -> work.id().equals(name))) {
                throw new IllegalArgumentException("--works: no such work: '" + name + "'; use "
                        + String.join(", ", works.stream().map(Work::id).toList()));
            }
        }
        works.removeIf(work -> !names.isEmpty() && !names.contains(work.id()));
        return new RowsPlan(
                sheet(),
                works,
                time(warmUp, Duration.ofSeconds(4), Duration.ofMillis(200)),
                time(duration, sheet().usualTurn(), Duration.ofMillis(300)),
                smoke ? 1 : comparison.rounds());
    }

    private Duration time(@Nullable Duration given, Duration full, Duration small) {
        if (given != null) {
            return given;
        }
        return smoke ? small : full;
    }
}
