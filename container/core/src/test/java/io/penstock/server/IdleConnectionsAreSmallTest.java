package io.penstock.server;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.LiveObjects;
import io.penstock.events.ConnectionEvents;
import io.penstock.http1.Site;
import io.penstock.http1.WireConfig;
import io.penstock.limits.Counters;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests that an idle connection needs little memory. No object of a request may outlive the request by more than a moment. The test reads the
 * class histogram of the JVM, and adds the sizes of all live objects of Penstock classes. The clients of the test run in the same JVM. Their objects are not
 * included, because their classes belong to the JDK.
 */
@Tag("alone")
final class IdleConnectionsAreSmallTest {
    /**
     * The maximum size of an idle connection in bytes. An idle connection needs 152 bytes: its link, and its protocol. The smallest object of
     * a request is larger than the remaining 4 bytes. So the test fails if an object of a request outlives the request.
     */
    private static final long MAX_BYTES = 156;

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Pattern LENGTH = Pattern.compile("(?i)content-length: ([0-9]+)");
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
    void anIdleConnectionOccupiesLittleMemoryAfterAResponse() throws IOException {
        assertSmallAfter("GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
    }

    @Test
    void anIdleConnectionOccupiesLittleMemoryAfterARequestWithABody() throws IOException {
        assertSmallAfter("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello");
    }

    @Test
    void anIdleConnectionOccupiesLittleMemoryAfterADeclinedUpgrade() throws IOException {
        assertSmallAfter("GET /a HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: other\r\n\r\n");
    }

    @Test
    void anIdleConnectionOccupiesLittleMemoryAfterPipelinedRequests() throws IOException {
        assertSmallAfter("GET /a HTTP/1.1\r\nHost: x\r\n\r\n".repeat(3));
    }

    @Test
    void aConnectionOccupiesLittleMemoryBeforeItsFirstRequest() throws IOException {
        assertSmallAfter("");
    }

    private void assertSmallAfter(String request) throws IOException {
        // These first requests create the objects that all connections share.
        serve(request, 10);
        await().atMost(PATIENCE).until(() -> LiveObjects.bytesOf("io.penstock.http1.ResponseSequence") == 0);
        long before = LiveObjects.bytesOf(PENSTOCK_PACKAGE);
        serve(request, CLIENTS);
        assertSmall(before);
        // The connections are used once more.
        for (Socket client : clients) {
            serve(request, client);
        }
        assertSmall(before);
    }

    private void assertSmall(long before) {
        await().atMost(PATIENCE).untilAsserted(() -> {
            // A connection needs a moment to drop what it needs only for requests.
            long each = (LiveObjects.bytesOf(PENSTOCK_PACKAGE) - before) / CLIENTS;
            assertTrue(each > 0, "the histogram shows no objects of the connections");
            assertTrue(each <= MAX_BYTES, () -> "an idle connection needs " + each + " bytes");
        });
    }

    private void serve(String request, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            Socket client = new Socket(
                    "127.0.0.1", ((InetSocketAddress) transport.addresses().get(0)).getPort());
            clients.add(client);
            client.setSoTimeout((int) PATIENCE.toMillis());
            serve(request, client);
        }
        await().atMost(PATIENCE).until(() -> transport.connections().open().count() == clients.size());
    }

    private static void serve(String requests, Socket client) throws IOException {
        client.getOutputStream().write(requests.getBytes(StandardCharsets.ISO_8859_1));
        for (int left = requests.split("Host: x", -1).length - 1; left > 0; left--) {
            readAnswer(client.getInputStream());
        }
    }

    private static void readAnswer(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            assertNotEquals(-1, next, () -> "the answer ends after " + head);
            head.append((char) next);
        }
        assertEquals("HTTP/1.1 200", head.substring(0, "HTTP/1.1 200".length()));
        Matcher length = LENGTH.matcher(head);
        assertTrue(length.find(), head::toString);
        in.readNBytes(Integer.parseInt(length.group(1)));
    }

    /** The total size of all live objects of Penstock classes, in bytes. */
}
