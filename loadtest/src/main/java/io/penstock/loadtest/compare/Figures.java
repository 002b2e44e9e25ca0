package io.penstock.loadtest.compare;

import io.penstock.loadtest.load.LoadResult;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** The figures of a turn, while they are measured. Thread: one thread. */
final class Figures {
    private final Map<Figure, Double> values = new EnumMap<>(Figure.class);
    private final List<String> notes = new ArrayList<>();
    private String client = "";

    /** Stores a value. A value that is not a number is not stored, since it was not measured. */
    Figures put(Figure figure, double value) {
        if (!Double.isNaN(value)) {
            values.put(figure, value);
        }
        return this;
    }

    Figures put(Figure figure, long count) {
        return put(figure, (double) count);
    }

    /** Stores a latency in milliseconds. If there are no latencies, nothing is stored. The percentile 100 is the maximum. */
    Figures put(Figure figure, Histogram nanos, double percentile) {
        return put(figure, LoadResult.millis(nanos, percentile));
    }

    /** Stores the number of requests without a good response, and the first error. */
    Figures failed(LoadResult result) {
        return put(Figure.FAILED, result.requests() - result.answered()).note(result.firstTrouble());
    }

    double get(Figure figure) {
        return values.getOrDefault(figure, Double.NaN);
    }

    Figures by(Client sender) {
        client = sender.title();
        return this;
    }

    /** Adds a text to the turn, such as an error. An empty text, or the same text again, is not added. */
    Figures note(String text) {
        if (!text.isEmpty() && !notes.contains(text)) {
            notes.add(text);
        }
        return this;
    }

    boolean isEmpty() {
        return values.isEmpty();
    }

    Map<Figure, Double> values() {
        return Collections.unmodifiableMap(values);
    }

    String client() {
        return client;
    }

    String notes() {
        return String.join("; ", notes);
    }
}
