package io.penstock.certificates;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.limits.Tls.ClientAuth;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which client certificates the server requests and accepts. */
class ClientCertificateTest {
    private static final Issued SERVER = Issued.self(Issued.EC, "a.example");
    private static final Issued AUTHORITY = Issued.authority("authority");
    private static final Issued ANN = AUTHORITY.issue("Ann", Issued.RSA);
    private static final Issued STRANGER = Issued.authority("elsewhere").issue("Eve", Issued.RSA);

    @TempDir
    Path folder;

    private static String subject(ServerCertificates certificates, @Nullable Issued clientCertificate, String protocol)
            throws SSLException {
        SSLContext client = Handshake.anyClient(clientCertificate);
        Handshake handshake = Handshake.of(
                certificates, client, null, parameters -> parameters.setProtocols(new String[] {protocol}));
        return ((X509Certificate) handshake.server().getPeerCertificates()[0])
                .getSubjectX500Principal()
                .getName();
    }

    private TlsFiles filesWithClientAuth(ClientAuth auth) {
        TlsFiles files = new TlsFiles(folder).with("a", SERVER);
        return files.clients(auth, files.write("authorities.pem", AUTHORITY.pem()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void aRequiredClientCertificateMustBeIssuedByATrustedAuthority(String protocol) throws Exception {
        ServerCertificates certificates = filesWithClientAuth(ClientAuth.NEED).open();
        assertEquals("CN=Ann", subject(certificates, ANN, protocol));
        assertThrows(SSLException.class, () -> subject(certificates, STRANGER, protocol));
        assertThrows(SSLException.class, () -> subject(certificates, null, protocol));
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void anOptionalClientCertificateCanBeMissing(String protocol) throws Exception {
        ServerCertificates certificates = filesWithClientAuth(ClientAuth.WANT).open();
        assertEquals("CN=Ann", subject(certificates, ANN, protocol));
        assertThrows(SSLPeerUnverifiedException.class, () -> subject(certificates, null, protocol));
    }

    @Test
    void noClientCertificateIsRequestedByDefault() throws Exception {
        ServerCertificates certificates = new TlsFiles(folder).with("a", SERVER).open();
        assertThrows(SSLPeerUnverifiedException.class, () -> subject(certificates, ANN, "TLSv1.3"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"PKCS12", "JKS"})
    void theTrustedAuthoritiesCanBeInAKeyStore(String type) throws Exception {
        Path store = store(type, "secret");
        assertEquals(
                "CN=Ann",
                subject(
                        new TlsFiles(folder)
                                .with("a", SERVER)
                                .clients(ClientAuth.NEED, store)
                                .trustPassword("secret")
                                .open(),
                        ANN,
                        "TLSv1.3"));
    }

    private Path store(String type, String password) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(type);
        store.load(null, null);
        store.setCertificateEntry("authority", AUTHORITY.certificate());
        Path file = folder.resolve("authorities");
        try (OutputStream out = Files.newOutputStream(file)) {
            store.store(out, password.toCharArray());
        }
        return file;
    }

    @Test
    void problemsWithTheFileOfTrustedAuthoritiesAreReported() throws Exception {
        Path store = store("PKCS12", "secret");
        TlsFiles files = new TlsFiles(folder).with("a", SERVER).clients(ClientAuth.NEED, store);
        String withoutPassword =
                assertThrows(TlsSetupException.class, files::open).getMessage();
        assertEquals(
                store + ": has no certificate of an authority, or a password is needed to read it (tls-trust-password)",
                withoutPassword);
        assertEquals(
                store + ": cannot be decrypted: the password is wrong (tls-trust-password)",
                assertThrows(TlsSetupException.class, files.trustPassword("other")::open)
                        .getMessage());
        Files.writeString(store, "no authority");
        assertEquals(
                store + ": is not a PEM file: it has no line -----BEGIN ...-----",
                assertThrows(TlsSetupException.class, files::open).getMessage());
    }

    /** The method {@code look} scans the files. The server uses a changed file after two scans with the same content. */
    @Test
    void aChangedFileOfTrustedAuthoritiesIsReloaded() throws Exception {
        ServerCertificates certificates = filesWithClientAuth(ClientAuth.NEED).open();
        Files.writeString(
                folder.resolve("authorities.pem"), Issued.authority("next").pem());
        certificates.look();
        certificates.look();
        assertThrows(SSLException.class, () -> subject(certificates, ANN, "TLSv1.3"));
    }
}
