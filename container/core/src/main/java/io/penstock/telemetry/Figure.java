package io.penstock.telemetry;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How one figure of a server is called.
 *
 * @param name in words with dots between them, such as {@code http.server.request.duration}
 * @param meaning for people
 * @param labels what tells it from others of its name, in order, with the same labels for all of one name; empty where there is nothing to
 *     say. No value is anything that a client could make up
 */
public record Figure(String name, Unit unit, String meaning, Map<String, String> labels) {

    public Figure {
        labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
    }

    /** One that is alone in its name. */
    public Figure(String name, Unit unit, String meaning) {
        this(name, unit, meaning, Map.of());
    }

    /** Another of the same name, with one more label. */
    public Figure with(String label, String value) {
        Map<String, String> more = new LinkedHashMap<>(labels);
        more.put(label, value);
        return new Figure(name, unit, meaning, more);
    }

    /** As OpenMetrics has it, without the suffixes of samples: {@code http_server_request_duration_seconds}. */
    public String family() {
        String plain = scraped(name);
        String suffix = "_" + unit.symbol();
        return unit == Unit.NONE || plain.endsWith(suffix) ? plain : plain + suffix;
    }

    /** A name or label as OpenMetrics has it: {@code http_request_method}. */
    public static String scraped(String dotted) {
        return dotted.replace('.', '_');
    }
}
