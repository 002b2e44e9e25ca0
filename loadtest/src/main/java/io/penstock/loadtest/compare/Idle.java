package io.penstock.loadtest.compare;

import io.penstock.loadtest.cli.Interruption;
import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.client.Request;
import io.penstock.loadtest.client.Target;
import io.penstock.loadtest.crowd.CrowdPlan;
import io.penstock.loadtest.crowd.RunningCrowd;
import io.penstock.loadtest.crowd.SlowClient;
import io.penstock.loadtest.crowd.SlowClient.Manner;
import io.penstock.loadtest.crowd.Tally;
import io.penstock.loadtest.load.ClosedLoop;
import io.penstock.loadtest.load.ClosedPlan;
import io.penstock.loadtest.peers.ChildJvm;
import io.penstock.loadtest.peers.ProcessAccount;
import io.penstock.loadtest.peers.Server;
import io.penstock.loadtest.peers.ServerOptions;
import io.penstock.loadtest.peers.ServerProcess;
import io.penstock.loadtest.peers.TlsKey;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;

/**
 * The memory of connections that have each had one response, and no request since for {@link #REST}.
 *
 * @param warmUp the time for which requests are sent first
 * @param within the time limit for opening all connections
 * @param kind what the client of a connection does before it is idle
 */
record Idle(
        int connections, Duration warmUp, Duration within, boolean encrypted, Predicate<Server> which, SlowClient kind)
        implements Job.Alone {
    private static final String HELLO = "/hello";

    /** The time before each measurement, so that a server can release what it keeps for a moment for the next request. */
    private static final Duration REST = Duration.ofSeconds(3);

    /** The connections of the warm-up come in this many groups, one after the other. */
    private static final int GROUPS = 10;

    private static final int USERS = 64;
    private static final int FEWEST_ENGINES = 500;

    /**
     * The option with which the JVM touches all pages of the heap at its start. Without this option, the JVM would touch new pages during
     * the measurement, and these pages would be counted as memory of the connections.
     */
    private static final List<String> TOUCHED = List.of("-XX:+AlwaysPreTouch");

    static final Size<Integer> CONNECTIONS = Size.count("--connections", 10_000, 50, "Number of idle connections.");
    static final Size<Duration> TO_GATHER = Size.time("--to-gather", "1m", "1m", "Time limit for opening them.");
    static final Size<Duration> WARM_UP =
            Size.time("--warm-up", "15s", "1s", "Time for which requests are sent first.");

    static Idle of(Sizes sizes, boolean encrypted, Predicate<Server> which) {
        return new Idle(
                sizes.of(CONNECTIONS), sizes.of(WARM_UP), sizes.of(TO_GATHER), encrypted, which, SlowClient.IDLE);
    }

    private boolean isWebSocket() {
        return kind != SlowClient.IDLE;
    }

    @Override
    public ServerOptions options(ServerOptions common) {
        return isWebSocket() ? common.withWebSocket() : common;
    }

    @Override
    public boolean fits(Server server) {
        return Alone.super.fits(server) && which.test(server);
    }

    @Override
    public void measure(Stage stage, Server server, Figures figures) throws IOException, InterruptedException {
        try (ServerProcess process = stage.start(server.id(), "", server, TOUCHED, UnaryOperator.identity());
                ClientLoop loop = ClientLoop.start(stage.clients(connections))) {
            Target hello = process.target(HELLO);
            Target target = isWebSocket() ? process.target("/ws/echo") : hello;
            warmUp(loop, hello, target);
            Thread.sleep(REST.toMillis());
            long heapBefore = process.collectTwice().heapBytes();
            long residentBefore = process.account().residentBytes();
            try (RunningCrowd crowd = RunningCrowd.gather(loop, plan(connections, target), within)) {
                Thread.sleep(REST.toMillis());
                long heap = process.collectTwice().heapBytes();
                ProcessAccount account = process.account();
                Tally tally = crowd.tally();
                double each = (heap - heapBefore) / (double) tally.standing();
                figures.put(Figure.STANDING, tally.standing())
                        .put(Figure.HEAP_EACH, each)
                        .put(
                                Figure.RESIDENT_EACH,
                                (account.residentBytes() - residentBefore) / (double) tally.standing())
                        .put(Figure.HEAP, heap / 1e6)
                        .put(Figure.THREADS, account.threads())
                        .note(tally.lastTrouble());
            }
        }
        if (encrypted) {
            long engine = EngineHeap.bytes(Math.max(FEWEST_ENGINES, connections));
            figures.put(Figure.ENGINE, engine).put(Figure.BESIDE_ENGINE, figures.get(Figure.HEAP_EACH) - engine);
        }
    }

    /**
     * Sends requests, and then opens and closes as many connections as will be idle. Without a warm-up, the JVM loads classes and compiles
     * methods of the server while connections are opened. It needs 20 to 30 MB of memory for this once, which would be counted as 2 to 3 KB
     * of each of 10,000 connections. Only a tenth of the connections is open at a time, so that memory which a server keeps after it had
     * many connections is counted.
     */
    private void warmUp(ClientLoop loop, Target hello, Target target) throws IOException, InterruptedException {
        new ClosedLoop(loop, ClosedPlan.of(Request.get(hello), Math.min(USERS, connections), warmUp)).await();
        for (int i = 0; i < GROUPS; i++) {
            RunningCrowd.gather(loop, plan(Math.max(1, connections / GROUPS), target), within)
                    .disperse();
        }
    }

    private CrowdPlan plan(int size, Target target) {
        return CrowdPlan.of(size, kind, Manner.to(target));
    }

    /** Measures the heap use of one {@link SSLEngine} in server mode. No server runs in the measurement. */
    static final class EngineHeap {
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
            // The server sends session tickets after the handshake, so the loop continues until the client has read
            // these tickets.
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
}
