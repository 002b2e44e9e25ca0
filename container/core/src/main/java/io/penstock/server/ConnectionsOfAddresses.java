package io.penstock.server;

import io.penstock.limits.AddressLimits;
import io.penstock.limits.TrustedProxies;
import io.penstock.memory.AddressKey;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Counts the open connections of each client address, up to a limit. Connections of trusted proxies, and connections without an IP address,
 * are not counted. The number of entries is at most the number of open connections. Connections are also counted after a reload has removed
 * the limit.
 *
 * <p>Thread: any. No call waits.
 */
final class ConnectionsOfAddresses {
    /** The result of {@link #tryEnter} for a connection that is not counted. */
    static final Runnable NOTHING = () -> {};

    private volatile int most;
    private final TrustedProxies proxies;
    private final ConcurrentHashMap<Long, Integer> open = new ConcurrentHashMap<>();

    private ConnectionsOfAddresses(int most, TrustedProxies proxies) {
        this.most = most;
        this.proxies = proxies;
    }

    /** Returns null if the configuration has no limit. */
    static @Nullable ConnectionsOfAddresses of(AddressLimits limits, TrustedProxies proxies) {
        return limits.connections() == 0 ? null : new ConnectionsOfAddresses(limits.connections(), proxies);
    }

    /** Sets another limit; 0 means no limit. Open connections beyond the new limit stay open. */
    void limit(int connections) {
        most = connections;
    }

    /**
     * Counts a connection if its address is below the limit.
     *
     * @return the action that must run once when the connection closes, or null if the address has reached the limit
     */
    @Nullable
    Runnable tryEnter(@Nullable SocketAddress remote) {
        InetAddress client = remote instanceof InetSocketAddress inet ? inet.getAddress() : null;
        if (client == null || proxies.trust(client)) {
            return NOTHING;
        }
        Long key = AddressKey.of(client);
        boolean[] entered = new boolean[1];
        open.compute(key, (same, count) -> {
            int before = count == null ? 0 : count;
            entered[0] = most == 0 || before < most;
            return entered[0] ? Integer.valueOf(before + 1) : count;
        });
        return entered[0] ? () -> leave(key) : null;
    }

    private void leave(Long key) {
        open.computeIfPresent(key, (same, count) -> count == 1 ? null : count - 1);
    }

    /** The number of addresses that have connections. */
    int addresses() {
        return open.size();
    }
}
