package io.penstock.server;

import io.penstock.metrics.ServerFigures;
import io.penstock.telemetry.Figure;
import io.penstock.telemetry.FigureVisitor;
import io.penstock.telemetry.Times;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import javax.management.openmbean.CompositeDataSupport;
import javax.management.openmbean.CompositeType;
import javax.management.openmbean.OpenDataException;
import javax.management.openmbean.OpenType;
import javax.management.openmbean.SimpleType;
import javax.management.openmbean.TabularDataSupport;
import javax.management.openmbean.TabularType;

/**
 * The figures of one name as a JMX attribute. The attribute is a number, or a table with a row for each combination of labels.
 *
 * <p>Thread: one thread at a time.
 */
final class FigureTable implements FigureVisitor {
    private static final String LABELS = "labels";

    private final String name;
    private final Map<String, Map<String, Object>> rows = new LinkedHashMap<>();
    private String meaning = "";

    private FigureTable(String name) {
        this.name = name;
    }

    /** Returns the current value or values of the figure {@code wanted}. The server must have at least one figure of this name. */
    static Object of(ServerFigures figures, Figure wanted) {
        FigureTable table = new FigureTable(wanted.name());
        figures.requests(table);
        figures.closes(table);
        figures.bounds(table);
        figures.bulkheads(table);
        figures.mappings(table);
        return table.value();
    }

    @Override
    public void counter(Figure figure, LongSupplier value) {
        row(figure, () -> Map.of("value", value.getAsLong()));
    }

    @Override
    public void gauge(Figure figure, DoubleSupplier value) {
        row(figure, () -> Map.of("value", value.getAsDouble()));
    }

    @Override
    public void times(Figure figure, Supplier<Times> times) {
        row(figure, () -> {
            Times all = times.get();
            return Map.of("count", all.count(), "sumSeconds", all.sum(), "longestSeconds", all.longest());
        });
    }

    private void row(Figure figure, Supplier<Map<String, Object>> items) {
        if (figure.name().equals(name)) {
            meaning = figure.meaning();
            String labels = figure.labels().entrySet().stream()
                    .filter(label -> !label.getValue().isEmpty())
                    .map(label -> label.getKey() + "=" + label.getValue())
                    .collect(Collectors.joining(","));
            rows.put(labels, items.get());
        }
    }

    private Object value() {
        Map<String, Object> alone = rows.get("");
        Object number = alone == null ? null : alone.get("value");
        return number == null ? table() : number;
    }

    private Object table() {
        try {
            CompositeType type = type(rows.values().iterator().next());
            TabularDataSupport table =
                    new TabularDataSupport(new TabularType(name, meaning, type, new String[] {LABELS}));
            for (Map.Entry<String, Map<String, Object>> row : rows.entrySet()) {
                Map<String, Object> items = new LinkedHashMap<>(row.getValue());
                items.put(LABELS, row.getKey());
                table.put(new CompositeDataSupport(type, items));
            }
            return table;
        } catch (OpenDataException e) {
            throw new IllegalStateException("no table of " + name, e);
        }
    }

    private CompositeType type(Map<String, Object> row) throws OpenDataException {
        Map<String, OpenType<?>> items = new LinkedHashMap<>();
        items.put(LABELS, SimpleType.STRING);
        row.forEach((item, value) -> items.put(item, value instanceof Long ? SimpleType.LONG : SimpleType.DOUBLE));
        String[] names = items.keySet().toArray(String[]::new);
        return new CompositeType(name, meaning, names, names, items.values().toArray(OpenType<?>[]::new));
    }
}
