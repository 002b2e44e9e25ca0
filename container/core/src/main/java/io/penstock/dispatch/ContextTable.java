package io.penstock.dispatch;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.address.HostTable;
import io.penstock.context.PrivateFolders;
import io.penstock.context.ServletHolder;
import io.penstock.context.WebContext;
import io.penstock.exchange.SpoolHistory;
import io.penstock.http.RequestHead;
import io.penstock.http.RequestPath;
import io.penstock.http.Violation;
import io.penstock.limits.ServerConfig.UnknownHost;
import io.penstock.mapping.ContextMappings;
import io.penstock.mapping.Match;
import io.penstock.request.Guard;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The contexts of a server by their hosts and paths. Lookups read an immutable table; a change replaces the table.
 *
 * <p>Thread: any, also reactors.
 */
public final class ContextTable {
    /**
     * The init parameter that turns on streaming for a servlet. With the value {@code true}, the servlet is called when the head of a
     * request has arrived. The servlet can then read the body while the body arrives.
     */
    public static final String STREAMING = "penstock.streaming";

    private final UnknownHost unknown;

    /** The contexts of each host. The key of the default host is the empty text. */
    @GuardedBy("this")
    private final Map<String, ContextMappings<Entry>> byHost = new TreeMap<>();

    @GuardedBy("this")
    private Set<String> reserved = Set.of();

    private volatile Hosts hosts = new Hosts(ContextMappings.empty(), null);

    /**
     * One version of the table.
     *
     * @param others the contexts of the other hosts; null if all hosts are treated as the default host
     */
    private record Hosts(
            ContextMappings<Entry> byDefault, @Nullable HostTable<ContextMappings<Entry>> others) {}

    /**
     * The facts that reactors need about the servlet that answers a request.
     *
     * @param streams whether the servlet gets requests as soon as their heads have arrived
     * @param readsForms whether the servlet reads multipart forms
     * @param history records whether workers have recently waited for the disk while they wrote responses of the servlet
     */
    record Answering(boolean streams, boolean readsForms, SpoolHistory history, PathMappings mappings) {}

    /**
     * A context, its servlets, and its guard.
     *
     * @param pathLength the length of the decoded context path
     * @param none the facts for requests to which no servlet is mapped
     */
    record Entry(
            WebContext context, int pathLength, Map<ServletHolder, Answering> servlets, Answering none, Guard guard) {

        /** Returns the route of a path that belongs to this context. */
        Route.ToServlet route(RequestPath path) {
            String inContext = path.decoded().substring(pathLength);
            // The check comes before the mappings: otherwise a servlet that serves files by path would expose WEB-INF.
            Match<ServletHolder> match = PrivateFolders.contain(inContext)
                    ? null
                    : context.mappings().match(inContext);
            Answering answering = match == null ? none : servlets.getOrDefault(match.target(), none);
            return new Route.ToServlet(context, path, inContext, match, guard, answering);
        }
    }

    /** Makes a table in which requests for unknown hosts go to the contexts of the default host. */
    public ContextTable() {
        this(UnknownHost.DEFAULT);
    }

    /** @param unknown how requests for hosts without a context are answered */
    public ContextTable(UnknownHost unknown) {
        this.unknown = unknown;
    }

    /**
     * Like {@link #put(WebContext, Predicate, Guard)}, but without constraints. Streaming is on only for servlets with the init parameter
     * {@link #STREAMING}.
     */
    public void put(WebContext context) {
        put(context, servlet -> false, Guard.OPEN);
    }

    /**
     * Puts a started context into service. Replaces a context with the same host and path.
     *
     * @param streams decides whether streaming is on for a servlet without the init parameter {@link #STREAMING}
     * @param guard checks the constraints and the logins of the context
     */
    public void put(WebContext context, Predicate<ServletHolder> streams, Guard guard) {
        Map<ServletHolder, Answering> servlets = new HashMap<>();
        for (ServletHolder servlet : context.servlets().all()) {
            String declared = servlet.initParameters().get(STREAMING);
            boolean streaming = declared == null ? streams.test(servlet) : Boolean.parseBoolean(declared);
            String name = context.name() + ' ' + servlet.name();
            PathMappings mappings = new PathMappings(name, servesManyPaths(servlet));
            servlets.put(servlet, new Answering(streaming, servlet.multipart() != null, new SpoolHistory(), mappings));
        }
        Answering none = new Answering(
                false, false, new SpoolHistory(), new PathMappings(context.name() + " no servlet", false));
        String path = context.settings().contextPath();
        Entry entry = new Entry(context, path.length(), Collections.unmodifiableMap(servlets), none, guard);
        synchronized (this) {
            byHost.merge(
                    context.settings().host(),
                    ContextMappings.<Entry>empty().with(path, entry),
                    (present, only) -> present.with(path, entry));
            hosts = made();
        }
    }

    private static boolean servesManyPaths(ServletHolder servlet) {
        return servlet.mappings().stream()
                .anyMatch(pattern -> pattern.equals("/") || pattern.endsWith("/*") || pattern.startsWith("*."));
    }

    /** Takes a context out of service: it gets no new requests. */
    public synchronized void remove(WebContext context) {
        byHost.computeIfPresent(context.settings().host(), (host, present) -> {
            ContextMappings<Entry> others = present.without(context.settings().contextPath());
            return others.targets().isEmpty() ? null : others;
        });
        hosts = made();
    }

    /**
     * Sets the hosts that are known even without a context. Requests for these hosts are answered 404, instead of being served by the
     * default host. An empty text in {@code all} has no effect, since the empty text means the default host.
     */
    public synchronized void reserve(Set<String> all) {
        reserved = Set.copyOf(all);
        hosts = made();
    }

    @GuardedBy("this")
    private Hosts made() {
        Map<String, ContextMappings<Entry>> all = new HashMap<>(byHost);
        reserved.forEach(host -> all.putIfAbsent(host, ContextMappings.empty()));
        ContextMappings<Entry> byDefault = all.remove("");
        boolean alike = all.isEmpty() && unknown == UnknownHost.DEFAULT;
        return new Hosts(byDefault == null ? ContextMappings.empty() : byDefault, alike ? null : new HostTable<>(all));
    }

    /** The contexts in service. */
    public synchronized List<WebContext> all() {
        return byHost.values().stream()
                .flatMap(contexts -> contexts.targets().stream())
                .map(Entry::context)
                .toList();
    }

    /**
     * The context of a decoded path; null if there is none.
     *
     * @param host the host of the context, a name or a wildcard; empty for the default host
     */
    public synchronized @Nullable WebContext find(String host, String path) {
        ContextMappings<Entry> contexts = byHost.get(host);
        Entry entry = contexts == null ? null : contexts.match(path);
        return entry == null ? null : entry.context();
    }

    /**
     * What the operator has set for the path of a request, found by the texts that the client has sent; null if there is nothing, or if the
     * texts are malformed.
     *
     * @param target the request target: a path, or a URL, with the query
     * @param authority the field {@code Host}; null if there is none
     */
    public <T> @Nullable T find(PathTable<T> table, String target, @Nullable String authority) {
        int scheme = target.startsWith("/") ? -1 : target.indexOf("://");
        int begin = 0;
        String named = authority;
        if (scheme >= 0) {
            begin = scheme + 3;
            while (begin < target.length() && target.charAt(begin) != '/' && target.charAt(begin) != '?') {
                begin++;
            }
            named = target.substring(scheme + 3, begin);
        }
        int query = target.indexOf('?', begin);
        String path = target.substring(begin, query < 0 ? target.length() : query);
        if (scheme >= 0 && path.isEmpty()) {
            path = "/";
        }
        if (!path.startsWith("/")) {
            return null;
        }
        String host = named == null ? null : named.substring(0, RequestHead.endOfHost(named));
        try {
            String decoded = RequestPath.of(path).decoded();
            ContextMappings<Entry> ofHost = ofHost(hosts, host);
            Entry entry = ofHost == null ? null : ofHost.match(decoded);
            return entry == null
                    ? null
                    : table.find(
                            entry.context().settings().host(),
                            decoded,
                            entry.context().getContextPath());
        } catch (Violation malformed) {
            return null;
        }
    }

    /** Returns the present route of a request; null if the request belongs to no context. */
    Route.@Nullable ToServlet route(RequestHead head, RequestPath path) {
        ContextMappings<Entry> contexts = ofHost(head);
        Entry entry = contexts == null ? null : contexts.match(path.decoded());
        return entry == null ? null : entry.route(path);
    }

    /**
     * Returns the contexts of a request's host, possibly an empty table. Returns null if the host is unknown and requests for unknown hosts
     * are rejected.
     */
    @Nullable
    ContextMappings<Entry> ofHost(RequestHead head) {
        Hosts now = hosts;
        return ofHost(now, now.others() == null ? null : head.host());
    }

    private @Nullable ContextMappings<Entry> ofHost(Hosts now, @Nullable String host) {
        HostTable<ContextMappings<Entry>> others = now.others();
        if (others == null || host == null) {
            return now.byDefault();
        }
        ContextMappings<Entry> found = others.find(host);
        return found == null && unknown == UnknownHost.DEFAULT ? now.byDefault() : found;
    }
}
