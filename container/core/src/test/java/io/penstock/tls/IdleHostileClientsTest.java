package io.penstock.tls;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.exchange.Exchange;
import io.penstock.http.Fields;
import io.penstock.http.ResponseHead;
import io.penstock.http1.RawClient;
import io.penstock.http1.Site;
import io.penstock.http1.WireConfig;
import io.penstock.http1.WireServer;
import io.penstock.limits.Counter;
import io.penstock.limits.Tls.TlsLimits;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests clients that stop sending in the middle of a handshake, a record or a body, and stay connected. Such clients must not keep a
 * thread busy. The server must close each connection at a deadline, and release all buffers.
 */
final class IdleHostileClientsTest {
    private static final Pattern THREADS = Pattern.compile("(worker|reactor|tls)-\\d+");
    private static final Duration MEASURED_TIME = Duration.ofSeconds(1);
    private static final int LARGE = 32 << 20;
    private static final int HOLDERS =
            9; // their parts of records use up three quarters of 256 KB, except for a working buffer
    private static final byte[] GARBAGE = new byte[100];

    private final CountDownLatch done = new CountDownLatch(1);

    private Site site() {
        return new Site().on("/large", IdleHostileClientsTest::large).on("/stream", exchange -> {
            assertTrue(done.await(60, TimeUnit.SECONDS));
            Site.text(exchange, "late");
        });
    }

    private static void large(Exchange exchange) throws IOException {
        exchange.response().head(new ResponseHead(200, Fields.EMPTY, LARGE));
        exchange.response().write(ByteBuffer.allocate(LARGE), true);
    }

    private static String request(String method, String path, int length) {
        return method + " " + path + " HTTP/1.1\r\nHost: x\r\nContent-Length: " + length + "\r\n\r\n";
    }

    /** Idle clients of one server. Each client has stopped in the middle of a handshake, a request or a response. */
    private record Crowd(WireServer server, List<RawClient> clients, String version) implements AutoCloseable {
        RawClient raw() throws IOException {
            RawClient raw = server.connectWithoutLayer(0);
            clients.add(raw);
            return raw;
        }

        RawTlsClient connectWithHandshake() throws IOException {
            return new RawTlsClient(raw(), version).handshake();
        }

        void connectIdleClients() throws IOException {
            byte[] hello = RawTlsRecords.plain(
                    RawTlsRecords.HANDSHAKE,
                    new RawTlsClient(raw(), version).hello().bytes());
            raw().send(Arrays.copyOf(hello, 3));
            raw().send(Arrays.copyOf(hello, hello.length - 1));
            raw().send(hello); // the client never sends the rest of the handshake
            raw().send(GARBAGE); // the client is refused and stays connected
            raw().send("GET / HTTP/1.1\r\n\r\n");
            connectWithHandshake();
            RawTlsClient half = connectWithHandshake();
            last().send(Arrays.copyOf(half.out().seal(RawTlsRecords.DATA, GARBAGE), 50));
            RawTlsClient slow =
                    connectWithHandshake().send(request("POST", "/a", 1000)).send("b");
            assertEquals(version.equals("TLSv1.3"), slow.isTls13());
            connectWithHandshake().send(request("GET", "/large", 0));
            connectWithHandshake()
                    .send(request("GET", "/large", 0))
                    .send(RawTlsRecords.ALERT, (byte) 1, (byte) 0); // close_notify: the end of the client's stream
            connectWithHandshake().send(request("POST", "/stream", LARGE));
            fillPipe();
            RawTlsClient wants = connectWithHandshake().send(request("GET", "/large", 0));
            for (int i = 0; wants.isTls13() && i < 20; i++) {
                last().send(wants.update(1));
            }
            connectWithHandshake().send(request("GET", "/large", 0));
            last().halfClose();
        }

        private RawClient last() {
            return clients.get(clients.size() - 1);
        }

        /** Sends a part of a body that the application does not read. The part is larger than the buffer of the server. */
        private void fillPipe() throws IOException {
            RawTlsClient uploads = connectWithHandshake().send(request("POST", "/stream", LARGE));
            for (int i = 0; i < 20; i++) {
                uploads.send(RawTlsRecords.DATA, new byte[16_000]);
            }
        }

        @Override
        public void close() throws IOException {
            for (RawClient client : clients) {
                client.close();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void noThreadIsBusyWithIdleClients(String version) throws Exception {
        WireConfig config = new WireConfig()
                .overTls()
                .timeByHand()
                .handshakeTimeout(10_000)
                .workers(8)
                .pipes(64 << 10, 16 << 10);
        try (WireServer server = WireServer.with(config, site())) {
            try (Crowd crowd = new Crowd(server, new ArrayList<>(), version)) {
                crowd.connectIdleClients();
                assertThreadsAreIdle();
                assertTrue(server.transport.tls().bufferBytes() > 0);
                done.countDown();
                awaitDeadlines(server);
            }
        }
    }

    /** Waits until deadlines have closed the connections of all clients. */
    private static void awaitDeadlines(WireServer server) throws IOException {
        server.pass(Duration.ofSeconds(11));
        await().until(() -> server.counters.value(Counter.HANDSHAKE_TIMEOUTS) == 4);
        await().until(() -> {
            server.pass(Duration.ofMinutes(10));
            return server.transport.connections().open().count() == 0;
        });
        server.awaitNothingHeld();
    }

    /** A reactor (a thread that reads from connections) must not retry in a busy loop while no memory is free. */
    @Test
    void noThreadIsBusyWhileClientsWaitForMemory() throws Exception {
        WireConfig config = new WireConfig().overTls().timeByHand().tls(new TlsLimits(1, 16, 256 << 10));
        try (WireServer server = WireServer.echo(config)) {
            try (Crowd crowd = new Crowd(server, new ArrayList<>(), "TLSv1.3")) {
                for (int i = 1; i <= HOLDERS; i++) {
                    long held = i * 16_000L;
                    crowd.connectWithHandshake();
                    crowd.last().send(Arrays.copyOf(new byte[] {RawTlsRecords.DATA, 3, 3, 64, 0}, 16_000));
                    await().until(() -> server.transport.tls().bufferBytes() == held);
                }
                for (int i = 0; i < 5; i++) {
                    crowd.raw().send(GARBAGE);
                }
                await().until(() -> server.counters.value(Counter.TLS_BUDGET_EXCEEDED) >= 5);
                assertThreadsAreIdle();
            }
            server.awaitNothingHeld();
        }
    }

    /** Asserts that the threads of the server use less than a tenth of the time of one processor. */
    private static void assertThreadsAreIdle() {
        await().untilAsserted(() -> {
            long before = processorNanos();
            long began = System.nanoTime();
            await().during(MEASURED_TIME).until(() -> true);
            long took = System.nanoTime() - began;
            long used = processorNanos() - before;
            assertTrue(used * 10 < took, () -> "the threads used " + used + " ns of processor time in " + took + " ns");
        });
    }

    private static long processorNanos() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> THREADS.matcher(thread.getName()).matches())
                .mapToLong(thread -> threads.getThreadCpuTime(thread.getId()))
                .sum();
    }
}
