package io.penstock.standalone;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.testing.FreePort;
import io.penstock.testing.NeedsProgram;
import io.penstock.testing.Program;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the listeners of {@code penstock.jar}, including a socket that the server inherits from another program. */
class ListenersIT {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final int CLIENTS = 4;

    @TempDir
    Path folder;

    private String site() throws IOException {
        Path site = Files.createDirectories(folder.resolve("site"));
        Files.writeString(site.resolve("hello.txt"), "Hello");
        return site.toString();
    }

    /** Sends a request on a new connection, and returns the whole response. */
    private static String get(SocketAddress address) throws IOException {
        try (SocketChannel client = SocketChannel.open(address)) {
            client.write(ByteBuffer.wrap("GET /hello.txt HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII)));
            return new String(Channels.newInputStream(client).readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    private static void assertHello(String response) {
        assertTrue(response.startsWith("HTTP/1.1 200 ") && response.endsWith("\r\n\r\nHello"), response);
    }

    @Test
    void theMessageAtTheStartContainsAllListeners() throws Exception {
        Path socket = folder.resolve("s");
        try (JarProcess jar = JarProcess.run(
                "--listen",
                "http://127.0.0.1:0",
                "--listen",
                "https://:0",
                "--listen=unix:" + socket + "?mode=600",
                "--tls-self-signed",
                site())) {
            String line = jar.startLine();
            int port = JarProcess.port(line);
            assertTrue(line.contains(" at http://127.0.0.1:" + port + "/, https://localhost:"), line);
            assertTrue(
                    line.contains("/ and every other address of this machine, unix:" + socket + ", started in "), line);
            assertHello(get(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)));
            assertHello(get(UnixDomainSocketAddress.of(socket)));
            jar.terminate();
            jar.ended();
            assertTrue(Files.notExists(socket));
        }
    }

    @Test
    void anUnusableListenerIsReportedOnOneLine() throws Exception {
        assertRefused(
                ExitCode.USAGE,
                "listen is used in place of host and port, but port is set, too, from argument 8080 (from --listen)",
                "--listen=http://:0",
                "8080",
                site());
        Path file = Files.writeString(folder.resolve("mine"), "mine");
        assertRefused(
                ExitCode.START_FAILED,
                "cannot listen on unix:" + file + ": the file exists, and is not a socket",
                "--listen=unix:" + file,
                site());
        assertEquals("mine", Files.readString(file));
    }

    private static void assertRefused(ExitCode code, String message, String... args) throws Exception {
        try (JarProcess jar = JarProcess.run(Map.of(), args)) {
            Ran ran = jar.ended();
            assertEquals("penstock: " + message + System.lineSeparator(), ran.err());
            assertEquals(code.number(), ran.exitCode());
        }
    }

    // ---- an inherited socket

    private enum Kind {
        NETWORK,
        UNIX
    }

    private SocketAddress inherited(Kind kind) throws IOException {
        if (kind == Kind.UNIX) {
            return UnixDomainSocketAddress.of(folder.resolve("inherited"));
        }
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), FreePort.next());
    }

    private static String text(SocketAddress address) {
        return address instanceof InetSocketAddress inet ? "127.0.0.1:" + inet.getPort() : address.toString();
    }

    private static long times(JarProcess jar, String what) throws IOException {
        return jar.log().lines().filter(line -> line.contains(what)).count();
    }

    /** A client that sends requests until the test is done. Each request has a new connection. */
    private static final class Client implements Runnable {
        private final SocketAddress address;
        private final AtomicBoolean done;
        private final AtomicInteger answered;
        private final Queue<String> failures;

        Client(SocketAddress address, AtomicBoolean done, AtomicInteger answered, Queue<String> failures) {
            this.address = address;
            this.done = done;
            this.answered = answered;
            this.failures = failures;
        }

        @Override
        public void run() {
            while (!done.get()) {
                try {
                    assertHello(get(address));
                    answered.incrementAndGet();
                } catch (IOException | AssertionError e) {
                    failures.add(e.toString());
                }
            }
        }
    }

    /**
     * The program systemd-socket-activate opens the socket. The first connection starts the first server. The test stops this server while
     * clients send requests. Then the second server starts.
     */
    @ParameterizedTest
    @EnumSource
    @NeedsProgram(Program.SYSTEMD_SOCKET_ACTIVATE)
    void noRequestFailsWhenASecondServerTakesOverAnInheritedSocket(Kind kind) throws Exception {
        SocketAddress address = inherited(kind);
        AtomicBoolean done = new AtomicBoolean();
        AtomicInteger answered = new AtomicInteger();
        Queue<String> failures = new ConcurrentLinkedQueue<>();
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        try (JarProcess jar = JarProcess.twoProcessesAtSocket(text(address), "--listen=inherited:", site())) {
            await().atMost(PATIENCE).until(() -> jar.log().contains("Listening on"));
            for (int i = 0; i < CLIENTS; i++) {
                clients.submit(new Client(address, done, answered, failures));
            }
            await().atMost(PATIENCE).until(() -> times(jar, ", started in ") == 1 && answered.get() > 100);
            jar.terminateChild();
            await().atMost(PATIENCE).until(() -> times(jar, ", started in ") == 2);
            int before = answered.get();
            await().atMost(PATIENCE).until(() -> answered.get() > before + 100 || !failures.isEmpty());
            done.set(true);
            clients.shutdown();
            assertTrue(clients.awaitTermination(PATIENCE.toSeconds(), TimeUnit.SECONDS));
            assertEquals(
                    0,
                    failures.size(),
                    () -> failures.size() + " failed requests, " + answered + " successful requests: " + failures);
            jar.terminateChild();
            await().atMost(PATIENCE).until(() -> !jar.isAlive());
            assertEquals(2, times(jar, "Stopped after"), "the log must contain the end of both servers: " + jar.log());
        } finally {
            done.set(true);
            clients.shutdownNow();
        }
    }
}
