package io.penstock.experiments.io.measure;

import io.penstock.loadtest.report.Table;
import java.util.List;

/**
 * What an experiment knows so far.
 *
 * @param name of its section in a document, and in JSON and CSV
 * @param title one line that says what was measured
 * @param table for people
 * @param figures for programs
 * @param notes what one must know to read the table, a sentence or two each
 * @param broken promises that were checked and not kept; empty if all is well
 */
public record Findings(
        String name, String title, Table table, List<Figure> figures, List<String> notes, List<String> broken) {
    public Findings {
        figures = List.copyOf(figures);
        notes = List.copyOf(notes);
        broken = List.copyOf(broken);
    }
}
