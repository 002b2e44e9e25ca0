package io.penstock.proxy;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.address.Network;
import io.penstock.exchange.Exchange;
import io.penstock.exchange.Peer;
import io.penstock.http1.RawClient;
import io.penstock.http1.RecordedEvents;
import io.penstock.http1.Site;
import io.penstock.http1.WireConfig;
import io.penstock.http1.WireServer;
import io.penstock.limits.Counter;
import io.penstock.limits.Listen.ConnectionsPolicy;
import io.penstock.limits.Switch;
import io.penstock.limits.TrustedProxies;
import io.penstock.reactor.LinkLayer;
import io.penstock.server.Listener;
import io.penstock.tls.EngineClient;
import io.penstock.tls.TestIdentity;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests a listener that expects a PROXY header on each connection, over real sockets. The clients of the test are trusted proxies. */
class ProxyProtocolTest {
    /** The index of the listener that expects PROXY headers. The listener with the index 0 expects no PROXY headers. */
    private static final int PROXIED = 1;

    private static final String GET = "GET /who HTTP/1.1\r\nHost: x\r\n\r\n";
    private static final String TCP4 = "PROXY TCP4 192.0.2.1 198.51.100.1 56324 443\r\n";
    private static final String CLIENT = "192.0.2.1#56324 198.51.100.1#443";
    private static final byte[] BINARY =
            HexFormat.of().parseHex("0d0a0d0a000d0a515549540a2111000fc0000201c6336401dc0401bb020000");

    private final RecordedEvents events = new RecordedEvents();
    private final Site site = new Site().on("/who", ProxyProtocolTest::sendAddresses);

    private static void sendAddresses(Exchange exchange) throws IOException {
        Peer peer = exchange.peer();
        Site.text(
                exchange,
                peer.remoteAddress() + "#" + peer.remotePort() + " " + peer.localAddress() + "#" + peer.localPort());
    }

    private static WireConfig config() {
        return trusting("127.0.0.1", Duration.ofSeconds(5));
    }

    private static WireConfig trusting(String network, Duration timeout) {
        return new WireConfig()
                .overSockets()
                .proxies(new TrustedProxies(
                        List.of(Network.parse(network)),
                        Switch.OFF,
                        TrustedProxies.ForwardedFields.X_FORWARDED,
                        Switch.ON,
                        timeout));
    }

    private WireServer server(WireConfig config) throws IOException {
        return server(config, (server, tls) -> LinkLayer.NONE);
    }

    private WireServer server(WireConfig config, Listener.LayerMaker upper) throws IOException {
        return new WireServer(
                config,
                site,
                events,
                layer -> List.of(
                        WireServer.listenerOver((server, tls) -> LinkLayer.NONE),
                        WireServer.listenerOver((server, tls) -> new ProxyLayer(upper.make(server, tls), server))));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static byte[] join(byte[] first, byte[] second) {
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    @Test
    void theConnectionHasTheAddressesOfTheProxyHeader() throws Exception {
        try (WireServer server = server(config())) {
            for (byte[] header : new byte[][] {bytes(TCP4), BINARY}) {
                try (RawClient proxy =
                        server.connectWithoutLayer(PROXIED).send(header).send(GET)) {
                    assertEquals(CLIENT, proxy.answer().body());
                    assertEquals(CLIENT, proxy.send(GET).answer().body(), "the addresses in the second response");
                    assertTrue(server.transport.dump().contains("192.0.2.1:56324"), server.transport.dump());
                }
            }
        }
    }

    @Test
    void aHeaderIsReadEvenIfItArrivesInTwoParts() throws Exception {
        try (WireServer server = server(config())) {
            for (byte[] header : new byte[][] {bytes(TCP4), BINARY}) {
                byte[] all = join(header, bytes(GET));
                for (int cut = 1; cut < all.length; cut++) {
                    try (RawClient proxy = server.connectWithoutLayer(PROXIED).send(Arrays.copyOf(all, cut))) {
                        server.settle();
                        proxy.send(Arrays.copyOfRange(all, cut, all.length));
                        assertEquals(CLIENT, proxy.answer().body(), "cut after " + cut + " bytes");
                    }
                }
            }
        }
    }

    @Test
    void manyRequestsCanFollowTheHeader() throws Exception {
        try (WireServer server = server(config());
                RawClient proxy = server.connectWithoutLayer(PROXIED).send(TCP4 + GET.repeat(200))) {
            for (int i = 0; i < 200; i++) {
                assertEquals(CLIENT, proxy.answer().body());
            }
        }
    }

    @Test
    void aLargeBodyCanFollowTheHeader() throws Exception {
        try (WireServer server = server(config());
                RawClient proxy = server.connectWithoutLayer(PROXIED)) {
            String body = "x".repeat(3_000_000);
            proxy.send(TCP4 + "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
            assertEquals("POST /a\n" + body, proxy.answer().body());
        }
    }

    private static final String LOCAL = "\r\n\r\n\0\r\nQUIT\n\40\0\0\0";
    private static final String FORWARDED = "GET /who HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 203.0.113.9\r\n\r\n";

    /** The proxy uses such a connection for itself, for example for a health check. */
    @Test
    void aConnectionOfTheProxyItselfHasItsSocketAddresses() throws Exception {
        try (WireServer server = server(config());
                RawClient proxy = server.connectWithoutLayer(PROXIED).send(LOCAL + GET)) {
            String addresses = "127.0.0.1#" + proxy.port() + " 127.0.0.1#" + server.port(PROXIED);
            assertEquals(addresses, proxy.answer().body());
            String forwarded = proxy.send(FORWARDED).answer().body();
            assertTrue(forwarded.startsWith("203.0.113.9#-1 "), forwarded);
        }
    }

    /** The header says that there is a client behind the proxy, but not which. So the client must not count as the trusted proxy. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "PROXY UNKNOWN\r\n",
                "PROXY UNKNOWN 127.0.0.1 127.0.0.1 1 2\r\n",
                "\r\n\r\n\0\r\nQUIT\n\41\0\0\3abc",
                "\r\n\r\n\0\r\nQUIT\n\41\61\0\1x"
            })
    void aClientThatTheHeaderDoesNotNameIsUnknownAndNotTrusted(String header) throws Exception {
        try (WireServer server = server(config());
                RawClient proxy = server.connectWithoutLayer(PROXIED).send(header + FORWARDED)) {
            assertEquals(
                    "unknown#-1 127.0.0.1#" + server.port(PROXIED),
                    proxy.answer().body());
        }
    }

    /** The PROXY header names the source of the request. The server uses X-Forwarded-For only if this source is a trusted proxy, too. */
    @Test
    void forwardedFieldsAreUsedOnlyIfTheHeaderContainsTheAddressOfATrustedProxy() throws Exception {
        String get = "GET /who HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 203.0.113.9\r\n\r\n";
        try (WireServer server = server(config())) {
            try (RawClient proxy = server.connectWithoutLayer(PROXIED).send(TCP4 + get)) {
                assertEquals(CLIENT, proxy.answer().body());
            }
            try (RawClient proxy =
                    server.connectWithoutLayer(PROXIED).send("PROXY TCP4 127.0.0.1 198.51.100.1 1 443\r\n" + get)) {
                assertEquals("203.0.113.9#-1 198.51.100.1#443", proxy.answer().body());
            }
        }
    }

    // ---- missing and malformed headers

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
                "\26\3\1\2\0",
                "PROXY TCP4 192.0.2.1 198.51.100.1 1\r\n",
                "PROXY TCP5 ::1 ::1 1 2\r\n",
                "\r\n\r\n\0\r\nQUIT\n\61\0\0\0",
                "\r\n\r\n\0\r\nQUIT\n\41\21\0\1x",
                "\r\nGET / HTTP/1.1\r\n\r\n"
            })
    void aMalformedHeaderClosesTheConnection(String bytes) throws Exception {
        try (WireServer server = server(config());
                RawClient proxy = server.connectWithoutLayer(PROXIED).send(bytes)) {
            assertTrue(events.awaitClosed(proxy).startsWith("proxy-header: it"), events.awaitClosed(proxy));
            assertEquals(1, server.counters.value(Counter.PROXY_HEADERS_REFUSED));
        }
    }

    @Test
    void aConnectionFromAnUntrustedAddressIsClosedAtOnce() throws Exception {
        try (WireServer server = server(trusting("127.0.0.2", Duration.ofSeconds(5)));
                RawClient other = server.connectWithoutLayer(PROXIED)) {
            assertTrue(other.isAtEnd());
            assertEquals("proxy-header: its address is not in trusted-proxies", events.awaitClosed(other));
            assertEquals(1, server.counters.value(Counter.PROXY_HEADERS_REFUSED));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "PROXY TCP4 192", "\r\n\r\n"})
    void aClientIsNotCountedAsRefusedIfItDisconnectsBeforeTheEndOfTheHeader(String bytes) throws Exception {
        try (WireServer server = server(config())) {
            RawClient proxy = server.connectWithoutLayer(PROXIED).send(bytes);
            proxy.close();
            assertEquals(
                    "client-closed: " + (bytes.isEmpty() ? "before" : "within") + " the PROXY header",
                    events.awaitClosed(proxy));
            assertEquals(0, server.counters.value(Counter.PROXY_HEADERS_REFUSED));
        }
    }

    // ---- deadlines and limits

    @Test
    void connectionsWithoutACompleteHeaderAreClosedAtTheTimeout() throws Exception {
        WireConfig config =
                trusting("127.0.0.1", Duration.ofMillis(200)).timeByHand().handshakeTimeout(100);
        try (WireServer server = server(config);
                RawClient silent = server.connectWithoutLayer(PROXIED);
                RawClient slow = server.connectWithoutLayer(PROXIED).send("PROXY ")) {
            server.pass(Duration.ofMillis(140));
            slow.send("TCP4 ");
            server.settle();
            assertEquals(List.of(), events.timedOut());
            server.pass(Duration.ofMillis(100));
            assertTrue(silent.isAtEnd());
            assertTrue(slow.isAtEnd());
            assertEquals("proxy-header-timeout", events.awaitClosed(slow));
            assertEquals(List.of("proxy-header-timeout", "proxy-header-timeout"), events.timedOut());
            assertEquals(2, server.counters.value(Counter.PROXY_HEADER_TIMEOUTS));
        }
    }

    @Test
    void theHandshakeTimeoutAppliesAfterTheHeaderHasArrived() throws Exception {
        WireConfig config =
                trusting("127.0.0.1", Duration.ofMillis(100)).timeByHand().handshakeTimeout(300);
        try (WireServer server = server(config, tls());
                RawClient slow = server.connectWithoutLayer(PROXIED).send(TCP4)) {
            server.pass(Duration.ofMillis(200));
            assertEquals(List.of(), events.timedOut());
            server.pass(Duration.ofMillis(200));
            assertTrue(slow.isAtEnd());
            assertEquals("handshake-timeout", events.awaitClosed(slow));
        }
    }

    /**
     * The only worker is busy, and fifty clients have sent incomplete headers. The server can still reject another request, because a
     * rejection needs no worker. When the worker is free again, it serves the requests of the fifty clients.
     */
    @Test
    void noWorkerIsOccupiedByConnectionsWithIncompleteHeaders() throws Exception {
        CountDownLatch leave = new CountDownLatch(1);
        site.on("/wait", exchange -> {
            leave.await();
            Site.text(exchange, "over");
        });
        List<RawClient> halves = new ArrayList<>();
        try (WireServer server = server(config().workers(1));
                RawClient waiting =
                        server.connectWithoutLayer(PROXIED).send(TCP4 + "GET /wait HTTP/1.1\r\nHost: x\r\n\r\n")) {
            await().until(() -> server.transport.workers().busy(worker -> true) == 1);
            for (int i = 0; i < 50; i++) {
                halves.add(server.connectWithoutLayer(PROXIED).send("PROXY TCP4 192.0.2.1 "));
            }
            try (RawClient whole =
                    server.connectWithoutLayer(PROXIED).send(TCP4 + "GET /refused HTTP/1.1\r\nHost: x\r\n\r\n")) {
                assertEquals(404, whole.answer().status());
            }
            leave.countDown();
            assertEquals("over", waiting.answer().body());
            for (RawClient half : halves) {
                half.send("198.51.100.1 1 2\r\n" + GET);
                assertEquals("192.0.2.1#1 198.51.100.1#2", half.answer().body());
                half.close();
            }
        }
    }

    @Test
    void aConnectionBeyondTheLimitReceivesStatus503AfterItsHeader() throws Exception {
        try (WireServer server = server(config().maxConnections(1, ConnectionsPolicy.REFUSE));
                RawClient first = server.connectWithoutLayer(PROXIED).send(TCP4 + GET)) {
            assertEquals(200, first.answer().status());
            try (RawClient second = server.connectWithoutLayer(PROXIED).send(TCP4)) {
                assertEquals(503, second.answer().status());
            }
        }
    }

    @Test
    void aStoppingServerClosesAConnectionWithAnIncompleteHeader() throws Exception {
        WireServer server = server(config());
        try (RawClient half = server.connectWithoutLayer(PROXIED).send("PROXY")) {
            server.settle();
            server.close();
            assertTrue(half.isAtEnd());
            assertEquals("server-stopping", events.awaitClosed(half));
        }
    }

    // ---- listeners with TLS

    private static Listener.LayerMaker tls() {
        return Listener.tls(new InetSocketAddress(0), TestIdentity.engines()).layer();
    }

    @Test
    void theHeaderIsReadBeforeTheTlsHandshake() throws Exception {
        try (WireServer server = server(config(), tls())) {
            for (byte[] header : new byte[][] {bytes(TCP4), BINARY}) {
                try (RawClient proxy = server.connectWithoutLayer(PROXIED)) {
                    EngineClient tls = new EngineClient(proxy.send(header)).handshake();
                    tls.send(GET.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"));
                    String answer = tls.exactly(12);
                    assertTrue(answer.startsWith("HTTP/1.1 200"), answer);
                }
            }
        }
    }

    @Test
    void aRequestReceivesStatus400IfNoTlsHandshakeFollowsTheHeader() throws Exception {
        try (WireServer server = server(config(), tls());
                RawClient proxy = server.connectWithoutLayer(PROXIED).send(TCP4 + GET)) {
            assertEquals(400, proxy.answer().status());
        }
    }
}
