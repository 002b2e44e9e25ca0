package io.penstock.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.exchange.Peer;
import io.penstock.http.Fields;
import io.penstock.http.ResponseHead;
import io.penstock.http1.RecordedEvents;
import io.penstock.http1.Site;
import io.penstock.http1.WireConfig;
import io.penstock.http1.WireServer;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests connections over a Unix domain socket, for example from a proxy on the same machine. Such a connection has no IP addresses and no
 * ports.
 */
final class UnixDomainSocketTest {
    @TempDir
    Path folder;

    /** Starts a server that listens at a TCP port and at a Unix domain socket. */
    private WireServer server(Site site) throws IOException {
        SocketAddress address = UnixDomainSocketAddress.of(folder.resolve("s"));
        return new WireServer(
                new WireConfig().overSockets().pipes(4096, 1024).timeByHand(),
                site,
                new RecordedEvents(),
                layer -> List.of(WireServer.listenerOver(layer), Listener.plain(address)));
    }

    private static SocketChannel connect(WireServer server) throws IOException {
        return SocketChannel.open(server.transport.addresses().get(1));
    }

    private static String talk(SocketChannel client, String request) throws IOException {
        client.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.ISO_8859_1)));
        return new String(Channels.newInputStream(client).readAllBytes(), StandardCharsets.ISO_8859_1);
    }

    @Test
    void aRequestOverAUnixDomainSocketHasNoIpAddressesAndNoPorts() throws Exception {
        Site site = new Site().on("/peer", exchange -> {
            Peer peer = exchange.peer();
            Site.text(
                    exchange,
                    "[" + peer.remoteAddress() + "] " + peer.remotePort() + " [" + peer.localAddress() + "] ["
                            + peer.localName() + "] " + peer.localPort());
        });
        try (WireServer server = server(site);
                SocketChannel client = connect(server)) {
            String answer = talk(client, "GET /peer HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
            assertTrue(answer.endsWith("[] -1 [] [] -1"), answer);
        }
    }

    /** A connection over a Unix domain socket cannot be reset, so the server closes the connection. */
    @Test
    void theConnectionIsClosedAfterAnIncompleteResponse() throws Exception {
        Site site = new Site().on("/cut", exchange -> {
            exchange.response().head(new ResponseHead(200, Fields.EMPTY, 100));
            exchange.response().write(ByteBuffer.wrap(new byte[10]), false);
            exchange.response().flush();
            throw new IOException("thrown by the test");
        });
        try (WireServer server = server(site);
                SocketChannel client = connect(server)) {
            String answer = talk(client, "GET /cut HTTP/1.1\r\nHost: x\r\n\r\n");
            assertEquals(10, answer.length() - answer.indexOf("\r\n\r\n") - 4);
        }
    }

    /** The bytes before the end of a client's connection are not lost while the server does not read them. */
    @Test
    void aBodyIsReadCompletelyAfterTheClientHasClosed() throws Exception {
        CountDownLatch isGone = new CountDownLatch(1);
        BlockingQueue<Integer> lengths = new LinkedBlockingQueue<>();
        Site site = new Site().on("/stream/late", exchange -> {
            isGone.await();
            lengths.add(Site.readAll(exchange).length);
            Site.text(exchange, "for nobody");
        });
        try (WireServer server = server(site)) {
            SocketChannel client = connect(server);
            int length = 100_000;
            String head = "POST /stream/late HTTP/1.1\r\nHost: x\r\nContent-Length: " + length + "\r\n\r\n";
            client.write(ByteBuffer.wrap(head.getBytes(StandardCharsets.ISO_8859_1)));
            ByteBuffer body = ByteBuffer.allocate(length);
            while (body.hasRemaining()) {
                client.write(body);
            }
            client.close();
            for (int i = 0; i < 4; i++) {
                server.pass(Duration.ofMillis(250));
            }
            isGone.countDown();
            assertEquals(length, lengths.poll(60, TimeUnit.SECONDS));
        }
    }
}
