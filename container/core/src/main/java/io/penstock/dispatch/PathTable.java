package io.penstock.dispatch;

import io.penstock.address.ContextLocation;
import io.penstock.mapping.ContextMappings;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the operator has set for paths of a server, by host and path: bulkheads, or the addresses of clients. A value covers its path and
 * all paths below that path, in any application of its host. If several values match, that of the longest path is used. The path {@code /}
 * covers only the application at the root, as in the other settings that name an application by its path.
 *
 * <p>Thread: any. Immutable.
 */
public final class PathTable<T> {
    private final Map<String, OfHost<T>> hosts;

    /**
     * The values of one host.
     *
     * @param ofRoot the value of the application at the root
     */
    private record OfHost<T>(
            ContextMappings<T> byPath, @Nullable T ofRoot) {

        OfHost<T> with(String path, T value) {
            return path.isEmpty() ? new OfHost<>(byPath, value) : new OfHost<>(byPath.with(path, value), ofRoot);
        }

        @Nullable
        T find(String path, boolean isOfRoot) {
            T found = byPath.match(path);
            return found == null && isOfRoot ? ofRoot : found;
        }
    }

    private PathTable(Map<String, OfHost<T>> hosts) {
        this.hosts = hosts;
    }

    /**
     * Makes the table of all values. Returns null if there are none.
     *
     * @param all the values by their paths, as {@link ContextLocation} writes them
     */
    public static <T> @Nullable PathTable<T> of(Map<String, T> all) {
        Map<String, OfHost<T>> hosts = new HashMap<>();
        all.forEach((path, value) -> {
            ContextLocation location = ContextLocation.parse(path);
            OfHost<T> present = hosts.get(location.host());
            OfHost<T> before = present == null ? new OfHost<>(ContextMappings.empty(), null) : present;
            hosts.put(location.host(), before.with(location.contextPath(), value));
        });
        return all.isEmpty() ? null : new PathTable<>(Map.copyOf(hosts));
    }

    /**
     * The value for a request; null if there is none.
     *
     * @param host the host of the request's application, in the form of {@link ContextLocation#host}
     * @param path the decoded and normalised path, with the context path
     * @param contextPath the path of the request's application; empty for the root
     */
    @Nullable
    T find(String host, String path, String contextPath) {
        OfHost<T> ofHost = hosts.get(host);
        return ofHost == null ? null : ofHost.find(path, contextPath.isEmpty());
    }
}
