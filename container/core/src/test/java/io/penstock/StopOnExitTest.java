package io.penstock;

import static io.penstock.PromptWaits.PATIENCE;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.deploy.Packing;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.net.ConnectException;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the option {@code stopOnExit}: the embedded server must stop correctly when its program exits. */
class StopOnExitTest {
    /** The exit status of a process after SIGTERM: 128 plus the signal number 15. */
    private static final int TERMINATED = 143;

    @ParameterizedTest
    @ValueSource(strings = {"", "with another shutdown hook"})
    void aRunningRequestIsFinishedAfterTheProgramGetsSigterm(String ownHook) throws Exception {
        Process process = start(StoppedProgram.class, ownHook.isEmpty() ? List.of() : List.of(ownHook));
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            int port = Integer.parseInt(out.readLine());
            try (Socket client = RawExchange.begin(
                    port, "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nConnection: close\r\n\r\na")) {
                String begun = readUntil(client.getInputStream(), "\r\na\r\n"); // the servlet has begun its response
                process.toHandle().destroy(); // Process.destroy would close the output, which the test reads
                await().until(() -> refusesConnections(port));
                client.getOutputStream().write('b');
                String rest = new String(client.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
                assertTrue(begun.startsWith("HTTP/1.1 200 "), begun);
                assertEquals("1\r\nb\r\n0\r\n\r\n", rest);
            }
            assertEquals("application ended", out.readLine());
            assertNull(out.readLine());
            assertTrue(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS));
            assertEquals(TERMINATED, process.exitValue());
        } finally {
            process.destroyForcibly();
        }
    }

    /** {@link ExitAtFirstRequest} exits at its first request. The server accepts this request before {@code start} has returned. */
    @Test
    void theApplicationIsDestroyedIfTheProgramExitsBeforeTheServerHasStarted(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("s");
        Process process = start(ExitAtFirstRequest.class, List.of(file.toString()));
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
                SocketChannel client = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            assertEquals("application begun", out.readLine());
            client.connect(UnixDomainSocketAddress.of(file));
            client.write(StandardCharsets.ISO_8859_1.encode("GET / HTTP/1.1\r\nHost: x\r\n\r\n"));
            process.getOutputStream().close();
            assertEquals("application ended", out.readLine());
            assertTrue(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS));
            assertEquals(0, process.exitValue());
        } finally {
            process.destroyForcibly();
        }
    }

    /** JVM hooks run beside each other. The hook of the application waits for that of the server, so this order is always tested. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aShutdownHookOfAnApplicationHasItsClassesAfterTheServerHasStopped(boolean inLibrary, @TempDir Path folder)
            throws Exception {
        Class<?>[] types = {ApplicationWithHook.Hooked.class, ApplicationWithHook.Late.class};
        Packing files = inLibrary
                ? Packing.empty()
                        .with(
                                "WEB-INF/lib/hooked.jar",
                                Packing.empty()
                                        .withClasses("", types)
                                        .with("late.txt", "x")
                                        .archive())
                : Packing.empty().withClasses("WEB-INF/classes/", types).with("WEB-INF/classes/late.txt", "x");
        Path war = files.archive(folder.resolve("hooked.war"));
        Path temporary = Files.createDirectory(folder.resolve("temporary"));
        Process process = start(ApplicationWithHook.class, List.of(war.toString(), temporary.toString()));
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            assertEquals("application ended", out.readLine());
            assertEquals("hook has its classes true", out.readLine());
            assertNull(out.readLine());
            assertTrue(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS));
            try (Stream<Path> left = Files.list(temporary)) {
                assertEquals(List.of(), left.toList(), "the files are deleted after the hooks");
            }
        } finally {
            process.destroyForcibly();
        }
    }

    private static Process start(Class<?> program, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dorg.slf4j.simpleLogger.logFile=System.err",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                program.getName()));
        command.addAll(arguments);
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static String readUntil(InputStream in, String end) throws IOException {
        StringBuilder text = new StringBuilder();
        while (text.indexOf(end) < 0) {
            int octet = in.read();
            assertTrue(octet >= 0, text::toString);
            text.append((char) octet);
        }
        return text.toString();
    }

    private static boolean refusesConnections(int port) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            return !socket.isConnected();
        } catch (ConnectException e) {
            return true;
        }
    }

    @Test
    void aClosedServerWithStopOnExitCanBeGarbageCollected() throws Exception {
        WeakReference<Penstock> server = startedAndClosed();
        // The check does not use an assertion, because the assertion error would keep the server in memory.
        await().until(() -> {
            System.gc();
            return server.refersTo(null);
        });
    }

    private static WeakReference<Penstock> startedAndClosed() throws StartException {
        Penstock server =
                Penstock.builder().host("127.0.0.1").port(0).stopOnExit(true).start();
        server.close();
        server.close();
        return new WeakReference<>(server);
    }
}
