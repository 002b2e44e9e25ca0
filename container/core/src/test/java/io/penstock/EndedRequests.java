package io.penstock;

import io.penstock.telemetry.Figure;
import io.penstock.telemetry.FigureVisitor;
import io.penstock.telemetry.Times;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Reads the kinds of ended requests from the metrics of a server. A kind is a combination of label values, such as a method and a status.
 */
final class EndedRequests {
    private EndedRequests() {}

    /** Returns a string for each kind of ended request. The string contains the values of {@code labels}, separated by blanks. */
    static Set<String> kinds(Penstock server, String... labels) {
        Set<String> kinds = new TreeSet<>();
        server.figures(new FigureVisitor() {
            @Override
            public void counter(Figure figure, LongSupplier value) {}

            @Override
            public void gauge(Figure figure, DoubleSupplier value) {}

            @Override
            public void times(Figure figure, Supplier<Times> times) {
                if (figure.name().equals("http.server.request.duration")
                        && times.get().count() > 0) {
                    kinds.add(Arrays.stream(labels)
                            .map(label -> figure.labels().get(label))
                            .collect(Collectors.joining(" ")));
                }
            }
        });
        return kinds;
    }
}
