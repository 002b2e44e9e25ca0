package io.penstock.dispatch;

import io.penstock.context.PrivateFolders;
import io.penstock.context.ServletHolder;
import io.penstock.context.WebContext;
import io.penstock.exchange.SpoolHistory;
import io.penstock.http.RequestPath;
import io.penstock.mapping.ContextMappings;
import io.penstock.mapping.Match;
import io.penstock.request.Guard;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The contexts of a server by their paths. Lookups read an immutable table; a change replaces it.
 *
 * <p>Thread: lookups any, the reactors among them; changes any.
 */
public final class ContextTable {
    /** Servlets with this init parameter set to {@code true} get their requests at the head, and read the body while it arrives. */
    public static final String STREAMING = "penstock.streaming";

    private volatile ContextMappings<Entry> contexts = ContextMappings.empty();

    /**
     * What the reactors know of the servlet that answers a request.
     *
     * @param streams whether it gets its requests at their heads
     * @param history whether the workers of its responses have lately waited for the disk
     */
    record Answering(boolean streams, SpoolHistory history) {}

    /**
     * A context, its servlets, and its guard.
     *
     * @param none answers requests for which there is no servlet
     */
    record Entry(WebContext context, Map<ServletHolder, Answering> servlets, Answering none, Guard guard) {

        /** The route of a path of this context. */
        Route.ToServlet route(RequestPath path) {
            String inContext = path.decoded().substring(context.getContextPath().length());
            // Regardless of the mappings: a servlet that serves files by path would expose WEB-INF.
            Match<ServletHolder> match = PrivateFolders.contain(inContext)
                    ? null
                    : context.mappings().match(inContext);
            return new Route.ToServlet(context, path, inContext, match, guard);
        }

        Answering answering(Route.ToServlet route) {
            Match<ServletHolder> match = route.match();
            return match == null ? none : servlets.getOrDefault(match.target(), none);
        }
    }

    /** As {@link #put(WebContext, Predicate, Guard)}, without constraints. Only servlets with the init parameter stream. */
    public void put(WebContext context) {
        put(context, servlet -> false, Guard.OPEN);
    }

    /**
     * Puts a started context in service. Replaces one with the same path.
     *
     * @param streams whether a servlet without the init parameter streams
     * @param guard its constraints and logins
     */
    public void put(WebContext context, Predicate<ServletHolder> streams, Guard guard) {
        Map<ServletHolder, Answering> servlets = new HashMap<>();
        for (ServletHolder servlet : context.servlets().all()) {
            String declared = servlet.initParameters().get(STREAMING);
            boolean streaming = declared == null ? streams.test(servlet) : Boolean.parseBoolean(declared);
            servlets.put(servlet, new Answering(streaming, new SpoolHistory()));
        }
        Answering none = new Answering(false, new SpoolHistory());
        Entry entry = new Entry(context, Collections.unmodifiableMap(servlets), none, guard);
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

    /** The route of a path at this moment; null if it belongs to no context. */
    Route.@Nullable ToServlet route(RequestPath path) {
        Entry entry = entry(path.decoded());
        return entry == null ? null : entry.route(path);
    }

    @Nullable
    Entry entry(String path) {
        return contexts.match(path);
    }
}
