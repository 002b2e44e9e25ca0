package io.penstock.loadtest.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A picocli mixin: the options for the files in which a command stores its result. */
public final class ResultFiles {
    @Option(names = "--json", paramLabel = "FILE", description = "Also write the result as JSON to this file.")
    private @Nullable Path json;

    @Option(names = "--csv", paramLabel = "FILE", description = "Also write the table as CSV to this file.")
    private @Nullable Path csv;

    /**
     * Checks that the files can be written, before anything is measured.
     *
     * @throws IllegalArgumentException if one of the files cannot be written
     */
    public void check() {
        checkWritable("--json", json);
        checkWritable("--csv", csv);
    }

    /**
     * Writes the files that the user wants.
     *
     * @param result the result for JSON
     * @param table the table for CSV
     */
    public void save(Object result, Table table) throws IOException {
        if (json != null) {
            Json.save(json, result);
        }
        if (csv != null) {
            table.saveCsv(csv);
        }
    }

    /**
     * Checks that the file can be written.
     *
     * @throws IllegalArgumentException if the file cannot be written
     */
    public static void checkWritable(String option, @Nullable Path file) {
        if (file == null) {
            return;
        }
        Path directory = file.toAbsolutePath().getParent();
        if (Files.isDirectory(file) || directory == null || !Files.isDirectory(directory)) {
            throw new IllegalArgumentException(option + ": cannot write " + file + "; its directory must exist");
        }
        if (!Files.isWritable(Files.exists(file) ? file : directory)) {
            throw new IllegalArgumentException(option + ": no permission to write " + file);
        }
    }
}
