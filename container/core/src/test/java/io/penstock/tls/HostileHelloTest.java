package io.penstock.tls;

import static io.penstock.tls.RawTlsRecords.ALERT;
import static io.penstock.tls.RawTlsRecords.DATA;
import static io.penstock.tls.RawTlsRecords.HANDSHAKE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.http1.RawClient;
import io.penstock.http1.WireConfig;
import io.penstock.http1.WireServer;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Sends unusual ClientHello messages to a server. The server must refuse a malformed message with a fatal alert. The server must
 * accept a valid message, and serve a request after the handshake.
 */
final class HostileHelloTest {
    private static final String GET = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n";
    private static final byte FATAL = 2;

    private WireServer server;

    @BeforeEach
    void start() throws IOException {
        server = WireServer.echo(new WireConfig().overTls());
    }

    @AfterEach
    void stop() throws IOException, InterruptedException {
        try (WireServer ends = server) {
            ends.awaitNothingHeld();
        }
    }

    private static void assertServed(RawTlsClient client) throws IOException {
        assertTrue(client.send(GET).data().startsWith("HTTP/1.1 200"));
    }

    private void assertRefused(RawClient raw, RawTlsClient client) throws IOException {
        assertRefused(raw, client.alert());
    }

    private void assertRefused(RawClient raw, byte[] alert) throws IOException {
        assertEquals(FATAL, alert[0], () -> Arrays.toString(alert));
        assertTrue(raw.isAtEnd());
        raw.close();
        String closed = server.events.awaitClosed(raw);
        assertTrue(closed.startsWith("handshake-failed: "), closed);
    }

    // ---- ClientHello messages in several records

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void aClientHelloInTwoRecordsIsAcceptedForEachSplitPosition(String version) throws IOException {
        boolean more = true;
        for (int cut = 1; more; cut++) {
            try (RawClient raw = server.connectWithoutLayer(0)) {
                RawTlsClient client = new RawTlsClient(raw, version);
                byte[] hello = client.hello().bytes();
                more = cut + 1 < hello.length;
                raw.send(RawTlsRecords.plain(HANDSHAKE, Arrays.copyOf(hello, cut)));
                raw.send(RawTlsRecords.plain(HANDSHAKE, Arrays.copyOfRange(hello, cut, hello.length)));
                assertServed(client.helloSent());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void anAlertOrDataBetweenTwoPartsOfAClientHelloIsRefused(String version) throws IOException {
        for (byte type : new byte[] {ALERT, DATA}) {
            try (RawClient raw = server.connectWithoutLayer(0)) {
                RawTlsClient client = new RawTlsClient(raw, version);
                raw.send(RawTlsRecords.plain(
                        HANDSHAKE, Arrays.copyOf(client.hello().bytes(), 20)));
                raw.send(RawTlsRecords.plain(type, (byte) 1, (byte) 1));
                assertRefused(raw, client);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void aSecondClientHelloInTheHandshakeIsRefused(String version) throws IOException {
        try (RawClient raw = server.connectWithoutLayer(0)) {
            RawTlsClient client = new RawTlsClient(raw, version);
            byte[] hello = RawTlsRecords.plain(HANDSHAKE, client.hello().bytes());
            raw.send(RawTlsSecrets.join(hello, hello));
            assertRefused(raw, client.isTls13() ? client.helloSent() : client);
        }
    }

    /** The server does not support early data. */
    @Test
    void earlyDataIsRefused() throws IOException {
        try (RawClient raw = server.connectWithoutLayer(0)) {
            RawTlsClient client = new RawTlsClient(raw, "TLSv1.3");
            client.hello().with(RawClientHello.EARLY_DATA);
            byte[] early = new RawTlsRecords(true, new byte[16], new byte[12]).seal(DATA, RawTlsSecrets.latin(GET));
            raw.send(RawTlsSecrets.join(
                    RawTlsRecords.plain(HANDSHAKE, client.hello().bytes()), early));
            assertRefused(raw, client.helloSent());
        }
    }

    // ---- server names

    static Stream<Arguments> invalidNames() {
        return both(
                hello -> hello.named("a".repeat(65_000)),
                hello -> hello.named("x.test", "y.test"), // two names of one type (RFC 6066 section 3)
                hello -> hello.named(""),
                hello -> hello.with(RawClientHello.SERVER_NAME, HexFormat.of().parseHex("0000")),
                hello -> hello.with(RawClientHello.SERVER_NAME, HexFormat.of().parseHex("0004000001")),
                hello -> hello.with(RawClientHello.SERVER_NAME, HexFormat.of().parseHex("00040000ffff")),
                hello -> hello.named("server.test."),
                hello -> hello.named("a".repeat(300)),
                hello -> hello.named("server.test\0.evil"),
                hello -> hello.named("\u00ff\u0000\n"));
    }

    @ParameterizedTest
    @MethodSource("invalidNames")
    void aClientHelloWithAMalformedServerNameIsRefused(String version, UnaryOperator<RawClientHello> change)
            throws IOException {
        try (RawClient raw = server.connectWithoutLayer(0)) {
            RawTlsClient client = new RawTlsClient(raw, version);
            for (byte[] record : inRecords(change.apply(client.hello()).bytes())) {
                raw.send(record);
            }
            assertRefused(raw, client);
        }
    }

    private static byte[][] inRecords(byte[] message) {
        int most = 1 << 14;
        byte[][] records = new byte[(message.length + most - 1) / most][];
        for (int i = 0; i < records.length; i++) {
            byte[] part = Arrays.copyOfRange(message, i * most, Math.min(message.length, (i + 1) * most));
            records[i] = RawTlsRecords.plain(HANDSHAKE, part);
        }
        return records;
    }

    static Stream<Arguments> unknownNameOrNoName() {
        return both(hello -> hello.named("127.0.0.1"), hello -> hello);
    }

    /** The client sends an IP address as the server name, or no server name. The server then uses its first certificate. */
    @ParameterizedTest
    @MethodSource("unknownNameOrNoName")
    void aClientHelloWithAnUnknownServerNameOrWithoutServerNameIsAccepted(
            String version, UnaryOperator<RawClientHello> change) throws IOException {
        try (RawClient raw = server.connectWithoutLayer(0)) {
            RawTlsClient client = new RawTlsClient(raw, version);
            byte[] hello = change.apply(client.hello()).bytes();
            assertServed(client.handshake(hello, UnaryOperator.identity()));
        }
    }

    /**
     * The result depends on the JDK. OpenJDK 17.0.21 refuses two extensions of the same type (RFC 8446 section 4.2). OpenJDK 17.0.15 uses
     * one of the names.
     */
    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void theJdkDecidesIfAClientHelloWithTwoServerNameExtensionsIsRefusedOrAccepted(String version) throws IOException {
        try (RawClient raw = server.connectWithoutLayer(0)) {
            RawTlsClient client = new RawTlsClient(raw, version);
            client.hello().named("x.test").named("y.test");
            raw.send(RawTlsRecords.plain(HANDSHAKE, client.hello().bytes()));
            if (client.isRefused()) {
                assertRefused(raw, client.last().bytes());
            } else {
                assertServed(client.helloSent());
            }
        }
    }

    @SafeVarargs
    private static Stream<Arguments> both(UnaryOperator<RawClientHello>... changes) {
        return Stream.of("TLSv1.3", "TLSv1.2")
                .flatMap(version -> Arrays.stream(changes).map(change -> Arguments.of(version, change)));
    }
}
