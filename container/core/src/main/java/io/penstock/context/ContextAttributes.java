package io.penstock.context;

import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The attributes of a context. Calls the attribute listeners at each change. Thread: any. */
final class ContextAttributes {
    private final ConcurrentHashMap<String, Object> values = new ConcurrentHashMap<>();
    private final Listeners listeners;

    ContextAttributes(Listeners listeners) {
        this.listeners = listeners;
    }

    @Nullable
    Object get(String name) {
        return values.get(name);
    }

    Enumeration<String> names() {
        return Collections.enumeration(List.copyOf(values.keySet()));
    }

    void set(String name, Object value) {
        Object old = values.put(name, value);
        if (old == null) {
            listeners.contextAttributeAdded(name, value);
        } else {
            listeners.contextAttributeReplaced(name, old);
        }
    }

    void remove(String name) {
        Object old = values.remove(name);
        if (old != null) {
            listeners.contextAttributeRemoved(name, old);
        }
    }
}
