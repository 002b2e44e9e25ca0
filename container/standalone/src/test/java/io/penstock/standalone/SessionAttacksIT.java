package io.penstock.standalone;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients without a cookie request a page that needs a login by form, as often as they can. For each request the server makes a session that
 * waits for the login. {@code -Dpenstock.attackers=12000} sends 120,000 requests from one address, and as many from others.
 */
class SessionAttacksIT {
    private static final int REQUESTS_OF_CLIENT = 1000;
    private static final int CLIENTS = AttackedServer.ATTACKERS * 10 / REQUESTS_OF_CLIENT;
    private static final int MAX_LOGIN_SESSIONS = 10_000;

    @TempDir
    Path folder;

    private AttackedServer start() throws Exception {
        Files.createDirectories(folder.resolve("WEB-INF"));
        Files.writeString(folder.resolve("login.html"), "<form method=post action=j_security_check></form>");
        Files.writeString(folder.resolve("WEB-INF/web.xml"), """
                <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.1">
                  <security-constraint>
                    <web-resource-collection>
                      <web-resource-name>desk</web-resource-name>
                      <url-pattern>/desk</url-pattern>
                    </web-resource-collection>
                    <auth-constraint>
                      <role-name>*</role-name>
                    </auth-constraint>
                  </security-constraint>
                  <login-config>
                    <auth-method>FORM</auth-method>
                    <form-login-config>
                      <form-login-page>/login.html</form-login-page>
                      <form-error-page>/login.html</form-error-page>
                    </form-login-config>
                  </login-config>
                </web-app>
                """);
        return AttackedServer.start(folder, List.of(CartServlet.class), "--trusted-proxies=127.0.0.1");
    }

    /** Sends the requests of all clients, one after the other on each connection. Waits for the last answer of each connection. */
    private static void flood(AttackedServer server, String network, int addresses) throws Exception {
        long began = System.nanoTime();
        try (Crowd attackers = new Crowd(server.port())) {
            attackers.connect(CLIENTS, client -> {
                StringBuilder all = new StringBuilder();
                for (int i = 0; i < REQUESTS_OF_CLIENT; i++) {
                    int address = (client * REQUESTS_OF_CLIENT + i) % addresses;
                    all.append("GET /desk?")
                            .append("q".repeat(400))
                            .append(" HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ")
                            .append(network)
                            .append(address / 256)
                            .append('.')
                            .append(address % 256)
                            .append(i == REQUESTS_OF_CLIENT - 1 ? "\r\nConnection: close" : "")
                            .append("\r\n\r\n");
                }
                return all.toString().getBytes(StandardCharsets.US_ASCII);
            });
            await().atMost(Duration.ofMinutes(2)).until(() -> attackers.open() == 0);
            assertEquals(CLIENTS, attackers.answers(200));
        }
        int requests = CLIENTS * REQUESTS_OF_CLIENT;
        System.out.printf(
                "%d requests for a login form from %d addresses: %d a second, %.0f sessions wait, live heap %d KB more%n",
                requests,
                addresses,
                requests * 1_000_000_000L / (System.nanoTime() - began),
                server.metric("penstock_login_sessions"),
                (server.liveHeap() - server.heapBefore()) >> 10);
    }

    @Test
    void sessionsThatWaitForALoginTakeABoundedShareOfTheHeap() throws Exception {
        try (AttackedServer server = start()) {
            flood(server, "203.0.", 1);
            assertEquals(MAX_LOGIN_SESSIONS / 4, server.metric("penstock_login_sessions"));
            flood(server, "198.18.", CLIENTS * REQUESTS_OF_CLIENT / 2);
            assertEquals(MAX_LOGIN_SESSIONS, server.metric("penstock_login_sessions"));
            assertEquals(0, server.metric("penstock_sessions"));
            try (KeptConnection user = new KeptConnection(server.port())) {
                assertEquals(200, user.get("/cart"));
            }
            assertEquals(1, server.metric("penstock_sessions"));
            server.assertHonestUsersAreServed();
            long most = server.heapBefore() + (24 << 20);
            assertTrue(server.liveHeap() < most, "the waiting sessions take too much heap");
        }
    }
}
