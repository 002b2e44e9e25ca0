package io.penstock.loadtest.report;

import io.penstock.loadtest.cli.ResultFiles;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A mixin: the option for the Markdown file into which a command writes its result. */
public final class DocumentOption {
    private static final String NAME = "--write-docs";

    @Option(
            names = NAME,
            paramLabel = "FILE",
            description =
                    "A Markdown file, docs/performance.md for example, whose section for this command, between"
                            + " <!-- begin NAME --> and <!-- end NAME -->, is replaced by the result; pictures go to images/ beside it.")
    private @Nullable Path file;

    public @Nullable Path file() {
        return file;
    }

    /**
     * Checks before the measurement that the file can be written and has these sections.
     *
     * @throws IllegalArgumentException with a message for the user if not
     */
    public void check(List<String> sections) {
        if (file == null) {
            return;
        }
        ResultFiles.checkWritable(NAME, file);
        for (String section : sections) {
            MarkdownSection.check(NAME, file, section);
        }
    }
}
