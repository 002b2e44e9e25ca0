package io.penstock.loadtest.peers;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

@Execution(ExecutionMode.CONCURRENT)
@Timeout(300)
class SameContentIT {
    private static final JvmSettings JVM = new JvmSettings(JvmSettings.ownJava(), "128m", "serial");
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static ContentFolder content;

    @BeforeAll
    static void makeContent() throws IOException {
        content = ContentFolder.create();
        content.add("text.txt", 4096);
        content.add("large.txt", 1_000_001);
    }

    @AfterAll
    static void deleteContent() throws IOException {
        content.close();
        assertFalse(Files.exists(content.root()));
    }

    /**
     * Returns all servers except the servers with a session store and the servers with Spring Boot. The excluded servers have other
     * content, and other tests check these servers.
     */
    private static Stream<Server> servers() {
        return Stream.of(Server.values())
                .filter(server -> !server.needsSessionStore() && !server.isUnderBoot() && !server.isBefore());
    }

    @ParameterizedTest
    @MethodSource("servers")
    void everyServerSendsTheSameContentForEachPath(Server server) throws Exception {
        assumeTrue(server.runsOn(Runtime.version().feature()), "virtual threads need Java 21");
        ServerProcess process = ServerProcess.start(server, JVM, ServerOptions.serving(content.root()));
        try (process) {
            assertEquals("Hello, World!", text(process, "/hello"));
            assertEquals("done", text(process, "/work?millis=1"));
            assertEquals("done", text(process, "/work?rounds=1000"));
            assertEquals("done", text(process, "/slow/8?millis=1"));
            byte[] generated = get(process, "/generated?bytes=100000");
            assertEquals(100_000, generated.length);
            assertTrue(new String(generated, StandardCharsets.US_ASCII)
                    .startsWith("abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijk\nabc"));
            assertArrayEquals(generated, get(process, "/pooled?bytes=100000"));
            assertEquals("70000", post(process, "/upload", new byte[70_000]));
            assertEquals(
                    "echo ".repeat(50_000),
                    post(process, "/echo", "echo ".repeat(50_000).getBytes(StandardCharsets.US_ASCII)));
            for (String name : new String[] {"text.txt", "large.txt"}) {
                byte[] file = Files.readAllBytes(content.root().resolve("files").resolve(name));
                assertArrayEquals(file, get(process, "/files/" + name));
            }
            ServerProcess.Stats before = process.stats();
            ServerProcess.Stats afterReset = process.reset();
            ServerProcess.Stats stats = process.collect();
            ProcessAccount account = process.account();
            // The client can receive the whole response before the service method has returned. So the next request can
            // start a second call of this method, and the maximum of concurrent calls is then 2.
            assertAll(
                    () -> assertTrue(stats.callsOpen() <= 1, stats.toString()),
                    () -> assertTrue(before.callsMost() >= 1 && before.callsMost() <= 2, before.toString()),
                    () -> assertTrue(afterReset.callsMost() <= 1, afterReset.toString()),
                    () -> assertTrue(stats.heapBytes() > 1 << 20, stats.toString()),
                    () -> assertTrue(stats.allocatedBytes() > 1 << 20, stats.toString()),
                    () -> assertTrue(account.cpuNanos() > 0, account.toString()),
                    () -> assertTrue(account.threads() > 5, account.toString()),
                    () -> assertTrue(account.residentBytes() > 10 << 20, account.toString()),
                    () -> assertTrue(process.version().matches("[A-Z][a-z]+ [0-9.]+\\S*"), process.version()));
        }
        assertFalse(process.isAlive());
    }

    @ParameterizedTest
    @EnumSource(names = {"PENSTOCK", "TOMCAT", "JETTY"})
    void everyServerWithWebSocketSendsMessagesBackAndToReaders(Server server) throws Exception {
        ServerOptions options = ServerOptions.serving(content.root()).withWebSocket();
        try (ServerProcess process = ServerProcess.start(server, JVM, options)) {
            assertEquals("Hello, World!", text(process, "/hello"));
            Received echo = new Received();
            WebSocket session = open(process, "/ws/echo?buffer=1048576", echo);
            String text = "x".repeat(1 << 20);
            session.sendText(text, true);
            assertEquals(text, echo.messages.take());
            session.sendBinary(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)), true);
            assertEquals(text, echo.messages.take());
            Received reader = new Received();
            open(process, "/ws/broadcast/reader", reader);
            for (String way : new String[] {"basic", "async"}) {
                Received reports = new Received();
                WebSocket sender = open(process, "/ws/broadcast/" + way, reports);
                // The server may register the reader after the reader knows of its session.
                do {
                    sender.sendText("report", true);
                } while (!reports.messages.take().endsWith(" readers=1"));
                sender.sendText("Hi", true);
                assertEquals("Hi", reader.messages.take());
                sender.sendText("send 2 3 10", true);
                assertEquals("\0\0\0", reader.messages.take());
                assertEquals("\0\0\0", reader.messages.take());
                assertTrue(reports.messages.take().contains(" failed=0 "), way);
            }
        }
    }

    private static WebSocket open(ServerProcess process, String path, Received received) {
        URI uri = URI.create("ws://127.0.0.1:" + process.port() + path);
        return CLIENT.newWebSocketBuilder().buildAsync(uri, received).join();
    }

    /** The whole messages of a session. */
    private static final class Received implements WebSocket.Listener {
        private final BlockingQueue<String> messages = new LinkedBlockingQueue<>();
        private final StringBuilder parts = new StringBuilder();

        @Override
        public @Nullable CompletionStage<?> onText(WebSocket session, CharSequence part, boolean last) {
            return add(session, part, last);
        }

        @Override
        public @Nullable CompletionStage<?> onBinary(WebSocket session, ByteBuffer part, boolean last) {
            return add(session, StandardCharsets.US_ASCII.decode(part), last);
        }

        private @Nullable CompletionStage<?> add(WebSocket session, CharSequence part, boolean last) {
            parts.append(part);
            if (last) {
                messages.add(parts.toString());
                parts.setLength(0);
            }
            session.request(1);
            return null;
        }
    }

    @Test
    void theErrorForAPortInUseContainsTheLastLinesOfTheServerOutput() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, java.net.InetAddress.getByName("127.0.0.1"))) {
            for (Server server : new Server[] {Server.PENSTOCK, Server.TOMCAT7, Server.JETTY}) {
                ServerOptions options = ServerOptions.serving(content.root()).withPort(taken.getLocalPort());
                ServerFailure failure =
                        assertThrows(ServerFailure.class, () -> ServerProcess.start(server, JVM, options));
                assertTrue(
                        failure.getMessage().startsWith(server.id() + " has not started; its last lines:"),
                        failure.getMessage());
            }
        }
    }

    @Test
    void anUnknownSettingIsReported() {
        ServerOptions options = ServerOptions.serving(content.root()).with("bananas", "3");
        ServerFailure failure =
                assertThrows(ServerFailure.class, () -> ServerProcess.start(Server.TOMCAT, JVM, options));
        assertTrue(failure.getMessage().contains("bananas"), failure.getMessage());
    }

    @Test
    void theErrorForAMissingFolderContainsTheBuildCommand() {
        ServerFailure failure = assertThrows(
                ServerFailure.class,
                () -> ServerProcess.start(
                        Server.JETTY,
                        new PeersFolder(Path.of("no-such-folder")),
                        JVM,
                        ServerOptions.serving(content.root())));
        assertTrue(failure.getMessage().contains("mvn -DskipTests package"), failure.getMessage());
    }

    @Test
    void theEndOfAServerProcessIsReported() throws Exception {
        try (ServerProcess process = ServerProcess.start(Server.PENSTOCK, JVM, ServerOptions.serving(content.root()))) {
            ProcessHandle.of(process.pid()).orElseThrow().destroyForcibly();
            ProcessHandle.of(process.pid()).ifPresent(handle -> handle.onExit().join());
            ServerFailure failure = assertThrows(ServerFailure.class, process::stats);
            assertTrue(failure.getMessage().startsWith("penstock has ended"), failure.getMessage());
        }
    }

    private static String text(ServerProcess process, String path) throws IOException, InterruptedException {
        return new String(get(process, path), StandardCharsets.US_ASCII);
    }

    private static byte[] get(ServerProcess process, String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(process.uri(path)).build();
        HttpResponse<byte[]> response = CLIENT.send(request, BodyHandlers.ofByteArray());
        assertEquals(200, response.statusCode(), path);
        assertTrue(response.headers().firstValue("content-type").orElse("").startsWith("text/plain"), path);
        return response.body();
    }

    private static String post(ServerProcess process, String path, byte[] body)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(process.uri(path))
                .POST(BodyPublishers.ofByteArray(body))
                .build();
        return CLIENT.send(request, BodyHandlers.ofString()).body();
    }
}
