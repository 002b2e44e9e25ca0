package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.certificates.AnyCertificate;
import io.penstock.certificates.Issued;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.util.List;
import javax.management.ObjectName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the certificates of a server: their use, their reload and their metrics. */
class HttpsCertificatesTest {
    private static final Issued FIRST = Issued.self(Issued.EC, "first.example");
    private static final Issued SECOND = Issued.self(Issued.EC, "second.example");

    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void writeTheFirstCertificate() throws IOException {
        file = folder.resolve("both.pem");
        write(FIRST.pem() + FIRST.keyPem());
    }

    private void write(String content) throws IOException {
        Files.writeString(file, content);
    }

    private Penstock.Builder builder() {
        return Penstock.builder()
                .port(0)
                .set("host", "127.0.0.1")
                .set("tls-cert", file.toString())
                .set("tls-reload-interval", "0s");
    }

    private static Certificate served(Penstock server) throws Exception {
        return served(server.port());
    }

    private static Certificate served(int port) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new AnyCertificate()}, null);
        try (SSLSocket socket =
                (SSLSocket) context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port)) {
            socket.startHandshake();
            return socket.getSession().getPeerCertificates()[0];
        }
    }

    @Test
    void changedFilesAreLoadedImmediatelyByTheMethodReloadCertificates() throws Exception {
        try (Penstock server = builder().start()) {
            assertEquals(FIRST.certificate(), served(server));
            assertEquals("the files have not changed", server.reloadCertificates());
            write(SECOND.pem() + SECOND.keyPem());
            assertEquals("new connections get the new certificates", server.reloadCertificates());
            assertEquals(SECOND.certificate(), served(server));
        }
    }

    @Test
    void theAdminPortUsesTheCertificateOfTheServer() throws Exception {
        try (Penstock server = builder()
                .set("admin-port", "0")
                .set("admin-tls", "on")
                .set("hsts", "1h")
                .start()) {
            int admin = server.adminAddress().orElseThrow().getPort();
            assertEquals(FIRST.certificate(), served(admin));
            try (HttpsClient client = new HttpsClient(admin, "first.example")) {
                RawExchange live = client.get("127.0.0.1:" + admin, "/health/live");
                assertEquals(200, live.status(), "the admin port must accept a host that is not in the certificate");
                assertEquals(
                        List.of(),
                        live.values("Strict-Transport-Security"),
                        "this field applies to all ports of a host, so the admin port must not send it");
            }
            assertEquals(
                    400,
                    RawExchange.of(admin, "GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n")
                            .status(),
                    "status of a plain HTTP request at a TLS port");
            write(SECOND.pem() + SECOND.keyPem());
            assertEquals("new connections get the new certificates", server.reloadCertificates());
            assertEquals(SECOND.certificate(), served(admin));
        }
    }

    @Test
    void aGaugeReportsUnusableCertificateFiles() throws Exception {
        try (Penstock server = builder().start()) {
            assertEquals(0, server.gauges().get("certificates-outdated"));
            write("nonsense");
            ObjectName name = new ObjectName("io.penstock:type=Server,port=" + server.port());
            assertEquals(
                    "the files cannot be used, and the former certificates stay in use; the log has the reason",
                    ManagementFactory.getPlatformMBeanServer().invoke(name, "reloadCertificates", null, null));
            assertEquals(1, server.gauges().get("certificates-outdated"));
            assertEquals(FIRST.certificate(), served(server));
        }
    }

    @Test
    void aGaugeReportsTheExpiryOfTheCertificate() throws Exception {
        try (Penstock server = builder().start()) {
            assertEquals(
                    FIRST.certificate().getNotAfter().getTime(), server.gauges().get("certificate-expiry-timestamp"));
        }
        try (Penstock plain = Penstock.builder().port(0).start()) {
            assertEquals(0, plain.gauges().get("certificate-expiry-timestamp"));
            assertEquals("this server has no certificates", plain.reloadCertificates());
        }
    }

    @Test
    void theStartAndTheConfigurationCheckFailWithoutAPrivateKey() throws Exception {
        write(FIRST.pem());
        String problem = "tls-cert: " + file + ": has no private key";
        assertEquals(
                problem, assertThrows(StartException.class, builder()::start).getMessage());
        assertEquals(List.of(problem), builder().check());
    }
}
