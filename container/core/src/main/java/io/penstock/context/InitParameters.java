package io.penstock.context;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Init parameters in order of declaration; each parameter can be set once. Thread: any; a change creates a new map. */
final class InitParameters {
    private volatile Map<String, String> values = Map.of();

    /** The current parameters; unmodifiable. */
    Map<String, String> values() {
        return values;
    }

    @Nullable
    String get(String name) {
        return values.get(name);
    }

    /** Sets a parameter unless it is already set. Returns whether this call has set it. */
    synchronized boolean set(String name, String value) {
        return set(Map.of(name, value)).isEmpty();
    }

    /** Sets all parameters, or none if one of them is already set. Returns the names that were already set. */
    synchronized Set<String> set(Map<String, String> added) {
        Set<String> taken = new LinkedHashSet<>(added.keySet());
        taken.retainAll(values.keySet());
        if (taken.isEmpty()) {
            Map<String, String> next = new LinkedHashMap<>(values);
            next.putAll(added);
            values = Collections.unmodifiableMap(next);
        }
        return taken;
    }
}
