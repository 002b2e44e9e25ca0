package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The admin port answers the operator while other clients keep many connections to the admin port open. The other clients send nothing, or
 * only a part of a request.
 */
class HeldAdminPortTest {
    private static final int IDLE_CONNECTIONS = 200;

    @RegisterExtension
    final LeakCheck nothingLeft = new LeakCheck();

    @Test
    void theAdminPortRespondsWhileClientsKeepManyConnectionsOpen() throws Exception {
        List<Socket> held = new ArrayList<>();
        try (Penstock server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .set("admin-port", "0")
                .start()) {
            AdminPort admin = AdminPort.of(server);
            for (int i = 0; i < IDLE_CONNECTIONS; i++) {
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), admin.port());
                held.add(socket);
                if (i % 2 == 0) {
                    socket.getOutputStream()
                            .write("GET /dump HTTP/1.1\r\nHost: localhost\r\nX".getBytes(StandardCharsets.US_ASCII));
                }
            }
            for (int i = 0; i < 10; i++) {
                assertEquals(200, admin.get("/health/ready").status());
            }
            assertTrue(admin.get("/dump").whole().contains("gauges:"));
        } finally {
            for (Socket socket : held) {
                socket.close();
            }
        }
    }
}
