package io.penstock.loadtest.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A table that can be written as text, Markdown or CSV. A cell is a string, a number, or null if it was not measured. */
public final class Table {
    private static final String NOT_MEASURED = "-";

    private final List<Column> columns;
    private final List<List<@Nullable Object>> rows = new ArrayList<>();

    public Table(Column... columns) {
        this.columns = List.of(columns);
    }

    /** Creates a table of strings. The first column is aligned to the left, the other columns to the right. */
    public static Table ofText(List<String> header, List<List<String>> rows) {
        Column[] columns = new Column[header.size()];
        for (int i = 0; i < columns.length; i++) {
            columns[i] = i == 0 ? Column.text(header.get(i)) : Column.count(header.get(i));
        }
        Table table = new Table(columns);
        rows.forEach(row -> table.add(row.toArray()));
        return table;
    }

    public Table add(@Nullable Object... cells) {
        if (cells.length != columns.size()) {
            throw new IllegalArgumentException(cells.length + " cells for " + columns.size() + " columns");
        }
        rows.add(Collections.unmodifiableList(new ArrayList<>(Arrays.asList(cells))));
        return this;
    }

    public List<Column> columns() {
        return columns;
    }

    /** The rows. Each row is a list of cells in the order of the columns. */
    public List<List<@Nullable Object>> rows() {
        return Collections.unmodifiableList(rows);
    }

    /** The rows for JSON. Each row is a map from the name of a column to the cell. */
    public List<Map<String, @Nullable Object>> records() {
        List<Map<String, @Nullable Object>> records = new ArrayList<>();
        for (List<@Nullable Object> row : rows) {
            Map<String, @Nullable Object> map = new LinkedHashMap<>();
            for (int i = 0; i < columns.size(); i++) {
                map.put(columns.get(i).name(), row.get(i));
            }
            records.add(map);
        }
        return records;
    }

    /** Returns the table with rows and columns exchanged. The cells of the first column become the headings. */
    public Table transposed() {
        List<Column> turned = new ArrayList<>();
        turned.add(Column.text(columns.get(0).name()));
        for (List<@Nullable Object> row : rows) {
            turned.add(Column.count(columns.get(0).format(row.get(0))));
        }
        Table table = new Table(turned.toArray(Column[]::new));
        for (int i = 1; i < columns.size(); i++) {
            List<@Nullable Object> cells = new ArrayList<>();
            cells.add(columns.get(i).name());
            for (List<@Nullable Object> row : rows) {
                cells.add(columns.get(i).format(row.get(i)));
            }
            table.add(cells.toArray());
        }
        return table;
    }

    /** The table as text for a terminal, with columns of minimum width. The text ends with a line end. */
    public String text() {
        StringBuilder text = new StringBuilder();
        int[] widths = widths();
        for (List<String> line : lines(cell -> cell.isEmpty() ? NOT_MEASURED : cell)) {
            StringBuilder row = new StringBuilder();
            for (int i = 0; i < line.size(); i++) {
                row.append(i == 0 ? "" : "  ").append(padded(line.get(i), widths[i], columns.get(i)));
            }
            text.append(row.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    /** The table in Markdown, for GitHub and other programs. The text ends with a line end. */
    public String markdown() {
        List<String> lines = lines(cell -> cell.isEmpty() ? NOT_MEASURED : cell.replace("|", "\\|")).stream()
                .map(line -> "| " + String.join(" | ", line) + " |\n")
                .collect(Collectors.toList());
        String rule = columns.stream()
                .map(column -> column.align() == Column.Align.RIGHT ? "---:" : "---")
                .collect(Collectors.joining(" | ", "| ", " |\n"));
        lines.add(1, rule);
        return String.join("", lines);
    }

    /** The table as CSV according to RFC 4180, except that lines end with LF only. */
    public String csv() {
        return lines(Table::quoted).stream()
                .map(line -> String.join(",", line) + "\n")
                .collect(Collectors.joining());
    }

    public void saveCsv(Path file) throws IOException {
        WholeFile.write(file, csv());
    }

    private List<List<String>> lines(Function<String, String> cell) {
        List<List<String>> lines = new ArrayList<>();
        lines.add(columns.stream().map(Column::name).map(cell).toList());
        for (List<@Nullable Object> row : rows) {
            List<String> line = new ArrayList<>();
            for (int i = 0; i < columns.size(); i++) {
                line.add(cell.apply(columns.get(i).format(row.get(i))));
            }
            lines.add(line);
        }
        return lines;
    }

    private int[] widths() {
        int[] widths = new int[columns.size()];
        for (List<String> line : lines(cell -> cell.isEmpty() ? NOT_MEASURED : cell)) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], line.get(i).length());
            }
        }
        return widths;
    }

    private static String padded(String cell, int width, Column column) {
        String padding = " ".repeat(width - cell.length());
        return column.align() == Column.Align.RIGHT ? padding + cell : cell + padding;
    }

    private static String quoted(String cell) {
        boolean plain = cell.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
        return plain ? cell : '"' + cell.replace("\"", "\"\"") + '"';
    }

    /**
     * A column of a table.
     *
     * @param name the name with the unit, such as {@code p99 (ms)}
     * @param align the alignment of the cells
     * @param decimals the number of decimals of a {@code double} or {@code float}
     */
    public record Column(String name, Align align, int decimals) {

        /** The side to which the cells are aligned. */
        public enum Align {
            LEFT,
            RIGHT
        }

        public static Column text(String name) {
            return new Column(name, Align.LEFT, 3);
        }

        public static Column count(String name) {
            return new Column(name, Align.RIGHT, 0);
        }

        public static Column number(String name, int decimals) {
            return new Column(name, Align.RIGHT, decimals);
        }

        /** Returns the cell as text. For a missing value (null or NaN), the text is empty. */
        String format(@Nullable Object cell) {
            if (cell == null) {
                return "";
            }
            if (cell instanceof Double || cell instanceof Float) {
                double value = ((Number) cell).doubleValue();
                return Double.isNaN(value) ? "" : String.format(Locale.ROOT, "%." + decimals + "f", value);
            }
            return cell.toString();
        }
    }
}
