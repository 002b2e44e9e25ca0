package io.penstock.limits;

import java.util.List;

/**
 * The clients that may send requests, and the number of requests and connections of one client address.
 *
 * @param allowed the networks whose clients may send requests; empty for all networks
 * @param denied the networks whose clients are refused, even if they are also in {@code allowed}
 * @param rate the most requests of one client address in a second; 0 for no limit
 * @param burst the number of requests that one address may send at once before {@code rate} limits it
 * @param kept the most addresses whose requests are counted at one time
 * @param connections the most connections of one address that are open at one time; 0 for no limit
 */
public record AddressLimits(
        List<Network> allowed, List<Network> denied, int rate, int burst, int kept, int connections) {
    private static final String ALL = "all";

    public AddressLimits {
        allowed = List.copyOf(allowed);
        denied = List.copyOf(denied);
        Check.atLeast(Key.REQUEST_RATE, rate, 0);
        Check.atLeast(Key.REQUEST_BURST, burst, 1);
        Check.atLeast(Key.REQUEST_RATE_KEPT, kept, 1);
        Check.atLeast(Key.MAX_CONNECTIONS_ADDRESS, connections, 0);
    }

    static AddressLimits of(Configuration given) {
        return new AddressLimits(
                allowed(given),
                Network.list(given, Key.DENIED_ADDRESSES),
                given.number(Key.REQUEST_RATE),
                given.number(Key.REQUEST_BURST),
                given.number(Key.REQUEST_RATE_KEPT),
                given.number(Key.MAX_CONNECTIONS_ADDRESS));
    }

    private static List<Network> allowed(Configuration given) {
        if (given.text(Key.ALLOWED_ADDRESSES).strip().equals(ALL)) {
            return List.of();
        }
        List<Network> networks = Network.list(given, Key.ALLOWED_ADDRESSES);
        if (networks.isEmpty()) {
            throw new BadValueException(Key.ALLOWED_ADDRESSES, "must name a network, or be " + ALL);
        }
        return networks;
    }

    public static AddressLimits defaults() {
        return of(Configuration.defaults());
    }

    /** Whether these limits can cause a request to be refused. The limit on connections is ignored, because it refuses only connections. */
    public boolean stopRequests() {
        return !allowed.isEmpty() || !denied.isEmpty() || rate > 0;
    }
}
