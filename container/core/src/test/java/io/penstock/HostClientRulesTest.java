package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.certificates.Issued;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests a server whose hosts have different rules for client certificates. The server refuses a request if the rule of the requested host
 * differs from the rule of the host in the TLS handshake.
 */
class HostClientRulesTest {
    private static final Issued SERVER =
            Issued.self(Issued.EC, "open.example", "secret.example", "maybe.example", "*.staff.example");
    private static final Issued AUTHORITY = Issued.authority("authority");
    private static final Issued ANN = AUTHORITY.issue("Ann", Issued.RSA);
    private static final Issued STRANGER = Issued.authority("elsewhere").issue("Eve", Issued.RSA);

    @RegisterExtension
    final LeakCheck left = new LeakCheck();

    @TempDir
    Path folder;

    private Path certificate;
    private Path trust;

    /** Writes the host of the context, and the name in the client certificate. */
    private static final class Who extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            X509Certificate[] chain =
                    (X509Certificate[]) request.getAttribute("jakarta.servlet.request.X509Certificate");
            String text = getServletContext().getVirtualServerName() + " "
                    + (chain == null
                            ? "nobody"
                            : chain[0].getSubjectX500Principal().getName());
            response.setContentLength(text.length());
            response.getOutputStream().print(text);
        }
    }

    @BeforeEach
    void write() throws IOException {
        certificate = Files.writeString(folder.resolve("server.pem"), SERVER.pem() + SERVER.keyPem());
        trust = Files.writeString(folder.resolve("clients.pem"), AUTHORITY.pem());
    }

    private Penstock start(String... keysAndValues) throws StartException {
        Penstock.Builder builder = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .set("tls-cert", certificate.toString())
                .set("tls-trust", trust.toString());
        for (String host :
                new String[] {"", "//open.example", "//secret.example", "//maybe.example", "//*.staff.example"}) {
            builder.context(host + "/", context -> context.servlet("who", new Who(), "/*"));
        }
        for (int i = 0; i < keysAndValues.length; i += 2) {
            builder.set(keysAndValues[i], keysAndValues[i + 1]);
        }
        return builder.start();
    }

    private Penstock serverWithClientRules() throws StartException {
        return start(
                "//secret.example:client-auth", "need",
                "//maybe.example:client-auth", "want",
                "//*.staff.example:client-auth", "need");
    }

    private static HttpsClient client(Penstock server, @Nullable Issued own, @Nullable String name, String version)
            throws Exception {
        SSLContext context = own == null ? HttpsClient.context() : HttpsClient.context(own);
        return new HttpsClient(context, server.port(), name, version);
    }

    /** The columns: the host in the handshake, the host of the request, and the results without and with a client certificate. */
    @ParameterizedTest
    @CsvSource({
        "open.example,     open.example,        open.example nobody,   open.example nobody",
        "open.example,     secret.example,      421,                   421",
        "open.example,     maybe.example,       421,                   421",
        "open.example,     SECRET.example.:443, 421,                   421",
        "open.example,     a.staff.example,     421,                   421",
        "secret.example,   secret.example,      refused,               secret.example CN=Ann",
        "SECRET.example,   Secret.example,      refused,               secret.example CN=Ann",
        "secret.example,   a.staff.example,     refused,               *.staff.example CN=Ann",
        "secret.example,   open.example,        refused,               421",
        "a.staff.example,  b.staff.example,     refused,               *.staff.example CN=Ann",
        "maybe.example,    maybe.example,       maybe.example nobody,  maybe.example CN=Ann",
        "maybe.example,    secret.example,      421,                   421",
        "maybe.example,    open.example,        421,                   421",
        ",                 open.example,        open.example nobody,   open.example nobody",
        ",                 127.0.0.1,           penstock nobody,       penstock nobody",
        ",                 secret.example,      421,                   421",
        ",                 maybe.example,       421,                   421"
    })
    void aRequestGets421IfItsHostHasAnotherRuleThanTheHostOfTheHandshake(
            String name, String host, String without, String with) throws Exception {
        try (Penstock server = serverWithClientRules()) {
            for (String version : new String[] {"TLSv1.3", "TLSv1.2"}) {
                assertEquals(without, result(server, null, name, version, host), version);
                assertEquals(with, result(server, ANN, name, version, host), version);
            }
        }
    }

    private static String result(
            Penstock server, @Nullable Issued own, @Nullable String name, String version, String host)
            throws Exception {
        try (HttpsClient client = client(server, own, name, version)) {
            RawExchange answer = client.get(host, "/");
            return answer.status() == 200 ? answer.body() : Integer.toString(answer.status());
        } catch (IOException e) {
            return "refused"; // the server refuses the handshake
        }
    }

    @Test
    void anUntrustedClientCertificateIsRefused() throws Exception {
        try (Penstock server = serverWithClientRules()) {
            assertEquals("refused", result(server, STRANGER, "secret.example", "TLSv1.3", "secret.example"));
        }
    }

    @Test
    void theConnectionStaysOpenAfterAResponseWithStatus421() throws Exception {
        try (Penstock server = serverWithClientRules();
                HttpsClient client = client(server, ANN, "secret.example", "TLSv1.3")) {
            assertEquals(
                    "secret.example CN=Ann", client.get("secret.example", "/").body());
            assertEquals(421, client.get("open.example", "/").status());
            assertEquals(
                    "secret.example CN=Ann", client.get("secret.example", "/").body());
        }
    }

    /** In this test, the default host requires a client certificate. */
    @Test
    void aRequestWithoutAHostUsesTheRuleOfTheDefaultHost() throws Exception {
        try (Penstock server = start("tls-client-auth", "need", "//open.example:client-auth", "none")) {
            try (HttpsClient client = client(server, null, "open.example", "TLSv1.3")) {
                assertEquals(
                        "open.example nobody", client.get("open.example", "/").body());
                assertEquals(421, client.get("secret.example", "/").status());
                assertEquals(
                        421,
                        client.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
                                .status());
            }
            assertEquals("refused", result(server, null, null, "TLSv1.3", "open.example"));
            assertEquals("penstock CN=Ann", result(server, ANN, null, "TLSv1.3", "127.0.0.1"));
        }
    }

    /**
     * A client without a certificate gets a TLS session of a host that requires no certificate. With this session, the client must not
     * reach a host that requires a certificate. When the Java client of this test resumes a session, it sends the host name of the first
     * handshake again. So the server accepts the handshake. The server must then refuse the request with status 421.
     */
    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void aTlsSessionOfOneHostGivesNoAccessToAHostWithAnotherRule(String version) throws Exception {
        SSLContext context = HttpsClient.context();
        try (Penstock server = serverWithClientRules()) {
            try (HttpsClient client = new HttpsClient(context, server.port(), "open.example", version)) {
                assertEquals(200, client.get("open.example", "/").status());
            }
            try (HttpsClient client = new HttpsClient(context, server.port(), "secret.example", version)) {
                assertEquals(421, client.get("secret.example", "/").status()); // Java sends the first host name again
            }
            try (HttpsClient client = new HttpsClient(context, server.port(), "open.example", version)) {
                assertEquals(200, client.get("open.example", "/").status());
                assertEquals(421, client.get("secret.example", "/").status());
            }
        }
    }

    /** The server cannot read the host name in a ClientHello of two records. So the TLS engine uses the rule of the default host. */
    @Test
    void theRuleOfTheDefaultHostIsUsedIfTheClientHelloIsSplit() throws Exception {
        try (Penstock server = serverWithClientRules();
                HttpsClient client = new HttpsClient(
                        HttpsClient.context(), new SplittingSocket(server.port()), "secret.example", "TLSv1.3")) {
            assertEquals(421, client.get("secret.example", "/").status());
            assertEquals("open.example nobody", client.get("open.example", "/").body());
        }
    }

    /** Splits the first TLS record of the client into two records. */
    private static final class SplittingSocket extends Socket {
        private static final int HEAD = 5;
        private static final int FIRST = 20;

        SplittingSocket(int port) throws IOException {
            super("127.0.0.1", port);
        }

        @Override
        public OutputStream getOutputStream() throws IOException {
            return new FilterOutputStream(super.getOutputStream()) {
                private boolean begun;

                @Override
                public void write(byte[] bytes, int offset, int length) throws IOException {
                    if (begun) {
                        out.write(bytes, offset, length);
                        return;
                    }
                    begun = true;
                    record(bytes, offset, offset + HEAD, FIRST);
                    record(bytes, offset, offset + HEAD + FIRST, length - HEAD - FIRST);
                }

                private void record(byte[] bytes, int head, int from, int length) throws IOException {
                    out.write(bytes, head, 3);
                    out.write(length >> 8);
                    out.write(length);
                    out.write(bytes, from, length);
                }
            };
        }
    }
}
