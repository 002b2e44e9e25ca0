package io.penstock.metrics;

import io.penstock.metrics.OpenMetrics.Family;
import io.penstock.metrics.OpenMetrics.Type;
import io.penstock.telemetry.Figure;
import io.penstock.telemetry.FigureVisitor;
import io.penstock.telemetry.Times;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes the current values of a server's {@linkplain Figure figures} into a metrics text.
 *
 * <p>Thread: one.
 */
public final class FigureText implements FigureVisitor {
    private final OpenMetrics out;
    private String name = "";
    private @Nullable Family family;

    public FigureText(OpenMetrics out) {
        this.out = out;
    }

    @Override
    public void counter(Figure figure, LongSupplier value) {
        family(figure, Type.COUNTER).total(value.getAsLong(), labels(figure));
    }

    @Override
    public void gauge(Figure figure, DoubleSupplier value) {
        family(figure, Type.GAUGE).gauge(value.getAsDouble(), labels(figure));
    }

    @Override
    public void times(Figure figure, Supplier<Times> times) {
        family(figure, Type.HISTOGRAM).histogram(times.get(), labels(figure));
    }

    private Family family(Figure figure, Type type) {
        Family known = family;
        if (known == null || !figure.family().equals(name)) {
            name = figure.family();
            known = out.family(name, type, figure.unit().symbol(), figure.meaning());
            family = known;
        }
        return known;
    }

    private static String[] labels(Figure figure) {
        List<String> labels = new ArrayList<>();
        for (Map.Entry<String, String> label : figure.labels().entrySet()) {
            // In Prometheus' formats, an empty label means no label.
            if (!label.getValue().isEmpty()) {
                labels.add(Figure.scraped(label.getKey()));
                labels.add(label.getValue());
            }
        }
        return labels.toArray(String[]::new);
    }
}
