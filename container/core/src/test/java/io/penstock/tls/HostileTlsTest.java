package io.penstock.tls;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.http1.RawClient;
import io.penstock.http1.RecordedEvents;
import io.penstock.http1.Site;
import io.penstock.http1.WireConfig;
import io.penstock.http1.WireServer;
import io.penstock.limits.Counter;
import io.penstock.limits.Tls.TlsLimits;
import io.penstock.server.Listener;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SNIMatcher;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests clients that break the rules of TLS or use unusual features. The server must send an alert to a client that breaks the rules. If a
 * client does not complete its handshake, the server must close the connection at a deadline. All buffers of the connection must be
 * released.
 */
final class HostileTlsTest {
    private static final String GET = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n";
    private static final byte HANDSHAKE = 22;
    private static final byte ALERT = 21;
    private static final byte DATA = 23;
    private static final byte FATAL = 2;
    private static final byte UNEXPECTED_MESSAGE = 10;
    private static final byte INTERNAL_ERROR = 80;
    private static final int LENGTH_OF_CIPHER_SUITES =
            5 + 4 + 2 + 32 + 1 + 32; // after record head, message head, version, random bytes, session id

    private static WireConfig config() {
        return new WireConfig().overTls();
    }

    private static WireServer server() throws IOException {
        return WireServer.echo(config());
    }

    /** Connects a client that sends its bytes as they are, without TLS. */
    private static RawClient raw(WireServer server) throws IOException {
        return server.connectWithoutLayer(0);
    }

    private static void assertAnswered(EngineClient client) throws IOException {
        assertTrue(client.exactly(12).startsWith("HTTP/1.1 200"));
    }

    /** Asserts that the last record of the server is an alert, and that the end of the stream follows. */
    private static void assertAlertAndEnd(RawClient client) throws IOException {
        byte[] all = client.rest().getBytes(StandardCharsets.ISO_8859_1);
        ByteBuffer records = ByteBuffer.wrap(all);
        byte last = -1;
        while (records.hasRemaining()) {
            last = records.get();
            records.position(records.position() + 2);
            int length = records.getShort();
            records.position(records.position() + length);
        }
        assertEquals(ALERT, last);
    }

    private static byte[] record(byte type, byte[] content) {
        return ByteBuffer.allocate(5 + content.length)
                .put(type)
                .put(new byte[] {3, 3})
                .putShort((short) content.length)
                .put(content)
                .array();
    }

    // ---- a handshake in several parts

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void allBuffersAreReleasedWhenTheClientClosesAfterAnyByteOfTheHandshake(String version) throws Exception {
        try (WireServer server = server()) {
            boolean cut = true;
            for (int most = 0; cut; most++) {
                try (RawClient raw = raw(server)) {
                    cut = isCut(new EngineClient(raw, version), raw, most);
                }
                server.events.awaitClosed(most + 1);
            }
            server.awaitNothingHeld();
        }
    }

    /**
     * Sends at most {@code most} bytes of the handshake, and then the end of the stream. Returns whether the handshake needs more bytes.
     */
    private static boolean isCut(EngineClient client, RawClient raw, int most) throws IOException {
        int[] left = {most};
        client.over(records -> {
            int count = Math.min(left[0], records.length);
            left[0] -= count;
            raw.send(Arrays.copyOf(records, count));
            if (count < records.length) {
                raw.halfClose();
                throw new EOFException("cut");
            }
        });
        try {
            client.handshake();
            return false;
        } catch (EOFException e) {
            // Wait until the server closes the connection.
            raw.rest();
            return true;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void requestsAreServedEvenIfTheirRecordsArriveByteByByte(String version) throws Exception {
        try (WireServer server = server();
                RawClient raw = raw(server)) {
            EngineClient client = new EngineClient(raw, version).over(records -> {
                for (byte b : records) {
                    raw.send(new byte[] {b});
                }
            });
            client.handshake();
            for (int i = 0; i < 3; i++) {
                assertAnswered(client.send(GET));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void aClientHelloInRecordsOfOneByteIsAccepted(String version) throws Exception {
        try (WireServer server = server();
                RawClient raw = raw(server)) {
            boolean[] first = {true};
            EngineClient client = new EngineClient(raw, version);
            client.over(records -> {
                raw.send(first[0] ? inRecordsOfOneByte(records) : records);
                first[0] = false;
            });
            assertAnswered(client.handshake().send(GET));
        }
    }

    private static byte[] inRecordsOfOneByte(byte[] record) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int i = 5; i < record.length; i++) {
            all.writeBytes(record(HANDSHAKE, new byte[] {record[i]}));
        }
        return all.toByteArray();
    }

    @Test
    void aRequestInRecordsOfOneByteIsServed() throws Exception {
        try (WireServer server = server();
                RawClient raw = raw(server)) {
            EngineClient client = new EngineClient(raw).handshake();
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            String request = "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 3000\r\n\r\n" + "b".repeat(3000);
            for (int i = 0; i < request.length(); i++) {
                all.writeBytes(client.encrypt(request.substring(i, i + 1)));
            }
            raw.send(all.toByteArray());
            assertAnswered(client);
        }
    }

    @Test
    void aSmallResponseIsSentInOneRecord() throws Exception {
        try (WireServer server = server();
                RawClient raw = raw(server)) {
            EngineClient client = new EngineClient(raw).handshake().send(GET);
            String response = "";
            while (response.isEmpty()) {
                // The first records can be session tickets, without data of the response.
                response = client.read();
            }
            assertTrue(response.startsWith("HTTP/1.1 200") && response.endsWith("GET /a\n"), response);
        }
    }

    // ---- handshakes that fail

    @Test
    void aClientHelloOf16MegabytesIsRefusedWithAnAlert() throws Exception {
        try (WireServer server = server();
                RawClient raw = raw(server)) {
            byte[] part = new byte[16_000];
            part[0] = 1; // the message type ClientHello
            Arrays.fill(part, 1, 4, (byte) 0xFF); // the length of the message
            raw.send(record(HANDSHAKE, part));
            FutureTask<Boolean> sending = new FutureTask<>(() -> {
                for (int i = 0; i < 1000; i++) {
                    raw.send(record(HANDSHAKE, new byte[16_000]));
                }
                raw.halfClose();
                return true;
            });
            new Thread(sending, "sender").start();
            assertAlertAndEnd(raw);
            assertTrue(sending.get(60, TimeUnit.SECONDS));
            assertTrue(
                    server.events.awaitClosed(raw).startsWith("handshake-failed: The size of the handshake message"));
        }
    }

    @Test
    void aHandshakeInTooManySmallRecordsIsRefused() throws Exception {
        try (WireServer server = server();
                RawClient raw = raw(server)) {
            raw.send(record(HANDSHAKE, new byte[] {1, 0, 0x70, 0}));
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            for (int i = 0; i < 5000; i++) {
                all.writeBytes(record(HANDSHAKE, new byte[1]));
            }
            raw.send(all.toByteArray()).halfClose();
            assertAlertAndEnd(raw);
            assertEquals("handshake-failed: too many records", server.events.awaitClosed(raw));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u0080\u002e\u0001\u0003\u0001\u0000\u0015", // SSL 2
                "\u0000\u0000\u0000\u0000\u0000\u0000",
                "\u0016\u0009\u0009\u0000\u0010xxxxxxxxxxxxxxxx", // an unknown version
                "\u0016\u0003\u0001\u0000\u0004\u0063\u0000\u0000\u0000", // an unknown message type
                "\u0016\u0003\u0001\u00ff\u00ff", // a record that is too long
                "\u0016\u0003\u0001\u0060\u0000", // a record that is too long, but that the engine would accept
                "\u0017\u0003\u0003\u0000\u0002xx" // data
            })
    void anAlertIsSentIfAConnectionBeginsWithInvalidBytes(String bytes) throws Exception {
        try (WireServer server = server();
                RawClient raw = raw(server).send(bytes)) {
            assertAlertAndEnd(raw);
            raw.close();
            assertTrue(server.events.awaitClosed(raw).startsWith("handshake-failed"));
            server.awaitNothingHeld();
        }
    }

    @Test
    void aRequestWithoutTlsGetsStatus400() throws Exception {
        try (WireServer server = server();
                RawClient raw = raw(server)) {
            raw.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n");
            raw.send(new byte[1_000_000]);
            assertEquals(400, raw.answer().status());
            assertEquals("", raw.rest());
            raw.close();
            assertEquals("handshake-failed: a request without TLS", server.events.awaitClosed(raw));
        }
    }

    @Test
    void theServerClosesTheConnectionAtTheLingerTimeoutAfterAFailedHandshake() throws Exception {
        try (WireServer server = WireServer.echo(config().timeByHand());
                RawClient raw = raw(server).send(GET)) {
            assertEquals(400, raw.answer().status());
            assertEquals("", raw.rest());
            server.pass(Duration.ofSeconds(6));
            assertEquals("handshake-failed: a request without TLS", server.events.awaitClosed(raw));
            assertEquals(1, server.counters.value(Counter.LINGER_TIMEOUTS));
        }
    }

    @Test
    void connectionsWithAnIncompleteHandshakeAreClosedAtTheDeadline() throws Exception {
        try (WireServer server = WireServer.echo(config().timeByHand().handshakeTimeout(100))) {
            List<RawClient> clients = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                RawClient raw = raw(server);
                byte[] hello = new EngineClient(raw).hello();
                raw.send(i % 2 == 0 ? hello : Arrays.copyOf(hello, 100));
                clients.add(raw);
            }
            server.pass(Duration.ofMillis(140));
            for (RawClient client : clients) {
                client.rest();
                assertEquals("handshake-timeout", server.events.awaitClosed(client));
                client.close();
            }
            assertEquals(20, server.counters.value(Counter.HANDSHAKE_TIMEOUTS));
            server.awaitNothingHeld();
        }
    }

    // ---- after the handshake

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void anAlertIsSentIfARecordWasChangedAfterItsEncryption(String version) throws Exception {
        try (WireServer server = server();
                RawClient raw = raw(server)) {
            EngineClient client = new EngineClient(raw, version).handshake();
            byte[] record = client.encrypt(GET);
            record[record.length - 1] ^= 1;
            raw.send(record);
            assertThrows(SSLException.class, client::rest);
            assertTrue(server.events.awaitClosed(raw).startsWith("tls-failed: "));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0xFFFF, 0x6000, 0x4200})
    void anAlertIsSentIfARecordIsTooLong(int length) throws Exception {
        try (WireServer server = server();
                RawClient raw = raw(server)) {
            EngineClient client = new EngineClient(raw).handshake();
            raw.send(new byte[] {DATA, 3, 3, (byte) (length >> 8), (byte) length});
            assertThrows(SSLException.class, client::rest);
            assertTrue(server.events.awaitClosed(raw).startsWith("tls-failed: "));
        }
    }

    /**
     * Before Java 25, the engine creates no alert for a ClientHello that it cannot decode. Then the server must send a fatal alert.
     * Otherwise the client would treat the close as an orderly end of the connection. Since Java 25, the engine creates the alert
     * internal_error.
     */
    @Test
    void aFatalAlertIsSentIfAClientHelloCannotBeDecoded() throws Exception {
        try (WireServer server = server();
                RawClient raw = raw(server)) {
            byte[] hello = new EngineClient(raw).hello();
            hello[LENGTH_OF_CIPHER_SUITES] = 17;
            raw.send(hello);
            byte[] answer = raw.rest().getBytes(StandardCharsets.ISO_8859_1);
            assertEquals(List.of(ALERT, FATAL), List.of(answer[0], answer[5]));
            assertTrue(answer[6] == UNEXPECTED_MESSAGE || answer[6] == INTERNAL_ERROR, () -> "alert " + answer[6]);
            assertTrue(server.events.awaitClosed(raw).startsWith("handshake-failed: "));
        }
    }

    @Test
    void aSecondHandshakeIsRefused() throws Exception {
        try (WireServer server = server();
                RawClient raw = raw(server)) {
            EngineClient client = new EngineClient(raw, "TLSv1.2").handshake();
            assertAnswered(client.send(GET));
            client.engine().beginHandshake();
            raw.send(client.handshakeRecords());
            // The engine of the client throws this exception only when it receives a fatal alert.
            SSLException alert = assertThrows(SSLException.class, client::rest);
            assertTrue(String.valueOf(alert.getMessage()).contains("fatal alert"), alert::toString);
            assertEquals("tls-failed: a second handshake", server.events.awaitClosed(raw));
        }
    }

    @Test
    void aRequestIsServedAfterEachOf32KeyUpdates() throws Exception {
        try (WireServer server = server();
                RawClient raw = raw(server)) {
            EngineClient client = new EngineClient(raw).handshake();
            for (int i = 0; i < 32; i++) {
                client.engine().beginHandshake();
                raw.send(client.handshakeRecords());
                assertAnswered(client.send(GET));
            }
        }
    }

    @Test
    void aFloodOfKeyUpdatesIsRefused() throws Exception {
        try (WireServer server = server();
                RawClient raw = raw(server)) {
            EngineClient client = new EngineClient(raw).handshake();
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            for (int i = 0; i < 40; i++) {
                client.engine().beginHandshake();
                all.writeBytes(client.handshakeRecords());
            }
            // All records are sent together. So the server has read all of them when it closes the connection. A close
            // with unread bytes would cause a reset.
            raw.send(all.toByteArray());
            client.rest();
            assertTrue(raw.isAtEnd());
            assertEquals("tls-failed: too many records without data", server.events.awaitClosed(raw));
        }
    }

    @Test
    void anEndOfStreamWithoutCloseNotifyIsReportedAsTruncation() throws Exception {
        try (WireServer server = server();
                RawClient raw = raw(server)) {
            EngineClient client = new EngineClient(raw).handshake();
            assertAnswered(client.send(GET));
            raw.halfClose();
            assertEquals("truncated", server.events.awaitClosed(raw));
        }
    }

    @Test
    void anIncompleteRequestBodyIsReportedAsTruncation() throws Exception {
        try (WireServer server = server();
                RawClient raw = raw(server)) {
            EngineClient client = new EngineClient(raw).handshake();
            client.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc");
            byte[] more = client.encrypt("d");
            raw.send(Arrays.copyOf(more, more.length - 1)).halfClose();
            assertEquals("truncated", server.events.awaitClosed(raw));
        }
    }

    // ---- limits

    /** Blocks the handshake tasks of a server until the test counts down {@link #go}. */
    private static final class Blocked extends SNIMatcher {
        final CountDownLatch begun = new CountDownLatch(1);
        final CountDownLatch go = new CountDownLatch(1);

        Blocked() {
            super(0);
        }

        @Override
        public boolean matches(SNIServerName name) {
            begun.countDown();
            try {
                return go.await(60, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }

        WireServer server(WireConfig config) throws IOException {
            TlsEngines engines = TestIdentity.engines(parameters -> parameters.setSNIMatchers(List.of(this)));
            return new WireServer(
                    config,
                    new Site(),
                    new RecordedEvents(),
                    layer -> List.of(Listener.tls(new InetSocketAddress("127.0.0.1", 0), engines)));
        }
    }

    @Test
    void aNewConnectionIsClosedWhenTooManyHandshakeTasksWait() throws Exception {
        Blocked blocked = new Blocked();
        try (WireServer server = blocked.server(config().tls(new TlsLimits(1, 2, 8 << 20)));
                RawClient runs = raw(server);
                RawClient waits = raw(server);
                RawClient refused = raw(server)) {
            EngineClient first = new EngineClient(runs);
            runs.send(first.hello());
            blocked.begun.await();
            EngineClient second = new EngineClient(waits);
            waits.send(second.hello());
            await().until(() -> server.transport.tls().pendingTasks() == 2);
            refused.send(new EngineClient(refused).hello());
            assertEquals("", refused.rest());
            assertEquals("overloaded: tls-tasks", server.events.awaitClosed(refused));
            assertEquals(1, server.counters.value(Counter.TLS_TASKS_REFUSED));
            blocked.go.countDown();
            assertAnswered(first.handshake().send(GET));
            assertAnswered(second.handshake().send(GET));
        }
    }

    @Test
    void theServerCanStopWhileAHandshakeTaskRuns() throws Exception {
        Blocked blocked = new Blocked();
        WireServer server = blocked.server(config());
        try (RawClient raw = raw(server)) {
            raw.send(new EngineClient(raw).hello());
            blocked.begun.await();
            FutureTask<Boolean> stopping = new FutureTask<>(() -> {
                server.close();
                return true;
            });
            new Thread(stopping, "stopper").start();
            assertEquals("", raw.rest());
            assertEquals("server-stopping", server.events.awaitClosed(raw));
            blocked.go.countDown();
            assertTrue(stopping.get(60, TimeUnit.SECONDS));
        }
    }

    @Test
    void theHandshakeFailsOrTimesOutAfterAnEmptyHandshakeRecord() throws Exception {
        try (WireServer server = WireServer.echo(config().timeByHand().handshakeTimeout(10_000));
                RawClient raw = raw(server).send(record(HANDSHAKE, new byte[0]))) {
            server.pass(Duration.ofSeconds(11));
            raw.rest();
            assertTrue(server.events.awaitClosed(raw).startsWith("handshake-"));
        }
    }

    /** Incomplete records of some clients use all memory for TLS. Another client must be served when these clients disconnect. */
    @Test
    void aWaitingClientIsServedWhenOtherClientsReleaseTheirMemory() throws Exception {
        try (WireServer server = WireServer.echo(config().tls(new TlsLimits(1, 16, 256 << 10)))) {
            List<RawClient> holders = new ArrayList<>();
            String post = "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n";
            while (server.counters.value(Counter.TLS_BUDGET_EXCEEDED) == 0) {
                RawClient raw = raw(server);
                holders.add(raw);
                EngineClient client = new EngineClient(raw);
                FutureTask<Boolean> sending = new FutureTask<>(() -> {
                    byte[] record = client.handshake().send(post).encrypt("b".repeat(16_000));
                    raw.send(Arrays.copyOf(record, record.length - 1));
                    return true;
                });
                new Thread(sending, "holder").start();
                await().until(() -> server.transport.tls().bufferBytes() >= holders.size() * 16_000L
                        || server.counters.value(Counter.TLS_BUDGET_EXCEEDED) > 0);
            }
            try (RawClient raw = raw(server)) {
                EngineClient client = new EngineClient(raw);
                raw.send(client.hello());
                for (RawClient holder : holders) {
                    holder.reset();
                }
                assertAnswered(client.handshake().send(GET));
            }
            server.awaitNothingHeld();
        }
    }
}
