package io.penstock.server;

import io.penstock.telemetry.Figure;
import io.penstock.telemetry.FigureVisitor;
import io.penstock.telemetry.Times;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Collects the names of all figures, with the first {@link Figure} of each name. Does not read the values.
 *
 * <p>Thread: one thread at a time.
 */
public final class FigureNames implements FigureVisitor {
    private final Map<String, Figure> names = new LinkedHashMap<>();

    public Collection<Figure> all() {
        return names.values();
    }

    @Override
    public void counter(Figure figure, LongSupplier value) {
        names.putIfAbsent(figure.name(), figure);
    }

    @Override
    public void gauge(Figure figure, DoubleSupplier value) {
        names.putIfAbsent(figure.name(), figure);
    }

    @Override
    public void times(Figure figure, Supplier<Times> times) {
        names.putIfAbsent(figure.name(), figure);
    }
}
