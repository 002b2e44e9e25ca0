package io.penstock.address;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Values of any type, by host name. A host is looked up by its exact name first, then by the longest wildcard that matches. For example,
 * {@code *.example.org} matches all names that end with {@code .example.org}, with any number of further labels.
 *
 * <p>Thread: any. Immutable.
 */
public final class HostTable<T> {
    private final Map<String, T> exact = new HashMap<>();

    /** The values of wildcards. The key is the text after the star, such as {@code .example.org}. */
    private final Map<String, T> wildcards = new HashMap<>();

    /** @param byHost the values; each key is a canonical host name or a wildcard */
    public HostTable(Map<String, T> byHost) {
        byHost.forEach((host, target) -> {
            if (host.startsWith(HostName.WILDCARD)) {
                wildcards.put(host.substring(1), target);
            } else {
                exact.put(host, target);
            }
        });
    }

    /** Whether the table has no values. */
    public boolean isEmpty() {
        return exact.isEmpty() && wildcards.isEmpty();
    }

    /**
     * The value for a host; null if there is none.
     *
     * @param host the host as the client has sent it, without a port
     */
    public @Nullable T find(String host) {
        // A text that is longer than any host name matches nothing, but could cost many look-ups. One more character is
        // allowed, because a host name can end with a dot.
        if (host.length() > HostName.LONGEST + 1) {
            return null;
        }
        String name = HostName.canonical(host);
        T found = exact.get(name);
        if (found != null || wildcards.isEmpty()) {
            return found;
        }
        for (int dot = name.indexOf('.', 1); dot > 0 && found == null; dot = name.indexOf('.', dot + 1)) {
            found = wildcards.get(name.substring(dot));
        }
        return found;
    }
}
