package io.penstock.tck;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The part of a document that has the results of all kits: a table with a row for each kit, and a table of the tests that have not passed.
 * A run replaces the rows of its own kit only.
 */
final class Results {
    static final String BEGIN = "<!-- begin results -->";
    static final String END = "<!-- end results -->";
    private static final String OTHERS = "### Not passed";

    private Results() {}

    /** @throws IOException if the document has no place for results, or cannot be read or written */
    static void replace(Path document, Run run) throws IOException {
        String text = Files.readString(document);
        int begin = text.indexOf(BEGIN);
        int end = text.indexOf(END);
        if (begin < 0 || end < begin) {
            throw new IOException(document + " has no place for the results between " + BEGIN + " and " + END);
        }
        String old = text.substring(begin + BEGIN.length(), end);
        int others = old.contains(OTHERS) ? old.indexOf(OTHERS) : old.length();
        List<String> lines = new ArrayList<>();
        lines.add("| kit | version | built from | date | Java | tests | passed | failed | skipped |");
        lines.add("|---|---|---|---|---|---|---|---|---|");
        lines.addAll(rows(run, List.of(run.row()), old.substring(0, others)));
        List<String> notPassed = rows(run, run.others(), old.substring(others));
        if (!notPassed.isEmpty()) {
            lines.addAll(List.of("", OTHERS, "", "| kit | test | result | reason |", "|---|---|---|---|"));
            lines.addAll(notPassed);
        }
        Files.writeString(
                document,
                text.substring(0, begin + BEGIN.length()) + "\n\n" + String.join("\n", lines) + "\n\n"
                        + text.substring(end));
    }

    /** The rows of a table, in the order of the kits: new ones for the kit of the run, and the old ones for the others. */
    private static List<String> rows(Run run, List<String> rows, String old) {
        return Stream.of(Kit.values())
                .flatMap(kit -> kit == run.kit()
                        ? rows.stream()
                        : old.lines().filter(line -> line.startsWith("| " + kit.title() + " |")))
                .toList();
    }
}
