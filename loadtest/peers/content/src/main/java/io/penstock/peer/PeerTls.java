package io.penstock.peer;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * The TLS settings that all compared servers share: the JDK's engine, the key, the protocols and the cipher suites. There is only one
 * cipher suite for each protocol, so no server can choose a suite that needs less processor time.
 */
public final class PeerTls {
    /** The password of the key store. It is not secret, since the key is created for one comparison only. */
    public static final String PASSWORD = "comparison";

    public static final List<String> PROTOCOLS = List.of("TLSv1.3", "TLSv1.2");

    /** The cipher suites that Penstock prefers for a key on an elliptic curve. */
    public static final List<String> SUITES =
            List.of("TLS_AES_128_GCM_SHA256", "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256");

    private PeerTls() {}

    /** @param keyStore a key store file in the format PKCS#12, with the password {@link #PASSWORD} */
    public static SSLContext context(Path keyStore) throws GeneralSecurityException, IOException {
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(KeyStore.getInstance(keyStore.toFile(), PASSWORD.toCharArray()), PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return context;
    }
}
