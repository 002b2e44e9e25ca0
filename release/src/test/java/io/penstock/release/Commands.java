package io.penstock.release;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** Reads the commands in a section of a document. Tests run these commands unchanged, except for the version. */
final class Commands {
    private static final Pattern BLOCK = Pattern.compile("^```\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);

    private Commands() {}

    /**
     * Returns the code blocks of a section. The version 0.1.0 in the blocks is replaced by the version of this release.
     *
     * @param document the path of the document in the folder {@code docs}
     */
    static List<String> of(String document, String section) throws IOException {
        String text = Files.readString(
                Path.of(System.getProperty("penstock.root"), "docs").resolve(document));
        int begin = text.indexOf("\n## " + section + "\n");
        if (begin < 0) {
            throw new IllegalStateException(document + " has no section " + section);
        }
        int end = text.indexOf("\n## ", begin + 1);
        return BLOCK.matcher(text.substring(begin, end < 0 ? text.length() : end))
                .results()
                .map(block -> block.group(1).replace("0.1.0", Staging.version()))
                .toList();
    }

    /** Returns the code block that contains the given text. The section must have exactly one such block. */
    static String with(String part, String document, String section) throws IOException {
        List<String> blocks = of(document, section).stream()
                .filter(block -> block.contains(part))
                .toList();
        if (blocks.size() != 1) {
            throw new IllegalStateException(
                    document + ", " + section + ": " + blocks.size() + " blocks have '" + part + "'");
        }
        return blocks.get(0);
    }
}
