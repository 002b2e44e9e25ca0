package io.penstock;

import static io.penstock.PromptWaits.PATIENCE;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.admin.JsonValue;
import io.penstock.events.ConnectionEvents;
import io.penstock.limits.Counter;
import io.penstock.metrics.Gauge;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the admin port of an overloaded server. The admin port must answer even if no worker is idle, the queue of waiting requests is
 * full, the limit of connections is reached, and no memory and no disk space for request bodies are left. The admin port must also answer
 * if the reactor (the thread that reads from all client sockets) is blocked.
 */
class AdminPortOfOverloadedServerTest {
    private static final int CONNECTIONS = 40;
    private static final String LONG = "1h"; // longer than the test takes on any machine
    private static final String WAIT = "GET /wait HTTP/1.1\r\nHost: x\r\n\r\n";
    private static final String UPLOAD = "POST /wait HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n";

    @RegisterExtension
    final LeakCheck nothingLeft = new LeakCheck();

    @TempDir
    Path folder;

    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch mayRespond = new CountDownLatch(1);
    private final List<Socket> clients = new ArrayList<>();

    /** Waits until the test opens the latch, and then sends an empty response. */
    private final class Waiting extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            entered.countDown();
            waitForTheTest(mayRespond);
        }
    }

    private static void waitForTheTest(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the server interrupts the thread when the server stops
        }
    }

    private Penstock.Builder builder() {
        return Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(1)
                .reactors(1)
                .set("admin-port", "0")
                .set("shutdown-timeout", "1s")
                .set("spool-dir", folder.toString())
                .context("/", context -> context.servlet("wait", new Waiting(), "/wait"));
    }

    private Socket client(Penstock server, String bytes) throws IOException {
        Socket socket = new Socket("127.0.0.1", server.port());
        clients.add(socket);
        socket.setSoTimeout((int) PATIENCE.toMillis());
        socket.getOutputStream().write(bytes.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static void awaitLevel(Penstock server, Gauge gauge, long least) {
        await().until(() -> server.gauges().get(gauge.id()) >= least);
    }

    /**
     * Sends one upload, and waits until the server has received its bytes, or until the disk space for bodies (spool) is full. If many
     * uploads arrived together, they would use up the memory for bodies, and the server would refuse some of the uploads.
     */
    private void upload(Penstock server) throws IOException {
        long before = server.counters().get(Counter.RECEIVED_BYTES.id());
        String bytes = UPLOAD + "x".repeat(60_000);
        client(server, bytes);
        await().until(() -> server.counters().get(Counter.RECEIVED_BYTES.id()) >= before + bytes.length()
                || server.counters().get(Counter.SPOOL_FULL.id()) > 0);
    }

    private void openLatchAndCloseClients() throws IOException {
        mayRespond.countDown();
        for (Socket client : clients) {
            client.close();
        }
    }

    @Test
    void theAdminPortRespondsWhenAllLimitsAreReached() throws Exception {
        try (Penstock server = builder()
                .queue(2)
                .set("max-connections", Integer.toString(CONNECTIONS))
                .set("pipe-budget", "1M")
                .set("spool-limit", "1M")
                .set("queue-age", LONG)
                .set("body-stall-timeout", LONG)
                .set("linger-timeout", LONG)
                .start()) {
            try {
                client(server, WAIT);
                entered.await();
                // Now the only worker runs this request, and the queue is empty.
                client(server, WAIT);
                client(server, WAIT);
                awaitLevel(server, Gauge.QUEUED, 2);
                for (int i = 3; i < CONNECTIONS; i++) {
                    upload(server);
                }
                awaitLevel(server, Gauge.CONNECTIONS, CONNECTIONS);
                AdminPort admin = AdminPort.of(server);
                assertTrue(number(admin.json("/dump"), "counters", "spool-full") > 0);
                assertTrue(number(admin.json("/dump"), "counters", "pipes-spilled") > 0);
                assertEquals(503, RawExchange.get(server, "/wait").status());
                assertEquals(200, admin.get("/health/ready").status());
                assertTrue(admin.metrics().samples().containsKey("penstock_queue_full_total"));
                Object dump = admin.json("/dump");
                assertEquals(2, number(dump, "gauges", "queued"));
                assertEquals(1, number(dump, "gauges", "workers-busy"));
                assertTrue(number(dump, "counters", "connections-refused") > 0);
                try (AdminPort.Following page = admin.follow()) {
                    assertEquals(200, page.status());
                    JsonValue.at(page.next(), "sentence");
                }
            } finally {
                openLatchAndCloseClients();
            }
        }
    }

    private static double number(Object json, String group, String name) {
        return (Double) JsonValue.at(json, group, name);
    }

    /**
     * A listener of the embedding program blocks the only reactor, so the server cannot serve clients. The admin port must report that the
     * reactor does not answer.
     */
    @Test
    void theAdminPortRespondsWhenTheOnlyReactorIsBlocked() throws Exception {
        CountDownLatch mayContinue = new CountDownLatch(1);
        CountDownLatch reactorIsBlocked = new CountDownLatch(1);
        ConnectionEvents blockingListener = new ConnectionEvents() {
            @Override
            public void opened(String connection, SocketAddress remote) {
                reactorIsBlocked.countDown();
                waitForTheTest(mayContinue);
            }
        };
        mayRespond.countDown();
        try (Penstock server = builder().events(blockingListener).start()) {
            AdminPort admin = AdminPort.of(server);
            try {
                client(server, WAIT);
                reactorIsBlocked.await();
                assertEquals(200, admin.get("/health/live").status());
                assertTrue(admin.get("/dump").whole().contains("reactor-1 did not answer in time"));
                assertEquals("reactor-1 did not answer in time", JsonValue.at(admin.json("/dump"), "silent", 0));
                assertTrue(admin.metrics().samples().containsKey("penstock_workers"));
                try (AdminPort.Following page = admin.follow()) {
                    assertEquals(
                            "Clients stand still: reactor-1 did not answer in time.",
                            JsonValue.at(page.next(), "sentence"));
                }
            } finally {
                mayContinue.countDown();
                openLatchAndCloseClients();
            }
        }
    }
}
