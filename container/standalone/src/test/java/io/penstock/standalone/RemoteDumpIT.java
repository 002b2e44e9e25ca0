package io.penstock.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the command {@code --dump}, which prints the state of a server that runs in another process. */
class RemoteDumpIT {

    @TempDir
    Path folder;

    @Test
    void theDumpContainsThePortAndTheStateOfAConnection() throws Exception {
        Files.writeString(folder.resolve("hello.txt"), "Hello");
        try (JarProcess server = JarProcess.run("0", folder.toString())) {
            int port = JarProcess.port(server.startLine());
            try (Socket client = new Socket("localhost", port)) {
                client.getOutputStream().write("GET /hello.txt HTTP/1.1\r\nHost".getBytes(StandardCharsets.US_ASCII));
                Awaitility.await().untilAsserted(() -> {
                    String dump = dump(server);
                    assertTrue(dump.startsWith("Penstock on port " + port + " in process "), dump);
                    assertTrue(dump.lines().anyMatch(line -> line.matches("  c1 +head .*")), dump);
                    assertTrue(dump.contains("spool-threads"), dump);
                });
                client.getOutputStream().write(": x\r\nConnection: close\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                BufferedReader response =
                        new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII));
                assertEquals("HTTP/1.1 200 OK", response.readLine());
            }
        }
    }

    @Test
    void theDumpOfAServerWithoutAPortContainsThePathOfTheUnixSocket() throws Exception {
        Path socket = folder.resolve("http.sock");
        try (JarProcess server = JarProcess.run("--listen=unix:" + socket, folder.toString())) {
            String startLine = server.startLine();
            assertTrue(startLine.contains(socket.toString()), startLine);
            Awaitility.await().untilAsserted(() -> {
                String dump = dump(server);
                assertTrue(dump.startsWith("Penstock at " + socket + " in process "), dump);
            });
        }
    }

    private static String dump(JarProcess server) throws Exception {
        try (JarProcess dumping = JarProcess.run("--dump", Long.toString(server.pid()))) {
            Ran ran = dumping.ended();
            assertEquals("", ran.err());
            assertEquals(0, ran.exitCode());
            return ran.out();
        }
    }
}
