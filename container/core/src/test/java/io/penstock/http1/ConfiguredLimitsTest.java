package io.penstock.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.http.Fields;
import io.penstock.http.ResponseHead;
import io.penstock.limits.ConfigurationSources;
import io.penstock.limits.Counter;
import io.penstock.limits.Key;
import io.penstock.limits.Origin;
import io.penstock.limits.ServerConfig;
import io.penstock.time.ManualClock;
import java.time.Duration;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * In each test, a client or a response exceeds a limit. The server must react as described by {@link Key#consequence}, and must increase
 * the counter of the limit.
 */
class ConfiguredLimitsTest {

    private static final String CHUNKED = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";

    static Stream<Arguments> messagesBeyondALimit() {
        return Stream.of(
                Arguments.of(Key.REQUEST_LINE_LIMIT, "64", "GET /" + "a".repeat(64) + " HTTP/1.1\r\nHost: a\r\n\r\n"),
                Arguments.of(
                        Key.HEADER_BYTES_LIMIT,
                        "256",
                        "GET / HTTP/1.1\r\nHost: a\r\nX: " + "a".repeat(256) + "\r\n\r\n"),
                Arguments.of(Key.HEADER_COUNT_LIMIT, "2", "GET / HTTP/1.1\r\nHost: a\r\nX: 1\r\nX: 2\r\n\r\n"),
                Arguments.of(Key.CHUNK_EXTENSION_LIMIT, "10", CHUNKED + "1;x=" + "a".repeat(50) + "\r\na\r\n0\r\n\r\n"),
                Arguments.of(Key.TRAILER_BYTES_LIMIT, "20", CHUNKED + "0\r\nX: " + "a".repeat(50) + "\r\n\r\n"));
    }

    static Stream<Arguments> incompleteMessages() {
        return Stream.of(
                Arguments.of(Key.HEAD_TIMEOUT, "100ms", "GET / HTTP/1.1\r\nHost:"),
                Arguments.of(
                        Key.BODY_STALL_TIMEOUT, "100ms", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nab"));
    }

    @ParameterizedTest
    @MethodSource("messagesBeyondALimit")
    void aMessageThatExceedsALimitIsRefusedAndCounted(Key key, String value, String request) throws Exception {
        try (WireServer server = new WireServer(config(key, value), new Site())) {
            Cuts.onNewConnections(server, request, client -> {
                assertEquals(key.consequence().status(), client.answer().status());
                assertTrue(client.isAtEnd());
            });
            assertEquals(request.length(), server.counters.value(counter(key)));
        }
    }

    @ParameterizedTest
    @MethodSource("incompleteMessages")
    void aRequestIsRefusedAndCountedIfItsClientStopsSending(Key key, String value, String request) throws Exception {
        try (WireServer server = new WireServer(config(key, value), new Site(), new ManualClock())) {
            try (RawClient client = server.connect()) {
                client.send(request);
                server.pass(Duration.ofMillis(120));
                assertEquals(key.consequence().status(), client.answer().status());
                assertTrue(client.isAtEnd());
            }
            assertEquals(1, server.counters.value(counter(key)));
        }
    }

    @Test
    void aBodyThatExceedsTheLimitIsRefusedAndCounted() throws Exception {
        try (WireServer server = WireServer.echo();
                RawClient client = server.connect()) {
            client.send("POST /limited HTTP/1.1\r\nHost: a\r\nContent-Length: 11\r\n\r\n");
            assertEquals(Key.BODY_LIMIT.consequence().status(), client.answer().status());
            assertEquals(1, server.counters.value(Counter.BODY_TOO_LARGE));
        }
    }

    @Test
    void anIdleConnectionIsClosedAndCounted() throws Exception {
        try (WireServer server = new WireServer(config(Key.KEEP_ALIVE_TIMEOUT, "100ms"), new Site());
                RawClient client = server.connect()) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            assertEquals(200, client.answer().status());
            assertTrue(client.isAtEnd());
            assertEquals(1, server.counters.value(Counter.KEEP_ALIVE_TIMEOUTS));
        }
    }

    @Test
    void aConnectionThatExceedsTheLimitIsRefusedAndCounted() throws Exception {
        try (WireServer server = new WireServer(config(Key.MAX_CONNECTIONS, "1"), new Site());
                RawClient first = server.connect()) {
            first.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            assertEquals(200, first.answer().status());
            try (RawClient second = server.connect()) {
                assertEquals(
                        Key.MAX_CONNECTIONS.consequence().status(),
                        second.answer().status());
                assertTrue(second.isAtEnd());
            }
            assertEquals(1, server.counters.value(Counter.CONNECTIONS_REFUSED));
        }
    }

    @Test
    void aResponseThatExceedsTheShutdownTimeoutIsCounted() throws Exception {
        Site site = new Site().on("/endless", exchange -> {
            exchange.response().head(new ResponseHead(200, Fields.EMPTY, -1));
            exchange.response().flush();
        });
        WireServer server = WireServer.with(new WireConfig(), site);
        try (RawClient client = server.connect()) {
            client.send("GET /endless HTTP/1.1\r\nHost: a\r\n\r\n");
            assertEquals("HTTP/1.1 200 OK", client.line());
            server.transport.stop(Duration.ofMillis(50));
            assertEquals(1, server.counters.value(Counter.SHUTDOWN_TIMEOUTS));
        }
    }

    private static Counter counter(Key key) {
        return Objects.requireNonNull(key.consequence().counter());
    }

    private static ServerConfig config(Key key, String value) {
        Origin code = new Origin.Code();
        return ServerConfig.of(new ConfigurationSources()
                .flag(Key.HOST, "127.0.0.1", code)
                .flag(Key.PORT, "0", code)
                .flag(Key.WORKERS, "2", code)
                .flag(key, value, code)
                .resolve());
    }
}
