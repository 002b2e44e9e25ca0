package io.penstock;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.certificates.Issued;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests status 421. A request over TLS gets 421 if the certificate of the connection does not cover the host of the request. */
class Rfc9110Section15520MisdirectedTest {
    @TempDir
    Path folder;

    private Penstock server;

    private static final class Ok extends HttpServlet {
        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.setContentLength(2);
            response.getWriter().print("ok");
        }
    }

    private static Penstock.Builder builder() {
        return Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(1)
                .context("/", context -> context.servlet("ok", new Ok(), "/*"));
    }

    @BeforeEach
    void begin() throws Exception {
        Issued first = Issued.self(Issued.EC, "good.example", "*.wild.example", "localhost");
        Issued second = Issued.self(Issued.EC, "second.example");
        Path one = Files.writeString(folder.resolve("first.pem"), first.pem() + first.keyPem());
        Path two = Files.writeString(folder.resolve("second.pem"), second.pem() + second.keyPem());
        server = builder().set("tls-cert", one + "," + two).start();
    }

    @AfterEach
    void end() {
        server.close();
    }

    private int status(String name, String host) throws Exception {
        try (HttpsClient client = new HttpsClient(server.port(), name)) {
            return client.get(host, "/").status();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "good.example,   good.example",
        "good.example,   GOOD.example.:8443",
        "good.example,   a.wild.example",
        "a.wild.example, b.wild.example",
        "localhost,      localhost:1234",
        "second.example, second.example"
    })
    void aRequestIsServedIfTheCertificateCoversTheHost(String name, String host) throws Exception {
        assertEquals(200, status(name, host));
    }

    @ParameterizedTest
    @CsvSource({
        "good.example,   second.example", // the certificate of this connection is for another host
        "second.example, good.example",
        "good.example,   other.example",
        "good.example,   a.b.wild.example",
        "good.example,   127.0.0.1",
        "localhost,      127.0.0.1",
        "localhost,      [::1]:8443",
        "other.example,  other.example" // no certificate covers the host name of the handshake
    })
    void aRequestGets421IfTheCertificateDoesNotCoverTheHost(String name, String host) throws Exception {
        assertEquals(421, status(name, host));
    }

    /** A client that connects to an IP address sends no host name in its TLS handshake. */
    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "[::1]:8443", "other.example", "second.example"})
    void aRequestForAnyHostIsServedIfTheHandshakeHasNoHostName(String host) throws Exception {
        assertEquals(200, status(null, host));
    }

    /** No client can verify such a certificate, also if its common name is the host (RFC 9525, section 6.3). */
    @Test
    void aRequestForAnyHostIsServedIfTheCertificateHasNoNames() throws Exception {
        server.close();
        Issued nameless = Issued.self(Issued.EC);
        Path file = Files.writeString(folder.resolve("nameless.pem"), nameless.pem() + nameless.keyPem());
        server = builder().set("tls-cert", file.toString()).start();
        assertEquals(200, status("localhost", "localhost"));
        assertEquals(200, status("good.example", "other.example"));
    }

    @Test
    void theConnectionStaysOpenAfterA421Response() throws Exception {
        try (HttpsClient client = new HttpsClient(server.port(), "good.example")) {
            assertEquals(200, client.get("good.example", "/").status());
            RawExchange refused = client.get("other.example", "/");
            assertEquals(421, refused.status());
            assertEquals("421 Misdirected Request\nThis connection was made for another host\n", refused.body());
            assertEquals(List.of(), refused.values("Connection"));
            assertEquals(200, client.get("a.wild.example", "/").status());
            assertEquals(200, client.get("good.example", "/").status());
            assertEquals(421, client.get("other.example", "/").status());
        }
    }

    @Test
    void theHostOfAnAbsoluteRequestTargetIsChecked() throws Exception {
        try (HttpsClient client = new HttpsClient(server.port(), "good.example")) {
            assertEquals(
                    421,
                    client.send("GET https://other.example/ HTTP/1.1\r\nHost: good.example\r\n\r\n")
                            .status());
            assertEquals(
                    200,
                    client.send("GET https://good.example/ HTTP/1.1\r\nHost: other.example\r\n\r\n")
                            .status());
        }
    }

    @Test
    void anHttp10RequestWithoutAHostFieldIsServed() throws Exception {
        try (HttpsClient client = new HttpsClient(server.port(), "good.example")) {
            assertEquals(200, client.send("GET / HTTP/1.0\r\n\r\n").status());
        }
    }

    @Test
    void theServerClosesTheConnectionAfterAMisdirectedRequestWithABody() throws Exception {
        try (HttpsClient client = new HttpsClient(server.port(), "good.example")) {
            RawExchange refused =
                    client.send("POST / HTTP/1.1\r\nHost: other.example\r\nContent-Length: 100000\r\n\r\n");
            assertEquals(421, refused.status());
            assertEquals(List.of("close"), refused.values("Connection"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void aResumedTlsSessionServesOnlyTheHostsOfTheCertificate(String version) throws Exception {
        SSLContext context = HttpsClient.context();
        byte[] session;
        try (HttpsClient first = new HttpsClient(context, server.port(), "good.example", version)) {
            assertEquals(200, first.get("good.example", "/").status());
            session = first.socket().getSession().getId();
        }
        try (HttpsClient again = new HttpsClient(context, server.port(), "good.example", version)) {
            assertEquals(200, again.get("a.wild.example", "/").status());
            assertEquals(421, again.get("second.example", "/").status());
            if (version.equals("TLSv1.2")) { // in TLS 1.3 each connection has a different session id
                assertArrayEquals(session, again.socket().getSession().getId(), "the session was not resumed");
            }
        }
    }

    /** With {@code tls-self-signed}, a client such as {@code curl --insecure} can use any name of the machine. */
    @Test
    void anyHostIsServedIfTheSettingTlsSelfSignedIsOn() throws Exception {
        try (Penstock tried = builder().set("tls-self-signed", "on").start();
                HttpsClient client = new HttpsClient(tried.port(), "my-machine.local")) {
            assertEquals(200, client.get("my-machine.local", "/").status());
            assertEquals(200, client.get("127.0.0.1", "/").status());
        }
    }

    @Test
    void aConnectionWithoutTlsServesAnyHost() throws Exception {
        try (Penstock plain = builder().start()) {
            assertEquals(200, RawExchange.get(plain, "/").status());
        }
    }
}
