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

/** Servlet 6.1, 3.8 and 5.8: tests the streams of an upgraded connection, with blocking calls and with listeners. */
class UpgradedStreamsTest extends UpgradeFixture {
    @Test
    void readListenerIsCalledForNewBytesAndAtTheEnd() throws Exception {
        Talk listening = connection -> {
            connection.getInputStream().setReadListener(new Reading(connection));
            assertThrows(
                    IllegalStateException.class,
                    () -> connection.getInputStream().setReadListener(new Reading(connection)));
        };
        try (Penstock server = server(servlet(listening));
                Socket client = ask(server, "one")) {
            head(client);
            assertTold("init", "one");
            send(client, "two");
            assertTold("two");
            client.shutdownOutput();
            assertTold("all read");
            assertEquals(-1, client.getInputStream().read());
            assertTold("destroy");
        }
    }

    @Test
    void readListenerIsNotifiedAboutADisconnectBeforeDestroy() throws Exception {
        try (Penstock server =
                server(servlet(connection -> connection.getInputStream().setReadListener(new Reading(connection))))) {
            Socket client = ask(server, "x");
            head(client);
            assertTold("init", "x");
            client.setSoLinger(true, 0);
            client.close();
            assertTold("read error", "destroy");
        }
    }

    @Test
    void writeListenerIsCalledAgainOnlyAfterTheClientReads() throws Exception {
        int much = 4 << 20;
        Talk pushing = connection -> {
            ServletOutputStream out = connection.getOutputStream();
            out.setWriteListener(new WriteListener() {
                private int left = much;

                @Override
                public void onWritePossible() throws IOException {
                    told.add("possible");
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
                    told.add("write error");
                }
            });
        };
        Penstock.Builder small =
                builder(servlet(pushing)).set("send-buffer", "4K").set("spool-limit", "1");
        try (Penstock server = small.start();
                Socket client = ask(server, "")) {
            head(client);
            assertTold("init", "possible");
            await().until(() -> server.gauges().get("workers-busy") == 0);
            long held = server.gauges().get("pipe-bytes");
            assertTrue(held > 0 && held <= 256 * 1024, "bytes in memory: " + held);
            assertEquals(much, client.getInputStream().readAllBytes().length);
            assertTrue(told.contains("possible"), told.toString());
            client.close();
            await().until(() -> told.contains("destroy"));
        }
    }

    @Test
    void writeListenerIsNotifiedAboutADisconnectBeforeDestroy() throws Exception {
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
                    told.add("write error");
                }
            });
        };
        try (Penstock server = server(servlet(endless))) {
            Socket client = ask(server, "");
            head(client);
            assertTold("init");
            client.setSoLinger(true, 0);
            client.close();
            assertTold("write error", "destroy");
        }
    }

    @Test
    void byteBuffersAreReadAndWritten() throws Exception {
        Talk buffers = connection -> {
            ByteBuffer buffer = ByteBuffer.allocate(100);
            connection.getInputStream().read(buffer);
            connection.getOutputStream().write(buffer);
        };
        try (Penstock server = server(servlet(buffers));
                Socket client = ask(server, "")) {
            head(client);
            send(client, "bytes");
            assertEquals("bytes", exactly(client, 5));
        }
    }
}
