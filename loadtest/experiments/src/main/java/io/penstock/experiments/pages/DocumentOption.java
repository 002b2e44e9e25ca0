package io.penstock.experiments.pages;

import io.penstock.loadtest.report.ResultFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A picocli mixin: the option for the Markdown file into which a command writes its result. */
public final class DocumentOption {
    private static final String NAME = "--write-docs";

    @Option(
            names = NAME,
            paramLabel = "PATH",
            description = "Folder with the Markdown page NAME.md of this command, such as docs/results, or one"
                    + " Markdown file. The result replaces the section between <!-- begin NAME --> and <!-- end"
                    + " NAME -->. NAME.csv and images/ are written beside the page.")
    private @Nullable Path path;

    /** The Markdown file with the given section; empty if the option is not given. */
    public Optional<Path> file(String section) {
        return Optional.ofNullable(path)
                .map(chosen -> Files.isDirectory(chosen) ? chosen.resolve(section + ".md") : chosen);
    }

    /**
     * Checks that the file of each section can be written, and has the section. Called before the measurement.
     *
     * @throws IllegalArgumentException with a message for the user if a file cannot be written, or a section is missing
     */
    public void check(List<String> sections) {
        for (String section : sections) {
            file(section).ifPresent(file -> {
                ResultFiles.checkWritable(NAME, file);
                MarkdownSection.check(NAME, file, section);
            });
        }
    }
}
