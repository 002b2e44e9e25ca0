package io.penstock.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StartedMessageTest {
    private static final SocketAddress FIRST = new InetSocketAddress("127.0.0.1", 8080);
    private static final SocketAddress SECOND = new InetSocketAddress("127.0.0.1", 8443);

    @Test
    void theMessageContainsThePortAndTheSchemeAndTheContextPath() {
        assertEquals(
                "Penstock started on port 8080 (http) with context path '/'",
                new StartedMessage("").of(List.of(FIRST), Set.of()));
        assertEquals(
                "Penstock started on port 8443 (https) with context path '/shop'",
                new StartedMessage("/shop").of(List.of(SECOND), Set.of(SECOND)));
    }

    @Test
    void theMessageOfAReactiveApplicationHasNoContextPath() {
        assertEquals("Penstock started on port 8080 (http)", new StartedMessage(null).of(List.of(FIRST), Set.of()));
    }

    @Test
    void theMessageContainsAllListeners() {
        assertEquals(
                "Penstock started on ports 8080 (http), 8443 (https), /run/shop.sock (http) with context path '/'",
                new StartedMessage("")
                        .of(List.of(FIRST, SECOND, UnixDomainSocketAddress.of("/run/shop.sock")), Set.of(SECOND)));
    }

    /**
     * In the first server, the setting {@code tls-self-signed} enables TLS. In the second server, the scheme of a listener enables TLS for
     * this listener.
     */
    @Test
    void theMessageContainsHttpsForEachListenerWithTls() {
        PenstockServletWebServerFactory factory = Running.factory();
        factory.set("tls-self-signed", "on", "a test");
        factory.set("redirect-port", "0", "a test");
        try (Running running = Running.start(factory)) {
            List<SocketAddress> ports = running.server.getPenstock().addresses();
            assertEquals(
                    "Penstock started on ports " + port(ports.get(0)) + " (https), " + port(ports.get(1))
                            + " (http) with context path '/'",
                    running.server.startedMessage());
        }
        factory = Running.factory();
        factory.set("listen", "http://127.0.0.1:0, https://127.0.0.1:0", "a test");
        factory.addBuilderCustomizers(builder -> builder.set("tls-self-signed", "on"));
        try (Running running = Running.start(factory)) {
            List<SocketAddress> ports = running.server.getPenstock().addresses();
            assertEquals(
                    "Penstock started on ports " + port(ports.get(0)) + " (http), " + port(ports.get(1))
                            + " (https) with context path '/'",
                    running.server.startedMessage());
        }
    }

    private static int port(SocketAddress address) {
        return ((InetSocketAddress) address).getPort();
    }
}
