package io.penstock.http2;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.LiveObjects;
import io.penstock.Penstock;
import io.penstock.metrics.Gauge;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests that an idle connection of HTTP/2 needs little memory. The test compares connections of both protocols, since their clients have the same
 * objects in this JVM. The table of the decoder is not included: it is empty.
 */
@Tag("alone")
final class IdleHttp2ConnectionsAreSmallTest {
    /** The most bytes that a connection needs beyond those that one of HTTP/1.1 needs, which are 819. Both together are 2 KB. */
    private static final long MAX_MORE = 2048 - 819;

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final int CLIENTS = 250;

    private final List<Socket> clients = new ArrayList<>();
    private Penstock server;

    @BeforeEach
    void start() throws Exception {
        server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .set("h2c", "on")
                .set("keep-alive-timeout", "10m")
                .start();
    }

    @AfterEach
    void stop() throws Exception {
        for (Socket client : clients) {
            client.close();
        }
        server.close();
    }

    @Test
    void anIdleConnectionNeedsLittleMoreThanOneOfHttp11() throws Exception {
        serve(10, false); // these first requests create the objects that all connections share
        serve(10, true);
        awaitIdle();
        long before = LiveObjects.bytes();
        serve(CLIENTS, false);
        awaitIdle();
        long withHttp1 = LiveObjects.bytes();
        serve(CLIENTS, true);
        await().atMost(PATIENCE).untilAsserted(() -> {
            long more = (LiveObjects.bytes() - withHttp1 - (withHttp1 - before)) / CLIENTS;
            assertTrue(more > 0, "the histogram shows no objects of the connections");
            assertTrue(more <= MAX_MORE, () -> "an idle connection needs " + more + " bytes more");
        });
    }

    private void awaitIdle() {
        await().atMost(PATIENCE)
                .until(() -> server.gauges().get(Gauge.CONNECTIONS_IDLE.id()) == clients.size()
                        && LiveObjects.bytesOf("io.penstock.http1.ResponseSequence") == 0);
    }

    private void serve(int count, boolean http2) throws IOException {
        for (int i = 0; i < count; i++) {
            Socket client = new Socket(InetAddress.getLoopbackAddress(), server.port());
            clients.add(client);
            client.setSoTimeout((int) PATIENCE.toMillis());
            if (http2) {
                http2(client);
            } else {
                http1(client);
            }
        }
    }

    private static void http1(Socket client) throws IOException {
        client.getOutputStream()
                .write("HEAD /none HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        InputStream in = client.getInputStream();
        int last = 0;
        while (last != 0x0D0A0D0A) {
            int next = in.read();
            assertTrue(next >= 0, "the answer ends early");
            last = last << 8 | next;
        }
    }

    private static void http2(Socket client) throws IOException {
        byte[] head = Http2Client.head("HEAD", "/none");
        client.getOutputStream().write(Frame.PREFACE);
        client.getOutputStream().write(Frame.settings());
        client.getOutputStream().write(Frame.settingsAck());
        client.getOutputStream()
                .write(Frame.header(
                                ByteBuffer.allocate(Frame.HEADER + head.length),
                                head.length,
                                Frame.HEADERS,
                                Frame.END_HEADERS | Frame.END_STREAM,
                                1)
                        .put(head)
                        .array());
        DataInputStream in = new DataInputStream(client.getInputStream());
        int type;
        int flags;
        do {
            int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
            type = in.readUnsignedByte();
            flags = in.readUnsignedByte();
            in.skipNBytes(4L + length);
        } while (type != Frame.HEADERS);
        assertEquals(Frame.END_HEADERS | Frame.END_STREAM, flags);
    }
}
