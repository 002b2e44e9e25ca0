package io.penstock.tls;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.LiveObjects;
import io.penstock.http1.RawClient;
import io.penstock.http1.RecordedEvents;
import io.penstock.http1.Site;
import io.penstock.http1.WireConfig;
import io.penstock.http1.WireServer;
import io.penstock.limits.Counter;
import io.penstock.limits.Tls.TlsLimits;
import io.penstock.server.Listener;
import java.io.IOException;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.net.ssl.SNIMatcher;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the memory of handshakes that clients begin and do not end. It must count in the budget, and must not keep out other clients. If a
 * share of the budget is used up, the handshake that has waited longest is closed.
 */
@Tag("alone")
final class UnfinishedHandshakesTest {
    private static final String GET = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n";
    private static final String CLOSED = "memory-budget: tls-budget";

    /** The smallest budget. A quarter of it has room for three engines with their records. */
    private static final int BUDGET = 256 << 10;

    private static final int ROOM = 3;

    private final ConcurrentLinkedQueue<WeakReference<SSLEngine>> made = new ConcurrentLinkedQueue<>();
    private final List<RawClient> open = new ArrayList<>();

    @AfterEach
    void closeClients() throws IOException {
        for (RawClient client : open) {
            client.close();
        }
    }

    private WireServer server(TlsLimits limits, Consumer<SSLParameters> rules) throws IOException {
        TlsEngines engines = TestIdentity.engines(rules);
        TlsEngines noted = serverName -> {
            SSLEngine engine = engines.create(serverName);
            made.add(new WeakReference<>(engine));
            return engine;
        };
        return new WireServer(
                new WireConfig().overTls().timeByHand().tls(limits),
                new Site(),
                new RecordedEvents(),
                layer -> List.of(Listener.tls(new InetSocketAddress("127.0.0.1", 0), noted)));
    }

    private WireServer server() throws IOException {
        return server(new TlsLimits(1, 16, BUDGET), parameters -> {});
    }

    private RawClient raw(WireServer server) throws IOException {
        RawClient raw = server.connectWithoutLayer(0);
        open.add(raw);
        return raw;
    }

    private static WaitingHandshakes waiting(WireServer server) {
        return server.transport.tls().waiting();
    }

    /** A client that has begun its handshake, and does not continue. */
    private final class Waiting {
        private final RawClient raw;
        private final EngineClient client;

        Waiting(WireServer server, String version) throws IOException {
            raw = raw(server);
            client = new EngineClient(raw, version);
            raw.send(client.hello());
        }

        void assertServed() throws IOException {
            assertTrue(client.handshake().send(GET).exactly(12).startsWith("HTTP/1.1 200"));
        }
    }

    private List<Waiting> waiting(WireServer server, String version, int count) throws IOException {
        List<Waiting> all = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            long held = (long) i * Handshake.ENGINE;
            all.add(new Waiting(server, version));
            await().until(() -> waiting(server).held() >= held);
        }
        return all;
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void theEnginesCountInTheBudgetUntilTheHandshakesEnd(String version) throws Exception {
        try (WireServer server = server()) {
            List<Waiting> all = waiting(server, version, ROOM);
            assertTrue(server.transport.tls().bufferBytes() >= ROOM * Handshake.ENGINE);
            for (Waiting one : all) {
                one.assertServed();
            }
            await().until(() -> server.transport.tls().bufferBytes() == 0);
            assertEquals(0, waiting(server).held());
            assertEquals(0, server.counters.value(Counter.TLS_BUDGET_EXCEEDED));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void theHandshakeThatHasWaitedLongestIsClosedIfTheShareIsUsedUp(String version) throws Exception {
        try (WireServer server = server()) {
            List<Waiting> all = waiting(server, version, ROOM);
            Waiting latest = new Waiting(server, version);
            assertEquals(CLOSED, server.events.awaitClosed(all.get(0).raw));
            latest.assertServed();
            for (Waiting one : all.subList(1, ROOM)) {
                one.assertServed();
            }
            assertEquals(1, server.counters.value(Counter.TLS_BUDGET_EXCEEDED));
        }
    }

    @Test
    void manyUnfinishedHandshakesDoNotKeepOutAnotherClient() throws Exception {
        try (WireServer server = server()) {
            for (int i = 0; i < 100; i++) {
                Waiting attacker = new Waiting(server, "TLSv1.3");
                attacker.client.read();
                assertTrue(server.transport.tls().bufferBytes() <= BUDGET);
            }
            new Waiting(server, "TLSv1.3").assertServed();
            closeClients();
            server.awaitNothingHeld();
        }
    }

    @Test
    void incompleteRecordsOfHandshakesAreInTheSameShare() throws Exception {
        int length = 16_000;
        int room = BUDGET / 4 / length;
        try (WireServer server = server()) {
            List<RawClient> all = new ArrayList<>();
            for (int i = 1; i <= room; i++) {
                long held = (long) i * length;
                all.add(raw(server).send(Arrays.copyOf(new byte[] {22, 3, 3, 64, 0}, length)));
                await().until(() -> waiting(server).held() == held);
            }
            Waiting latest = new Waiting(server, "TLSv1.3");
            assertEquals(CLOSED, server.events.awaitClosed(all.get(0)));
            latest.assertServed();
        }
    }

    @Test
    void aClientWhoseFirstRecordIsIncompleteCostsNoEngine() throws Exception {
        try (WireServer server = server()) {
            RawClient raw = raw(server);
            EngineClient client = new EngineClient(raw);
            byte[] hello = client.hello();
            int most = hello.length - 1;
            raw.send(Arrays.copyOf(hello, most));
            await().until(() -> server.transport.tls().bufferBytes() == most);
            assertEquals(0, made.size());
            raw.send(Arrays.copyOfRange(hello, most, hello.length));
            assertTrue(client.handshake().send(GET).exactly(12).startsWith("HTTP/1.1 200"));
        }
    }

    /** The connection stays open, so that the client can read the alert. */
    @Test
    void theEngineOfAFailedHandshakeIsGarbage() throws Exception {
        try (WireServer server = server()) {
            RawClient raw = raw(server).send(RawTlsRecords.plain(RawTlsRecords.HANDSHAKE, new byte[] {2, 0, 0, 0}));
            assertTrue(raw.rest().length() > 0);
            assertEquals(1, server.transport.connections().open().count());
            await().until(() -> {
                System.gc();
                return made.element().get() == null;
            });
            assertEquals(1, server.transport.connections().open().count());
            assertEquals(0, server.transport.tls().bufferBytes());
        }
    }

    /** Occupies the thread of the handshakes until the test lets it go. */
    private static final class Occupied extends SNIMatcher {
        final CountDownLatch begun = new CountDownLatch(1);
        final CountDownLatch go = new CountDownLatch(1);

        Occupied() {
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
    }

    /**
     * A record has room for four thousand tiny messages. An engine makes some 700 KB of objects of them. These must not wait for a thread,
     * because many connections can have such records.
     */
    @Test
    void theMessagesOfARecordAreNoObjectsWhileItsHandshakeWaitsForAThread() throws Exception {
        int count = 20;
        Occupied occupied = new Occupied();
        try (WireServer server =
                server(new TlsLimits(1, 1000, 64 << 20), parameters -> parameters.setSNIMatchers(List.of(occupied)))) {
            RawClient first = raw(server);
            byte[] hello = new EngineClient(first).hello();
            first.send(hello);
            occupied.begun.await();
            byte[] content = Arrays.copyOf(Arrays.copyOfRange(hello, 5, hello.length), 16_000);
            for (int at = hello.length - 5; at + 4 <= content.length; at += 4) {
                content[at] = 16; // an empty ClientKeyExchange
            }
            byte[] record = RawTlsRecords.plain(
                    RawTlsRecords.HANDSHAKE,
                    Arrays.copyOf(content, hello.length - 5 + (content.length - hello.length + 5) / 4 * 4));
            List<RawClient> all = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                all.add(raw(server));
            }
            long before = LiveObjects.bytes();
            for (RawClient one : all) {
                one.send(record);
            }
            await().until(() -> server.transport.tls().pendingTasks() == count + 1);
            long each = (LiveObjects.bytes() - before) / count;
            assertTrue(each < 64 << 10, () -> "bytes for each client: " + each);
            Reference.reachabilityFence(record);
            occupied.go.countDown();
            for (RawClient one : all) {
                assertTrue(one.rest().length() > 0);
                one.close();
                String cause = server.events.awaitClosed(one);
                assertTrue(cause.startsWith("handshake-failed: "), cause);
            }
            closeClients();
            server.awaitNothingHeld();
        }
    }
}
