package io.penstock.limits;

import io.penstock.address.Network;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The clients that may send requests: to the server, or to one path. {@link Key#ALLOWED_ADDRESSES} explains the values.
 *
 * @param allowed the networks whose clients may send requests; empty for all networks
 * @param denied the networks whose clients may not, even if they are allowed
 */
public record AddressRules(List<Network> allowed, List<Network> denied) {

    public AddressRules {
        allowed = List.copyOf(allowed);
        denied = List.copyOf(denied);
    }

    /**
     * The rules of single paths, by their paths as {@link io.penstock.address.ContextLocation} writes them. A path without one of the two
     * keys has that of the nearest path above it.
     *
     * @throws ConfigurationException if a path ends with {@code /*}, so that it would have no effect
     */
    static Map<String, AddressRules> ofPaths(Configuration given) {
        Map<String, List<Network>> allowed = new HashMap<>();
        Map<String, List<Network>> denied = new HashMap<>();
        Set<String> paths = new HashSet<>();
        for (ApplicationSetting setting : given.applicationSettings()) {
            if (setting.key() == ApplicationKey.ALLOWED_ADDRESSES) {
                allowed.put(setting.location(), ApplicationKey.allowedNetworks(setting.text()));
            } else if (setting.key() == ApplicationKey.DENIED_ADDRESSES) {
                denied.put(setting.location(), ApplicationKey.networks(setting.text()));
            } else {
                continue;
            }
            setting.requirePath();
            paths.add(setting.location());
        }
        Map<String, AddressRules> rules = new HashMap<>();
        paths.forEach(path -> rules.put(path, new AddressRules(nearest(allowed, path), nearest(denied, path))));
        return Map.copyOf(rules);
    }

    /** The value of the path, or of the nearest path above it on the same host. */
    private static List<Network> nearest(Map<String, List<Network>> values, String path) {
        int root = path.startsWith("//") ? path.indexOf('/', 2) : 0;
        for (int end = path.length(); end > root && root >= 0; end = path.lastIndexOf('/', end - 1)) {
            List<Network> value = values.get(path.substring(0, end));
            if (value != null) {
                return value;
            }
        }
        return values.getOrDefault(path, List.of());
    }

    /**
     * The key by which a client is refused; null if its request is accepted.
     *
     * @param client the client's address; null if the client has no address, or if the proxy does not send it. Such a client belongs to no
     *     network
     */
    public @Nullable Key refusal(@Nullable InetAddress client) {
        if (client != null && Network.anyHas(denied, client)) {
            return Key.DENIED_ADDRESSES;
        }
        if (!allowed.isEmpty() && (client == null || !Network.anyHas(allowed, client))) {
            return Key.ALLOWED_ADDRESSES;
        }
        return null;
    }
}
