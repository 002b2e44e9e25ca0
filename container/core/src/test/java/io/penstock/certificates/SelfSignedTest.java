package io.penstock.certificates;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.RecordedLog;
import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the self-signed certificate of the server (RFC 5280). */
class SelfSignedTest {
    private static final Instant NOW = Instant.now();

    @TempDir
    Path folder;

    @Test
    void theJdkCanReadAllFieldsOfTheCertificate() throws Exception {
        Identity made = SelfSigned.make(Issued.NOW);
        X509Certificate read = (X509Certificate) CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(made.certificate().getEncoded()));
        read.verify(read.getPublicKey());
        assertEquals(3, read.getVersion());
        assertEquals(1, read.getSerialNumber().signum());
        assertEquals(127, read.getSerialNumber().bitLength());
        assertEquals("CN=localhost", read.getSubjectX500Principal().getName());
        assertEquals(read.getSubjectX500Principal(), read.getIssuerX500Principal());
        assertEquals(Issued.NOW.minus(Duration.ofHours(1)), read.getNotBefore().toInstant());
        assertEquals(Issued.NOW.plus(Duration.ofDays(365)), read.getNotAfter().toInstant());
        assertEquals(
                List.of(List.of(2, "localhost"), List.of(7, "127.0.0.1"), List.of(7, "0:0:0:0:0:0:0:1")),
                List.copyOf(read.getSubjectAlternativeNames()));
        assertEquals(-1, read.getBasicConstraints(), "the certificate must not be a certificate of an authority");
        assertEquals(List.of("1.3.6.1.5.5.7.3.1"), read.getExtendedKeyUsage());
        boolean[] usage = read.getKeyUsage();
        assertTrue(usage[0], "the key must be usable for signatures");
        for (int i = 1; i < usage.length; i++) {
            assertEquals(false, usage[i], "the bit " + i + " of the key usage");
        }
        assertEquals(KeyKind.EC_256, made.kind());
    }

    @Test
    void eachSelfSignedCertificateHasItsOwnKeyAndItsOwnSerialNumber() throws Exception {
        Identity one = SelfSigned.make(Issued.NOW);
        Identity other = SelfSigned.make(Issued.NOW);
        assertNotEquals(one.certificate().getSerialNumber(), other.certificate().getSerialNumber());
        assertNotEquals(one.certificate().getPublicKey(), other.certificate().getPublicKey());
    }

    @Test
    void theCertificateIsLoggedWithAWarningAndIsNotChangedByAReload() throws Exception {
        RecordedLog log = new RecordedLog();
        ServerCertificates certificates =
                ServerCertificates.open(new TlsFiles(folder).selfSigned().tls(), () -> Issued.NOW, log);
        assertEquals(
                List.of(
                        "WARN The certificate is self-signed, and new at each start. It is for programs on this machine only;"
                                + " other clients cannot verify it",
                        "INFO Certificate for localhost, 0:0:0:0:0:0:0:1, 127.0.0.1 (EC P-256, tls-self-signed), valid"
                                + " until 2027-11-23"),
                log.lines());
        assertEquals(Issued.NOW.plus(Duration.ofDays(365)), certificates.expires());
        X509Certificate served = Handshake.of(certificates, "localhost").served();
        certificates.look();
        certificates.look();
        certificates.reload();
        assertEquals(served, Handshake.of(certificates, "localhost").served());
    }

    /** The TLS client of the JDK trusts the certificate. The client compares the host name with the names in the certificate. */
    @ParameterizedTest
    @ValueSource(strings = {"localhost", "127.0.0.1", "::1"})
    void aClientCanConnectByTheNamesInATrustedCertificate(String host) throws Exception {
        Identity made = SelfSigned.make(NOW);
        assertEquals(made.certificate(), served(made, host));
    }

    @Test
    void aClientCannotConnectByANameThatATrustedCertificateDoesNotContain() throws Exception {
        Identity made = SelfSigned.make(NOW);
        assertThrows(SSLException.class, () -> served(made, "example.com"));
        assertThrows(SSLException.class, () -> served(made, "127.0.0.2"));
    }

    private static X509Certificate served(Identity made, String host) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(new KeyManager[] {new ServerKeys(List.of(made))}, null, null);
        ExecutorService threads = Executors.newSingleThreadExecutor();
        InetAddress here = InetAddress.getLoopbackAddress();
        try (SSLServerSocket server =
                (SSLServerSocket) context.getServerSocketFactory().createServerSocket(0, 1, here)) {
            Future<Void> serving = threads.submit(() -> {
                try (SSLSocket accepted = (SSLSocket) server.accept()) {
                    accepted.startHandshake();
                    accepted.getOutputStream().write('!');
                    return null;
                }
            });
            try (SSLSocket client = (SSLSocket) trusting(made.certificate())
                    .getSocketFactory()
                    .createSocket(new Socket(here, server.getLocalPort()), host, server.getLocalPort(), true)) {
                SSLParameters parameters = client.getSSLParameters();
                parameters.setEndpointIdentificationAlgorithm("HTTPS");
                client.setSSLParameters(parameters);
                client.startHandshake();
                assertEquals('!', client.getInputStream().read());
                serving.get(60, TimeUnit.SECONDS);
                return (X509Certificate) client.getSession().getPeerCertificates()[0];
            }
        } finally {
            threads.shutdown();
        }
    }

    private static SSLContext trusting(X509Certificate certificate) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setCertificateEntry("made", certificate);
        TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
        factory.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, factory.getTrustManagers(), null);
        return context;
    }

    // ---- the DER encoding, with examples from ITU-T X.690 and RFC 5280

    @ParameterizedTest
    @CsvSource({
        "1.2.840.113549, 06062a864886f70d",
        "2.5.29.17, 0603551d11",
        "1.3.6.1.4.1.11591.4.11, 06092b06010401da47040b",
        "2.16.840.1.101.3.4.1.42, 060960864801650304012a"
    })
    void objectIdentifiersAreEncodedInDer(String dotted, String hex) {
        assertEquals(hex, HexFormat.of().formatHex(Der.objectIdentifier(dotted)));
    }

    @ParameterizedTest
    @CsvSource({"0, 020100", "127, 02017f", "128, 02020080", "256, 02020100", "-128, 020180"})
    void integersAreEncodedInDer(long number, String hex) {
        assertEquals(hex, HexFormat.of().formatHex(Der.integer(BigInteger.valueOf(number))));
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0400",
        "127, 047f",
        "128, 048180",
        "255, 0481ff",
        "256, 04820100",
        "65535, 0482ffff",
        "65536, 0483010000"
    })
    void lengthsAreEncodedInDer(int length, String hex) {
        byte[] written = Der.octets(new byte[length]);
        assertEquals(hex, HexFormat.of().formatHex(written, 0, written.length - length));
        assertEquals(length, new DerReader(written).content(Der.OCTET_STRING).length);
    }

    @ParameterizedTest
    @CsvSource({
        "2049-12-31T23:59:59Z, 170d3439313233313233353935395a",
        "2050-01-01T00:00:00Z, 180f32303530303130313030303030305a"
    })
    void timesAreEncodedInDer(Instant time, String hex) {
        assertEquals(hex, HexFormat.of().formatHex(Der.time(time)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"04", "0401", "0481", "0480", "0484ffffffff", "04850000000001", "0402ff"})
    void truncatedAndInvalidDerDataIsRefused(String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex);
        DerReader reader = new DerReader(bytes);
        assertThrows(IllegalArgumentException.class, () -> reader.content(Der.OCTET_STRING));
    }
}
