package io.penstock.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.exchange.Peer;
import io.penstock.http.Fields;
import io.penstock.http.ResponseHead;
import io.penstock.http1.Site;
import io.penstock.http1.WireConfig;
import io.penstock.http1.WireServer;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A connection that has neither IP addresses nor ports, as a proxy on the same machine may make it. */
final class UnixDomainSocketTest {
    @TempDir
    Path folder;

    /** A client of the server, over a socket of the file system. */
    private SocketChannel connect(WireServer server) throws IOException {
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(folder.resolve("s"));
        try (ServerSocketChannel listening = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            listening.bind(address);
            SocketChannel client = SocketChannel.open(address);
            SocketChannel accepted = listening.accept();
            accepted.configureBlocking(false);
            server.transport.connections().accept(accepted);
            return client;
        }
    }

    private static String talk(SocketChannel client, String request) throws IOException {
        client.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.ISO_8859_1)));
        return new String(Channels.newInputStream(client).readAllBytes(), StandardCharsets.ISO_8859_1);
    }

    @Test
    void requestIsAnsweredAndItsPeersHaveNoAddress() throws Exception {
        Site site = new Site().on("/peer", exchange -> {
            Peer peer = exchange.peer();
            Site.text(
                    exchange,
                    "[" + peer.remoteAddress() + "] " + peer.remotePort() + " [" + peer.localAddress() + "] ["
                            + peer.localName() + "] " + peer.localPort());
        });
        try (WireServer server = WireServer.with(new WireConfig().overSockets(), site);
                SocketChannel client = connect(server)) {
            String answer = talk(client, "GET /peer HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
            assertTrue(answer.endsWith("[] -1 [] [] -1"), answer);
        }
    }

    /** There is no reset on such a socket: the connection just ends. */
    @Test
    void responseThatIsCutShortEndsTheConnection() throws Exception {
        Site site = new Site().on("/cut", exchange -> {
            exchange.response().head(new ResponseHead(200, Fields.EMPTY, 100));
            exchange.response().write(ByteBuffer.wrap(new byte[10]), false);
            exchange.response().flush();
            throw new IOException("the test's");
        });
        try (WireServer server = WireServer.with(new WireConfig().overSockets(), site);
                SocketChannel client = connect(server)) {
            String answer = talk(client, "GET /cut HTTP/1.1\r\nHost: x\r\n\r\n");
            assertEquals(10, answer.length() - answer.indexOf("\r\n\r\n") - 4);
        }
    }
}
