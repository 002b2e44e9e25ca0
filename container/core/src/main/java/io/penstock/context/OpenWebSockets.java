package io.penstock.context;

import io.penstock.address.IpLiteral;
import io.penstock.events.WebSocketEnd;
import io.penstock.limits.Counters;
import io.penstock.limits.Key;
import io.penstock.limits.ServerConfig;
import io.penstock.limits.ServerConfig.WebSocketLimits;
import io.penstock.limits.TrustedProxies;
import io.penstock.memory.AddressKey;
import io.penstock.part.WebSocketSessions;
import java.net.InetAddress;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The WebSocket sessions of one server: limits their number for each endpoint, address and user, and reads what operators see of them. The
 * sessions of trusted proxies, and of clients without an IP address, are not counted by address.
 *
 * <p>Thread: any. No method waits. The methods that read walk through all sessions.
 */
public final class OpenWebSockets implements WebSocketSessions {
    private final Share<String> endpoints;
    private final Share<Long> addresses;
    private final Share<String> users;
    private final TrustedProxies proxies;
    private final Counters counters;
    private final Set<Session> open = ConcurrentHashMap.newKeySet();

    /** Only the constructor changes this map. */
    private final Map<WebSocketEnd, LongAdder> ends = new EnumMap<>(WebSocketEnd.class);

    /** Counts the sessions that have the same key, up to a limit. Has an entry for a key only while it has sessions. */
    private static final class Share<K> {
        private final Key limit;
        private final int most;
        private final ConcurrentHashMap<K, Integer> counts = new ConcurrentHashMap<>();

        /** @param most 0 for no limit */
        Share(Key limit, int most) {
            this.limit = limit;
            this.most = most;
        }

        /** @param key null for a session that is not counted */
        boolean tryEnter(@Nullable K key) {
            if (most == 0 || key == null) {
                return true;
            }
            boolean[] entered = new boolean[1];
            counts.compute(key, (same, count) -> {
                int before = count == null ? 0 : count;
                entered[0] = before < most;
                return entered[0] ? Integer.valueOf(before + 1) : count;
            });
            return entered[0];
        }

        void leave(@Nullable K key) {
            if (most > 0 && key != null) {
                counts.computeIfPresent(key, (same, count) -> count == 1 ? null : count - 1);
            }
        }
    }

    public OpenWebSockets(WebSocketLimits limits, TrustedProxies proxies, Counters counters) {
        this.endpoints = new Share<>(Key.MAX_WEBSOCKETS_ENDPOINT, limits.endpoint());
        this.addresses = new Share<>(Key.MAX_WEBSOCKETS_ADDRESS, limits.address());
        this.users = new Share<>(Key.MAX_WEBSOCKETS_USER, limits.user());
        this.proxies = proxies;
        this.counters = counters;
        for (WebSocketEnd end : WebSocketEnd.values()) {
            ends.put(end, new LongAdder());
        }
    }

    /** No limits, for contexts without a server. */
    public static OpenWebSockets unlimited() {
        ServerConfig defaults = ServerConfig.defaults();
        return new OpenWebSockets(new WebSocketLimits(0, 0, 0), defaults.proxies(), new Counters());
    }

    @Override
    public @Nullable Refusal enter(Session session) {
        Share<?> full = full(session);
        if (full != null) {
            counters.reached(full.limit);
            return new Refusal(full.limit.consequence().status(), full.limit.id());
        }
        open.add(session);
        return null;
    }

    /** Takes a place in each share. Returns the share that has none; no place is taken then. */
    private @Nullable Share<?> full(Session session) {
        Long address = address(session);
        if (!addresses.tryEnter(address)) {
            return addresses;
        }
        if (!users.tryEnter(session.user())) {
            addresses.leave(address);
            return users;
        }
        if (!endpoints.tryEnter(session.endpoint())) {
            addresses.leave(address);
            users.leave(session.user());
            return endpoints;
        }
        return null;
    }

    private @Nullable Long address(Session session) {
        if (addresses.most == 0) {
            return null;
        }
        InetAddress client = IpLiteral.read(session.address());
        return client == null || proxies.trust(client) ? null : AddressKey.of(client);
    }

    @Override
    public void leave(Session session, WebSocketEnd cause) {
        if (open.remove(session)) {
            endpoints.leave(session.endpoint());
            addresses.leave(address(session));
            users.leave(session.user());
            of(cause).increment();
        }
    }

    private LongAdder of(WebSocketEnd cause) {
        return Objects.requireNonNull(ends.get(cause));
    }

    // ---- for operators

    /** The number of open sessions. */
    public int count() {
        return open.size();
    }

    /** The bytes of all sessions that wait for their clients. */
    public long queuedBytes() {
        return open.stream().mapToLong(Session::queuedBytes).sum();
    }

    /** The number of sessions that ended for this cause since the server was created. */
    public long ended(WebSocketEnd cause) {
        return of(cause).sum();
    }

    /**
     * One session at one moment.
     *
     * @param address empty for a client without an IP address
     */
    public record Slow(String endpoint, String address, long queuedBytes) {}

    /** The sessions for which the most bytes wait, at most {@code most} of them; none for which no byte waits. */
    public List<Slow> slowest(int most) {
        return open.stream()
                .map(one -> new Slow(one.endpoint(), one.address(), one.queuedBytes()))
                .filter(one -> one.queuedBytes > 0)
                .sorted(Comparator.comparingLong(Slow::queuedBytes).reversed())
                .limit(most)
                .toList();
    }
}
