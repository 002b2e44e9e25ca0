package io.penstock.dispatch;

import io.penstock.address.ContextLocation;
import io.penstock.exchange.Bulkhead;
import io.penstock.mapping.ContextMappings;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The bulkheads ({@link Bulkhead}) of a server, by host and path. A bulkhead covers its path and all paths below that path, in any
 * application of its host. If several bulkheads match, the bulkhead with the longest path is used. The path {@code /} covers only the
 * application at the root, as in the other settings that name an application by its path.
 *
 * <p>Thread: any. Immutable.
 */
public final class Bulkheads {
    private final Map<String, OfHost> hosts;

    /**
     * The bulkheads of one host.
     *
     * @param ofRoot the bulkhead of the application at the root
     */
    private record OfHost(
            ContextMappings<Bulkhead> byPath, @Nullable Bulkhead ofRoot) {
        static final OfHost NONE = new OfHost(ContextMappings.empty(), null);

        OfHost with(String path, Bulkhead bulkhead) {
            return path.isEmpty() ? new OfHost(byPath, bulkhead) : new OfHost(byPath.with(path, bulkhead), ofRoot);
        }

        @Nullable
        Bulkhead find(String path, boolean isOfRoot) {
            Bulkhead found = byPath.match(path);
            return found == null && isOfRoot ? ofRoot : found;
        }
    }

    private Bulkheads(Map<String, OfHost> hosts) {
        this.hosts = hosts;
    }

    /** Makes the table of all bulkheads. Returns null if there are no bulkheads. */
    public static @Nullable Bulkheads of(List<Bulkhead> all) {
        Map<String, OfHost> hosts = new HashMap<>();
        for (Bulkhead bulkhead : all) {
            ContextLocation location = ContextLocation.parse(bulkhead.limits().path());
            OfHost present = hosts.getOrDefault(location.host(), OfHost.NONE);
            hosts.put(location.host(), present.with(location.contextPath(), bulkhead));
        }
        return all.isEmpty() ? null : new Bulkheads(Map.copyOf(hosts));
    }

    /**
     * The bulkhead of a request; null if there is none.
     *
     * @param host the host of the request's application, in the form of {@link ContextLocation#host}
     * @param path the decoded and normalised path, with the context path
     * @param contextPath the path of the request's application; empty for the root
     */
    @Nullable
    Bulkhead find(String host, String path, String contextPath) {
        OfHost ofHost = hosts.get(host);
        return ofHost == null ? null : ofHost.find(path, contextPath.isEmpty());
    }
}
