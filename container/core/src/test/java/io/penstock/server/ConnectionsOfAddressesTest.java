package io.penstock.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.address.Network;
import io.penstock.limits.AddressLimits;
import io.penstock.limits.Switch;
import io.penstock.limits.TrustedProxies;
import io.penstock.limits.TrustedProxies.ForwardedFields;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class ConnectionsOfAddressesTest {
    private static final SocketAddress ANN = new InetSocketAddress("192.0.2.1", 1);
    private static final SocketAddress BOB = new InetSocketAddress("192.0.2.2", 1);

    private static ConnectionsOfAddresses atMost(int most) {
        TrustedProxies proxies = new TrustedProxies(
                List.of(Network.parse("10.0.0.0/8")),
                Switch.OFF,
                ForwardedFields.X_FORWARDED,
                Switch.OFF,
                Duration.ofSeconds(1));
        return Objects.requireNonNull(
                ConnectionsOfAddresses.of(new AddressLimits(List.of(), List.of(), 0, 1, 1, most), proxies));
    }

    @Test
    void theNumberOfOpenConnectionsOfEachAddressIsLimited() {
        ConnectionsOfAddresses open = atMost(2);
        Runnable first = open.tryEnter(ANN);
        assertNotNull(first);
        assertNotNull(open.tryEnter(new InetSocketAddress("192.0.2.1", 2)));
        assertNull(open.tryEnter(ANN));
        assertNotNull(open.tryEnter(BOB));
        first.run();
        assertNotNull(open.tryEnter(ANN));
        assertNull(open.tryEnter(ANN));
    }

    @Test
    void ipv6AddressesWithTheSameFirst64BitsShareALimit() {
        ConnectionsOfAddresses open = atMost(1);
        assertNotNull(open.tryEnter(new InetSocketAddress("2001:db8::1", 1)));
        assertNull(open.tryEnter(new InetSocketAddress("2001:db8::2", 1)));
        assertNotNull(open.tryEnter(new InetSocketAddress("2001:db8:0:1::1", 1)));
    }

    @Test
    void connectionsOfProxiesAndOfClientsWithoutAnIpAddressAreNotCounted() {
        ConnectionsOfAddresses open = atMost(1);
        for (int i = 0; i < 3; i++) {
            Runnable proxy = open.tryEnter(new InetSocketAddress("10.1.2.3", 1));
            assertNotNull(proxy);
            assertNotNull(open.tryEnter(UnixDomainSocketAddress.of("socket")));
            assertNotNull(open.tryEnter(null));
            proxy.run();
        }
        assertEquals(0, open.addresses());
    }

    /**
     * In the server, the acceptor thread adds new connections ({@code tryEnter}), and the reactor threads remove closed connections. So
     * several threads use the same {@link ConnectionsOfAddresses} at the same time.
     */
    @Test
    void concurrentThreadsReleaseAllConnectionsAndDoNotExceedTheLimit() throws Exception {
        int most = 3;
        ConnectionsOfAddresses open = atMost(most);
        AtomicInteger now = new AtomicInteger();
        AtomicInteger highest = new AtomicInteger();
        Callable<Integer> client = () -> {
            int entered = 0;
            for (int i = 0; i < 50_000; i++) {
                Runnable leave = open.tryEnter(ANN);
                if (leave != null) {
                    entered++;
                    highest.accumulateAndGet(now.incrementAndGet(), Math::max);
                    now.decrementAndGet();
                    leave.run();
                }
            }
            return entered;
        };
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<Integer>> all = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                all.add(threads.submit(client));
            }
            for (Future<Integer> one : all) {
                assertTrue(one.get() > 0);
            }
        } finally {
            threads.shutdown();
        }
        assertTrue(highest.get() <= most, () -> "the highest number of concurrent connections: " + highest);
        assertEquals(0, open.addresses());
    }
}
