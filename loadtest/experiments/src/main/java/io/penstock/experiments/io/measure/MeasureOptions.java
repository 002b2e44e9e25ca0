package io.penstock.experiments.io.measure;

import io.penstock.experiments.pages.DocumentOption;
import io.penstock.loadtest.cli.DurationConverter;
import io.penstock.loadtest.report.ResultFiles;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A picocli mixin: the options that all commands of {@code experiments io} share. */
public final class MeasureOptions {
    @Option(names = "--dir", paramLabel = "DIR", description = "Folder for temporary files. They are always deleted.")
    private Path dir = Path.of(System.getProperty("java.io.tmpdir"));

    @Option(
            names = "--full",
            description = "Measure longer: more rounds, and 2 forks of 5 + 10 iterations of 1 s instead of 1 fork of"
                    + " 2 + 3 iterations of 500 ms.")
    private boolean full;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description = "Number of alternating rounds, for measurements without JMH. Default: 5, with --full 11.")
    private @Nullable Integer rounds;

    @Option(
            names = "--forks",
            paramLabel = "N",
            description = "Number of JMH forks for each way. 0 runs JMH in this JVM, for a quick look only.")
    private @Nullable Integer forks;

    @Option(names = "--warm-ups", paramLabel = "N", description = "Number of JMH warm-up iterations in each fork.")
    private @Nullable Integer warmUps;

    @Option(names = "--iterations", paramLabel = "N", description = "Number of JMH iterations in each fork.")
    private @Nullable Integer iterations;

    @Option(
            names = "--iteration",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Duration of a JMH iteration, such as 500ms or 2s.")
    private @Nullable Duration iteration;

    @Mixin
    private DocumentOption docs = new DocumentOption();

    @Mixin
    private ResultFiles files = new ResultFiles();

    /** @throws IllegalArgumentException if the number is not at least 1 */
    public int rounds() {
        int chosen = rounds == null ? (full ? 11 : 5) : rounds;
        if (chosen < 1) {
            throw new IllegalArgumentException("--rounds must be at least 1, not " + chosen);
        }
        return chosen;
    }

    /** @throws IllegalArgumentException if one of the options is too small */
    public Microbenchmark.Settings jmh() {
        Microbenchmark.Settings usual = full ? Microbenchmark.Settings.FULL : Microbenchmark.Settings.SHORT;
        return new Microbenchmark.Settings(
                forks == null ? usual.forks() : forks,
                warmUps == null ? usual.warmUps() : warmUps,
                iterations == null ? usual.iterations() : iterations,
                iteration == null ? usual.iteration() : iteration);
    }

    Path dir() {
        return dir;
    }

    DocumentOption docs() {
        return docs;
    }

    ResultFiles files() {
        return files;
    }
}
