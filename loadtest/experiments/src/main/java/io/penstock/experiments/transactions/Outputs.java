package io.penstock.experiments.transactions;

import io.penstock.loadtest.cli.ResultFiles;
import io.penstock.loadtest.report.Environment;
import io.penstock.loadtest.report.Json;
import io.penstock.loadtest.report.MarkdownSection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Where the result is kept, besides on the screen: options, a mixin. */
final class Outputs {
    private static final String SECTION = "transactions";

    @Mixin
    private final ResultFiles files = new ResultFiles();

    @Option(
            names = "--chart",
            paramLabel = "FILE",
            description = "Also draw the transactions of each minute into this file, a .png or a .svg.")
    private @Nullable Path chart;

    @Option(
            names = "--write-docs",
            paramLabel = "FILE",
            description =
                    "A Markdown file, docs/performance.md for example, whose section between <!-- begin " + SECTION
                            + " --> and <!-- end " + SECTION
                            + " --> is replaced by the result; its picture goes to images/ beside it.")
    private @Nullable Path docs;

    /**
     * Looks whether all files can be written, before anything is measured.
     *
     * @throws IllegalArgumentException if one cannot
     */
    void check() {
        files.check();
        ResultFiles.checkWritable("--chart", chart);
        ResultFiles.checkWritable("--write-docs", docs);
        if (chart != null) {
            MinutesChart.checkName(chart);
        }
        if (docs != null) {
            MarkdownSection.check("--write-docs", docs, SECTION);
        }
    }

    void write(TransactionsReport report, Environment environment) throws IOException {
        Path json = files.json();
        if (json != null) {
            Json.save(json, report.json(environment));
        }
        Path csv = files.csv();
        if (csv != null) {
            report.everyMinute().saveCsv(csv);
        }
        if (chart != null) {
            MinutesChart.save(report.results(), chart);
        }
        if (docs != null) {
            writeDocs(docs, report, environment);
        }
    }

    private static void writeDocs(Path file, TransactionsReport report, Environment environment) throws IOException {
        Path images = file.toAbsolutePath().resolveSibling("images");
        Files.createDirectories(images);
        MinutesChart.save(report.results(), images.resolve(SECTION + ".svg"));
        MinutesChart.save(report.results(), images.resolve(SECTION + ".png"));
        String picture = "![Transactions per minute](images/" + SECTION + ".svg)";
        MarkdownSection.replace(file, SECTION, report.markdown(picture, environment));
    }
}
