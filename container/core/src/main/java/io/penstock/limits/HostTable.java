package io.penstock.limits;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What belongs to hosts, by their names. A host is found by its exact name, else by the longest wildcard: {@code *.example.org} stands for
 * all names that end with {@code .example.org}, however many labels they have more.
 *
 * <p>Thread: any. Immutable.
 */
public final class HostTable<T> {
    private final Map<String, T> exact = new HashMap<>();

    /** Values of wildcards, by the text after the star, such as {@code .example.org}. */
    private final Map<String, T> wildcards = new HashMap<>();

    /** @param byHost by canonical names and wildcards */
    public HostTable(Map<String, T> byHost) {
        byHost.forEach((host, target) -> {
            if (host.startsWith(HostName.WILDCARD)) {
                wildcards.put(host.substring(1), target);
            } else {
                exact.put(host, target);
            }
        });
    }

    /** Whether nothing belongs to any host. */
    public boolean isEmpty() {
        return exact.isEmpty() && wildcards.isEmpty();
    }

    /**
     * What belongs to a host; null if nothing does.
     *
     * @param host as a client has sent it, without a port
     */
    public @Nullable T find(String host) {
        if (host.length() > HostName.LONGEST + 1) { // with the dot at the end: bounds the look-ups
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
