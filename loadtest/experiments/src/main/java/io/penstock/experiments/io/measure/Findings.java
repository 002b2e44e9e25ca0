package io.penstock.experiments.io.measure;

import io.penstock.loadtest.report.Table;
import java.util.List;

/**
 * The results of an experiment so far.
 *
 * @param name of its section in a document, and in JSON and CSV
 * @param title one line that says what was measured
 * @param table for readers
 * @param figures for programs
 * @param notes notes that the reader of the table needs, a sentence or two each
 * @param broken promises that were checked and not kept; empty if all were kept
 */
public record Findings(
        String name, String title, Table table, List<Figure> figures, List<String> notes, List<String> broken) {
    public Findings {
        figures = List.copyOf(figures);
        notes = List.copyOf(notes);
        broken = List.copyOf(broken);
    }
}
