package io.penstock;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.limits.Counter;
import io.penstock.metrics.Gauge;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests allowed and denied client addresses, and the limits of requests and connections per address. The tests use real sockets. Each
 * request comes from 127.0.0.1. Most tests configure 127.0.0.1 as a trusted proxy.
 */
class ClientAddressesTest {
    private static final String ANN = "X-Forwarded-For: 192.0.2.1";
    private static final String BOB = "X-Forwarded-For: 2001:db8::2";

    private static Penstock site(String... keysAndValues) throws StartException {
        Penstock.Builder builder = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(1)
                .set("trusted-proxies", "127.0.0.1")
                .context("/app", context -> context.servlet("who", new WhoServlet(), "/who"));
        for (int i = 0; i < keysAndValues.length; i += 2) {
            builder.set(keysAndValues[i], keysAndValues[i + 1]);
        }
        return builder.start();
    }

    private static int status(Penstock server, String... lines) throws IOException {
        return RawExchange.get(server, "/app/who", lines).status();
    }

    @Test
    void requestsFromDeniedAddressesAreRefused() throws Exception {
        try (Penstock server = site("denied-addresses", "192.0.2.0/24, 2001:db8:1::/48")) {
            assertEquals(403, status(server, ANN));
            assertEquals(403, status(server, "X-Forwarded-For: 2001:db8:1::9"));
            assertEquals(200, status(server, BOB));
            assertEquals(200, status(server), "a request of the proxy itself was refused");
            assertEquals(200, status(server, "X-Forwarded-For: unknown"));
            assertEquals(2, server.counters().get(Counter.ADDRESSES_DENIED.id()));
            assertEquals(
                    403,
                    RawExchange.get(server, "/none", ANN).status(),
                    "a denied address must get 403 even for a missing page");
        }
    }

    @Test
    void onlyRequestsFromAllowedAddressesAreServed() throws Exception {
        try (Penstock server =
                site("allowed-addresses", "192.0.2.0/24, 2001:db8::/32", "denied-addresses", "192.0.2.9")) {
            assertEquals(200, status(server, ANN));
            assertEquals(200, status(server, BOB));
            assertEquals(403, status(server, "X-Forwarded-For: 192.0.2.9"));
            assertEquals(403, status(server, "X-Forwarded-For: 198.51.100.1"));
            assertEquals(403, status(server), "a request of the proxy itself was served");
            assertEquals(403, status(server, "X-Forwarded-For: unknown"));
        }
    }

    @Test
    void aPathHasItsOwnAddresses() throws Exception {
        Penstock.Builder builder = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(1)
                .set("trusted-proxies", "127.0.0.1")
                .set("denied-addresses", "198.51.100.9")
                .set("/app/inner:allowed-addresses", "192.0.2.0/24, 198.51.100.0/24")
                .set("/app/inner:denied-addresses", "192.0.2.9")
                .set("/app/inner/open:allowed-addresses", "all")
                .set("/:allowed-addresses", "192.0.2.1")
                .set("/root:denied-addresses", "192.0.2.9")
                .context("/app", context -> context.servlet("who", new WhoServlet(), "/*"))
                .context("", context -> context.servlet("who", new WhoServlet(), "/*"));
        try (Penstock server = builder.start()) {
            assertEquals(200, get(server, "/app/who", BOB));
            assertEquals(200, get(server, "/app/inner", ANN));
            assertEquals(200, get(server, "/app/inner/a", ANN));
            for (String path :
                    List.of("/app/inner", "/app/inner/a", "/app/%69nner/a", "/app/x/../inner;v=1/a", "/root")) {
                assertEquals(403, get(server, path, BOB), path);
            }
            assertEquals(403, get(server, "/app/inner/a", "X-Forwarded-For: 192.0.2.9"));
            assertEquals(403, get(server, "/app/inner/a", "X-Forwarded-For: unknown"));
            assertEquals(403, get(server, "/app/inner/a", "X-Forwarded-For: 198.51.100.9"), "the server denies it");
            assertEquals(200, get(server, "/app/inner/open/b", BOB));
            assertEquals(403, get(server, "/app/inner/open/b", "X-Forwarded-For: 192.0.2.9"), "denied above it");
            assertEquals(200, get(server, "/app/innermost", BOB));
            assertEquals(200, get(server, "/root", ANN));
            assertEquals(9, server.counters().get(Counter.ADDRESSES_DENIED.id()));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/app:allowed-addresses, none, must name a network",
        "/app:denied-addresses, all, /app:denied-addresses",
        "/app/*:denied-addresses, 192.0.2.9, write /app:denied-addresses"
    })
    void aRuleThatWouldHoldForNobodyIsRefused(String key, String value, String problem) {
        Penstock.Builder builder = Penstock.builder().set(key, value);
        StartException refused = assertThrows(StartException.class, builder::start);
        assertTrue(refused.getMessage().contains(problem), refused.getMessage());
    }

    private static int get(Penstock server, String path, String... lines) throws IOException {
        return RawExchange.get(server, path, lines).status();
    }

    /** If the server trusted the field {@code X-Forwarded-For} of a client, the client could choose its address. */
    @Test
    void aForgedXForwardedForFieldDoesNotGrantAccess() throws Exception {
        try (Penstock server = site("allowed-addresses", "192.0.2.1")) {
            assertEquals(403, status(server, "X-Forwarded-For: 192.0.2.1, 198.51.100.1"));
        }
        try (Penstock server = site("allowed-addresses", "192.0.2.1", "trusted-proxies", "10.0.0.1")) {
            assertEquals(403, status(server, ANN));
        }
    }

    @Test
    void theNumberOfOpenConnectionsPerAddressIsLimited() throws Exception {
        try (Penstock server = site("max-connections-address", "2", "trusted-proxies", "none")) {
            List<Socket> open = new ArrayList<>();
            try {
                for (int i = 0; i < 2; i++) {
                    open.add(new Socket("127.0.0.1", server.port()));
                }
                await().until(() -> server.gauges().get(Gauge.CONNECTIONS.id()) == 2);
                RawExchange refused = RawExchange.get(server, "/app/who");
                assertEquals(429, refused.status());
                assertEquals(1, refused.values("Retry-After").size());
            } finally {
                for (Socket socket : open) {
                    socket.close();
                }
            }
            await().until(() -> server.gauges().get(Gauge.CONNECTIONS.id()) == 0);
            assertEquals(200, status(server));
            assertEquals(1, server.counters().get(Counter.CONNECTIONS_OF_ADDRESS_REFUSED.id()));
        }
    }

    @Test
    void theConnectionLimitDoesNotApplyToATrustedProxy() throws Exception {
        try (Penstock server = site("max-connections-address", "1");
                Socket open = new Socket("127.0.0.1", server.port())) {
            await().until(() -> server.gauges().get(Gauge.CONNECTIONS.id()) == 1);
            assertEquals(200, status(server));
            assertTrue(open.isConnected());
        }
    }

    @Test
    void requestsAboveTheRateLimitOfAnAddressGet429() throws Exception {
        try (Penstock server = site("request-rate", "1", "request-burst", "2")) {
            assertEquals(200, status(server, ANN));
            assertEquals(200, status(server, ANN));
            RawExchange refused = RawExchange.get(server, "/app/who", ANN);
            // The server allows one request per second. If a request takes longer than a second on a busy machine, the
            // server allows the next request, too. So the loop repeats the request.
            for (int i = 0; refused.status() == 200 && i < 1000; i++) {
                refused = RawExchange.get(server, "/app/who", ANN);
            }
            assertEquals(429, refused.status());
            assertEquals(List.of("1"), refused.values("Retry-After"));
            assertEquals(200, status(server, BOB), "a request of another address was refused");
            assertTrue(server.counters().get(Counter.REQUESTS_TOO_MANY.id()) > 0);
        }
    }
}
