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

/** What the process holds beyond what it held when this was made: descriptors, and threads of a server. */
final class Residue {
    private static final String SOCKET = "socket:";

    static {
        openWhatTheSystemKeeps();
    }

    private final Footprint before = Footprint.now();

    Residue() throws IOException {}

    /** Files and sockets that the JDK opens once must not be taken for those of the first server. */
    private static void openWhatTheSystemKeeps() {
        UUID.randomUUID(); // opens the system's source of random numbers, which the first body on disk would open
        // otherwise
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

    /** @param clients that are open at the test's own end */
    void assertNone(long clients) throws IOException {
        Footprint now = Footprint.now();
        Map<String, Integer> others = new TreeMap<>(now.descriptors());
        others.remove(SOCKET);
        assertEquals("", new Footprint(others, now.threads()).grownSince(before));
        int sockets = sockets(now) - sockets(before);
        assertTrue(sockets <= clients, sockets + " sockets more, of which " + clients + " are the clients'");
    }

    private static int sockets(Footprint of) {
        return of.descriptors().getOrDefault(SOCKET, 0);
    }
}
