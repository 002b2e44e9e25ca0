package io.penstock.tls;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.echo.EchoProtocol;
import io.penstock.exchange.ConnectionState;
import io.penstock.exchange.Exchange;
import io.penstock.http.Fields;
import io.penstock.http.ResponseHead;
import io.penstock.http1.Http1Protocol;
import io.penstock.http1.RawClient;
import io.penstock.http1.RecordedEvents;
import io.penstock.http1.Site;
import io.penstock.http1.WireConfig;
import io.penstock.http1.WireServer;
import io.penstock.limits.Counter;
import io.penstock.limits.Listen.ConnectionsPolicy;
import io.penstock.limits.ListenAddress.BindAddress;
import io.penstock.limits.Tls.TlsLimits;
import io.penstock.metrics.Gauge;
import io.penstock.reactor.TlsSession;
import io.penstock.server.Listener;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks requests over TLS with the TLS clients of the JDK. Such a client reports the end of the stream only if the server has sent
 * close_notify. So a test fails if close_notify is missing.
 */
final class TlsConversationTest {
    private static final int LARGE = 8 << 20;
    private static final String GET = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n";
    private static final byte[] BYTES = bytes();

    @TempDir
    Path folder;

    private final AtomicReference<TlsSession> seen = new AtomicReference<>();

    private static byte[] bytes() {
        byte[] bytes = new byte[LARGE];
        new Random(16).nextBytes(bytes);
        return bytes;
    }

    private static byte[] latin(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static WireConfig config() {
        return new WireConfig().overTls();
    }

    private Site site() throws IOException {
        Path file = Files.write(folder.resolve("large"), BYTES);
        return new Site()
                .on("/large", exchange -> {
                    exchange.response().head(new ResponseHead(200, Fields.EMPTY, LARGE));
                    exchange.response().write(ByteBuffer.wrap(BYTES), true);
                })
                .on("/file", exchange -> {
                    exchange.response().head(new ResponseHead(200, Fields.EMPTY, LARGE));
                    exchange.response().write(FileChannel.open(file), 0, LARGE, true);
                })
                .on("/pieces", TlsConversationTest::pieces)
                .on("/tls", exchange -> {
                    seen.set(exchange.tls());
                    Site.text(exchange, exchange.peer().secure() + "");
                });
    }

    /** Writes the response in many parts, with a flush after each part. So the worker writes to the connection most of the time. */
    private static void pieces(Exchange exchange) throws IOException {
        int count = 2000;
        int length = 100;
        exchange.response().head(new ResponseHead(200, Fields.EMPTY, count * length));
        for (int i = 0; i < count; i++) {
            exchange.response().write(ByteBuffer.wrap(BYTES, i * length, length), i == count - 1);
            exchange.response().flush();
        }
    }

    private static String get(String path) {
        return "GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n";
    }

    private static SSLSocket connect(SSLContext context, WireServer server, SSLParameters parameters)
            throws IOException {
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", server.port());
        socket.setSSLParameters(parameters);
        socket.setSoTimeout(60_000);
        return socket;
    }

    private static SSLParameters only(String version) {
        SSLParameters parameters = new SSLParameters();
        parameters.setProtocols(new String[] {version});
        return parameters;
    }

    /** Sends one request. Returns the beginning of the status line, including the status. */
    private static String requestStatus(SSLSocket socket, String request) throws IOException {
        socket.getOutputStream().write(latin(request));
        return new String(socket.getInputStream().readNBytes(12), StandardCharsets.ISO_8859_1);
    }

    // ---- requests

    @Test
    void severalRequestsOnOneConnectionAreServed() throws Exception {
        try (WireServer server = WireServer.echo(config());
                RawClient client = server.connect()) {
            for (int i = 0; i < 10; i++) {
                assertEquals("GET /a\n", client.send(GET).answer().body());
            }
            assertEquals("TLSv1.3", client.tls().getSession().getProtocol());
            assertEquals(1, server.counters.value(Counter.HANDSHAKES));
        }
    }

    @Test
    void pipelinedRequestsAreServedIfTheyArriveTogether() throws Exception {
        try (WireServer server = WireServer.echo(config());
                RawClient client = server.connect()) {
            client.echoPipelined(300);
        }
    }

    @Test
    void idleConnectionsReleaseTheirBuffers() throws Exception {
        try (WireServer server = WireServer.echo(config())) {
            List<RawClient> idle = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                RawClient client = server.connect().send(GET);
                assertEquals(200, client.answer().status());
                idle.add(client);
            }
            server.awaitNothingHeld();
            assertEquals(0, server.transport.gauges().value(Gauge.TLS_BYTES));
            for (RawClient client : idle) {
                assertEquals(200, client.send(GET).answer().status());
                client.close();
            }
        }
    }

    @Test
    void theHttpClientOfTheJdkNegotiatesHttp11() throws Exception {
        HttpClient client = HttpClient.newBuilder()
                .sslContext(TestIdentity.anonymousClient())
                .build(); // the client prefers HTTP/2
        try (WireServer server = WireServer.echo(config())) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + server.port() + "/a"))
                    .POST(HttpRequest.BodyPublishers.ofByteArray(BYTES))
                    .build();
            HttpResponse<byte[]> response = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
            assertEquals(HttpClient.Version.HTTP_1_1, response.version());
            assertEquals(LARGE + "POST /a\n".length(), response.body().length);
        }
    }

    // ---- large bodies

    @ParameterizedTest
    @ValueSource(strings = {"/a", "/stream"})
    void largeBodiesAreTransferredInBothDirections(String path) throws Exception {
        try (WireServer server = WireServer.with(config(), site());
                RawClient client = server.connect()) {
            client.send("POST " + path + " HTTP/1.1\r\nHost: x\r\nContent-Length: " + LARGE + "\r\n\r\n");
            client.send(BYTES);
            byte[] begin = latin("POST " + path + "\n");
            byte[] body = latin(client.answer().body());
            assertArrayEquals(begin, Arrays.copyOf(body, begin.length));
            assertArrayEquals(BYTES, Arrays.copyOfRange(body, begin.length, body.length));
        }
    }

    @Test
    void responsesFromManyWritesAndFromFilesAreComplete() throws Exception {
        try (WireServer server = WireServer.with(config(), site());
                RawClient client = server.connect()) {
            for (String path : List.of("/pieces", "/file", "/large")) {
                byte[] body = latin(client.send(get(path)).answer().body());
                assertArrayEquals(Arrays.copyOf(BYTES, body.length), body);
            }
        }
    }

    /** With the smaller budget, little memory is free for TLS. Then the server creates small records. */
    @ParameterizedTest
    @ValueSource(longs = {256 << 10, 8 << 20})
    void theWorkerIsNotBlockedByClientsThatReadSlowly(long budget) throws Exception {
        WireConfig config = config().workers(1).sendBuffer(4096).tls(new TlsLimits(1, 16, budget));
        try (WireServer server = WireServer.with(config, site());
                RawClient other = server.connect()) {
            List<RawClient> slow = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                slow.add(server.connectWithReceiveBuffer(4096).send(get(i % 2 == 0 ? "/large" : "/file") + GET));
            }
            await().until(() -> server.transport.tls().bufferBytes() > 12 * 500);
            assertEquals(200, other.send(GET).answer().status());
            for (RawClient client : slow) {
                assertArrayEquals(BYTES, latin(client.answer().body()));
                assertEquals("GET /a\n", client.answer().body());
                client.close();
            }
            server.awaitNothingHeld();
        }
    }

    @Test
    void aConnectionIsClosedIfItsClientReadsNothing() throws Exception {
        WireConfig config = config().timeByHand().writeStall(100).sendBuffer(4096);
        try (WireServer server = WireServer.with(config, site());
                RawClient client = server.connectWithReceiveBuffer(4096)) {
            client.send(get("/file"));
            server.awaitHeld();
            server.passUntilTimeout(Duration.ofMillis(120), "write-stall-timeout");
            server.awaitNothingHeld();
        }
    }

    /** The client sends many KeyUpdate messages. The I/O thread (reactor) responds to these messages between the writes of the worker. */
    @Test
    void keyUpdatesDoNotDamageConcurrentResponses() throws Exception {
        try (WireServer server = WireServer.with(config(), site());
                RawClient client = server.connect()) {
            for (String path : List.of("/pieces", "/file", "/large")) {
                client.send(get(path));
                FutureTask<Boolean> asking = new FutureTask<>(() -> {
                    for (int i = 0; i < 10; i++) {
                        client.tls().startHandshake(); // requests new keys in TLS 1.3
                    }
                    return true;
                });
                new Thread(asking, "asking").start();
                byte[] body = latin(client.answer().body());
                assertArrayEquals(Arrays.copyOf(BYTES, body.length), body);
                assertTrue(asking.get(60, TimeUnit.SECONDS));
            }
            assertEquals("GET /a\n", client.send(GET).answer().body());
        }
    }

    // ---- the end of a connection

    @ParameterizedTest
    @ValueSource(strings = {"/a", "/large", "/file"})
    void theServerSendsCloseNotifyAfterTheLastResponse(String path) throws Exception {
        try (WireServer server = WireServer.with(config(), site());
                RawClient client = server.connect()) {
            client.send("GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
            assertEquals(200, client.answer().status());
            assertEquals("", client.rest());
            client.close();
            assertEquals("request-close", server.events.awaitClosed(client));
        }
    }

    @Test
    void aClientStillReceivesAllResponsesAfterItHasSentCloseNotify() throws Exception {
        try (WireServer server = WireServer.with(config().sendBuffer(4096), site());
                RawClient client = server.connectWithReceiveBuffer(4096)) {
            client.send(GET + GET + get("/file")).halfClose();
            assertEquals("GET /a\n", client.answer().body());
            assertEquals("GET /a\n", client.answer().body());
            assertArrayEquals(BYTES, latin(client.answer().body()));
            assertEquals("", client.rest());
            assertEquals("client-closed", server.events.awaitClosed(client));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void anIdleClientReceivesCloseNotifyIfItSendsCloseNotify(String version) throws Exception {
        try (WireServer server = WireServer.echo(config());
                RawClient raw = server.connectWithoutLayer(0)) {
            EngineClient client = new EngineClient(raw, version).handshake();
            assertTrue(client.send(GET).exactly(12).startsWith("HTTP/1.1 200"));
            client.engine().closeOutbound();
            raw.send(client.handshakeRecords());
            client.rest();
            assertEquals("client-closed", server.events.awaitClosed(raw));
        }
    }

    @Test
    void anIdleConnectionIsClosedWithCloseNotifyAfterTheKeepAliveTimeout() throws Exception {
        try (WireServer server = WireServer.echo(config().timeByHand().keepAlive(100));
                RawClient client = server.connect().send(GET)) {
            assertEquals(200, client.answer().status());
            server.passUntilTimeout(Duration.ofMillis(250), "keep-alive-timeout");
            assertEquals("", client.rest());
            assertEquals("keep-alive-timeout", server.events.awaitClosed(client));
        }
    }

    /** A close with unread bytes would cause a reset, and the client could lose the response (RFC 9112 section 9.6). */
    @Test
    void aClientReceivesTheResponseEvenIfItIsStillSendingARefusedBody() throws Exception {
        try (WireServer server = WireServer.echo(config());
                RawClient client = server.connect()) {
            client.send("POST /limited HTTP/1.1\r\nHost: x\r\nContent-Length: 2000000\r\n\r\n");
            client.send(new byte[1 << 20]);
            assertEquals(413, client.answer().status());
            assertEquals("", client.rest());
        }
    }

    @Test
    void aClientBeyondTheConnectionLimitGetsStatus503() throws Exception {
        try (WireServer server = WireServer.echo(config().maxConnections(1, ConnectionsPolicy.REFUSE));
                RawClient first = server.connect().send(GET)) {
            assertEquals(200, first.answer().status());
            try (RawClient second = server.connect().send(GET)) {
                assertEquals(503, second.answer().status());
                assertTrue(second.isAtEnd());
            }
        }
    }

    @Test
    void aNewConnectionReplacesAnIdleConnectionAtTheConnectionLimit() throws Exception {
        try (WireServer server = WireServer.echo(config().maxConnections(1, ConnectionsPolicy.REPLACE));
                RawClient first = server.connect().send(GET)) {
            assertEquals(200, first.answer().status());
            await().until(() -> server.transport.census(0).counts().get(ConnectionState.IDLE) == 1);
            try (RawClient second = server.connect().send(GET)) {
                assertEquals(200, second.answer().status());
                assertTrue(first.isAtEnd());
            }
        }
    }

    @Test
    void aStoppingServerCompletesRunningRequestsAndSendsCloseNotify() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Site site = new Site().on("/slow", exchange -> {
            started.countDown();
            go.await();
            Site.text(exchange, "x".repeat(60_000));
        });
        WireServer server = WireServer.with(config().sendBuffer(4096), site);
        try (RawClient client = server.connectWithReceiveBuffer(4096);
                RawClient idle = server.connect().send(GET)) {
            assertEquals(200, idle.answer().status());
            client.send(get("/slow"));
            started.await();
            FutureTask<Boolean> stopping = new FutureTask<>(() -> {
                server.close();
                return true;
            });
            new Thread(stopping, "stopper").start();
            assertEquals("", idle.rest());
            go.countDown();
            assertEquals(60_000, client.answer().body().length());
            assertEquals("", client.rest());
            assertTrue(stopping.get(60, TimeUnit.SECONDS));
        }
    }

    // ---- the protocol

    private static WireServer twoProtocols() throws IOException {
        return new WireServer(
                config(),
                new Site(),
                new RecordedEvents(),
                layer -> List.of(new Listener(
                        new BindAddress.Network("127.0.0.1", 0),
                        layer,
                        List.of(EchoProtocol::new, Http1Protocol::new))));
    }

    @Test
    void theNegotiatedProtocolIsUsed() throws Exception {
        try (WireServer server = twoProtocols();
                RawClient echo = server.connect(EchoProtocol.NAME).send("hello");
                RawClient http = server.connect("http/1.1").send(GET);
                RawClient none = server.connect().send(GET)) {
            assertEquals("hello", new String(echo.exactly(5), StandardCharsets.ISO_8859_1));
            assertEquals(EchoProtocol.NAME, echo.tls().getApplicationProtocol());
            assertEquals(200, http.answer().status());
            assertEquals("http/1.1", http.tls().getApplicationProtocol());
            assertEquals(200, none.answer().status());
            assertEquals("", none.tls().getApplicationProtocol());
        }
    }

    @Test
    void aClientGetsAnAlertIfItOffersOnlyUnknownProtocols() throws Exception {
        try (WireServer server = WireServer.echo(config());
                RawClient client = server.connect("gopher")) {
            SSLException alert =
                    assertThrows(SSLException.class, () -> client.tls().startHandshake());
            assertTrue(String.valueOf(alert.getMessage()).contains("no_application_protocol"), alert.getMessage());
            client.close();
            assertTrue(server.events.awaitClosed(client).startsWith("handshake-failed: "));
        }
    }

    @Test
    void aHandshakeWithADisabledTlsVersionIsRefused() throws Exception {
        try (WireServer server = new WireServer(
                        config(),
                        new Site(),
                        new RecordedEvents(),
                        layer -> List.of(Listener.tls(
                                new InetSocketAddress("127.0.0.1", 0),
                                TestIdentity.engines(rules -> rules.setProtocols(new String[] {"TLSv1.3"})))));
                SSLSocket socket = connect(TestIdentity.anonymousClient(), server, only("TLSv1.2"))) {
            assertThrows(SSLException.class, socket::startHandshake);
        }
    }

    // ---- the session

    @ParameterizedTest
    @CsvSource({"TLSv1.3, TLS_AES_256_GCM_SHA384", "TLSv1.2, TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384"})
    void aRequestProvidesTheDataOfItsTlsSession(String version, String suite) throws Exception {
        try (WireServer server = WireServer.with(config(), site());
                SSLSocket socket = connect(TestIdentity.client(), server, only(version))) {
            assertEquals("HTTP/1.1 200", requestStatus(socket, get("/tls")));
            TlsSession session = seen.get();
            assertEquals(version, session.protocol());
            assertEquals(suite, session.cipherSuite());
            assertEquals(256, session.keySize());
            assertEquals(List.of(), session.certificates());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void aRequestProvidesTheClientCertificateIfTheClientHasSentACertificate(String version) throws Exception {
        TlsEngines engines = TestIdentity.engines(rules -> rules.setWantClientAuth(true));
        try (WireServer server = new WireServer(
                config(),
                site(),
                new RecordedEvents(),
                layer -> List.of(Listener.tls(new InetSocketAddress("127.0.0.1", 0), engines)))) {
            try (SSLSocket socket = connect(TestIdentity.client(), server, only(version))) {
                assertEquals("HTTP/1.1 200", requestStatus(socket, get("/tls")));
                assertEquals(
                        "CN=Penstock test client",
                        seen.get()
                                .certificates()
                                .get(0)
                                .getSubjectX500Principal()
                                .getName());
            }
            try (SSLSocket socket = connect(TestIdentity.anonymousClient(), server, only(version))) {
                assertEquals("HTTP/1.1 200", requestStatus(socket, get("/tls")));
                assertEquals(List.of(), seen.get().certificates());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void aSecondConnectionResumesTheTlsSession(String version) throws Exception {
        try (WireServer server = WireServer.with(config(), site())) {
            SSLContext client = TestIdentity.anonymousClient();
            List<Long> created = new ArrayList<>();
            List<String> ids = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                try (SSLSocket socket = connect(client, server, only(version))) {
                    assertEquals("HTTP/1.1 200", requestStatus(socket, get("/tls")));
                    SSLSession session = socket.getSession();
                    created.add(session.getCreationTime());
                    ids.add(seen.get().id());
                }
            }
            assertEquals(created.get(0), created.get(1));
            boolean same = ids.get(0).equals(ids.get(1));
            assertEquals(version.equals("TLSv1.2"), same, "whether both connections have the same session id");
        }
    }
}
