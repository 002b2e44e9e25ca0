package io.penstock.loadtest.starve;

import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * A trust manager that accepts every certificate. The command {@code loadtest starve} connects only to the user's own servers, which often
 * have self-signed certificates. It sends no secrets.
 */
final class AnyCertificate implements X509TrustManager {

    static SSLContext clients() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new AnyCertificate()}, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("This Java has no TLS", e);
        }
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {
        throw new UnsupportedOperationException("There are no clients here");
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {
        // Every certificate is accepted.
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }
}
