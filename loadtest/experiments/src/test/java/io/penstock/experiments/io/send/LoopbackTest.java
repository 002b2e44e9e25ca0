package io.penstock.experiments.io.send;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.experiments.io.measure.Pattern;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests each way to send a file over the loopback interface. The receiver checks the number and the values of the bytes. */
@Timeout(120)
class LoopbackTest {
    private static final int SIZE = 700_001;

    @TempDir
    private Path directory;

    private Path file;
    private Loopback loopback;

    @BeforeEach
    void writeFile() throws IOException {
        file = directory.resolve("large.bin");
        Pattern.write(file, SIZE);
        loopback = new Loopback(file, SIZE);
    }

    @ParameterizedTest
    @EnumSource(SendWay.class)
    void eachWaySendsTheWholeFile(SendWay way) throws Exception {
        assertTrue(loopback.send(way) > 0);
    }

    @ParameterizedTest
    @EnumSource(SendWay.class)
    void aFileThatIsTooShortIsDetected(SendWay way) throws IOException {
        IOException noticed = assertThrows(IOException.class, () -> new Loopback(file, SIZE + 1).send(way));
        assertEquals("700,001 of the 700,002 bytes of the file arrived", noticed.getMessage());
    }

    @ParameterizedTest
    @EnumSource(SendWay.class)
    void aFileThatIsTooLongIsDetected(SendWay way) {
        IOException noticed = assertThrows(IOException.class, () -> new Loopback(file, SIZE - 1).send(way));
        assertEquals("more than the 700,000 bytes of the file arrived", noticed.getMessage());
    }

    @Test
    void aWrongByteInTheFileIsDetected() throws IOException {
        Files.write(file, new byte[] {~0}, StandardOpenOption.WRITE);
        IOException noticed = assertThrows(IOException.class, () -> loopback.send(SendWay.TRANSFER_TO));
        assertEquals("a wrong byte arrived at position 0", noticed.getMessage());
    }

    @Test
    void sendingAMissingFileCausesAnException() throws IOException {
        Files.delete(file);
        assertThrows(IOException.class, () -> loopback.send(SendWay.MAP));
    }

    @Test
    void aResponseIsReadEvenIfItsHeadArrivesByteByByte() throws Exception {
        byte[] content = Files.readAllBytes(file);
        assertTrue(fetch("HTTP/1.1 200 OK\r\ncontent-length: 700001\r\nX: y\r\n\r\n", content, 1) > 0);
        assertTrue(fetch("HTTP/1.1 200 OK\r\nContent-Length: 700001\r\n\r\n", content, 100_000) > 0);
    }

    @Test
    void anUnexpectedOrTruncatedResponseIsReported() {
        IOException status = assertThrows(
                IOException.class, () -> fetch("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", new byte[0], 50));
        assertEquals("the server answered \"HTTP/1.1 404 Not Found\" instead of the file", status.getMessage());
        IOException length = assertThrows(
                IOException.class, () -> fetch("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", new byte[5], 50));
        assertEquals("the server's response does not have Content-Length: 700001", length.getMessage());
        assertThrows(IOException.class, () -> fetch("HTTP/1.1 200 OK\r\nConte", new byte[0], 50));
        assertThrows(
                IOException.class,
                () -> fetch("HTTP/1.1 200 OK\r\nContent-Length: 700001\r\n\r\n", new byte[] {Pattern.at(0)}, 50));
    }

    @Test
    void theUrlContainsThePathOfTheFileRelativeToTheDocumentRoot() {
        try (RunningServer server = new RunningServer(URI.create("http://localhost:8080/app"))) {
            server.start(Path.of("/data/scratch"), Path.of("/data/scratch/files/large.bin"));
            assertEquals(URI.create("http://localhost:8080/app/scratch/files/large.bin"), server.url());
            assertEquals("the server at localhost:8080", server.label());
        }
        assertThrows(IllegalArgumentException.class, () -> new RunningServer(URI.create("ftp://localhost/")));
    }

    /** Fetches the file from a simulated server. The first {@code oneByOne} bytes of the head arrive one by one. */
    private double fetch(String head, byte[] body, int oneByOne) throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Void> served = CompletableFuture.runAsync(() -> serve(socket, head, body, oneByOne));
            double millis = loopback.fetch(URI.create("http://127.0.0.1:" + socket.getLocalPort() + "/large.bin"));
            served.get();
            return millis;
        }
    }

    private static void serve(ServerSocket socket, String head, byte[] body, int oneByOne) {
        try (Socket client = socket.accept();
                OutputStream out = client.getOutputStream()) {
            client.setTcpNoDelay(true);
            byte[] request = new byte[4096];
            assertTrue(client.getInputStream().read(request) > 0);
            byte[] bytes = head.getBytes(StandardCharsets.US_ASCII);
            int single = Math.min(oneByOne, bytes.length);
            for (int i = 0; i < single; i++) {
                out.write(bytes[i]);
            }
            out.write(bytes, single, bytes.length - single);
            out.write(body);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
