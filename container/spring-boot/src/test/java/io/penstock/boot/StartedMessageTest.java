package io.penstock.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

class StartedMessageTest {
    private static final SocketAddress FIRST = new InetSocketAddress("127.0.0.1", 8080);
    private static final SocketAddress SECOND = new InetSocketAddress("127.0.0.1", 8443);

    @Test
    void onePort() {
        assertEquals(
                "Penstock started on port 8080 (http) with context path '/'",
                new StartedMessage(null, false, "").of(List.of(FIRST)));
        assertEquals(
                "Penstock started on port 8443 (https) with context path '/shop'",
                new StartedMessage(null, true, "/shop").of(List.of(SECOND)));
    }

    @Test
    void aReactiveApplicationHasNoContextPath() {
        assertEquals("Penstock started on port 8080 (http)", new StartedMessage(null, false, null).of(List.of(FIRST)));
    }

    @Test
    void severalListeners() {
        assertEquals(
                "Penstock started on ports 8080 (http), 8443 (https), /run/shop.sock (http) with context path '/'",
                new StartedMessage("http://:8080, https://:8443, unix:/run/shop.sock", true, "")
                        .of(List.of(FIRST, SECOND, UnixDomainSocketAddress.of("/run/shop.sock"))));
    }
}
