package io.penstock.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.Penstock;
import io.penstock.testing.AnyCertificate;
import io.penstock.testing.NeedsProgram;
import io.penstock.testing.Program;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The server behind real proxies, with the lines that {@code docs/production.md} shows. The proxies end TLS and have the address 127.0.0.1, which
 * the server trusts. Clients have other loopback addresses, and send forged fields.
 */
@NeedsProgram(Program.OPENSSL)
class BehindProxyIT {
    private static final Path DOCUMENT = Path.of("..", "..", "docs", "production.md");
    private static final int PATIENCE_MILLIS = 60_000;

    @TempDir
    static Path folder;

    private static Path certificate;
    private static Path together;

    @BeforeAll
    static void makeCertificate() throws Exception {
        certificate = new TestAuthority(folder).server();
        together = Files.writeString(
                folder.resolve("together.pem"),
                Files.readString(certificate) + Files.readString(TestAuthority.key(certificate)));
    }

    /** Tells how a request came, redirects, or begins a session. */
    private static final class Site extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            switch (request.getServletPath()) {
                case "/redirect" -> response.sendRedirect("there");
                case "/session" -> request.getSession();
                default ->
                    response.getWriter()
                            .print(request.getRemoteAddr() + " " + request.getScheme() + " " + request.isSecure() + " "
                                    + request.getRequestURL());
            }
        }
    }

    private static Penstock.Builder server(Path log) {
        return site(log).host("127.0.0.1").port(0).set("trusted-proxies", "127.0.0.1");
    }

    private static Penstock.Builder site(Path log) {
        return Penstock.builder()
                .workers(2)
                .set("login-failures-address", "2")
                .set("access-log", log.toString())
                .set("access-log-format", "c-ip cs-uri sc-status")
                .realm((name, password) -> null)
                .context("/app", context -> context.servlet("site", new Site(), "/told", "/redirect", "/session"))
                .context("/staff", context -> context.servlet("site", new Site(), "/*")
                        .constrain("/*", "staff")
                        .basicLogin("staff"));
    }

    /** The block of the document in that language that has this text, with the port of the server in place of its own. */
    private static String documented(String language, String with, Penstock server) throws IOException {
        Matcher address = Pattern.compile("127\\.0\\.0\\.1:(8080|8443)").matcher(documented(language, with));
        assertTrue(address.find(), with);
        return address.replaceAll("127.0.0.1:" + server.port());
    }

    private static String documented(String language, String with) throws IOException {
        Matcher blocks =
                Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL).matcher(Files.readString(DOCUMENT));
        while (blocks.find()) {
            if (blocks.group(1).contains(with)) {
                return blocks.group(1);
            }
        }
        throw new AssertionError("no block with " + with);
    }

    private static String ask(int port, String client, String target, String... lines) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new AnyCertificate()}, null);
        try (Socket plain = new Socket()) {
            plain.setSoTimeout(PATIENCE_MILLIS);
            plain.bind(new InetSocketAddress(client, 0));
            plain.connect(new InetSocketAddress("127.0.0.1", port));
            try (Socket socket = context.getSocketFactory().createSocket(plain, "localhost", port, true)) {
                String request = "GET " + target + " HTTP/1.1\r\nHost: localhost:" + port + "\r\nConnection: close\r\n"
                        + "X-Forwarded-For: 6.6.6.6\r\nX-Forwarded-Proto: http\r\nX-Forwarded-Host: evil.example\r\n"
                        + "X-Forwarded-Port: 1\r\nForwarded: for=6.6.6.6;proto=http;host=evil.example\r\n"
                        + String.join("", lines) + "\r\n";
                socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
                return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
            }
        }
    }

    private static void assertSeesTheClient(ProxyProcess proxy) throws Exception {
        int port = proxy.port();
        String origin = "https://localhost:" + port;
        String told = ask(port, "127.0.0.2", "/app/told");
        assertTrue(told.contains("127.0.0.2 https true " + origin + "/app/told"), told + proxy.log());
        String led = ask(port, "127.0.0.2", "/app/redirect");
        assertTrue(led.contains("ocation: " + origin + "/app/there\r\n"), led);
        String directory = ask(port, "127.0.0.2", "/app");
        assertTrue(directory.contains("ocation: " + origin + "/app/\r\n"), directory);
        String session = ask(port, "127.0.0.2", "/app/session");
        assertTrue(session.contains("; Secure"), session);
        String user = "Authorization: Basic "
                + Base64.getEncoder().encodeToString("ann:wrong".getBytes(StandardCharsets.US_ASCII)) + "\r\n";
        for (String status : List.of(" 401 ", " 401 ", " 429 ")) {
            String refused = ask(port, "127.0.0.3", "/staff/", user);
            assertTrue(refused.substring(0, 20).contains(status), refused);
        }
        String other = ask(port, "127.0.0.4", "/staff/", user);
        assertTrue(other.substring(0, 20).contains(" 401 "), other);
    }

    private static void assertLogged(Path log) throws IOException {
        assertEquals(
                List.of(
                        "127.0.0.2 /app/told 200",
                        "127.0.0.2 /app/redirect 302",
                        "127.0.0.2 /app 302",
                        "127.0.0.2 /app/session 200",
                        "127.0.0.3 /staff/ 401",
                        "127.0.0.3 /staff/ 401",
                        "127.0.0.3 /staff/ 429",
                        "127.0.0.4 /staff/ 401"),
                Files.readAllLines(log).stream()
                        .filter(line -> !line.startsWith("#"))
                        .toList());
    }

    /** Starts a proxy in front of the server. */
    @FunctionalInterface
    private interface Front {
        ProxyProcess before(Penstock server) throws IOException;
    }

    private static void assertSeesTheClient(Penstock.Builder builder, Path log, Front front) throws Exception {
        try (Penstock server = builder.start();
                ProxyProcess proxy = front.before(server)) {
            assertSeesTheClient(proxy);
            assertEquals(0, server.counters().get("proxy-headers-refused"));
        }
        assertLogged(log);
    }

    @Test
    @NeedsProgram(Program.NGINX)
    void nginx() throws Exception {
        Path log = folder.resolve("nginx-access.log");
        assertSeesTheClient(
                server(log), log, server -> nginx(documented("nginx", "proxy_pass http://127.0.0.1", server)));
    }

    @Test
    @NeedsProgram(Program.NGINX)
    void nginxAtAUnixDomainSocket() throws Exception {
        Path log = folder.resolve("unix-access.log");
        Path socket = folder.resolve("http.sock");
        String location = documented("nginx", "proxy_pass http://unix:/run/penstock/http.sock;")
                .replace("/run/penstock/http.sock", socket.toString());
        Penstock.Builder builder = site(log).listen("unix:" + socket).set("trusted-proxies", "unix");
        assertSeesTheClient(builder, log, server -> nginx(location));
    }

    private static ProxyProcess nginx(String location) throws IOException {
        return ProxyProcess.nginx(port -> """
                server {
                    listen 127.0.0.1:%d ssl;
                    ssl_certificate %s;
                    ssl_certificate_key %s;
                    %s
                }
                """.formatted(port, certificate, TestAuthority.key(certificate), location));
    }

    @Test
    @NeedsProgram(Program.HAPROXY)
    void haproxy() throws Exception {
        Path log = folder.resolve("haproxy-access.log");
        assertSeesTheClient(server(log), log, server -> {
            String backend = documented("haproxy", "option forwardfor", server);
            return ProxyProcess.haproxy(port -> """
                    frontend site
                        mode http
                        bind 127.0.0.1:%d ssl crt %s
                        default_backend penstock
                    %s
                    """.formatted(port, together, backend));
        });
    }

    @Test
    @NeedsProgram(Program.APACHE)
    void apache() throws Exception {
        Path log = folder.resolve("apache-access.log");
        assertSeesTheClient(server(log), log, server -> {
            String location = documented("apache", "ProxyPass", server);
            return ProxyProcess.apache(
                    port -> """
                    <VirtualHost 127.0.0.1:%d>
                        SSLEngine on
                        SSLCertificateFile %s
                        SSLCertificateKeyFile %s
                        %s
                    </VirtualHost>
                    """.formatted(port, certificate, TestAuthority.key(certificate), location));
        });
    }

    /** HAProxy passes bytes on, and the server ends TLS. */
    @ParameterizedTest
    @ValueSource(strings = {"send-proxy-v2", "send-proxy"})
    @NeedsProgram(Program.HAPROXY)
    void haproxyWithProxyHeaders(String version) throws Exception {
        Path log = folder.resolve(version + "-access.log");
        Penstock.Builder behindHeaders = server(log).set("proxy-protocol", "on").set("tls-self-signed", "on");
        assertSeesTheClient(behindHeaders, log, server -> {
            String listen = documented("haproxy", "send-proxy-v2", server).replace("send-proxy-v2", version);
            assertTrue(listen.contains("bind :443\n"), listen);
            return ProxyProcess.haproxy(port -> listen.replace("bind :443\n", "bind 127.0.0.1:" + port + "\n"));
        });
    }
}
