package io.penstock.certificates;

import io.penstock.limits.Key;
import io.penstock.limits.Tls;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Collections;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Reads the certificate authorities that may issue client certificates. */
final class ClientAuthorities {
    private ClientAuthorities() {}

    /**
     * Makes the trust managers for the configured authorities. If no authority is configured, the result is empty, and no client
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
            TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
            factory.init(store);
            return factory.getTrustManagers();
        } catch (GeneralSecurityException | IOException e) {
            throw TlsSetupException.of(file, "cannot be read: " + e.getMessage(), e);
        }
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
