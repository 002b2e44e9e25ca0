package io.penstock.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.events.ConnectionEvents;
import io.penstock.limits.Counters;
import io.penstock.server.Transport;
import io.penstock.soak.Footprint;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/** Finds open file descriptors and server threads that did not exist when this object was created. */
final class LeakedResources {
    private static final String SOCKET = "socket:";

    static {
        openCachedResources();
    }

    private final Footprint before = Footprint.now();

    LeakedResources() throws IOException {}

    /**
     * Opens the files and sockets that the JDK opens only once. Otherwise the first test would report these files and sockets as leaks of
     * its server.
     */
    private static void openCachedResources() {
        // This call opens the random number source of the system. Otherwise the first body on disk would open this
        // source.
        UUID.randomUUID();
        Site site = new Site();
        try {
            Transport first = new Transport(
                    new WireConfig().toConfig(),
                    site,
                    site,
                    ConnectionEvents.NONE,
                    new Counters(),
                    Transport.Options.alone());
            first.start();
            try (RawClient client =
                    new RawClient(((InetSocketAddress) first.addresses().get(0)).getPort())) {
                client.send("GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
                client.rest();
            }
            first.stop(Duration.ofSeconds(10));
        } catch (IOException | InterruptedException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /**
     * Fails if the process has more file descriptors or threads than when this object was created.
     *
     * @param clients the number of client connections that the test itself still has open
     */
    void assertNone(long clients) throws IOException {
        Footprint now = Footprint.now();
        Map<String, Integer> others = new TreeMap<>(now.descriptors());
        others.remove(SOCKET);
        assertEquals("", new Footprint(others, now.threads()).grownSince(before));
        int sockets = sockets(now) - sockets(before);
        assertTrue(sockets <= clients, sockets + " more sockets are open, but the test has " + clients + " clients");
    }

    private static int sockets(Footprint of) {
        return of.descriptors().getOrDefault(SOCKET, 0);
    }
}
