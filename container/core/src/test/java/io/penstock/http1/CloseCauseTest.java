package io.penstock.http1;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.RecordedLog;
import io.penstock.address.Network;
import io.penstock.events.CloseCause;
import io.penstock.exchange.Exchange;
import io.penstock.exchange.ExchangeHandler;
import io.penstock.exchange.RawConnection;
import io.penstock.http.FieldList;
import io.penstock.http.Fields;
import io.penstock.http.RequestHead;
import io.penstock.http.ResponseHead;
import io.penstock.limits.Counter;
import io.penstock.limits.Listen.ConnectionsPolicy;
import io.penstock.limits.Switch;
import io.penstock.limits.TrustedProxies;
import io.penstock.metrics.CloseCounts;
import io.penstock.pipe.ForwardingFile;
import io.penstock.proxy.ProxyLayer;
import io.penstock.reactor.ConnectionClosed;
import io.penstock.reactor.LinkLayer;
import io.penstock.server.ConnectionAcceptor;
import io.penstock.server.ConnectionLog;
import io.penstock.tls.EngineClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The event, the counter and the log must report the same cause for the close of a connection. If there are several causes, the server must
 * report the first cause.
 */
final class CloseCauseTest {
    /**
     * The linger timeout (how long the server waits for the client to close) in milliseconds. It is short, because many clients of this
     * test do not close their connections.
     */
    private static final int LINGER = 50;

    /** The timeout under test, in milliseconds. */
    private static final int SHORT = 100;

    /** A time that is longer than the timeout under test. */
    private static final Duration LONGER = Duration.ofMillis(120);

    private static final String GET = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n";
    private static final String POST = "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n";

    @TempDir
    Path folder;

    private final Observed events = new Observed();
    private final CountDownLatch inside = new CountDownLatch(1);
    private final CountDownLatch go = new CountDownLatch(1);

    /** Records, counts and logs the events of the connections. */
    private static final class Observed extends RecordedEvents {
        final CloseCounts closes = new CloseCounts();
        final RecordedLog log = new RecordedLog();
        private final ConnectionLog lines = new ConnectionLog(log);

        @Override
        public void opened(String connection, SocketAddress remote) {
            lines.opened(connection, remote);
            super.opened(connection, remote);
        }

        @Override
        public void closed(String connection, CloseCause cause, String detail) {
            closes.closed(connection, cause, detail);
            lines.closed(connection, cause, detail);
            super.closed(connection, cause, detail); // must be the last call, because tests wait for this event
        }

        /** Returns the name of the client's connection in the log, for example {@code c1}. */
        String name(RawClient client) {
            String address = new InetSocketAddress("127.0.0.1", client.port()).toString();
            String line = log.lines().stream()
                    .filter(logged -> logged.endsWith(": opened by " + address))
                    .findAny()
                    .orElseThrow();
            return line.replaceFirst(".*Connection (c\\d+):.*", "$1");
        }
    }

    private WireServer server(WireConfig config, Site site) throws IOException {
        return new WireServer(config.linger(LINGER), site, events);
    }

    private WireServer server(ExchangeHandler handler) throws IOException {
        return server(new WireConfig(), new Site().on("/a", handler));
    }

    /** Checks the cause of the close in the event, the counter and the log, and the detail in the event and the log. */
    private void assertClosed(RawClient client, CloseCause cause, String detail) {
        String text = detail.isEmpty() ? cause.id() : cause.id() + ": " + detail;
        assertEquals(text, events.awaitClosed(client));
        String line = "DEBUG Connection " + events.name(client) + ": closed: " + text;
        assertTrue(events.log.lines().contains(line), () -> "no line '" + line + "' in " + events.log.lines());
        assertTrue(events.closes.count(cause) > 0, "the close was not counted");
    }

    /** The actions of a test after its client has connected. */
    private interface Scenario {
        void with(WireServer server, RawClient client) throws Exception;
    }

    private void check(WireServer started, CloseCause cause, String detail, Scenario scenario) throws Exception {
        try (WireServer server = started;
                RawClient client = server.connect()) {
            try {
                scenario.with(server, client);
                assertClosed(client, cause, detail);
            } finally {
                go.countDown();
            }
        }
    }

    private static void begin(Exchange exchange, int length) throws IOException {
        exchange.response().head(new ResponseHead(200, Fields.EMPTY, length));
        exchange.response().write(ByteBuffer.wrap(new byte[] {'a'}), false);
        exchange.response().flush();
    }

    /** Hangs, and then ends the exchange, so that the exchange releases its head. */
    private void answerLate(Exchange exchange) throws Exception {
        hang(exchange);
        Site.text(exchange, "late");
    }

    private void hang(Exchange exchange) throws InterruptedException {
        inside.countDown();
        while (go.getCount() > 0) {
            try {
                go.await();
            } catch (InterruptedException e) {
                continue; // ignores the interrupt
            }
        }
    }

    private void awaitInside() throws InterruptedException {
        assertTrue(inside.await(60, TimeUnit.SECONDS));
    }

    @ParameterizedTest
    @EnumSource(CloseCause.class)
    void eachCloseCauseIsReportedAndCountedAndLogged(CloseCause cause) throws Exception {
        switch (cause) {
            case CLIENT_CLOSED ->
                check(server(Site::echo), cause, "", (server, client) -> {
                    client.send(GET);
                    client.answer();
                    client.halfClose();
                });
            case REQUEST_CLOSE ->
                check(
                        server(Site::echo),
                        cause,
                        "",
                        (server, client) -> client.send(GET.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n")));
            case CLIENT_RESET ->
                check(server(Site::echo), cause, "Connection reset", (server, client) -> {
                    client.send(GET);
                    client.answer();
                    client.reset();
                });
            case CLIENT_LEFT ->
                check(
                        server(new WireConfig().workers(1), new Site().on("/hang", this::answerLate)),
                        cause,
                        "",
                        (server, client) -> {
                            try (RawClient running = server.connect()) {
                                running.send("GET /hang HTTP/1.1\r\nHost: x\r\n\r\n");
                                awaitInside();
                                client.send(GET).halfClose();
                                events.awaitClosed(client);
                                go.countDown();
                            }
                        });
            case PROXY_HEADER ->
                behindProxy(cause, "it does not begin with PROXY", (server, client) -> client.send("PUT /"));
            case HANDSHAKE_FAILED -> handshake();
            case TLS_FAILED ->
                overTls(cause, "a second handshake", (server, client) -> {
                    EngineClient tls = new EngineClient(client, "TLSv1.2").handshake();
                    tls.engine().beginHandshake();
                    client.send(tls.handshakeRecords());
                });
            case TRUNCATED ->
                overTls(cause, "", (server, client) -> {
                    new EngineClient(client).handshake().send(GET).exactly(12);
                    client.halfClose();
                });
            case REQUEST_INCOMPLETE ->
                check(server(Site::echo), cause, "the body ended early", (server, client) -> client.send(POST + "he")
                        .halfClose());
            case BAD_REQUEST ->
                check(server(Site::echo), cause, "no Host", (server, client) -> client.send("GET /a HTTP/1.1\r\n\r\n"));
            case REQUEST_TOO_LARGE ->
                check(
                        server(new WireConfig(), new Site().bodyLimit(4)),
                        cause,
                        "body-limit",
                        (server, client) -> client.send(POST));
            case PROXY_HEADER_TIMEOUT ->
                behindProxy(cause, "", (server, client) -> server.passUntilTimeout(LONGER, cause.id()));
            case HANDSHAKE_TIMEOUT ->
                check(
                        server(new WireConfig().overTls().timeByHand().handshakeTimeout(SHORT), new Site()),
                        cause,
                        "",
                        (server, client) -> server.passUntilTimeout(LONGER, cause.id()));
            case HEAD_TIMEOUT ->
                check(
                        server(new WireConfig().timeByHand().headTimeout(SHORT), new Site()),
                        cause,
                        "",
                        (server, client) -> {
                            client.send("GET /a HT");
                            server.passUntilTimeout(LONGER, cause.id());
                            client.halfClose();
                        });
            case BODY_TIMEOUT ->
                check(
                        server(new WireConfig().timeByHand().bodyStall(SHORT), new Site()),
                        cause,
                        "body-stall-timeout",
                        (server, client) -> {
                            client.send(POST + "he");
                            server.passUntilTimeout(LONGER, "body-stall-timeout");
                            client.halfClose();
                        });
            case KEEP_ALIVE_TIMEOUT ->
                check(
                        server(new WireConfig().timeByHand().keepAlive(SHORT), new Site()),
                        cause,
                        "",
                        (server, client) -> {
                            client.send(GET);
                            client.answer();
                            server.passUntilTimeout(LONGER, cause.id());
                        });
            case WRITE_STALL_TIMEOUT ->
                unread(
                        new WireConfig().timeByHand().writeStall(SHORT),
                        new Site().on("/a", exchange -> Site.text(exchange, "x".repeat(1 << 20))),
                        cause,
                        "",
                        server -> server.passUntilTimeout(LONGER, cause.id()));
            case UPGRADE_IDLE_TIMEOUT ->
                check(server(new WireConfig().timeByHand().upgradeIdle(SHORT), echo()), cause, "", (server, client) -> {
                    client.send(RawEcho.REQUEST);
                    client.answer();
                    server.passUntilTimeout(LONGER, cause.id());
                });
            case SERVICE_TIMEOUT ->
                check(
                        server(new WireConfig().timeByHand().serviceTimeout(SHORT), new Site().on("/a", exchange -> {
                                    begin(exchange, 10);
                                    hang(exchange);
                                })),
                        cause,
                        "",
                        (server, client) -> {
                            client.send(GET);
                            awaitInside();
                            server.pass(LONGER);
                            server.pass(LONGER);
                        });
            case RESPONSE_CLOSE ->
                check(
                        server(exchange -> {
                            Fields close = new FieldList().add("Connection", "close");
                            exchange.response().head(new ResponseHead(200, close, 0));
                            exchange.response().finish(Fields.EMPTY);
                        }),
                        cause,
                        "",
                        (server, client) -> client.send(GET));
            case CLOSE_DELIMITED ->
                check(
                        server(exchange -> {
                            begin(exchange, -1);
                            exchange.response().finish(Fields.EMPTY);
                        }),
                        cause,
                        "",
                        (server, client) -> client.send("GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"));
            case BODY_UNREAD ->
                check(server(Site::echo), cause, "", (server, client) -> client.send(POST.replace("/a", "/refused")));
            case RESPONSE_INCOMPLETE ->
                check(
                        server(exchange -> {
                            begin(exchange, 10);
                            exchange.response().finish(Fields.EMPTY);
                        }),
                        cause,
                        "",
                        (server, client) -> client.send(GET));
            case APPLICATION_FAILED ->
                check(
                        server(exchange -> {
                            begin(exchange, 10);
                            throw new IllegalStateException("on purpose");
                        }),
                        cause,
                        "java.lang.IllegalStateException: on purpose",
                        (server, client) -> client.send(GET));
            case RESPONSE_CUT -> cut();
            case UPGRADE_ENDED ->
                check(
                        server(
                                new WireConfig(),
                                new Site().on("/up", RawEcho.switching(exchange -> new RawEcho(exchange) {
                                    @Override
                                    public void begin(RawConnection connection) {
                                        connection.close();
                                    }
                                }))),
                        cause,
                        "",
                        (server, client) -> client.send(RawEcho.REQUEST));
            case OVERLOADED ->
                check(
                        server(
                                new WireConfig().timeByHand().workers(1).queueAge(SHORT),
                                new Site().on("/hang", this::answerLate)),
                        cause,
                        "queue-age",
                        (server, client) -> {
                            try (RawClient running = server.connect()) {
                                running.send("GET /hang HTTP/1.1\r\nHost: x\r\n\r\n");
                                awaitInside();
                                client.send(POST.replace("/a", "/stream") + "he");
                                server.pass(LONGER);
                                assertEquals(503, client.answer().status());
                                client.halfClose();
                                go.countDown();
                                events.awaitClosed(client);
                            }
                        });
            case MEMORY_BUDGET ->
                check(
                        server(new WireConfig().headBudget(70_000), new Site()),
                        cause,
                        "head-budget",
                        (server, client) -> client.send("GET /a HTTP/1.1\r\nHost: x\r\nA: " + "x".repeat(20_000)));
            case DISK_FULL -> diskFull();
            case OUT_OF_MEMORY ->
                check(
                        server(exchange -> {
                            begin(exchange, 10);
                            throw new OutOfMemoryError("on purpose");
                        }),
                        cause,
                        "java.lang.OutOfMemoryError: on purpose",
                        (server, client) -> client.send(GET));
            case MAX_CONNECTIONS -> refused();
            case REPLACED ->
                check(
                        server(new WireConfig().maxConnections(1, ConnectionsPolicy.REPLACE), new Site()),
                        cause,
                        "",
                        (server, client) -> {
                            events.awaitOpened(1);
                            try (RawClient newcomer = server.connect().send(GET)) {
                                assertEquals(200, newcomer.answer().status());
                            }
                        });
            case SERVER_STOPPING ->
                check(server(Site::echo), cause, "", (server, client) -> {
                    events.awaitOpened(1);
                    server.transport.stop(Duration.ofSeconds(10));
                });
            case SHUTDOWN_TIMEOUT ->
                check(
                        server(exchange -> {
                            begin(exchange, 10);
                            inside.countDown();
                            go.await();
                        }),
                        cause,
                        "",
                        (server, client) -> {
                            client.send(GET);
                            awaitInside();
                            server.transport.stop(Duration.ZERO);
                        });
            case INTERNAL_ERROR ->
                check(
                        server(new WireConfig(), new Site() {
                            @Override
                            public Verdict admit(RequestHead head) {
                                throw new IllegalStateException("on purpose");
                            }
                        }),
                        cause,
                        "java.lang.IllegalStateException: on purpose",
                        (server, client) -> client.send(GET));
        }
    }

    private static Site echo() {
        return new Site().on("/up", RawEcho.switching(RawEcho::new));
    }

    /** An action that runs while a client does not read its response. */
    private interface ServerAction {
        void run(WireServer server) throws Exception;
    }

    private void unread(WireConfig config, Site site, CloseCause cause, String detail, ServerAction action)
            throws Exception {
        try (WireServer server = server(config.sendBuffer(4096).responseSpoolLimit(0), site);
                RawClient client = server.connectWithReceiveBuffer(4096)) {
            client.send(GET);
            action.run(server);
            assertClosed(client, cause, detail);
        }
    }

    /** Checks the close of a connection to the second listener, which expects a PROXY header. */
    private void behindProxy(CloseCause cause, String detail, Scenario scenario) throws Exception {
        TrustedProxies proxies = new TrustedProxies(
                List.of(Network.parse("127.0.0.1")),
                Switch.OFF,
                TrustedProxies.ForwardedFields.X_FORWARDED,
                Switch.ON,
                Duration.ofMillis(SHORT));
        WireConfig config = new WireConfig().overSockets().timeByHand().proxies(proxies);
        try (WireServer server = new WireServer(
                        config,
                        new Site(),
                        events,
                        layer -> List.of(
                                WireServer.listenerOver(layer),
                                WireServer.listenerOver(
                                        (resources, tls) -> new ProxyLayer(LinkLayer.NONE, resources))));
                RawClient client = server.connectWithoutLayer(1)) {
            scenario.with(server, client);
            assertClosed(client, cause, detail);
        }
    }

    private void handshake() throws Exception {
        LinkLayer failing = (socket, opening) -> {
            throw new ConnectionClosed(CloseCause.HANDSHAKE_FAILED, "on purpose");
        };
        check(
                new WireServer(
                        new WireConfig().overSockets(),
                        new Site(),
                        events,
                        layer -> List.of(WireServer.listener(failing))),
                CloseCause.HANDSHAKE_FAILED,
                "on purpose",
                (server, client) -> assertEquals("", client.rest()));
    }

    /** Checks the close of a TLS connection. The scenario creates the TLS records with an {@link EngineClient}. */
    private void overTls(CloseCause cause, String detail, Scenario scenario) throws Exception {
        try (WireServer server = server(new WireConfig().overTls(), new Site());
                RawClient client = server.connectWithoutLayer(0)) {
            scenario.with(server, client);
            assertClosed(client, cause, detail);
        }
    }

    private void refused() throws Exception {
        WireConfig config = new WireConfig().overSockets().maxConnections(1, ConnectionsPolicy.REFUSE);
        try (WireServer server = server(config, new Site());
                RawClient first = server.connect()) {
            events.awaitOpened(1);
            try (RawClient second = server.connect()) {
                assertEquals(503, second.answer().status());
                second.halfClose();
                assertClosed(second, CloseCause.MAX_CONNECTIONS, "");
            }
            first.halfClose();
            assertClosed(first, CloseCause.CLIENT_CLOSED, "");
        }
    }

    private void cut() throws Exception {
        Site site = new Site().on("/a", exchange -> Site.text(exchange, "x".repeat(8 << 20)));
        WireConfig config = new WireConfig()
                .sendBuffer(4096)
                .responseSpoolLimit(0)
                .workers(2)
                .maxStreaming(1);
        try (WireServer server = server(config, site);
                RawClient first = server.connectWithReceiveBuffer(4096);
                RawClient second = server.connectWithReceiveBuffer(4096)) {
            first.send(GET);
            await().until(() -> server.counters.value(Counter.RESPONSE_SPOOL_EXCEEDED) > 0);
            second.send(GET);
            await().until(() -> server.counters.value(Counter.RESPONSES_CUT) > 0);
            second.rest(); // reads the bytes that were sent before the close
            assertClosed(
                    second,
                    CloseCause.RESPONSE_CUT,
                    "the client reads too slowly, and too many workers wait for clients already");
            first.reset();
        }
    }

    private void diskFull() throws Exception {
        String post = "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 45000\r\n\r\n";
        try (WireServer server = server(new WireConfig().pipes(4096, 1024).spoolLimit(50_000), new Site());
                RawClient first = server.connect();
                RawClient second = server.connect()) {
            first.send(post + "x".repeat(44_000));
            await().until(() -> server.transport.spool().used() >= 40_000);
            second.send(post + "x".repeat(20_000));
            assertEquals(503, second.answer().status());
            second.halfClose();
            assertClosed(second, CloseCause.DISK_FULL, "spool-limit");
        }
    }

    // ---- closes with several causes

    @Test
    void aLingerTimeoutDoesNotReplaceTheCauseOfTheClose() throws Exception {
        try (WireServer server = server(new WireConfig(), new Site());
                RawClient client = server.connect()) {
            client.send("GET /a HTTP/1.1\r\n\r\n");
            assertEquals(400, client.answer().status());
            events.awaitTimeout("linger-timeout");
            assertClosed(client, CloseCause.BAD_REQUEST, "no Host");
        }
    }

    @Test
    void aResetDuringTheLastResponseIsReportedAsTheCause() throws Exception {
        Site site = new Site().on("/a", exchange -> Site.text(exchange, "x".repeat(60_000)));
        try (WireServer server = server(new WireConfig().sendBuffer(4096), site);
                RawClient client = server.connectWithReceiveBuffer(4096)) {
            client.send(GET.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"));
            server.awaitHeld();
            client.reset();
            assertTrue(events.awaitClosed(client).startsWith("client-reset"), events.awaitClosed(client));
        }
    }

    @Test
    void anIncompleteHeadIsReportedAsAnIncompleteRequest() throws Exception {
        check(server(Site::echo), CloseCause.REQUEST_INCOMPLETE, "", (server, client) -> client.send("GET /a HT")
                .halfClose());
    }

    /**
     * The server refuses a body while the handler reads the body. The reported cause must be the refusal, although the handler then sends a
     * response.
     */
    @Test
    void theRefusalOfABodyIsReportedAsTheCauseDespiteALaterResponse() throws Exception {
        check(
                server(new WireConfig(), new Site().bodyLimit(3)),
                CloseCause.REQUEST_TOO_LARGE,
                "body-limit",
                (server, client) -> client.send(
                        "POST /stream HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"));
    }

    /**
     * The application throws an exception after the response has begun, so the server resets the connection. The reported cause must be the
     * exception.
     */
    @Test
    void anExceptionDuringAResponseIsReportedAsTheCause() throws Exception {
        check(
                server(exchange -> {
                    begin(exchange, -1);
                    throw new IOException("no more rows", new IllegalStateException("on purpose"));
                }),
                CloseCause.APPLICATION_FAILED,
                "java.io.IOException: no more rows",
                (server, client) -> client.send("GET /a HTTP/1.0\r\n\r\n"));
    }

    /**
     * The client resets the connection, and the application throws an exception because of the failed write. The reported cause must be the
     * reset.
     */
    @Test
    void aResetIsReportedAsTheCauseIfItMakesAWriteFail() throws Exception {
        Site site = new Site().on("/a", exchange -> {
            inside.countDown();
            go.await();
            try {
                Site.text(exchange, "x".repeat(1 << 20));
            } catch (IOException e) {
                throw new IllegalStateException("could not answer", e);
            }
        });
        check(server(new WireConfig(), site), CloseCause.CLIENT_RESET, "Connection reset", (server, client) -> {
            client.send(GET);
            awaitInside();
            client.reset();
            events.awaitClosed(client);
            go.countDown();
        });
    }

    @Test
    void anOutOfMemoryErrorOnTheReactorIsReportedAsTheCause() throws Exception {
        Site site = new Site() {
            @Override
            public Verdict admit(RequestHead head) {
                throw new OutOfMemoryError("on purpose");
            }
        };
        check(
                server(new WireConfig(), site),
                CloseCause.OUT_OF_MEMORY,
                "java.lang.OutOfMemoryError: on purpose",
                (server, client) -> {
                    client.send(GET);
                    events.awaitClosed(client);
                    assertEquals(0, server.counters.value(Counter.CLIENTS_GONE));
                });
    }

    // ---- connections that end before the first request

    @Test
    void theClientAddressIsLoggedIfAConnectionIsClosedWithoutAResponse() throws Exception {
        List<RawClient> crowd = new ArrayList<>();
        int refused = 2 * ConnectionAcceptor.MAX_REFUSED + 10;
        WireConfig config = new WireConfig().overSockets().reactors(2).maxConnections(1, ConnectionsPolicy.REFUSE);
        try (WireServer server = server(config, new Site())) {
            CountDownLatch blocked = new CountDownLatch(1);
            crowd.add(server.connect());
            events.awaitOpened(1);
            server.transport
                    .reactors()
                    .get(1)
                    .execute(
                            () -> { // this reactor is blocked and cannot respond, so its refused clients stay connected
                                inside.countDown();
                                awaitQuietly(blocked);
                            });
            awaitInside();
            try {
                for (int i = 0; i < refused; i++) {
                    crowd.add(server.connect());
                }
                await().until(() -> crowd.stream().anyMatch(this::isLoggedWithItsAddress));
            } finally {
                blocked.countDown();
            }
        } finally {
            for (RawClient client : crowd) {
                client.close();
            }
        }
        assertEquals(refused, events.closes.count(CloseCause.MAX_CONNECTIONS));
    }

    private boolean isLoggedWithItsAddress(RawClient client) {
        return events.log
                .lines()
                .contains("DEBUG Connection /127.0.0.1:" + client.port() + ": closed: max-connections");
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void anOutOfMemoryErrorInTheLinkLayerIsReportedAsTheCause() throws Exception {
        LinkLayer withoutMemory = (socket, opening) -> {
            throw new OutOfMemoryError("on purpose");
        };
        try (WireServer server = new WireServer(
                        new WireConfig().overSockets(),
                        new Site(),
                        events,
                        layer -> List.of(WireServer.listener(withoutMemory)));
                RawClient client = server.connect()) {
            assertEquals("", client.rest());
            String end = ": closed: out-of-memory: java.lang.OutOfMemoryError: on purpose";
            await().until(() -> events.log.lines().stream().anyMatch(line -> line.endsWith(end)));
            assertEquals(1, events.closes.count(CloseCause.OUT_OF_MEMORY));
        }
    }

    // ---- files

    /**
     * The server must not report a read error of the disk as a disconnect of the client. The parameter decides which thread sends the file:
     * a reactor if a service timeout is set, otherwise a worker.
     */
    @ParameterizedTest
    @ValueSource(ints = {0, 60_000})
    void aReadErrorOfAFileIsReportedAsTheCause(int serviceTimeout) throws Exception {
        Path path = Files.write(folder.resolve("file"), new byte[10]);
        Site site = new Site().on("/a", exchange -> {
            exchange.response().head(new ResponseHead(200, Fields.EMPTY, 10));
            exchange.response().write(new Unreadable(path), 0, 10, true);
        });
        check(
                server(new WireConfig().serviceTimeout(serviceTimeout), site),
                CloseCause.INTERNAL_ERROR,
                "a file could not be read while it was sent: java.io.IOException: Input/output error",
                (server, client) -> {
                    client.send(GET);
                    events.awaitClosed(client);
                    assertEquals(0, server.counters.value(Counter.CLIENTS_GONE));
                    assertEquals(1, events.failed().size(), "failures that the server reported");
                });
    }

    /** The body ends with the connection, so an orderly end would show the client a whole body. The parameter is as above. */
    @ParameterizedTest
    @ValueSource(ints = {0, 60_000})
    void aReadErrorOfAFileResetsAConnectionWhoseEndIsTheEndOfTheBody(int serviceTimeout) throws Exception {
        Path path = Files.write(folder.resolve("file"), new byte[10]);
        Site site = new Site().on("/a", exchange -> {
            exchange.response().head(new ResponseHead(200, Fields.EMPTY, -1));
            exchange.response().write(ByteBuffer.wrap(new byte[10]), false);
            exchange.response().flush();
            go.await(); // the client has the first part
            exchange.response().write(new Unreadable(path), 0, 10, false);
            exchange.response().finish(Fields.EMPTY);
        });
        try (WireServer server = server(new WireConfig().overSockets().serviceTimeout(serviceTimeout), site);
                RawClient client = server.connect()) {
            client.send("GET /a HTTP/1.0\r\n\r\n");
            while (!client.line().isEmpty()) {
                // a line of the head
            }
            client.exactly(10);
            go.countDown();
            assertThrows(IOException.class, client::rest);
        }
    }

    /** A file that cannot be read. */
    private static final class Unreadable extends ForwardingFile {
        Unreadable(Path path) throws IOException {
            super(FileChannel.open(path, StandardOpenOption.READ));
        }

        @Override
        public int read(ByteBuffer target, long position) throws IOException {
            throw new IOException("Input/output error");
        }

        @Override
        public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
            throw new IOException("Input/output error");
        }
    }
}
