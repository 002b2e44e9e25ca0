package io.penstock.loadtest.client;

import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * The limits of a {@link ClientLoop} and its connections.
 *
 * @param maxConnections the maximum number of open connections; this number also limits the heap use
 * @param connectTimeout the time limit for making a connection
 * @param receiveBuffer the size of each socket's receive buffer, in bytes; with 0 the operating system chooses the size
 * @param sendBuffer the size of each socket's send buffer, in bytes; with 0 the operating system chooses the size
 * @param tls the TLS context for all connections; empty if connections are not encrypted
 */
public record ClientSettings(
        int maxConnections, Duration connectTimeout, int receiveBuffer, int sendBuffer, Optional<SSLContext> tls) {
    private static final ClientSettings DEFAULTS =
            new ClientSettings(1_000, Duration.ofSeconds(10), 0, 0, Optional.empty());

    public ClientSettings {
        Require.atLeast(1, maxConnections, "maxConnections");
        Require.positive(connectTimeout, "connectTimeout");
        Require.atLeast(0, receiveBuffer, "receiveBuffer");
        Require.atLeast(0, sendBuffer, "sendBuffer");
    }

    /** The default settings: 1000 connections, ten seconds to make a connection, and socket buffers of the operating system's size. */
    public static ClientSettings defaults() {
        return DEFAULTS;
    }

    public ClientSettings withMaxConnections(int most) {
        return new ClientSettings(most, connectTimeout, receiveBuffer, sendBuffer, tls);
    }

    public ClientSettings withConnectTimeout(Duration timeout) {
        return new ClientSettings(maxConnections, timeout, receiveBuffer, sendBuffer, tls);
    }

    /**
     * Returns settings with other sizes of the socket buffers. With small buffers, the client receives and sends few bytes at a time, like
     * slow clients.
     */
    public ClientSettings withSocketBuffers(int receive, int send) {
        return new ClientSettings(maxConnections, connectTimeout, receive, send, tls);
    }

    /**
     * Returns settings with which all connections use TLS. The connect timeout then includes the TLS handshake. Every handshake is a full
     * handshake; sessions are not resumed.
     */
    public ClientSettings withTls(SSLContext context) {
        return new ClientSettings(maxConnections, connectTimeout, receiveBuffer, sendBuffer, Optional.of(context));
    }

    /**
     * A trust manager that accepts every certificate. The load test connects only to the user's own servers, which often have self-signed
     * certificates. It sends no secrets.
     *
     * <p>Thread: the threads of the clients.
     */
    public static final class AnyCertificate implements X509TrustManager {
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
}
