package io.penstock.server;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.LiveObjects;
import io.penstock.events.ConnectionEvents;
import io.penstock.http1.Site;
import io.penstock.http1.WireConfig;
import io.penstock.limits.Counters;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests that an idle connection needs little memory. No object of a request may outlive the request. The test reads the class histogram of
 * the JVM, and adds the sizes of all live objects of Penstock classes. The clients of the test run in the same JVM. Their objects are not
 * included, because their classes belong to the JDK.
 */
@Tag("alone")
final class IdleConnectionsAreSmallTest {
    /**
     * The maximum size of an idle connection in bytes. An idle connection needs 328 bytes. The smallest object of a request is larger than
     * the remaining 4 bytes. So the test fails if an object of a request outlives the request.
     */
    private static final long MAX_BYTES = 332;

    private static final int CLIENTS = 250;
    private static final String PENSTOCK_PACKAGE = "io.penstock.";

    private final List<Socket> clients = new ArrayList<>();
    private Transport transport;

    @BeforeEach
    void start() throws IOException {
        Site site = new Site();
        transport = new Transport(
                new WireConfig().toConfig(),
                site,
                site,
                ConnectionEvents.NONE,
                new Counters(),
                Transport.Options.alone());
        transport.start();
    }

    @AfterEach
    void stop() throws Exception {
        for (Socket client : clients) {
            client.close();
        }
        transport.stop(Duration.ofSeconds(10));
    }

    @Test
    void anIdleConnectionOccupiesLittleMemoryAfterAResponse() {
        assertSmallAfter("GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
    }

    @Test
    void anIdleConnectionOccupiesLittleMemoryAfterARequestWithABody() {
        assertSmallAfter("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello");
    }

    @Test
    void anIdleConnectionOccupiesLittleMemoryAfterADeclinedUpgrade() {
        assertSmallAfter("GET /a HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: other\r\n\r\n");
    }

    private void assertSmallAfter(String request) {
        // These first requests create the objects that all connections share.
        serve(request, 10);
        long before = liveBytes();
        serve(request, CLIENTS);
        await().untilAsserted(() -> {
            // A worker can still refer to objects of the request for a short time after the response.
            long each = (liveBytes() - before) / CLIENTS;
            assertTrue(each > 0, "the histogram shows no objects of the connections");
            assertTrue(each <= MAX_BYTES, () -> "an idle connection needs " + each + " bytes");
        });
    }

    private void serve(String request, int count) {
        try {
            for (int i = 0; i < count; i++) {
                Socket client = new Socket(
                        "127.0.0.1", ((InetSocketAddress) transport.addresses().get(0)).getPort());
                clients.add(client);
                client.setSoTimeout(60_000);
                client.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
                byte[] line = client.getInputStream().readNBytes("HTTP/1.1 200".length());
                assertEquals("HTTP/1.1 200", new String(line, StandardCharsets.ISO_8859_1));
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Runs a garbage collection. Then returns the total size of all live objects of Penstock classes, in bytes. */
    private static long liveBytes() {
        return LiveObjects.histogram().stream()
                .filter(columns -> columns.length >= 4 && columns[3].startsWith(PENSTOCK_PACKAGE))
                .mapToLong(columns -> Long.parseLong(columns[2]))
                .sum();
    }
}
