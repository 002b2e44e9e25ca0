package io.penstock.standalone;

import static io.penstock.standalone.AttackedServer.ATTACKERS;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/**
 * Attackers send heads of which the server makes much more than their bytes, and then let the requests wait. The budget of heads must count
 * all of it, and must leave room for the requests of honest users.
 */
class HeadAttacksIT {

    /** What a connection itself may take in the heap, without the heads of its requests. */
    private static final long CONNECTION = 4096;

    private static final long OTHER_GROWTH = 8 << 20;

    /** The heads of honest users come and go. */
    private static final long HONEST_REQUESTS = 64 << 10;

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private static final String HOST = " HTTP/1.1\r\nHost: localhost\r\n";
    private static final String PARAMETERS = "/hello.txt" + ";a".repeat(4000);
    private static final String FEW_PARAMETERS = "/hello.txt" + ";a".repeat(900);

    @TempDir
    Path folder;

    private String attack;

    @BeforeEach
    void remember(TestInfo test) {
        attack = test.getDisplayName();
    }

    private void attack(String... requests) throws IOException, InterruptedException {
        try (AttackedServer server = AttackedServer.start(
                folder,
                List.of(SuspendedServlet.class, EchoEndpoint.class),
                "--head-timeout=10m",
                "--body-stall-timeout=10m")) {
            try (Crowd attackers = new Crowd(server.port())) {
                attackers.connect(ATTACKERS, i -> requests[i % requests.length].getBytes(StandardCharsets.ISO_8859_1));
                attackers.awaitSent();
                double heads = settledHeads(server);
                double budget = server.metric("penstock_head_budget_bytes");
                long grown = server.liveHeap() - server.heapBefore();
                int open = attackers.open();
                System.out.printf(
                        "%s: %d attackers, %d still connected: heads %.1f of %.1f MB, heap grown by %.1f MB%n",
                        attack, ATTACKERS, open, heads / 1e6, budget / 1e6, grown / 1e6);
                assertTrue(heads <= budget);
                assertTrue(
                        grown <= heads + open * CONNECTION + OTHER_GROWTH,
                        () -> "the heap grew by " + grown + " bytes, with " + heads + " bytes of heads");
                server.assertHonestUsersAreServed();
                attackers.reset();
            }
            server.awaitHeapOfBefore();
        }
    }

    /** Waits until the server has read what the attackers have sent. Returns the bytes of heads that it counts then. */
    private static double settledHeads(AttackedServer server) {
        double[] last = {-1};
        await().pollInterval(Duration.ofSeconds(1)).atMost(PATIENCE).until(() -> {
            double before = last[0];
            last[0] = server.metric("penstock_head_bytes");
            return Math.abs(last[0] - before) < HONEST_REQUESTS;
        });
        return last[0];
    }

    @Test
    void pathParametersOfRequestsWhoseBodiesDoNotCome() throws Exception {
        attack("POST " + PARAMETERS + HOST + "Content-Length: 10\r\n\r\n");
    }

    @Test
    void pathParametersInSmallHeads() throws Exception {
        attack("POST " + FEW_PARAMETERS + HOST + "Content-Length: 10\r\n\r\n");
    }

    @Test
    void halfOfALargeHead() throws Exception {
        attack("GET " + PARAMETERS + HOST + "X: " + "y".repeat(30_000));
    }

    @Test
    void smallHeadsThatAreNeverComplete() throws Exception {
        attack("GET /hello.txt" + HOST + "X: " + "y".repeat(1500));
    }

    @Test
    void requestsBehindASuspendedRequest() throws Exception {
        attack(
                "GET /suspended" + HOST + "\r\n" + ("GET " + PARAMETERS + HOST + "\r\n").repeat(16),
                "GET /suspended" + HOST + "\r\n" + ("GET " + FEW_PARAMETERS + HOST + "\r\n").repeat(16),
                "GET /suspended" + HOST + "\r\n" + ("GET /hello.txt" + HOST + "\r\n").repeat(16));
    }

    @Test
    void refusedRequestsBehindASuspendedRequest() throws Exception {
        attack("GET /suspended" + HOST + "\r\n" + "GET /a/../.." + HOST + "X: " + "y".repeat(30_000) + "\r\n\r\n");
    }

    /** Each session keeps its URI as long as it is open. */
    @Test
    void webSocketsWithLongUris() throws Exception {
        attack("GET /echo?" + "q".repeat(7900) + HOST + "Connection: Upgrade\r\nUpgrade: websocket" + ", x".repeat(5000)
                + "\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
    }

    @Test
    void webSocketHandshakesThatStopHalfWay() throws Exception {
        attack("GET /echo" + HOST
                + "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSo");
    }

    @Test
    void halfOfATrailerSection() throws Exception {
        attack("POST /hello.txt" + HOST + "Transfer-Encoding: chunked\r\n\r\n0\r\n" + "a:\r\n".repeat(90) + "X: "
                + "y".repeat(7500));
    }

    @Test
    void halfOfAChunkExtension() throws Exception {
        attack("POST /hello.txt" + HOST + "Transfer-Encoding: chunked\r\n\r\n5;" + "a;".repeat(500));
    }
}
