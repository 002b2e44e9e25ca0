package io.penstock.experiments.transactions;

import io.penstock.experiments.pages.DocumentOption;
import io.penstock.experiments.pages.MarkdownSection;
import io.penstock.loadtest.report.Environment;
import io.penstock.loadtest.report.ResultFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A picocli mixin: the options for the result files. */
final class Outputs {
    private static final String SECTION = "transactions";

    @Mixin
    private final ResultFiles files = new ResultFiles();

    @Option(
            names = "--chart",
            paramLabel = "FILE",
            description = "Also draw the transactions of each minute into this file (.png or .svg).")
    private @Nullable Path chart;

    @Mixin
    private final DocumentOption docs = new DocumentOption();

    /**
     * Checks before the measurement that all files can be written.
     *
     * @throws IllegalArgumentException if one of the files cannot be written
     */
    void check() {
        files.check();
        ResultFiles.checkWritable("--chart", chart);
        if (chart != null) {
            MinutesChart.checkName(chart);
        }
        docs.check(List.of(SECTION));
    }

    void write(TransactionsReport report, Environment environment) throws IOException {
        files.save(report.json(environment), report.everyMinute());
        if (chart != null) {
            MinutesChart.save(report, environment, chart);
        }
        Optional<Path> document = docs.file(SECTION);
        if (document.isPresent()) {
            writeDocs(document.get(), report, environment);
        }
    }

    private static void writeDocs(Path file, TransactionsReport report, Environment environment) throws IOException {
        Path images = file.toAbsolutePath().resolveSibling("images");
        Files.createDirectories(images);
        MinutesChart.save(report, environment, images.resolve(SECTION + ".svg"));
        MinutesChart.save(report, environment, images.resolve(SECTION + ".png"));
        String picture = "![Transactions per minute](images/" + SECTION + ".svg)";
        MarkdownSection.publish(file, SECTION, report.markdown(picture, environment));
    }
}
