package io.penstock.certificates;

import io.penstock.limits.Key;
import io.penstock.limits.Tls;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Collections;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Reads the certificate authorities that the server trusts: those of its clients' certificates, and those of servers that it calls. */
public final class Authorities {
    private Authorities() {}

    /**
     * Makes the TLS context of a client that trusts only the authorities of a PEM file.
     *
     * @throws TlsSetupException if the file cannot be read or has no certificate; the message names the file
     */
    public static SSLContext trusting(Path file) throws TlsSetupException {
        try {
            KeyStore store = ofPem(file, FileContents.read(List.of(file)).of(file));
            if (store.size() == 0) {
                throw TlsSetupException.of(file, "has no certificate of an authority");
            }
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, managers(store), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw TlsSetupException.of(file, "cannot be read: " + e.getMessage(), e);
        }
    }

    /**
     * Makes the trust managers for the configured authorities of clients' certificates. If no authority is configured, the result is empty, and no client
     * certificate is trusted.
     */
    static TrustManager[] read(Tls tls, FileContents files) throws TlsSetupException {
        Path file = tls.trust();
        if (file == null) {
            return new TrustManager[0];
        }
        byte[] bytes = files.of(file);
        Password password = Password.ofTrust(tls);
        try {
            KeyStore store = StoreFile.isStore(bytes) ? opened(file, bytes, password) : ofPem(file, bytes);
            requireAuthority(file, store);
            return managers(store);
        } catch (GeneralSecurityException | IOException e) {
            throw TlsSetupException.of(file, "cannot be read: " + e.getMessage(), e);
        }
    }

    private static TrustManager[] managers(KeyStore authorities) throws GeneralSecurityException {
        TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
        factory.init(authorities);
        return factory.getTrustManagers();
    }

    private static KeyStore opened(Path file, byte[] bytes, Password password) throws TlsSetupException {
        char @Nullable [] chars = password.text() == null ? null : password.of(file);
        return StoreFile.open(file, bytes, chars, password);
    }

    private static KeyStore ofPem(Path file, byte[] bytes)
            throws TlsSetupException, GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        int number = 0;
        for (X509Certificate certificate : Identities.certificates(file, Pem.parse(file, bytes))) {
            store.setCertificateEntry(Integer.toString(++number), certificate);
        }
        return store;
    }

    private static void requireAuthority(Path file, KeyStore store) throws TlsSetupException, GeneralSecurityException {
        for (String alias : Collections.list(store.aliases())) {
            if (store.isCertificateEntry(alias)) {
                return;
            }
        }
        throw TlsSetupException.of(
                file,
                "has no certificate of an authority, or a password is needed to read it (" + Key.TLS_TRUST_PASSWORD.id()
                        + ")");
    }
}
