package io.penstock.certificates;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.RecordedLog;
import io.penstock.certificates.ServerCertificates.Reload;
import io.penstock.limits.HelpPage;
import io.penstock.limits.Tls.ClientAuth;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a certificate that an authority has not yet signed. The file of the certificate is missing until the authority has signed it. */
class OrderedCertificateTest {
    private static final Issued SIGNED = Issued.self(Issued.EC, "a.example");

    @TempDir
    Path folder;

    private final RecordedLog log = new RecordedLog();
    private TlsFiles files;

    @BeforeEach
    void setUp() {
        files = new TlsFiles(folder).with("a", SIGNED);
        files.write("a.pem", "");
    }

    private ServerCertificates open() throws Exception {
        return ServerCertificates.open(files.tls(), List.of("a.example", "b.example"), () -> Issued.NOW, log);
    }

    private void deleteCertificate() throws Exception {
        Files.delete(folder.resolve("a.pem"));
    }

    @Test
    void clientsGetASelfSignedCertificateUntilTheOrderedCertificateExists() throws Exception {
        deleteCertificate();
        ServerCertificates certificates = open();
        assertTrue(certificates.isPending());
        assertNull(certificates.certificate());
        assertEquals(
                "[[2, a.example], [2, b.example]]",
                Handshake.of(certificates, "a.example")
                        .served()
                        .getSubjectAlternativeNames()
                        .toString());
        assertEquals(
                List.of("WARN Clients get a self-signed certificate until the authority has signed the one for"
                        + " a.example, b.example" + HelpPage.ACME.more()),
                log.lines());
        assertEquals(Reload.UNCHANGED, certificates.reload());
        files.write("a.pem", SIGNED.pem());
        assertEquals(Reload.DONE, certificates.reload());
        assertFalse(certificates.isPending());
        assertEquals(SIGNED.certificate(), certificates.certificate());
        assertEquals(
                SIGNED.certificate(), Handshake.of(certificates, "a.example").served());
    }

    @Test
    void aDamagedCertificateFileIsTreatedAsAMissingFile() throws Exception {
        ServerCertificates certificates = open();
        assertTrue(certificates.isPending());
        assertEquals(
                "ERROR The stored certificate cannot be used; a new one is ordered: " + folder.resolve("a.pem")
                        + ": is not a PEM file: it has no line -----BEGIN ...-----",
                log.lines().get(0));
        files.write("a.pem", SIGNED.pem());
        certificates.look();
        certificates.look();
        assertFalse(certificates.isPending());
    }

    @Test
    void theFileOfTrustedAuthoritiesMustBeValidAndCanBeReloaded() throws Exception {
        deleteCertificate();
        files.write("trust.pem", "nonsense");
        files.clients(ClientAuth.WANT, folder.resolve("trust.pem"));
        assertThrows(TlsSetupException.class, this::open);
        files.write("trust.pem", SIGNED.pem());
        ServerCertificates certificates = open();
        files.write("trust.pem", Issued.self(Issued.RSA, "other.example").pem());
        assertEquals(Reload.DONE, certificates.reload());
        assertTrue(certificates.isPending());
        assertFalse(certificates.isOutdated());
    }

    @Test
    void anExistingCertificateIsUsedWithoutASelfSignedCertificate() throws Exception {
        files.write("a.pem", SIGNED.pem());
        ServerCertificates certificates = open();
        assertFalse(certificates.isPending());
        assertEquals(SIGNED.certificate(), certificates.certificate());
    }
}
