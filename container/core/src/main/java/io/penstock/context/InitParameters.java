package io.penstock.context;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Init parameters that are set once each, in order of declaration. Thread: any; a change makes a new map. */
final class InitParameters {
    private volatile Map<String, String> values = Map.of();

    /** An unmodifiable view of what is set now. */
    Map<String, String> values() {
        return values;
    }

    @Nullable
    String get(String name) {
        return values.get(name);
    }

    /** Sets a parameter unless it is set; whether it was set by this call. */
    synchronized boolean set(String name, String value) {
        return set(Map.of(name, value)).isEmpty();
    }

    /** Sets all or, if some are set already, none; the names of those. */
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
