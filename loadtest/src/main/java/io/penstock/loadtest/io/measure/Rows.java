package io.penstock.loadtest.io.measure;

import java.util.List;

/**
 * A table's text: the first column stands at the left, numbers stand at the right.
 *
 * @param header one for each column
 * @param rows as many cells each
 */
public record Rows(List<String> header, List<List<String>> rows) {
    public Rows {
        header = List.copyOf(header);
        rows = List.copyOf(rows);
        for (List<String> row : rows) {
            if (row.size() != header.size()) {
                throw new IllegalArgumentException("a row of " + row.size() + " cells below " + header.size());
            }
        }
    }
}
