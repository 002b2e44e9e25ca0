package io.penstock.request;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a request, in order (Servlet 3.1). Immutable. Arrays in results are copies, since the application may change an array.
 *
 * <p>Thread: any.
 */
final class Parameters {
    static final Parameters NONE = new Parameters(Map.of());

    private final Map<String, List<String>> values;
    private final @Nullable Parameters next;

    Parameters(Map<String, List<String>> values) {
        this(values, null);
    }

    private Parameters(Map<String, List<String>> values, @Nullable Parameters next) {
        this.values = values;
        this.next = next;
    }

    /** These parameters, followed by {@code others}. Copies nothing, so a dispatch needs no memory for the parameters of its request. */
    Parameters before(Parameters others) {
        return new Parameters(values, next == null ? others : next.before(others));
    }

    @Nullable
    String first(String name) {
        List<String> found = values.get(name);
        if (found == null) {
            return next == null ? null : next.first(name);
        }
        return found.get(0);
    }

    String @Nullable [] all(String name) {
        List<String> found = values.getOrDefault(name, List.of());
        if (next != null) {
            List<String> both = new ArrayList<>(found);
            for (Parameters one = next; one != null; one = one.next) {
                both.addAll(one.values.getOrDefault(name, List.of()));
            }
            found = both;
        }
        return found.isEmpty() ? null : found.toArray(String[]::new);
    }

    Set<String> names() {
        if (next == null) {
            return values.keySet();
        }
        Set<String> names = new LinkedHashSet<>(values.keySet());
        for (Parameters one = next; one != null; one = one.next) {
            names.addAll(one.values.keySet());
        }
        return names;
    }

    Map<String, String[]> asMap() {
        Map<String, String[]> map = new LinkedHashMap<>();
        for (String name : names()) {
            map.put(name, Objects.requireNonNull(all(name)));
        }
        return Collections.unmodifiableMap(map);
    }
}
