package io.penstock.certificates;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.LiveObjects;
import io.penstock.Penstock;
import java.io.Closeable;
import java.io.IOException;
import java.lang.ref.Reference;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that an idle TLS connection needs little memory beside its TLS engine. The test measures the memory of all live objects with the
 * class histogram of the JVM. The clients are in the same JVM. Their TLS engines are garbage, so the histogram does not contain these
 * engines. The test measures the memory of the client sockets separately and subtracts it.
 */
@Tag("alone")
final class IdleTlsConnectionsAreSmallTest {
    private static final long MAX_BYTES_BESIDE_THE_ENGINE = 2048;
    private static final int COUNT = 100;
    private static final int WARM_UP_COUNT = 20;
    private static final int BUFFER_SIZE = 40_000;
    private static final SSLContext CLIENTS = Handshake.anyClient();

    static {
        CLIENTS.getClientSessionContext().setSessionCacheSize(1); // else the memory of all client sessions is counted
    }

    @TempDir
    Path folder;

    /** Makes an object. The test measures the memory of the object. */
    @FunctionalInterface
    private interface Maker<T> {
        T make() throws Exception;
    }

    @Test
    void anIdleTlsConnectionOccupiesLittleMemoryInAdditionToItsTlsEngine() throws Exception {
        TlsFiles files = new TlsFiles(folder).with("a", Issued.self(Issued.EC, "localhost"));
        ServerCertificates certificates = files.open();
        try (ServerSocketChannel nobody = ServerSocketChannel.open();
                Penstock server = Penstock.builder()
                        .port(0)
                        .set("host", "127.0.0.1")
                        .set("tls-cert", folder.resolve("a.pem").toString())
                        .set("tls-key", folder.resolve("a.key").toString())
                        .context("/", context -> context.resources(folder))
                        .start()) {
            nobody.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 2 * COUNT);
            int silent = ((InetSocketAddress) nobody.getLocalAddress()).getPort();
            long engine = bytesPerObject(() -> engine(certificates));
            assertTrue(engine > 3000, () -> "the measured memory of a TLS engine is too small, in bytes: " + engine);
            long client = bytesPerObject(() -> socket(silent));
            List<Closeable> connections = new ArrayList<>();
            try {
                make(WARM_UP_COUNT, () -> connected(server.port()), connections);
                long before = LiveObjects.bytes();
                make(COUNT, () -> connected(server.port()), connections);
                await().untilAsserted(
                                () -> { // for a short time, a worker can still have references to a connection
                                    long whole = (LiveObjects.bytes() - before) / COUNT;
                                    long beside = whole - client - engine;
                                    assertTrue(
                                            beside > 0,
                                            () -> "the measured memory of a connection, in bytes beside the engine: "
                                                    + beside);
                                    assertTrue(
                                            beside <= MAX_BYTES_BESIDE_THE_ENGINE,
                                            () -> "the memory of an idle connection, in bytes beside the engine: "
                                                    + beside);
                                });
            } finally {
                close(connections);
            }
        }
    }

    /** The average memory of an object from {@code maker}, in bytes. */
    private static <T> long bytesPerObject(Maker<T> maker) throws Exception {
        List<Object> made = new ArrayList<>();
        List<Closeable> open = new ArrayList<>();
        for (int i = 0; i < WARM_UP_COUNT; i++) {
            made.add(maker.make());
        }
        long before = LiveObjects.bytes();
        for (int i = 0; i < COUNT; i++) {
            made.add(maker.make());
        }
        long bytes = (LiveObjects.bytes() - before) / COUNT;
        Reference.reachabilityFence(made);
        for (Object one : made) {
            if (one instanceof Closeable closeable) {
                open.add(closeable);
            }
        }
        close(open);
        return bytes;
    }

    private static void make(int count, Maker<? extends Closeable> maker, List<Closeable> to) throws Exception {
        for (int i = 0; i < count; i++) {
            to.add(maker.make());
        }
    }

    private static void close(List<Closeable> all) throws IOException {
        for (Closeable one : all) {
            one.close();
        }
    }

    /** Returns the server's engine after a complete handshake in memory. The engine has also sent data. */
    private static SSLEngine engine(ServerCertificates certificates) throws IOException {
        SSLEngine server = certificates.engine(null);
        SSLParameters parameters = server.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {"http/1.1"});
        server.setSSLParameters(parameters);
        Handshake.of(server, client());
        return server;
    }

    private static SSLEngine client() {
        SSLEngine client = CLIENTS.createSSLEngine();
        client.setUseClientMode(true);
        return client;
    }

    private static SocketChannel socket(int port) throws IOException {
        return SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    /** Connects a client, receives one response, and returns the socket of the client. The engine of the client becomes garbage. */
    private static SocketChannel connected(int port) throws IOException {
        SocketChannel socket = socket(port);
        SSLEngine client = client();
        ByteBuffer come = ByteBuffer.allocate(BUFFER_SIZE).limit(0);
        client.beginHandshake();
        while (client.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING) {
            switch (client.getHandshakeStatus()) {
                case NEED_WRAP -> send(client, socket, "");
                case NEED_TASK -> client.getDelegatedTask().run();
                default -> read(client, socket, come);
            }
        }
        send(client, socket, "GET /a.pem HTTP/1.1\r\nHost: localhost\r\n\r\n");
        StringBuilder answer = new StringBuilder();
        while (!answer.toString().contains("-----END CERTIFICATE-----")) {
            answer.append(read(client, socket, come));
        }
        assertEquals("HTTP/1.1 200", answer.substring(0, 12));
        return socket;
    }

    private static void send(SSLEngine client, SocketChannel socket, String text) throws IOException {
        ByteBuffer record = ByteBuffer.allocate(BUFFER_SIZE);
        client.wrap(ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1)), record);
        record.flip();
        while (record.hasRemaining()) {
            socket.write(record);
        }
    }

    /** Returns the content of one TLS record. The result is empty if the record is incomplete or has no data. */
    private static String read(SSLEngine client, SocketChannel socket, ByteBuffer come) throws IOException {
        ByteBuffer content = ByteBuffer.allocate(BUFFER_SIZE);
        if (client.unwrap(come, content).getStatus() == SSLEngineResult.Status.BUFFER_UNDERFLOW) {
            come.compact();
            assertTrue(socket.read(come) > 0, "the server has closed the connection");
            come.flip();
        }
        return new String(content.array(), 0, content.position(), StandardCharsets.ISO_8859_1);
    }
}
