package io.penstock.experiments.pages;

import io.penstock.loadtest.report.ResultCsv;
import io.penstock.loadtest.report.WholeFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Replaces a section of a Markdown file. A section is the text between the markers {@code <!-- begin NAME -->} and {@code <!-- end NAME
 * -->}.
 */
public final class MarkdownSection {
    private MarkdownSection() {}

    /**
     * Replaces the text between the markers.
     *
     * @throws IOException with a message for the user if the file cannot be read or written, or if a marker is missing, exists twice, or is
     *     in the wrong order. In these cases the file is not changed
     */
    public static void replace(Path file, String name, String markdown) throws IOException {
        WholeFile.write(file, replaced(file, name, markdown.strip()));
    }

    /**
     * Writes {@code NAME.csv} into the folder of the document, and replaces the section of the document by Markdown that is created from
     * this CSV.
     *
     * @throws IOException with a message for the user if a file cannot be read or written, or the section is missing
     */
    public static void publish(Path document, String name, String markdown) throws IOException {
        check(document, name);
        String csv = ResultCsv.of(markdown.strip());
        WholeFile.write(document.toAbsolutePath().resolveSibling(name + ".csv"), csv);
        replace(document, name, ResultCsv.markdown(csv));
    }

    /**
     * Checks that the file has the section. Called before a measurement.
     *
     * @throws IOException with a message for the user if the file does not have the section
     */
    public static void check(Path file, String name) throws IOException {
        replaced(file, name, "");
    }

    /**
     * Does the same as {@link #check(Path, String)}, for a file that the user has given as the value of an option.
     *
     * @throws IllegalArgumentException with a message for the user if the file does not have the section
     */
    public static void check(String option, Path file, String name) {
        try {
            check(file, name);
        } catch (IOException wrong) {
            throw new IllegalArgumentException(option + ": " + wrong.getMessage(), wrong);
        }
    }

    private static String replaced(Path file, String name, String markdown) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new IOException("No such file: " + file + "; create it with the lines " + begin(name) + " and "
                    + end(name) + " where the result should be");
        }
        String text = Files.readString(file);
        int begin = only(text, begin(name), file) + begin(name).length();
        int end = only(text, end(name), file);
        if (end < begin) {
            throw new IOException(file + " has " + end(name) + " before " + begin(name) + "; swap the two");
        }
        return text.substring(0, begin) + "\n\n" + markdown + "\n\n" + text.substring(end);
    }

    private static int only(String text, String marker, Path file) throws IOException {
        int at = text.indexOf(marker);
        if (at < 0) {
            throw new IOException(file + " has no line " + marker + "; add it where the result should be");
        }
        if (text.indexOf(marker, at + 1) >= 0) {
            throw new IOException(file + " has the line " + marker + " twice; remove one");
        }
        return at;
    }

    private static String begin(String name) {
        return "<!-- begin " + name + " -->";
    }

    private static String end(String name) {
        return "<!-- end " + name + " -->";
    }
}
