package io.penstock.dispatch;

import io.penstock.context.ServletHolder;
import io.penstock.context.WebContext;
import io.penstock.mapping.ContextMappings;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The contexts of a server by their paths. What a lookup sees is immutable; a change swaps the whole.
 *
 * <p>Thread: lookups any, the reactors among them; changes any.
 */
public final class ContextTable {
    /** Servlets with this init parameter set to {@code true} get their requests at the head, the body by back-pressure. */
    public static final String STREAMING = "penstock.streaming";

    private volatile ContextMappings<Entry> contexts = ContextMappings.empty();

    /** A context and which of its servlets stream. */
    record Entry(WebContext context, Set<ServletHolder> streaming) {}

    /** As {@link #put(WebContext, Predicate)}, where init parameters alone say what streams. */
    public void put(WebContext context) {
        put(context, servlet -> false);
    }

    /**
     * Puts a started context in service, in the place of one with the same path.
     *
     * @param streams which servlets stream although their init parameters are silent
     */
    public void put(WebContext context, Predicate<ServletHolder> streams) {
        Set<ServletHolder> streaming = Collections.newSetFromMap(new IdentityHashMap<>());
        for (ServletHolder servlet : context.servlets().all()) {
            String declared = servlet.initParameters().get(STREAMING);
            if (declared == null ? streams.test(servlet) : Boolean.parseBoolean(declared)) {
                streaming.add(servlet);
            }
        }
        Entry entry = new Entry(context, Collections.unmodifiableSet(streaming));
        synchronized (this) {
            contexts = contexts.with(context.getContextPath(), entry);
        }
    }

    /** Takes a context out of service: new requests do not find it. */
    public synchronized void remove(WebContext context) {
        contexts = contexts.without(context.getContextPath());
    }

    /** The contexts in service. */
    public List<WebContext> all() {
        return contexts.targets().stream().map(Entry::context).toList();
    }

    /** The context of a decoded path, or null. */
    public @Nullable WebContext find(String path) {
        Entry entry = entry(path);
        return entry == null ? null : entry.context();
    }

    @Nullable
    Entry entry(String path) {
        return contexts.match(path);
    }
}
