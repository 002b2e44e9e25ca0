package io.penstock.experiments.io.measure;

import io.penstock.loadtest.report.Table;
import java.util.List;

/**
 * The results of an experiment so far.
 *
 * @param name the name of the experiment in JSON and CSV, and the name of its section in a document
 * @param title one line that describes the measurement
 * @param table the results as a table for readers
 * @param figures the results with all samples, for other programs
 * @param notes notes that a reader of the table needs, with one or more sentences each
 * @param broken one text for each check of the results that has failed; empty if no check has failed
 */
public record Findings(
        String name, String title, Table table, List<Figure> figures, List<String> notes, List<String> broken) {
    public Findings {
        figures = List.copyOf(figures);
        notes = List.copyOf(notes);
        broken = List.copyOf(broken);
    }
}
