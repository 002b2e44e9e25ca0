package io.penstock.boot;

import io.penstock.Penstock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The configuration keys of one server with their values and origins. A later value replaces an earlier value. */
final class ServerKeys {
    private final Map<String, Value> values = new LinkedHashMap<>();

    private record Value(String text, String where) {}

    void set(String key, String text, String where) {
        values.put(key, new Value(text, where));
    }

    void setAll(ServerKeys others) {
        values.putAll(others.values);
    }

    /** Removes all keys that are not in {@code keys}. */
    void retain(Set<String> keys) {
        values.keySet().retainAll(keys);
    }

    @Nullable
    String get(String key) {
        Value value = values.get(key);
        return value == null ? null : value.text;
    }

    void applyTo(Penstock.Builder builder) {
        values.forEach((key, value) -> builder.set(key, value.text, value.where));
    }
}
