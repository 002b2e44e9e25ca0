package io.penstock.limits;

import io.penstock.address.Network;
import java.util.List;
import java.util.Map;

/**
 * The clients that may send requests, and the number of requests and connections of one client address. {@link Key} explains the values.
 *
 * @param ofServer the clients that may send requests to the server
 * @param allowedOfPaths as {@link AddressRules#allowed}, for single paths as {@link io.penstock.address.ContextLocation} writes them
 * @param deniedOfPaths as {@link AddressRules#denied}, for single paths
 */
public record AddressLimits(
        AddressRules ofServer,
        Map<String, List<Network>> allowedOfPaths,
        Map<String, List<Network>> deniedOfPaths,
        int rate,
        int burst,
        int kept,
        int connections) {
    static final String ALL = "all";

    /** Limits without rules of paths. */
    public AddressLimits(List<Network> allowed, List<Network> denied, int rate, int burst, int kept, int connections) {
        this(new AddressRules(allowed, denied), Map.of(), Map.of(), rate, burst, kept, connections);
    }

    /** @throws ConfigurationException if a path with rules ends with {@code /*}, so that they would have no effect */
    static AddressLimits of(Configuration given) {
        return new AddressLimits(
                new AddressRules(allowed(given), given.networks(Key.DENIED_ADDRESSES)),
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
}
