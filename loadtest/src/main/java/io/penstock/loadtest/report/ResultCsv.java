package io.penstock.loadtest.report;

import io.penstock.loadtest.report.Table.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Stores a result as CSV, and creates Markdown from this CSV. The CSV contains the tables. The other text, with machine, versions, date and
 * command, is in lines that begin with {@code #}. A missing value is an empty cell.
 */
public final class ResultCsv {
    private static final String COMMENT = "#";
    private static final String MISSING = "-";
    /**
     * Matches a cell in a column of numbers: a number, possibly followed by its lowest and highest value, or the text for a missing number.
     */
    private static final Pattern FIGURE = Pattern.compile("-?[0-9].*|∞|never|-?|");
    /** Matches the separator of cells in a Markdown table: a vertical bar that is not escaped. */
    private static final Pattern BAR = Pattern.compile("(?<!\\\\)\\|");

    private ResultCsv() {}

    /** Turns the tables of Markdown into CSV, and all other lines into comments. */
    public static String of(String markdown) {
        StringBuilder csv = new StringBuilder();
        List<List<String>> table = new ArrayList<>();
        for (String line : (markdown + "\n").split("\n", -1)) {
            if (line.startsWith("|")) {
                table.add(cells(line));
                continue;
            }
            if (!table.isEmpty()) {
                // The second line of a Markdown table separates the heading from the rows, and is left out.
                csv.append(csv(table.get(0), table.subList(2, table.size())));
                table.clear();
            }
            csv.append(line.isEmpty() ? COMMENT : COMMENT + " " + line).append('\n');
        }
        return csv.substring(0, csv.length() - COMMENT.length() - 1);
    }

    private static String csv(List<String> heading, List<List<String>> rows) {
        return Table.ofText(
                        heading,
                        rows.stream()
                                .map(row -> row.stream()
                                        .map(cell -> cell.equals(MISSING) ? "" : cell)
                                        .toList())
                                .toList())
                .csv();
    }

    private static List<String> cells(String line) {
        List<String> cells = new ArrayList<>();
        for (String cell : BAR.split(line.substring(1))) {
            cells.add(cell.strip().replace("\\|", "|"));
        }
        return line.endsWith("|") ? cells : cells.subList(0, cells.size() - 1);
    }

    /** Converts the output of {@link #of} into Markdown. */
    public static String markdown(String csv) {
        StringBuilder markdown = new StringBuilder();
        List<List<String>> table = new ArrayList<>();
        for (String line : (csv + COMMENT).split("\n")) {
            if (!line.startsWith(COMMENT)) {
                table.add(values(line));
                continue;
            }
            if (!table.isEmpty()) {
                markdown.append(table(table).markdown());
                table.clear();
            }
            markdown.append(line.substring(Math.min(line.length(), 2))).append('\n');
        }
        return markdown.substring(0, markdown.length() - 1);
    }

    private static Table table(List<List<String>> lines) {
        List<List<String>> rows = lines.subList(1, lines.size());
        Column[] columns = new Column[lines.get(0).size()];
        for (int i = 0; i < columns.length; i++) {
            int at = i;
            boolean figures =
                    rows.stream().allMatch(row -> FIGURE.matcher(row.get(at)).matches());
            String name = lines.get(0).get(i);
            columns[i] = figures ? Column.count(name) : Column.text(name);
        }
        Table table = new Table(columns);
        rows.forEach(row -> table.add(row.toArray()));
        return table;
    }

    /** Reads the values of one line of CSV. Values with line ends are not supported. */
    private static List<String> values(String line) {
        List<String> values = new ArrayList<>();
        StringBuilder value = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == '"' && quoted && line.startsWith("\"\"", i)) {
                value.append(c);
                i++;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (c == ',' && !quoted) {
                values.add(value.toString());
                value.setLength(0);
            } else {
                value.append(c);
            }
        }
        values.add(value.toString());
        return values;
    }
}
