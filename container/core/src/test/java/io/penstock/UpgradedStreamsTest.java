package io.penstock;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** Servlet 6.1, sections 3.8 and 5.8: tests the input and output streams of an upgraded connection, with and without listeners. */
class UpgradedStreamsTest extends UpgradeFixture {
    @Test
    void theReadListenerIsCalledForNewBytesAndAtTheEndOfTheInput() throws Exception {
        Talk listening = connection -> {
            connection.getInputStream().setReadListener(new Reading(connection));
            assertThrows(
                    IllegalStateException.class,
                    () -> connection.getInputStream().setReadListener(new Reading(connection)));
        };
        try (Penstock server = server(servlet(listening));
                Socket client = upgrade(server, "one")) {
            head(client);
            assertEvents("init", "one");
            send(client, "two");
            assertEvents("two");
            client.shutdownOutput();
            assertEvents("all read");
            assertEquals(-1, client.getInputStream().read());
            assertEvents("destroy");
        }
    }

    @Test
    void theReadListenerIsNotifiedOfADisconnectBeforeTheHandlerIsDestroyed() throws Exception {
        try (Penstock server =
                server(servlet(connection -> connection.getInputStream().setReadListener(new Reading(connection))))) {
            Socket client = upgrade(server, "x");
            head(client);
            assertEvents("init", "x");
            client.setSoLinger(true, 0);
            client.close();
            assertEvents("read error", "destroy");
        }
    }

    @Test
    void theWriteListenerIsCalledAgainAfterTheClientReads() throws Exception {
        int much = 4 << 20;
        Talk pushing = connection -> {
            ServletOutputStream out = connection.getOutputStream();
            out.setWriteListener(new WriteListener() {
                private int left = much;

                @Override
                public void onWritePossible() throws IOException {
                    events.add("possible");
                    while (left > 0 && out.isReady()) {
                        int n = Math.min(left, 50_000);
                        out.write(new byte[n]);
                        left -= n;
                    }
                    if (left == 0) {
                        out.close();
                    }
                }

                @Override
                public void onError(Throwable t) {
                    events.add("write error");
                }
            });
        };
        Penstock.Builder small =
                builder(servlet(pushing)).set("send-buffer", "4K").set("spool-limit", "1");
        try (Penstock server = small.start();
                Socket client = upgrade(server, "")) {
            head(client);
            assertEvents("init", "possible");
            await().until(() -> server.gauges().get("workers-busy") == 0);
            long held = server.gauges().get("pipe-bytes");
            assertTrue(held > 0 && held <= 256 * 1024, "bytes of the response in the memory of the server: " + held);
            assertEquals(much, client.getInputStream().readAllBytes().length);
            assertTrue(events.contains("possible"), events.toString());
            client.close();
            await().until(() -> events.contains("destroy"));
        }
    }

    @Test
    void theWriteListenerIsNotifiedOfADisconnectBeforeTheHandlerIsDestroyed() throws Exception {
        Talk endless = connection -> {
            ServletOutputStream out = connection.getOutputStream();
            out.setWriteListener(new WriteListener() {
                @Override
                public void onWritePossible() throws IOException {
                    while (out.isReady()) {
                        out.write(ByteBuffer.allocate(10_000));
                    }
                }

                @Override
                public void onError(Throwable t) {
                    events.add("write error");
                }
            });
        };
        try (Penstock server = server(servlet(endless))) {
            Socket client = upgrade(server, "");
            head(client);
            assertEvents("init");
            client.setSoLinger(true, 0);
            client.close();
            assertEvents("write error", "destroy");
        }
    }

    @Test
    void theStreamsReadAndWriteByteBuffers() throws Exception {
        Talk buffers = connection -> {
            ByteBuffer buffer = ByteBuffer.allocate(100);
            connection.getInputStream().read(buffer);
            connection.getOutputStream().write(buffer);
        };
        try (Penstock server = server(servlet(buffers));
                Socket client = upgrade(server, "")) {
            head(client);
            send(client, "bytes");
            assertEquals("bytes", exactly(client, 5));
        }
    }
}
