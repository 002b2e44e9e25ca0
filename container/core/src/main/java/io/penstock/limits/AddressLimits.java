package io.penstock.limits;

import io.penstock.address.Network;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The clients that may send requests, and the number of requests and connections of one client address. {@link Key} explains the values.
 *
 * @param ofServer the clients that may send requests to the server
 * @param allowedOfPaths as {@link Rules#allowed}, for single paths as {@link io.penstock.address.ContextLocation} writes them
 * @param deniedOfPaths as {@link Rules#denied}, for single paths
 */
public record AddressLimits(
        Rules ofServer,
        Map<String, List<Network>> allowedOfPaths,
        Map<String, List<Network>> deniedOfPaths,
        int rate,
        int burst,
        int kept,
        int connections) {
    static final String ALL = "all";

    /** Limits without rules of paths. */
    public AddressLimits(List<Network> allowed, List<Network> denied, int rate, int burst, int kept, int connections) {
        this(new Rules(allowed, denied), Map.of(), Map.of(), rate, burst, kept, connections);
    }

    /** @throws ConfigurationException if a path with rules ends with {@code /*}, so that they would have no effect */
    static AddressLimits of(Configuration given) {
        return new AddressLimits(
                new Rules(allowed(given), given.networks(Key.DENIED_ADDRESSES)),
                given.ofPaths(ApplicationKey.ALLOWED_ADDRESSES, own -> ApplicationKey.allowedNetworks(own.text())),
                given.ofPaths(ApplicationKey.DENIED_ADDRESSES, own -> ApplicationKey.networks(own.text())),
                given.number(Key.REQUEST_RATE),
                given.number(Key.REQUEST_BURST),
                given.number(Key.REQUEST_RATE_KEPT),
                given.number(Key.MAX_CONNECTIONS_ADDRESS));
    }

    private static List<Network> allowed(Configuration given) {
        if (given.text(Key.ALLOWED_ADDRESSES).strip().equals(ALL)) {
            return List.of();
        }
        List<Network> networks = given.networks(Key.ALLOWED_ADDRESSES);
        if (networks.isEmpty()) {
            throw new BadValueException(Key.ALLOWED_ADDRESSES, "must name a network, or be " + ALL);
        }
        return networks;
    }

    /** Whether these limits can cause a request to be refused. The limit on connections is ignored, because it refuses only connections. */
    public boolean stopRequests() {
        return !ofServer.isNone() || rate > 0 || !allowedOfPaths.isEmpty() || !deniedOfPaths.isEmpty();
    }

    /**
     * The clients that may send requests: to the server, or to one path. {@link Key#ALLOWED_ADDRESSES} explains the values.
     *
     * @param allowed the networks whose clients may send requests; empty for all networks
     * @param denied the networks whose clients may not, even if they are allowed
     */
    public record Rules(List<Network> allowed, List<Network> denied) {

        public Rules {
            allowed = List.copyOf(allowed);
            denied = List.copyOf(denied);
        }

        /** Whether these rules accept all clients. */
        boolean isNone() {
            return allowed.isEmpty() && denied.isEmpty();
        }

        /**
         * The key by which a client is refused; null if its request is accepted.
         *
         * @param client the client's address; null if the client has no address, or if the proxy does not send it. Such a client belongs to
         *     no network
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
}
