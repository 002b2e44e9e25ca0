package io.penstock.tck;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The section of a document that contains the results. Only this section is generated. */
final class Section {
    static final String BEGIN = "<!-- begin results -->";
    static final String END = "<!-- end results -->";

    private Section() {}

    static void replace(Path document, String markdown) throws IOException {
        String text = Files.readString(document);
        int begin = text.indexOf(BEGIN);
        int end = text.indexOf(END);
        if (begin < 0 || end < begin) {
            throw new IOException(document + " has no place for the results between " + BEGIN + " and " + END);
        }
        Files.writeString(
                document,
                text.substring(0, begin + BEGIN.length()) + "\n\n" + markdown.strip() + "\n\n" + text.substring(end));
    }
}
