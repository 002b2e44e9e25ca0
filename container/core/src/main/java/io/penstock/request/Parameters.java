package io.penstock.request;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a request, in order (Servlet 3.1). Immutable. Arrays in results are copies, since the application may change an array.
 *
 * <p>Thread: any.
 */
final class Parameters {
    private final Map<String, List<String>> values;

    Parameters(Map<String, List<String>> values) {
        this.values = values;
    }

    /** These parameters, followed by {@code others}. */
    Parameters before(Parameters others) {
        Map<String, List<String>> merged = new LinkedHashMap<>(values);
        others.values.forEach((name, later) -> merged.merge(name, later, (first, second) -> {
            List<String> both = new ArrayList<>(first);
            both.addAll(second);
            return both;
        }));
        return new Parameters(merged);
    }

    @Nullable
    String first(String name) {
        List<String> found = values.get(name);
        return found == null ? null : found.get(0);
    }

    String @Nullable [] all(String name) {
        List<String> found = values.get(name);
        return found == null ? null : found.toArray(String[]::new);
    }

    Set<String> names() {
        return values.keySet();
    }

    Map<String, String[]> asMap() {
        Map<String, String[]> map = new LinkedHashMap<>();
        values.forEach((name, list) -> map.put(name, list.toArray(String[]::new)));
        return Collections.unmodifiableMap(map);
    }
}
