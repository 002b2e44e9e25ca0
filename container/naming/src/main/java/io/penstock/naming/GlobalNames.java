package io.penstock.naming;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * The names that all applications of a server share: objects with {@code java:global/} names, and the configured data sources. Each
 * application gets its own connection pool for each data source. Thread: any.
 */
final class GlobalNames {
    static final String PREFIX = "java:global/";

    private final NavigableMap<String, Binding> bindings = new ConcurrentSkipListMap<>();
    private final Map<String, ConfiguredSource> sources;

    GlobalNames(Map<String, ConfiguredSource> sources) {
        this.sources = Map.copyOf(sources);
    }

    void bind(String name, Object value) {
        bindings.put(PREFIX + name, new Binding.Value(value));
    }

    /** Binds a full name until {@link #unbind}. Returns false if the name is already bound. */
    boolean bind(String fullName, Binding binding) {
        return bindings.putIfAbsent(fullName, binding) == null;
    }

    void unbind(String fullName, Binding binding) {
        bindings.remove(fullName, binding);
    }

    @Nullable
    Binding find(String fullName) {
        return bindings.get(fullName);
    }

    /** The configured data source with a name relative to {@code java:global/}; null if there is none. */
    @Nullable
    ConfiguredSource source(String name) {
        return sources.get(name);
    }

    /** All full names. */
    Iterable<String> names() {
        TreeSet<String> names = new TreeSet<>(bindings.keySet());
        sources.keySet().forEach(name -> names.add(PREFIX + name));
        return names;
    }
}
