package io.penstock.standalone;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests a server that has many more clients than file descriptors. The server serves the connected clients. It serves all clients when
 * enough descriptors are free again.
 */
class DescriptorsUsedUpIT {
    private static final int DESCRIPTORS = 256;
    private static final int NEW_CLIENTS = 2000;
    private static final int KEPT = 40;
    private static final int FILES = 60;

    /**
     * The head of an upload to a static file. The server writes the body to disk. When the whole body has arrived, the server responds with
     * the status 405.
     */
    private static final String UPLOAD_HEAD =
            "POST /files/known.txt HTTP/1.1\r\nHost: here\r\nContent-Length: 400000\r\n\r\n";

    private static final String SAMPLE =
            System.getProperty("sample.webapp", "../../sample-webapp/target/sample-webapp.war");

    @TempDir
    Path folder;

    private final List<SocketChannel> newClients = new ArrayList<>();
    private final List<KeptConnection> kept = new ArrayList<>();
    private int requestedFiles;

    @BeforeEach
    void writeFiles() throws IOException {
        Files.writeString(folder.resolve("known.txt"), "known");
        for (int i = 0; i < FILES; i++) {
            Files.writeString(folder.resolve(i + ".txt"), "small");
            Files.writeString(folder.resolve(i + ".bin"), "large".repeat(20_000));
        }
    }

    @AfterEach
    void closeConnections() throws IOException {
        closeNewClients();
        for (KeptConnection connection : kept) {
            connection.close();
        }
    }

    @Test
    void connectedClientsGetResponsesWhileNoDescriptorIsFreeAndNewClientsAreServedLater() throws Exception {
        try (JarProcess jar = JarProcess.withDescriptors(
                DESCRIPTORS,
                "--host=127.0.0.1",
                "--port=0",
                "--head-timeout=5m",
                "--keep-alive-timeout=5m",
                "--body-stall-timeout=5m",
                "/=" + SAMPLE,
                "/files=" + folder)) {
            int port = JarProcess.port(jar.startLine());
            for (int i = 0; i < KEPT; i++) {
                KeptConnection connection = new KeptConnection(port);
                kept.add(connection);
                assertEquals(200, connection.get("/files/known.txt"));
            }
            connectNewClients(port);
            await().until(() -> jar.log().contains("New connections cannot be accepted"));

            assertLowProcessorUse(jar);
            assertServedOrStatus503(kept.subList(0, 10), kept.subList(10, 15));
            for (KeptConnection holding : kept.subList(20, KEPT)) {
                // Each of these incomplete bodies needs a file on disk. There are more bodies than free descriptors.
                holding.send(UPLOAD_HEAD + "x".repeat(300_000));
            }
            assertServedOrStatus503(kept.subList(0, 10), kept.subList(15, 20));

            closeNewClients();
            for (KeptConnection holding : kept.subList(20, KEPT)) {
                holding.close();
            }
            await().ignoreExceptions().until(() -> isServed(port));
            for (KeptConnection connection : kept.subList(0, 10)) {
                assertEquals(200, connection.get(nextFile(".txt")));
            }
            String log = jar.log();
            assertFalse(log.contains(" ERROR "), log);
            assertTrue(log.lines().count() <= 20, log);
        }
    }

    /** The first line of the log needs the time zone, which the JDK reads from a file. */
    @Test
    void aServerThatHasLoggedNothingYetLogsAndStopsWhileNoDescriptorIsFree() throws Exception {
        Files.write(folder.resolve("huge.bin"), new byte[20_000_000]);
        try (JarProcess jar = JarProcess.withDescriptors(
                DESCRIPTORS, "--host=127.0.0.1", "--port=0", "--send-buffer=32K", "/files=" + folder)) {
            int port = JarProcess.port(jar.startLine());
            for (int i = 0; i < DESCRIPTORS / 2; i++) {
                kept.add(new KeptConnection(port));
            }
            for (KeptConnection reader : kept) {
                reader.send("GET /files/huge.bin HTTP/1.1\r\nHost: here\r\n\r\n"); // and does not read it
            }
            await().until(() -> jar.log().contains("Too many open files"));
            jar.terminate();
            await().until(() -> jar.log().contains(" Stopping: "));
            closeConnections();
            await().until(() -> !jar.isAlive());
        }
    }

    /** Opens more connections than the server can accept. The kernel queues the connections that the server does not accept. */
    private void connectNewClients(int port) throws IOException {
        InetSocketAddress server = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        for (int i = 0; i < NEW_CLIENTS; i++) {
            SocketChannel channel = SocketChannel.open();
            newClients.add(channel);
            channel.configureBlocking(false);
            channel.connect(server);
        }
    }

    private void closeNewClients() throws IOException {
        for (SocketChannel channel : newClients) {
            channel.close();
        }
        newClients.clear();
    }

    /** Checks that the server uses little processor time while two thousand clients wait. Meanwhile, one client sends requests. */
    private void assertLowProcessorUse(JarProcess jar) {
        Duration before = jar.cpuTime();
        long began = System.nanoTime();
        await().during(Duration.ofSeconds(2))
                .pollInterval(Duration.ofMillis(50))
                .until(() -> kept.get(0).get("/files/known.txt") == 200);
        Duration took = Duration.ofNanos(System.nanoTime() - began);
        Duration used = jar.cpuTime().minus(before);
        assertTrue(
                used.multipliedBy(4).compareTo(took) < 0,
                () -> "the server used " + used + " of processor time in " + took);
    }

    /**
     * Checks that each request gets a response. The status 503 is also valid, because the server may have no free descriptor for the file
     * or for the body.
     */
    private void assertServedOrStatus503(List<KeptConnection> readers, List<KeptConnection> writers)
            throws IOException {
        for (KeptConnection reader : readers) {
            assertEquals(200, reader.get("/files/known.txt"));
            assertStatusOr503(200, reader.get(nextFile(".txt")));
            assertStatusOr503(200, reader.get(nextFile(".bin")));
        }
        for (KeptConnection writer : writers) {
            writer.send(UPLOAD_HEAD + "x".repeat(400_000));
            assertStatusOr503(405, writer.status());
        }
    }

    private static void assertStatusOr503(int expected, int status) {
        assertTrue(status == expected || status == 503, () -> "unexpected status " + status);
    }

    private boolean isServed(int port) throws IOException {
        try (KeptConnection fresh = new KeptConnection(port)) {
            return fresh.get("/files/known.txt") == 200;
        }
    }

    private String nextFile(String suffix) {
        return "/files/" + requestedFiles++ + suffix;
    }
}
