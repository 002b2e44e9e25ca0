package io.penstock.certificates;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.RecordedLog;
import io.penstock.certificates.ServerCertificates.Reload;
import io.penstock.limits.HelpPage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests changes of certificate files while the server runs. The server scans the files at intervals, with {@code look}. */
class ReloadTest {
    private static final Issued OLD = Issued.self(Issued.EC, "old.example");
    private static final Issued NEW = Issued.self(Issued.RSA, "new.example");

    @TempDir
    Path folder;

    private final RecordedLog log = new RecordedLog();
    private TlsFiles files;
    private ServerCertificates certificates;
    private Instant now = Issued.NOW;

    @BeforeEach
    void openOldCertificate() throws TlsSetupException {
        files = new TlsFiles(folder).with("a", OLD);
        certificates = ServerCertificates.open(files.tls(), () -> now, log);
        log.lines().clear();
    }

    private X509Certificate served() throws Exception {
        return Handshake.of(certificates, null).served();
    }

    private void replace() {
        files.write("a.pem", NEW.pem());
        files.write("a.key", NEW.keyPem());
    }

    private String path(String name) {
        return folder.resolve(name).toString();
    }

    @Test
    void newConnectionsGetTheNewCertificateButExistingConnectionsKeepTheOldCertificate() throws Exception {
        SSLEngine open = certificates.engine(null);
        replace();
        certificates.look();
        certificates.look();
        assertEquals(NEW.certificate(), served());
        SSLEngine client = Handshake.anyClient().createSSLEngine();
        client.setUseClientMode(true);
        assertEquals(OLD.certificate(), Handshake.of(open, client).served());
        assertEquals(
                List.of("INFO Certificate for new.example (RSA, " + path("a.pem") + "), valid until 2049-12-31"),
                log.lines());
    }

    @Test
    void changedFilesAreUsedOnlyAfterTwoScansWithTheSameContent() throws Exception {
        files.write("a.pem", NEW.pem());
        certificates.look(); // the file a.key does not contain the new key yet
        files.write("a.key", NEW.keyPem());
        certificates.look();
        assertEquals(OLD.certificate(), served());
        assertFalse(certificates.isOutdated());
        assertEquals(List.of(), log.lines());
        certificates.look();
        assertEquals(NEW.certificate(), served());
    }

    @Test
    void aReloadOnDemandUsesChangedFilesAtOnce() throws Exception {
        assertEquals(Reload.UNCHANGED, certificates.reload());
        replace();
        assertEquals(Reload.DONE, certificates.reload());
        assertEquals(NEW.certificate(), served());
    }

    @Test
    void certificatesAreNotReloadedIfOnlyTheModificationTimeChanges() throws Exception {
        Files.setLastModifiedTime(folder.resolve("a.pem"), FileTime.fromMillis(0));
        certificates.look();
        certificates.look();
        assertEquals(List.of(), log.lines());
    }

    @Test
    void invalidFilesAreNotUsedAndAreReportedOncePerChange() throws Exception {
        files.write("a.key", "nonsense");
        for (int i = 0; i < 5; i++) {
            certificates.look();
        }
        assertEquals(OLD.certificate(), served());
        assertTrue(certificates.isOutdated());
        String begin = "ERROR Certificates are not replaced, and the former ones stay in use: ";
        String nonsense = begin + path("a.key") + ": is not a PEM file: it has no line -----BEGIN ...-----"
                + HelpPage.RENEWAL.more();
        assertEquals(List.of(nonsense), log.lines());

        Files.delete(folder.resolve("a.key"));
        certificates.look();
        certificates.look();
        certificates.look();
        String missing = begin + path("a.key") + ": no such file" + HelpPage.RENEWAL.more();
        assertEquals(List.of(nonsense, missing), log.lines());

        assertEquals(Reload.FAILED, certificates.reload());
        assertEquals(List.of(nonsense, missing, missing), log.lines(), "a reload on demand must log the error again");
        assertEquals(List.of(), log.thrown());
    }

    @Test
    void validFilesAreUsedAfterAReloadOfInvalidFilesHasFailed() throws Exception {
        files.write("a.pem", NEW.pem());
        assertEquals(Reload.FAILED, certificates.reload());
        files.write("a.key", NEW.keyPem());
        certificates.look();
        certificates.look();
        assertFalse(certificates.isOutdated());
        assertEquals(NEW.certificate(), served());
    }

    @Test
    void theCertificateIsNotOutdatedAfterTheOldFilesHaveBeenRestored() throws Exception {
        files.write("a.key", "nonsense");
        assertEquals(Reload.FAILED, certificates.reload());
        files.write("a.key", OLD.keyPem());
        certificates.look();
        certificates.look();
        assertFalse(certificates.isOutdated());
        assertEquals(OLD.certificate(), served());
    }

    @Test
    void theCertificateIsNotOutdatedAfterTheOldFilesHaveBeenRestoredSoonAfterAFailedCheck() throws Exception {
        files.write("a.key", "nonsense");
        assertThrows(TlsSetupException.class, certificates::readAgain);
        assertTrue(certificates.isOutdated());
        files.write("a.key", OLD.keyPem());
        certificates.look();
        certificates.look();
        assertFalse(certificates.isOutdated());
    }

    /** Kubernetes and some certificate tools replace the files by a change of a symbolic link. */
    @Test
    void certificatesAreReloadedAfterAChangeOfASymbolicLink() throws Exception {
        Path first = Files.createDirectory(folder.resolve("1"));
        Path second = Files.createDirectory(folder.resolve("2"));
        Files.writeString(first.resolve("both.pem"), OLD.pem() + OLD.keyPem());
        Files.writeString(second.resolve("both.pem"), NEW.pem() + NEW.keyPem());
        Path link = Files.createSymbolicLink(folder.resolve("live"), first);
        TlsFiles linked = new TlsFiles(link).together("both.pem", OLD.pem() + OLD.keyPem());
        certificates = ServerCertificates.open(linked.tls(), () -> now, log);
        Files.createSymbolicLink(folder.resolve("next"), second);
        Files.move(folder.resolve("next"), link, StandardCopyOption.ATOMIC_MOVE);
        certificates.look();
        certificates.look();
        assertEquals(NEW.certificate(), served());
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void aTlsSessionWithTheOldCertificateIsNotResumed(String protocol) throws Exception {
        SSLContext client = Handshake.anyClient();
        Consumer<SSLParameters> spoken = parameters -> parameters.setProtocols(new String[] {protocol});
        Handshake first = Handshake.of(certificates, client, null, spoken);
        Handshake again = Handshake.of(certificates, client, null, spoken);
        assertEquals(first.client().getCreationTime(), again.client().getCreationTime(), "the session must be resumed");
        replace();
        certificates.reload();
        Handshake after = Handshake.of(certificates, client, null, spoken);
        assertEquals(NEW.certificate(), after.served());
        assertNotEquals(first.served(), after.served());
    }

    @Test
    void anOpenConnectionKeepsTheHostNamesOfTheOldCertificate() throws Exception {
        Handshake before = Handshake.of(certificates, null);
        replace();
        certificates.reload();
        assertTrue(certificates.served(before.server()).covers("old.example"));
        assertFalse(certificates.served(before.server()).covers("new.example"));
    }

    // ---- expiry

    @Test
    void theEarliestExpiryOfAllCertificatesIsReturned() throws Exception {
        Issued soon = Issued.until(now.plus(Duration.ofDays(20)).plusSeconds(1), Issued.EC, "soon.example");
        ServerCertificates two =
                ServerCertificates.open(files.with("soon", soon).tls(), () -> now, log);
        assertEquals(soon.certificate().getNotAfter().toInstant(), two.expires());
    }

    @Test
    void aWarningIsLoggedTwoWeeksBeforeTheExpiryAndAnErrorAfterTheExpiry() throws Exception {
        Issued soon = Issued.until(now.plus(Duration.ofDays(20)), Issued.EC, "soon.example");
        ServerCertificates two =
                ServerCertificates.open(files.with("soon", soon).tls(), () -> now, log);
        log.lines().clear();
        for (int day = 0; day < 22; day++) {
            two.look();
            now = now.plus(Duration.ofDays(1));
        }
        assertEquals(
                List.of(
                        "WARN A certificate expires soon: it is valid until 2026-12-13",
                        "ERROR A certificate expired on 2026-12-13: clients reject it"),
                log.lines());
    }

    @Test
    void warningsAreLoggedForACertificateThatClientsReject() throws Exception {
        now = Issued.BEGIN.minus(Duration.ofDays(2));
        Issued nameless = Issued.self(Issued.EC);
        ServerCertificates.open(new TlsFiles(folder).with("n", nameless).tls(), () -> now, log);
        assertEquals(
                List.of(
                        "INFO Certificate for no name (EC P-256, " + path("n.pem") + "), valid until 2049-12-31",
                        "WARN The certificate of " + path("n.pem")
                                + " has no subject alternative name: clients accept it for no host",
                        "WARN The certificate of " + path("n.pem") + " is not valid before 2001-01-01"),
                log.lines());
    }
}
