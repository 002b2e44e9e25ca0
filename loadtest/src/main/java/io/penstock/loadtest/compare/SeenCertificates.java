package io.penstock.loadtest.compare;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * A trust manager for clients that trust every server. It records the server's certificate of each handshake, in order.
 *
 * <p>Thread: any.
 */
final class SeenCertificates implements X509TrustManager {
    private record Seen(long nanos, X509Certificate certificate) {}

    private final List<Seen> all = new ArrayList<>();

    SSLContext clients() throws IOException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {this}, null);
            return context;
        } catch (GeneralSecurityException failed) {
            throw new IOException("The JDK has no TLS: " + failed.getMessage(), failed);
        }
    }

    /** The {@link System#nanoTime} of the first handshake with the given certificate; empty if there was none. */
    synchronized OptionalLong first(X509Certificate certificate) {
        return all.stream()
                .filter(seen -> seen.certificate.equals(certificate))
                .mapToLong(Seen::nanos)
                .findFirst();
    }

    /**
     * The number of handshakes with other certificates. Only handshakes after the first handshake with the given certificate and before
     * {@code until} are counted.
     */
    synchronized long othersAfterFirst(X509Certificate certificate, long until) {
        OptionalLong first = first(certificate);
        return all.stream()
                .filter(seen -> first.isPresent() && seen.nanos > first.getAsLong() && seen.nanos < until)
                .filter(seen -> !seen.certificate.equals(certificate))
                .count();
    }

    synchronized int count() {
        return all.size();
    }

    @Override
    public synchronized void checkServerTrusted(X509Certificate[] chain, String type) {
        all.add(new Seen(System.nanoTime(), chain[0]));
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {
        throw new UnsupportedOperationException("This is a client");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }
}
