package io.penstock.loadtest.compare;

import io.penstock.loadtest.cli.Interruption;
import io.penstock.loadtest.peers.ChildJvm;
import io.penstock.loadtest.peers.TlsKey;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;

/** Measures the heap use of one {@link SSLEngine} in server mode. No server runs in the measurement. */
final class EngineHeap {
    private static final List<String> OPTIONS = List.of("-Xmx512m", "-XX:+UseParallelGC");
    private static final int BEFORE = 500;
    private static final int ROOM = 40 << 10;

    private EngineHeap() {}

    /**
     * Returns the number of bytes for one engine. The measurement runs in a separate JVM, since other objects in this JVM would be counted,
     * too.
     *
     * @param count the number of engines that are created
     */
    static long bytes(int count) throws IOException, InterruptedException {
        Process process = ChildJvm.withOwnClasses(OPTIONS, EngineHeap.class, List.of(Integer.toString(count)))
                .redirectErrorStream(true)
                .start();
        Interruption interruption = new Interruption(process::destroyForcibly);
        try (BufferedReader out = process.inputReader()) {
            process.getOutputStream().close();
            List<String> printed = out.lines().toList();
            if (process.waitFor() != 0) {
                throw new IOException("An engine alone was not measured: " + String.join("; ", printed));
            }
            return Long.parseLong(printed.get(0));
        } finally {
            process.destroyForcibly();
            interruption.close();
        }
    }

    /** Prints the number of bytes for one engine. The argument is the number of engines that are created. */
    public static void main(String[] args) throws IOException, InterruptedException {
        int count = Integer.parseInt(args[0]);
        try (TlsKey key = TlsKey.create()) {
            SSLContext servers = key.server();
            SSLContext clients = key.client();
            // The TLS sessions in the client's cache must not be counted, so the cache is limited to one session.
            clients.getClientSessionContext().setSessionCacheSize(1);
            List<SSLEngine> engines = new ArrayList<>();
            try {
                add(BEFORE, servers, clients, engines);
                long before = alive();
                add(count, servers, clients, engines);
                System.out.println((alive() - before) / count);
            } finally {
                Reference.reachabilityFence(engines);
            }
        }
    }

    private static void add(int count, SSLContext servers, SSLContext clients, List<SSLEngine> engines)
            throws SSLException {
        for (int i = 0; i < count; i++) {
            SSLEngine server = servers.createSSLEngine();
            server.setUseClientMode(false);
            server.setEnabledCipherSuites(TlsKey.SUITES.toArray(String[]::new));
            SSLEngine client = clients.createSSLEngine();
            client.setUseClientMode(true);
            talk(client, server);
            engines.add(server);
        }
    }

    /** Makes a handshake, sends one byte to the server, and sends one byte back. */
    private static void talk(SSLEngine client, SSLEngine server) throws SSLException {
        client.beginHandshake();
        server.beginHandshake();
        ByteBuffer toServer = ByteBuffer.allocate(ROOM).limit(0);
        ByteBuffer toClient = ByteBuffer.allocate(ROOM).limit(0);
        // The server sends session tickets after the handshake, so the loop continues until the client has read these
        // tickets.
        while (isShakingHands(client) || isShakingHands(server) || toClient.hasRemaining()) {
            step(client, toClient, toServer);
            step(server, toServer, toClient);
        }
        pass(client, server);
        pass(server, client);
    }

    private static boolean isShakingHands(SSLEngine engine) {
        return engine.getHandshakeStatus() != SSLEngineResult.HandshakeStatus.NOT_HANDSHAKING;
    }

    private static void step(SSLEngine engine, ByteBuffer in, ByteBuffer out) throws SSLException {
        for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
            task.run();
        }
        if (engine.getHandshakeStatus() == SSLEngineResult.HandshakeStatus.NEED_WRAP) {
            out.compact();
            engine.wrap(ByteBuffer.allocate(0), out);
            out.flip();
        } else if (in.hasRemaining()) {
            engine.unwrap(in, ByteBuffer.allocate(ROOM));
        }
    }

    private static void pass(SSLEngine from, SSLEngine to) throws SSLException {
        ByteBuffer record = ByteBuffer.allocate(ROOM);
        from.wrap(ByteBuffer.wrap(new byte[] {'!'}), record);
        ByteBuffer content = ByteBuffer.allocate(ROOM);
        to.unwrap(record.flip(), content);
        if (content.position() != 1) {
            throw new SSLException("The TLS engine has not decrypted the byte that was sent");
        }
    }

    /**
     * The number of bytes of all reachable objects. The second garbage collection removes objects that became unreachable during the first
     * garbage collection.
     */
    private static long alive() {
        System.gc();
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
