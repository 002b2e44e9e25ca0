package io.penstock.experiments.io.measure;

import io.penstock.loadtest.report.Environment;
import io.penstock.loadtest.report.Table;
import io.penstock.loadtest.report.Table.Column;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The results of an experiment as text, Markdown, JSON and CSV.
 *
 * @param failures a map from the label of each way that was not measured to the reason
 */
record Result(Findings findings, Map<String, String> failures) {
    /** The title, table and notes, as text for a terminal. */
    String text() {
        StringBuilder text = new StringBuilder("\n" + findings.title() + "\n\n");
        text.append(findings.table().text()).append('\n');
        findings.notes().forEach(note -> text.append("* ").append(note).append('\n'));
        failures.forEach((way, why) -> text.append("* Not measured: ")
                .append(way)
                .append(", ")
                .append(why)
                .append('\n'));
        return text.toString();
    }

    /** The title, table and notes in Markdown, with the machine and the command of the measurement. */
    String markdown(Environment environment) {
        StringBuilder markdown = new StringBuilder(findings.title() + ".\n\n");
        markdown.append(findings.table().markdown()).append('\n');
        findings.notes().forEach(note -> markdown.append("- ").append(note).append('\n'));
        return markdown.append(environment.markdown()).toString();
    }

    /** The results as a map for JSON, with all samples. */
    Map<String, Object> json() {
        List<Map<String, Object>> figures = new ArrayList<>();
        for (Figure figure : findings.figures()) {
            Map<String, Object> map = new LinkedHashMap<>();
            map.put("way", figure.way());
            map.put("quantity", figure.quantity());
            map.put("unit", figure.unit());
            map.put("median", figure.samples().median());
            map.put("lowest", figure.samples().lowest());
            map.put("highest", figure.samples().highest());
            map.put("samples", figure.samples().values());
            figures.add(map);
        }
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", findings.name());
        json.put("title", findings.title());
        json.put("figures", figures);
        json.put("notes", findings.notes());
        json.put("broken", findings.broken());
        json.put("notMeasured", failures);
        return json;
    }

    /** A table for CSV, with one row for each {@link Figure} of all experiments. */
    static Table figures(List<Result> results) {
        Table table = new Table(
                Column.text("experiment"),
                Column.text("way"),
                Column.text("quantity"),
                Column.text("unit"),
                Column.number("median", 3),
                Column.number("lowest", 3),
                Column.number("highest", 3),
                Column.count("samples"));
        for (Result result : results) {
            for (Figure figure : result.findings().figures()) {
                Samples samples = figure.samples();
                table.add(
                        result.findings().name(),
                        figure.way(),
                        figure.quantity(),
                        figure.unit(),
                        samples.median(),
                        samples.lowest(),
                        samples.highest(),
                        samples.values().size());
            }
        }
        return table;
    }
}
