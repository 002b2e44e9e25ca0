package io.penstock.standalone;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Attacks with requests that end for their client, but not for a careless server. */
class EndAttacksIT {
    private static final int PATIENCE_MILLIS = 60_000;

    @TempDir
    Path folder;

    private AttackedServer start() throws Exception {
        Files.writeString(Files.createDirectories(folder.resolve("WEB-INF")).resolve("web.xml"), """
                <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.1">
                  <error-page><error-code>500</error-code><location>/end/page</location></error-page>
                </web-app>
                """);
        return AttackedServer.start(folder, List.of(EndAttacksServlet.class), "--workers=4");
    }

    private static byte[] get(String path) {
        return ("GET " + path + " HTTP/1.1\r\nHost: here\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
    }

    /** Each request would hold a worker for a quarter of a second, for nobody. */
    @Test
    void clientsThatSendARequestForASlowServletAndCloseDelayNobodyForLong() throws Exception {
        try (AttackedServer server = start()) {
            int attackers = Math.max(400, AttackedServer.ATTACKERS / 5);
            byte[] request = get("/end/slow");
            long began = System.nanoTime();
            for (int i = 0; i < attackers; i++) {
                try (Socket attacker = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
                    attacker.getOutputStream().write(request);
                }
            }
            long sent = System.nanoTime();
            try (KeptConnection honest = new KeptConnection(server.port())) {
                assertEquals(200, honest.get("/hello.txt"));
                System.out.printf(
                        "%d clients sent a request and closed within %d ms; a request after them took %d ms%n",
                        attackers, (sent - began) / 1_000_000, (System.nanoTime() - sent) / 1_000_000);
            }
            AtomicInteger ran = new AtomicInteger();
            await().untilAsserted(() -> {
                ran.set(slowCalls(server));
                // A slow machine also refuses requests that have waited for too long.
                double gone = server.metric("penstock_clients_gone_total")
                        + server.metric("penstock_overloaded_total")
                        + server.metric("penstock_queue_full_total");
                // A request can count twice: its closed client resets the connection when the answer arrives, and the
                // reactor can see the reset before the worker has ended the request.
                assertTrue(
                        ran.get() + gone >= attackers,
                        () -> ran + " requests ran, " + gone + " clients had gone or were refused");
            });
            System.out.printf("requests of closed clients that ran: %d of %d%n", ran.get(), attackers);
            assertTrue(ran.get() < attackers / 2, "requests that ran for nobody: " + ran.get() + " of " + attackers);
            server.assertHonestUsersAreServed();
            server.awaitHeapOfBefore();
        }
    }

    private static int slowCalls(AttackedServer server) throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.getOutputStream()
                    .write("GET /end/calls HTTP/1.0\r\nHost: here\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            return Integer.parseInt(answer.substring(answer.indexOf("\r\n\r\n") + 4));
        }
    }

    /** The attackers stay connected, so nothing but the limit of errors ends their requests. */
    @Test
    void requestsWhoseErrorHandlingLoopsEndWith500AndAShortLog() throws Exception {
        try (AttackedServer server = start()) {
            int attackers = 0;
            long before = server.log().length();
            try (KeptConnection attacker = new KeptConnection(server.port())) {
                for (String path : List.of("/end/throw", "/end/error")) {
                    for (int i = 0; i < 10; i++) {
                        assertEquals(500, attacker.get(path), path);
                        attackers++;
                    }
                }
            }
            long written = server.log().length() - before;
            System.out.printf("%d requests wrote %d bytes into the log%n", attackers, written);
            assertTrue(written < 10_000L * attackers, "bytes of log: " + written);
            server.assertHonestUsersAreServed();
            server.awaitHeapOfBefore();
        }
    }
}
