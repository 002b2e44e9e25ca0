package io.penstock.limits;

import io.penstock.address.Network;
import java.util.List;

/**
 * The clients that may send requests, and the number of requests and connections of one client address. {@link Key} explains the values.
 *
 * @param allowed the networks whose clients may send requests; empty for all networks
 * @param ofPaths whether paths have {@link AddressRules} of their own
 */
public record AddressLimits(
        List<Network> allowed, List<Network> denied, int rate, int burst, int kept, int connections, boolean ofPaths) {
    static final String ALL = "all";

    public AddressLimits {
        allowed = List.copyOf(allowed);
        denied = List.copyOf(denied);
    }

    /** Limits without rules of paths. */
    public AddressLimits(List<Network> allowed, List<Network> denied, int rate, int burst, int kept, int connections) {
        this(allowed, denied, rate, burst, kept, connections, false);
    }

    static AddressLimits of(Configuration given) {
        return new AddressLimits(
                allowed(given),
                given.networks(Key.DENIED_ADDRESSES),
                given.number(Key.REQUEST_RATE),
                given.number(Key.REQUEST_BURST),
                given.number(Key.REQUEST_RATE_KEPT),
                given.number(Key.MAX_CONNECTIONS_ADDRESS),
                !AddressRules.ofPaths(given).isEmpty());
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
        return !allowed.isEmpty() || !denied.isEmpty() || rate > 0 || ofPaths;
    }
}
