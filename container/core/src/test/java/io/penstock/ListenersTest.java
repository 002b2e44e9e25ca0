package io.penstock;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests servers with several listeners: network ports and Unix domain sockets ({@code listen}). */
class ListenersTest {
    private static final String CLOSE = "Connection: close\r\n\r\n";
    private static final String PROXY_HEADER = "PROXY TCP4 192.0.2.1 198.51.100.1 56324 443\r\n";

    @TempDir
    Path folder;

    /** Writes the URL of the request, and the remote and local address of the connection. */
    private static final class AddressServlet extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter()
                    .print(String.join(
                            "|",
                            request.getRequestURL(),
                            request.getRemoteAddr(),
                            request.getRemoteHost(),
                            Integer.toString(request.getRemotePort()),
                            request.getLocalAddr(),
                            request.getLocalName(),
                            Integer.toString(request.getLocalPort())));
        }
    }

    private Penstock.Builder server(String... listen) {
        return Penstock.builder()
                .listen(listen)
                .workers(2)
                .realm(GivenRealm.annAndBob())
                .context("/app", context -> context.servlet("ends", new AddressServlet(), "/ends"))
                .context("/basic", context -> context.servlet("staff", new WhoServlet(), "/*")
                        .constrain("/*", "staff")
                        .basicLogin("office"));
    }

    private String unix() {
        return "unix:" + folder.resolve("s");
    }

    private static RawExchange send(SocketAddress address, String bytes) throws IOException {
        try (SocketChannel client = SocketChannel.open(address)) {
            client.write(ByteBuffer.wrap(bytes.getBytes(StandardCharsets.ISO_8859_1)));
            return new RawExchange(
                    new String(Channels.newInputStream(client).readAllBytes(), StandardCharsets.ISO_8859_1));
        }
    }

    private static RawExchange get(Penstock server, int listener, String target, String... lines) throws IOException {
        StringBuilder request = new StringBuilder("GET " + target + " HTTP/1.1\r\nHost: site.example\r\n");
        for (String line : lines) {
            request.append(line).append("\r\n");
        }
        return send(server.addresses().get(listener), request.append(CLOSE).toString());
    }

    private static int port(Penstock server, int listener) {
        return ((InetSocketAddress) server.addresses().get(listener)).getPort();
    }

    // ---- several listeners

    @Test
    void eachListenerUsesItsConfiguredProtocol() throws Exception {
        try (Penstock server = server("http://127.0.0.1:0", "https://127.0.0.1:0", unix())
                        .set("tls-self-signed", "on")
                        .set("redirect-port", "0")
                        .set("admin-port", "0")
                        .start();
                HttpsClient https = new HttpsClient(port(server, 1), null)) {
            assertEquals(4, server.addresses().size());
            assertEquals(port(server, 0), server.port());
            assertEquals(
                    UnixDomainSocketAddress.of(folder.resolve("s")),
                    server.addresses().get(2));
            assertEquals(
                    server.redirectAddress().orElseThrow(), server.addresses().get(3));

            String ends = get(server, 0, "/app/ends").body();
            assertTrue(ends.startsWith("http://site.example/app/ends|127.0.0.1|127.0.0.1|"), ends);
            assertTrue(ends.endsWith("|127.0.0.1|127.0.0.1|" + port(server, 0)), ends);
            String encrypted = https.send("GET /app/ends HTTP/1.1\r\nHost: localhost\r\n" + CLOSE)
                    .body();
            assertTrue(encrypted.startsWith("https://localhost/app/ends|127.0.0.1|"), encrypted);
            assertEquals(
                    "http://site.example/app/ends|||-1|||-1",
                    get(server, 2, "/app/ends").body());
            assertEquals(
                    List.of("https://site.example:" + port(server, 1) + "/x"),
                    get(server, 3, "/x").values("Location"));
            assertEquals(
                    200,
                    RawExchange.of(
                                    server.adminAddress().orElseThrow().getPort(),
                                    "GET /health/ready HTTP/1.1\r\nHost: localhost\r\n" + CLOSE)
                            .status());
            assertEquals(400, get(server, 1, "/app/ends").status(), "status of plain HTTP at a TLS port");
        }
    }

    @Test
    void aListenerCanHaveAnIpv6AddressInBrackets() throws Exception {
        try (Penstock server = server("http://[::1]:0", "http://127.0.0.1:0").start()) {
            String ends = get(server, 0, "/app/ends").body();
            assertTrue(ends.startsWith("http://site.example/app/ends|0:0:0:0:0:0:0:1|"), ends);
        }
    }

    @Test
    void noListenerStaysOpenIfAnotherListenerFailsToOpen() throws Exception {
        int first = UnusedPort.next();
        try (ServerSocket taken = new ServerSocket(0)) {
            StartException refused = assertThrows(StartException.class, () -> server(
                            "http://127.0.0.1:" + first, unix(), "http://127.0.0.1:" + taken.getLocalPort())
                    .start());
            assertEquals(
                    "cannot listen on 127.0.0.1:" + taken.getLocalPort() + ": Address already in use",
                    refused.getMessage());
            assertThrows(ConnectException.class, () -> new Socket("127.0.0.1", first).close());
            try (Stream<Path> files = Files.list(folder)) {
                assertEquals(List.of(), files.toList());
            }
        }
    }

    @Test
    void anInheritedListenerRequiresASocketAsStandardInput() {
        StartException refused =
                assertThrows(StartException.class, () -> server("inherited:").start());
        assertEquals("cannot listen on inherited:: the standard input is not a socket", refused.getMessage());
    }

    @Test
    void aConfigurationCheckReportsUnknownHostsAndMissingFolders() {
        assertEquals(
                List.of("listen: unknown host no.such.host.invalid", "listen: no such folder: " + folder + "/none"),
                server("http://no.such.host.invalid:1", "unix:" + folder + "/none/s", unix(), "inherited:")
                        .check());
        assertEquals(List.of(), server(unix(), "inherited:").check());
    }

    // ---- Unix domain sockets

    @Test
    void aServerCanHaveAUnixSocketAsItsOnlyListener() throws Exception {
        Path file = folder.resolve("s");
        ObjectName name = new ObjectName("io.penstock:type=Server,socket=" + ObjectName.quote(file.toString()));
        try (Penstock server = server(unix() + "?mode=600").start()) {
            assertEquals(200, get(server, 0, "/app/ends").status());
            assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
            assertThrows(IllegalStateException.class, server::port);
            assertTrue(ManagementFactory.getPlatformMBeanServer().isRegistered(name));
        }
        assertTrue(Files.notExists(file));
    }

    @Test
    void theAccessLogAndTheDumpShowNoAddressForUnixClients() throws Exception {
        Path log = folder.resolve("access.log");
        try (Penstock server = server(unix())
                        .set("access-log", log.toString())
                        .set("access-log-format", "c-ip c-port cs-uri")
                        .start();
                SocketChannel idle = SocketChannel.open(server.addresses().get(0))) {
            await().until(() -> server.dump().lines().anyMatch(line -> line.contains(" unix: ")));
            assertEquals(200, get(server, 0, "/app/ends").status());
            idle.shutdownOutput();
        }
        assertEquals(
                List.of("- 0 /app/ends"),
                Files.readAllLines(log).stream()
                        .filter(line -> !line.startsWith("#"))
                        .toList());
    }

    /** All clients of a Unix domain socket count as one address. */
    @Test
    void failedLoginsOfOneUnixClientLockOutAllUnixClients() throws Exception {
        try (Penstock server = server(unix(), "http://127.0.0.1:0")
                .set("login-failures-address", "2")
                .set("login-failures-user", "0")
                .start()) {
            assertEquals(401, login(server, 0, "ann:wrong"));
            assertEquals(401, login(server, 0, "ann:worse"));
            assertEquals(429, login(server, 0, "ann:secret"));
            assertEquals(200, login(server, 1, "ann:secret"));
        }
    }

    private static int login(Penstock server, int listener, String pair, String... lines) throws IOException {
        String user = Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
        return get(
                        server,
                        listener,
                        "/basic/",
                        Stream.concat(Stream.of("Authorization: Basic " + user), Stream.of(lines))
                                .toArray(String[]::new))
                .status();
    }

    @Test
    void allowedAddressesApplyToUnixClientsButRateLimitsDoNot() throws Exception {
        try (Penstock server = server(unix(), "http://127.0.0.1:0")
                .set("request-rate", "1")
                .set("request-burst", "1")
                .set("max-connections-address", "1")
                .start()) {
            for (int i = 0; i < 5; i++) {
                assertEquals(200, get(server, 0, "/app/ends").status());
            }
        }
        try (Penstock server = server(unix(), "http://127.0.0.1:0")
                .set("allowed-addresses", "127.0.0.1")
                .start()) {
            assertEquals(403, get(server, 0, "/app/ends").status());
            assertEquals(200, get(server, 1, "/app/ends").status());
        }
    }

    @Test
    void aProxyAtAUnixSocketIsTrustedIfConfigured() throws Exception {
        String[] fields = {"X-Forwarded-For: 192.0.2.1", "X-Forwarded-Proto: https"};
        try (Penstock server = server(unix(), "http://127.0.0.1:0")
                .set("trusted-proxies", "unix")
                .set("allowed-addresses", "192.0.2.0/24")
                .set("login-failures-address", "1")
                .set("login-failures-user", "0")
                .start()) {
            assertEquals(
                    "https://site.example/app/ends|192.0.2.1|192.0.2.1|-1|||-1",
                    get(server, 0, "/app/ends", fields).body());
            assertEquals(403, get(server, 1, "/app/ends", fields).status());
            assertEquals(403, get(server, 0, "/app/ends").status());
            assertEquals(401, login(server, 0, "ann:wrong", fields));
            assertEquals(429, login(server, 0, "ann:secret", fields));
            assertEquals(200, login(server, 0, "ann:secret", "X-Forwarded-For: 192.0.2.2"));
        }
        try (Penstock server =
                server(unix()).set("trusted-proxies", "127.0.0.1").start()) {
            assertEquals(
                    "http://site.example/app/ends|||-1|||-1",
                    get(server, 0, "/app/ends", fields).body());
        }
    }

    // ---- the PROXY protocol

    @Test
    void onlyListenersWithProxyProtocolExpectAProxyHeader() throws Exception {
        try (Penstock server = server(
                        "http://127.0.0.1:0", "http://127.0.0.1:0?proxy-protocol=on", unix() + "?proxy-protocol=on")
                .set("trusted-proxies", "127.0.0.1,unix")
                .start()) {
            String request = "GET /app/ends HTTP/1.1\r\nHost: site.example\r\n" + CLOSE;
            String named = "http://site.example/app/ends|192.0.2.1|192.0.2.1|56324|198.51.100.1|198.51.100.1|443";
            assertEquals(200, get(server, 0, "/app/ends").status());
            assertEquals(
                    400, send(server.addresses().get(0), PROXY_HEADER + request).status());
            for (int listener : new int[] {1, 2}) {
                assertEquals(
                        named,
                        send(server.addresses().get(listener), PROXY_HEADER + request)
                                .body());
                assertEquals("", get(server, listener, "/app/ends").text());
            }
            assertEquals(2, server.counters().get("proxy-headers-refused"));
        }
    }
}
