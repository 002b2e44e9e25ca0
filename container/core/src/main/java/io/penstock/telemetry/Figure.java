package io.penstock.telemetry;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The description of one figure that a server reports: name, unit, meaning and labels.
 *
 * @param name the name: words separated by dots, such as {@code http.server.request.duration}
 * @param meaning a description for human readers
 * @param labels the labels in their order; the values of the labels distinguish figures of the same name. All figures of one name have the
 *     same labels. The map is empty if the name alone identifies the figure. Clients cannot influence the values, but for the names of
 *     paths, of which there are few at a time
 */
public record Figure(String name, Unit unit, String meaning, Map<String, String> labels) {

    public Figure {
        labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
    }

    /** Creates a figure without labels. It is the only figure of its name. */
    public Figure(String name, Unit unit, String meaning) {
        this(name, unit, meaning, Map.of());
    }

    /** Returns a figure of the same name with one more label. */
    public Figure with(String label, String value) {
        Map<String, String> more = new LinkedHashMap<>(labels);
        more.put(label, value);
        return new Figure(name, unit, meaning, more);
    }

    /** The name in OpenMetrics, without the suffixes of samples, such as {@code http_server_request_duration_seconds}. */
    public String family() {
        String plain = scraped(name);
        String suffix = "_" + unit.symbol();
        return unit == Unit.NONE || plain.endsWith(suffix) ? plain : plain + suffix;
    }

    /** Converts a name or a label to its form in OpenMetrics, such as {@code http_request_method}. */
    public static String scraped(String dotted) {
        return dotted.replace('.', '_');
    }
}
