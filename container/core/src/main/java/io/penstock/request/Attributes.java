package io.penstock.request;

import io.penstock.context.Listeners;
import jakarta.servlet.ServletRequest;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The attributes that an application sets on a request; changes are reported to the context's {@code ServletRequestAttributeListener}s.
 *
 * <p>Thread: one application thread at a time. The map is concurrent, so a second thread that uses it by mistake does no harm.
 */
final class Attributes {
    // An immutable map until the first attribute is set, since most requests have no attributes.
    private volatile Map<String, Object> values;

    /** @param initial the attributes that the container sets; no listener is called for them */
    Attributes(Map<String, Object> initial) {
        values = initial.isEmpty() ? Map.of() : new ConcurrentHashMap<>(initial);
    }

    @Nullable
    Object get(String name) {
        return values.get(name);
    }

    Enumeration<String> names(Set<String> more) {
        Set<String> names = new LinkedHashSet<>(values.keySet());
        names.addAll(more);
        return Collections.enumeration(names);
    }

    /** @param request the request that {@code listeners} get as the source of the event */
    void set(String name, @Nullable Object value, ServletRequest request, Listeners listeners) {
        if (value == null) {
            remove(name, request, listeners);
            return;
        }
        Object former = changeable().put(name, value);
        if (former == null) {
            listeners.requestAttributeAdded(request, name, value);
        } else {
            listeners.requestAttributeReplaced(request, name, former);
        }
    }

    void remove(String name, ServletRequest request, Listeners listeners) {
        Object former = values.containsKey(name) ? values.remove(name) : null;
        if (former != null) {
            listeners.requestAttributeRemoved(request, name, former);
        }
    }

    private synchronized Map<String, Object> changeable() {
        if (!(values instanceof ConcurrentHashMap)) {
            values = new ConcurrentHashMap<>();
        }
        return values;
    }
}
