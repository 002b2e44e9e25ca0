package io.penstock.tls;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.exchange.ConnectionState;
import io.penstock.http1.RawClient;
import io.penstock.http1.WireConfig;
import io.penstock.http1.WireServer;
import io.penstock.limits.Tls.TlsLimits;
import io.penstock.metrics.Gauge;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks that slow clients do not block other clients. Many clients are slow during the handshake or in the middle of a record. The server
 * has only one worker and one handshake thread.
 */
final class SlowHandshakeTest {
    private static final String GET = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n";
    private static final int CLIENTS = 60;

    private static WireServer server() throws IOException {
        return WireServer.echo(new WireConfig().overTls().workers(1).tls(new TlsLimits(1, 2 * CLIENTS, 8 << 20)));
    }

    private static void assertAnswered(WireServer server) throws IOException {
        try (RawClient client = server.connect()) {
            for (int i = 0; i < 3; i++) {
                assertEquals("GET /a\n", client.send(GET).answer().body());
            }
        }
    }

    /** A client that has sent only a part of its records. It sends the remaining bytes later. */
    private static final class Held {
        private final RawClient raw;
        private final EngineClient client;
        private byte[] rest = {};

        Held(WireServer server, String version) throws IOException {
            raw = server.connectWithoutLayer(0);
            client = new EngineClient(raw, version);
        }

        /** Sends the first {@code count} bytes of the records. {@link #sendRestAndAssertAnswered} sends the remaining bytes. */
        void send(byte[] records, int count) throws IOException {
            raw.send(Arrays.copyOf(records, count));
            rest = Arrays.copyOfRange(records, count, records.length);
        }

        void sendRestAndAssertAnswered() throws IOException {
            raw.send(rest);
            client.handshake();
            assertTrue(client.send(GET).exactly(12).startsWith("HTTP/1.1 200"));
            raw.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void incompleteClientHellosDoNotBlockTheWorker(String version) throws Exception {
        try (WireServer server = server()) {
            List<Held> slow = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                Held held = new Held(server, version);
                byte[] hello = held.client.hello();
                held.send(hello, 1 + i * (hello.length - 1) / CLIENTS);
                slow.add(held);
            }
            awaitHandshakes(server);
            assertAnswered(server);
            server.awaitRest();
            for (Held held : slow) {
                held.sendRestAndAssertAnswered();
            }
        }
    }

    /** The server has sent its response to each ClientHello, and waits for the next message of each client. */
    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void incompleteHandshakesDoNotBlockTheWorkerOrTheHandshakeThread(String version) throws Exception {
        try (WireServer server = server()) {
            List<Held> slow = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                Held held = new Held(server, version);
                held.raw.send(held.client.hello());
                held.client.read(); // the first record of the server
                slow.add(held);
            }
            await().until(() -> server.transport.gauges().value(Gauge.TLS_TASKS) == 0);
            awaitHandshakes(server);
            assertAnswered(server);
            for (Held held : slow) {
                held.sendRestAndAssertAnswered();
            }
        }
    }

    /** The clients send one byte at a time. The head of a request is one record, and the body consists of three records. */
    @Test
    void theWorkerIsNotBlockedByRecordsThatArriveByteByByte() throws Exception {
        String post = "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\n";
        int clients = 10;
        try (WireServer server = server()) {
            List<EngineClient> slow = new ArrayList<>();
            List<RawClient> sockets = new ArrayList<>();
            List<byte[]> unsent = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                RawClient raw = server.connectWithoutLayer(0);
                EngineClient client = new EngineClient(raw).handshake();
                sockets.add(raw);
                slow.add(client);
                byte[] head = client.encrypt(post);
                byte[] body = joined(client.encrypt("a"), client.encrypt("b"), client.encrypt("c"));
                unsent.add(joined(head, body));
            }
            int length = unsent.get(0).length;
            for (int sent = 0; sent < length - 1; sent++) {
                for (int i = 0; i < clients; i++) {
                    sockets.get(i).send(new byte[] {unsent.get(i)[sent]});
                }
                if (sent % 20 == 0) {
                    assertAnswered(server);
                }
            }
            assertAnswered(server);
            for (int i = 0; i < clients; i++) {
                sockets.get(i).send(new byte[] {unsent.get(i)[length - 1]});
                assertTrue(slow.get(i).exactly(12).startsWith("HTTP/1.1 200"));
                sockets.get(i).close();
            }
        }
    }

    private static byte[] joined(byte[]... parts) {
        int length = Arrays.stream(parts).mapToInt(part -> part.length).sum();
        byte[] all = new byte[length];
        int at = 0;
        for (byte[] part : parts) {
            System.arraycopy(part, 0, all, at, part.length);
            at += part.length;
        }
        return all;
    }

    private static void awaitHandshakes(WireServer server) {
        await().until(() -> server.transport.census(0).counts().get(ConnectionState.HANDSHAKE) == CLIENTS);
    }
}
