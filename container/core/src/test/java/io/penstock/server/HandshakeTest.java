package io.penstock.server;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.echo.EchoProtocol;
import io.penstock.events.CloseCause;
import io.penstock.exchange.ConnectionSnapshot;
import io.penstock.exchange.ConnectionState;
import io.penstock.exchange.Protocol;
import io.penstock.exchange.ServerResources;
import io.penstock.http1.Http1Protocol;
import io.penstock.http1.RawClient;
import io.penstock.http1.RecordedEvents;
import io.penstock.http1.Site;
import io.penstock.http1.WireConfig;
import io.penstock.http1.WireServer;
import io.penstock.limits.Counter;
import io.penstock.limits.Listen.ConnectionsPolicy;
import io.penstock.limits.ListenAddress.BindAddress;
import io.penstock.metrics.Gauge;
import io.penstock.reactor.ConnectionClosed;
import io.penstock.reactor.LinkLayer;
import io.penstock.reactor.RecordSocket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * Tests connections over a {@code LinkLayer} (such as TLS) with a handshake. The handshake also negotiates the protocol. A connection with
 * an incomplete handshake is treated like an idle connection: it is closed at a deadline, and a new connection can replace it.
 */
final class HandshakeTest {
    private static final String GET = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n";

    private final OpenAndCloseEvents recorded = new OpenAndCloseEvents();

    /** Records the opened connections, and the cause of each close. */
    private static final class OpenAndCloseEvents extends RecordedEvents {
        private final List<String> causes = new CopyOnWriteArrayList<>();
        private final List<String> opened = new CopyOnWriteArrayList<>();

        @Override
        public void opened(String connection, SocketAddress remote) {
            super.opened(connection, remote);
            opened.add(connection);
        }

        @Override
        public void closed(String connection, CloseCause cause, String detail) {
            causes.add(connection + " " + cause.id() + (detail.isEmpty() ? "" : ": " + detail));
            super.closed(connection, cause, detail);
        }
    }

    private static WireConfig config() {
        return new WireConfig().overRecords();
    }

    /** Starts a server that has another protocol besides HTTP. */
    private WireServer server(WireConfig config) throws IOException {
        return new WireServer(config, new Site(), recorded, HandshakeTest::twoProtocols);
    }

    private static List<Listener> twoProtocols(Listener.LayerMaker layer) {
        return List.of(new Listener(
                new BindAddress.Network("127.0.0.1", 0), layer, List.of(EchoProtocol::new, Http1Protocol::new)));
    }

    /** Connects a client that sends nothing. Returns when the server shows the connection in the state HANDSHAKE. */
    private static RawClient silent(WireServer server) throws IOException {
        RawClient client = server.connectWithoutLayer(0);
        awaitHandshakes(server, 1);
        return client;
    }

    private static void awaitHandshakes(WireServer server, int count) {
        await().until(() -> server.transport.census(0).counts().get(ConnectionState.HANDSHAKE) == count);
    }

    // ---- the end of the server

    @Test
    void aConversationLearnsOnceThatTheLastRequestsBegin() throws Exception {
        AtomicReference<EchoProtocol> protocol = new AtomicReference<>();
        Function<ServerResources, Protocol> maker = resources -> {
            protocol.set(new EchoProtocol(resources));
            return protocol.get();
        };
        try (WireServer server = new WireServer(
                        config(),
                        new Site(),
                        recorded,
                        layer -> List.of(new Listener(
                                new BindAddress.Network("127.0.0.1", 0), layer, List.of(maker, Http1Protocol::new))));
                RawClient client = server.connect(EchoProtocol.NAME)) {
            client.send("served");
            assertEquals("served", new String(client.exactly(6), StandardCharsets.ISO_8859_1));
            AtomicInteger calls = protocol.get().lastRequests;
            assertEquals(0, calls.get());
            server.transport.closeConnections();
            await().until(() -> calls.get() == 1);
            server.transport.closeConnections();
            client.send("still served");
            assertEquals("still served", new String(client.exactly(12), StandardCharsets.ISO_8859_1));
            server.close();
            assertTrue(client.isAtEnd());
            assertEquals(1, calls.get());
        }
    }

    // ---- negotiation of the protocol

    @Test
    void theNegotiatedProtocolIsUsed() throws Exception {
        try (WireServer server = server(config());
                RawClient client = server.connect(EchoProtocol.NAME)) {
            for (String word : List.of("GET", " ", "x".repeat(10_000))) {
                client.send(word);
                assertEquals(word, new String(client.exactly(word.length()), StandardCharsets.ISO_8859_1));
            }
            assertEquals(EchoProtocol.NAME, client.records().agreed());
            client.halfClose();
            assertTrue(client.isAtEnd());
            assertTrue(client.records().hasEnded());
        }
    }

    @Test
    void httpIsUsedIfNoProtocolIsNegotiated() throws Exception {
        try (WireServer server = server(config());
                RawClient client = server.connect().send(GET)) {
            assertEquals("GET /a\n", client.answer().body());
            assertEquals("", client.records().agreed());
        }
    }

    @Test
    void httpCanBeNegotiated() throws Exception {
        try (WireServer server = server(config());
                RawClient client = server.connect("http/1.1").send(GET)) {
            assertEquals(200, client.answer().status());
            assertEquals("http/1.1", client.records().agreed());
        }
    }

    @Test
    void aConnectionIsClosedIfClientAndServerHaveNoCommonProtocol() throws Exception {
        try (WireServer server = server(config());
                RawClient client = server.connect("gopher")) {
            assertTrue(client.isAtEnd());
            recorded.awaitClosed(1);
            assertEquals(List.of("c1 handshake-failed: no protocol in common"), recorded.causes);
        }
    }

    @Test
    void aConnectionIsClosedIfTheFirstBytesAreNotAHandshake() throws Exception {
        try (WireServer server = server(config());
                RawClient client = silent(server).send("d\0\0")) {
            assertTrue(client.isAtEnd());
            recorded.awaitClosed(1);
            assertEquals(List.of("c1 handshake-failed: no hello"), recorded.causes);
        }
    }

    /** The stop of a server must also close connections that do not use HTTP. */
    @Test
    void aConnectionIsCountedAndIsClosedAtTheStopEvenIfItDoesNotUseHttp() throws Exception {
        WireServer server = server(config());
        try (RawClient client = server.connect(EchoProtocol.NAME).send("x")) {
            assertEquals('x', client.exactly(1)[0]);
            assertEquals(1, server.transport.census(0).counts().get(ConnectionState.IDLE));
            server.close();
            assertTrue(client.isAtEnd());
            assertTrue(client.records().hasEnded());
        }
    }

    // ---- incomplete handshakes

    @Test
    void aConnectionInTheHandshakeIsShownByTheGaugesAndTheDump() throws Exception {
        try (WireServer server = server(config());
                RawClient client = silent(server)) {
            assertEquals(1, server.transport.gauges().value(Gauge.CONNECTIONS));
            assertEquals(1, server.transport.gauges().value(Gauge.CONNECTIONS_HANDSHAKE));
            assertEquals(0, server.transport.gauges().value(Gauge.CONNECTIONS_IDLE));
            ConnectionSnapshot snapshot = server.transport.list().connections().get(0);
            assertEquals(ConnectionState.HANDSHAKE, snapshot.state());
            assertEquals("c1", snapshot.connection());
            assertEquals(client.port(), ((InetSocketAddress) snapshot.remote()).getPort());
            assertTrue(server.transport.dump().contains("handshake"), server.transport.dump());
        }
    }

    @Test
    void eachConnectionIsReportedOnceAsOpenedAndOnceAsClosed() throws Exception {
        try (WireServer server = server(config())) {
            try (RawClient client = server.connect().send(GET)) {
                assertEquals(200, client.answer().status());
            }
            recorded.awaitClosed(1);
            try (RawClient silent = silent(server)) {
                // The client sends only the first byte of its handshake.
                silent.send("h");
            }
            recorded.awaitClosed(2);
            server.awaitNothingHeld();
            assertEquals(List.of("c1", "c2"), recorded.opened);
            assertEquals(2, recorded.causes.size());
            assertEquals("c2 client-closed: before hello", recorded.causes.get(1));
        }
    }

    @Test
    void aConnectionIsClosedIfItsHandshakeExceedsTheTimeout() throws Exception {
        try (WireServer server = server(config().timeByHand().handshakeTimeout(100));
                RawClient client = silent(server)) {
            client.send("h");
            server.pass(Duration.ofMillis(140));
            assertTrue(client.isAtEnd());
            assertEquals(List.of("handshake-timeout"), recorded.timedOut());
            assertEquals(1, server.counters.value(Counter.HANDSHAKE_TIMEOUTS));
        }
    }

    /** A stopping server waits only a short time for the end of a handshake. */
    @Test
    void theStopClosesConnectionsInTheHandshake() throws Exception {
        WireServer server = server(config());
        try (RawClient client = silent(server)) {
            server.close();
            assertTrue(client.isAtEnd());
            assertEquals(List.of("c1 server-stopping"), recorded.causes);
        }
    }

    @Test
    void aNewConnectionReplacesAConnectionWithAnIncompleteHandshake() throws Exception {
        try (WireServer server = server(config().maxConnections(1, ConnectionsPolicy.REPLACE));
                RawClient silent = silent(server);
                RawClient other = server.connect().send(GET)) {
            assertEquals(200, other.answer().status());
            assertTrue(silent.isAtEnd());
            assertEquals(1, server.counters.value(Counter.CONNECTIONS_REPLACED));
        }
    }

    /**
     * A new connection replaces an idle connection at once, before the handshake of the new connection. If the replacement waited for this
     * handshake, many clients that never complete a handshake could prevent all other clients from connecting.
     */
    @Test
    void aNewConnectionReplacesAnIdleConnectionBeforeTheHandshakeOfTheNewConnection() throws Exception {
        try (WireServer server = server(config().maxConnections(1, ConnectionsPolicy.REPLACE));
                RawClient idle = server.connect().send(GET)) {
            assertEquals(200, idle.answer().status());
            await().until(() -> server.transport.census(0).counts().get(ConnectionState.IDLE) == 1);
            try (RawClient silent = silent(server)) {
                assertTrue(idle.isAtEnd());
                assertTrue(silent.isOpen());
            }
        }
    }

    @Test
    void aRefusedHttpClientGets503AfterItsHandshake() throws Exception {
        try (WireServer server = server(config().maxConnections(1, ConnectionsPolicy.REFUSE));
                RawClient first = server.connect().send(GET)) {
            assertEquals(200, first.answer().status());
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
                await().until(() -> server.transport.connections().refused() == 1);
                assertEquals(0, server.transport.census(0).counts().get(ConnectionState.HANDSHAKE));
                RecordSocket records = new RecordSocket(socket);
                assertEquals("HTTP/1.1 503", new String(records.in().readNBytes(12), StandardCharsets.ISO_8859_1));
            }
            try (RawClient second = server.connect(EchoProtocol.NAME)) {
                assertTrue(second.isAtEnd());
                assertTrue(second.records().hasEnded());
            }
            await().until(() -> server.transport.connections().refused() == 0);
            assertEquals(2, server.counters.value(Counter.CONNECTIONS_REFUSED));
        }
    }

    // ---- link layers that fail while a connection opens

    private static final int BROKEN_LISTENER = 1;

    /**
     * Starts a server with two listeners. The first listener uses no link layer. The second listener uses the link layer {@code broken}.
     */
    private WireServer serverWith(LinkLayer broken) throws IOException {
        return new WireServer(
                new WireConfig().overSockets().timeByHand().handshakeTimeout(100),
                new Site(),
                recorded,
                layer -> List.of(WireServer.listenerOver(layer), WireServer.listener(broken)));
    }

    private void assertClosedOnce(LinkLayer broken, String cause) throws IOException, InterruptedException {
        try (WireServer server = serverWith(broken);
                RawClient client = server.connectWithoutLayer(BROKEN_LISTENER)) {
            assertTrue(client.isAtEnd());
            recorded.awaitClosed(1);
            // The deadline of the handshake passes. The server must not report a timeout for the closed connection.
            server.pass(Duration.ofMillis(140));
        }
        assertEquals(
                List.of("c1 " + cause),
                recorded.causes.stream().filter(said -> said.startsWith("c1 ")).toList());
        assertEquals(List.of(), recorded.timedOut());
    }

    @Test
    void aConnectionIsClosedOnceIfTheLinkLayerClosesTheSocket() throws Exception {
        assertClosedOnce(
                (socket, opening) -> {
                    socket.close(new ConnectionClosed(CloseCause.HANDSHAKE_FAILED, "on purpose"));
                    return opening;
                },
                "handshake-failed: on purpose");
    }

    @Test
    void aConnectionIsClosedOnceIfTheLinkLayerThrowsAnException() throws Exception {
        assertClosedOnce(
                (socket, opening) -> {
                    throw new ConnectionClosed(CloseCause.HANDSHAKE_FAILED, "on purpose");
                },
                "handshake-failed: on purpose");
    }

    @Test
    void aConnectionIsClosedOnceIfItsLinkRunsCodeThatThrowsAnException() throws Exception {
        assertClosedOnce(
                (socket, opening) -> {
                    socket.contain(() -> {
                        throw new ConnectionClosed(CloseCause.HANDSHAKE_FAILED, "on purpose");
                    });
                    return opening;
                },
                "handshake-failed: on purpose");
    }

    // ---- several listeners

    @Test
    void eachListenerUsesItsOwnLinkLayer() throws Exception {
        WireServer server = new WireServer(
                config(),
                new Site(),
                recorded,
                layer -> List.of(WireServer.listenerOver(layer), WireServer.listener(LinkLayer.NONE)));
        try (RawClient overRecords = server.connect().send(GET);
                RawClient plain = server.connectWithoutLayer(1).send(GET)) {
            assertEquals(200, overRecords.answer().status());
            assertEquals(200, plain.answer().status());
            assertEquals(2, server.transport.connections().open().count());
            server.close();
            assertEquals("", overRecords.rest());
            assertEquals("", plain.rest());
        }
    }
}
