package io.penstock.session.redis;

import io.penstock.part.StoreOptions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Checks the Redis servers of TLS connections. A server is trusted if it has a certificate for its host from a trusted authority. */
final class TrustedServers {
    private TrustedServers() {}

    /**
     * @param file a PEM file with the certificates of authorities; null for the authorities that Java trusts
     * @throws IOException if the file cannot be read, or contains no certificate
     */
    static SSLSocketFactory of(@Nullable String file) throws IOException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, file == null ? null : authorities(file), null);
            return context.getSocketFactory();
        } catch (GeneralSecurityException e) {
            throw new IOException("trust: " + (file == null ? "" : file + ": ") + e.getMessage(), e);
        }
    }

    private static TrustManager[] authorities(String file) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        try (InputStream in = Files.newInputStream(Path.of(file))) {
            for (Certificate certificate :
                    CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                store.setCertificateEntry(Integer.toString(store.size()), certificate);
            }
        } catch (IOException | InvalidPathException e) {
            throw StoreOptions.unreadable("trust", file, e);
        }
        if (store.size() == 0) {
            throw new IOException("trust: " + file + " has no certificate");
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory.getTrustManagers();
    }

    static SSLParameters namedAsInTheirCertificate() {
        SSLParameters parameters = new SSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        return parameters;
    }
}
