package io.penstock.loadtest.compare;

import java.util.ArrayList;
import java.util.List;

/**
 * A work: an entry of the table of a comparison.
 *
 * @param id the name of the work on the command line and in files
 * @param title the description of the work in a table
 * @param job what a server and its clients do
 * @param rows the figures that the table with targets has for this work
 */
record Work(String id, String title, Job job, List<Row> rows) {
    /** A row of the table with targets: one figure of the work, and its {@link Bar}. */
    record Row(String work, Figure figure, Bar bar) {}

    Work {
        rows = List.copyOf(rows);
    }

    static Work of(String id, String title, Job job) {
        return new Work(id, title, job, List.of());
    }

    /** Returns the same work with one more row. */
    Work row(Figure figure, Bar bar) {
        List<Row> more = new ArrayList<>(rows);
        more.add(new Row(id, figure, bar));
        return new Work(id, title, job, more);
    }

    /** The contenders that the bars need in addition to the servers. */
    List<String> extra() {
        return rows.stream()
                .flatMap(row -> row.bar().against().contender().stream())
                .distinct()
                .toList();
    }
}
