package io.penstock.loadtest.client;

import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * A trust manager that accepts every certificate. The load test connects only to the user's own servers, which often have self-signed
 * certificates. It sends no secrets.
 *
 * <p>Thread: the threads of the clients.
 */
public final class AnyCertificate implements X509TrustManager {
    private final Consumer<X509Certificate> seen;

    private AnyCertificate(Consumer<X509Certificate> seen) {
        this.seen = seen;
    }

    /** @param seen a function that gets the server's certificate of each handshake */
    public static SSLContext clients(Consumer<X509Certificate> seen) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new AnyCertificate(seen)}, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("This Java has no TLS", e);
        }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {
        seen.accept(chain[0]);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {
        throw new UnsupportedOperationException("There are no clients here");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }
}
