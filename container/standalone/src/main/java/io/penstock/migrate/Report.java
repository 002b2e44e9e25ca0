package io.penstock.migrate;

import io.penstock.limits.HelpPage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What became of each element and attribute. Thread: one. */
final class Report {
    /** By line; an element comes before its attributes. */
    private static final Comparator<Row> IN_FILE =
            Comparator.comparing(Row::file).thenComparing(Row::line).thenComparing(Row::what);

    private final List<Row> rows = new ArrayList<>();

    /** What became of an element or attribute. */
    enum Outcome {
        MAPPED("mapped"),
        NOT_NEEDED("not needed"),
        NOT_POSSIBLE("not possible"),
        UNKNOWN("unknown");

        private final String shown;

        Outcome(String shown) {
            this.shown = shown;
        }

        @Override
        public String toString() {
            return shown;
        }
    }

    /**
     * One element or attribute.
     *
     * @param line the line in the file; 0 if the file has no such line
     * @param what the element and the attribute, such as {@code Connector port}
     * @param value the value as written in the file; without a secret
     * @param text the keys with their values, or the reason
     */
    record Row(String file, int line, String what, String value, Outcome outcome, String text) {
        String where() {
            return line == 0 ? file : file + ":" + line;
        }
    }

    void add(Row row) {
        rows.add(row);
    }

    List<Row> rows() {
        return List.copyOf(rows);
    }

    List<Row> rows(Outcome outcome) {
        return rows.stream().filter(row -> row.outcome() == outcome).toList();
    }

    /** The number of rows, by outcome: {@code 12 settings: 7 mapped, 4 not needed, 1 not possible, 0 unknown}. */
    String summary() {
        Map<Outcome, Integer> counts = new EnumMap<>(Outcome.class);
        rows.forEach(row -> counts.merge(row.outcome(), 1, Integer::sum));
        List<String> parts = new ArrayList<>();
        for (Outcome outcome : Outcome.values()) {
            parts.add(counts.getOrDefault(outcome, 0) + " " + outcome);
        }
        return rows.size() + " settings: " + String.join(", ", parts);
    }

    /** The report as a page in Markdown: first what needs a decision, then each file in its order. */
    String page(String source, String start) {
        StringBuilder page = new StringBuilder("# What became of " + source + "\n\n" + summary()
                + HelpPage.MIGRATION_REPORT.more() + ".\n\nStart the server by `" + start + "`.\n");
        table(
                page,
                "Not possible, or unknown: to decide",
                rows.stream()
                        .filter(row -> row.outcome() == Outcome.NOT_POSSIBLE || row.outcome() == Outcome.UNKNOWN)
                        .toList());
        rows.stream()
                .map(Row::file)
                .distinct()
                .forEach(file -> table(
                        page,
                        file,
                        rows.stream().filter(row -> row.file().equals(file)).toList()));
        return page.toString();
    }

    private static void table(StringBuilder page, String title, List<Row> rows) {
        if (rows.isEmpty()) {
            return;
        }
        page.append("\n## ").append(title).append("\n\n| line | setting | value | result | |\n|---|---|---|---|---|\n");
        for (Row row : rows.stream().sorted(IN_FILE).toList()) {
            String line = title.equals(row.file()) ? (row.line() == 0 ? "" : String.valueOf(row.line())) : row.where();
            page.append(String.format(
                    Locale.ROOT,
                    "| %s | %s | %s | %s | %s |\n",
                    line,
                    cell(row.what()),
                    code(row.value()),
                    row.outcome(),
                    cell(row.text())));
        }
    }

    private static String cell(String text) {
        return text.replaceAll("\\s+", " ")
                .replace("|", "\\|")
                .replace("<", "&lt;")
                .replace("*", "\\*");
    }

    private static String code(String value) {
        return value.isEmpty()
                ? ""
                : "`" + value.replaceAll("\\s+", " ").replace("`", "'").replace("|", "\\|") + "`";
    }
}
