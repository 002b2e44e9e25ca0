package io.penstock.loadtest.client;

import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * The limits of a {@link ClientLoop} and its connections.
 *
 * @param maxConnections the maximum number of open connections; this number also limits the heap use
 * @param connectTimeout the time limit for making a connection
 * @param receiveBuffer the size of each socket's receive buffer, in bytes; with 0 the operating system chooses the size
 * @param sendBuffer the size of each socket's send buffer, in bytes; with 0 the operating system chooses the size
 * @param largestBody the maximum size of a response body that is kept as a whole, in bytes
 * @param tls the TLS context for all connections; empty if connections are not encrypted
 */
public record ClientSettings(
        int maxConnections,
        Duration connectTimeout,
        int receiveBuffer,
        int sendBuffer,
        int largestBody,
        Optional<SSLContext> tls) {
    private static final ClientSettings DEFAULTS =
            new ClientSettings(1_000, Duration.ofSeconds(10), 0, 0, 64 << 20, Optional.empty());

    public ClientSettings {
        require(maxConnections > 0, "maxConnections must be at least 1", maxConnections);
        require(connectTimeout.compareTo(Duration.ZERO) > 0, "connectTimeout must be more than 0", connectTimeout);
        require(receiveBuffer >= 0, "receiveBuffer must be at least 0 bytes", receiveBuffer);
        require(sendBuffer >= 0, "sendBuffer must be at least 0 bytes", sendBuffer);
        require(largestBody >= 0, "largestBody must be at least 0 bytes", largestBody);
    }

    /**
     * The default settings: 1000 connections, ten seconds to make a connection, socket buffers of the operating system's size, and response
     * bodies of up to 64 MiB.
     */
    public static ClientSettings defaults() {
        return DEFAULTS;
    }

    public ClientSettings withMaxConnections(int most) {
        return new ClientSettings(most, connectTimeout, receiveBuffer, sendBuffer, largestBody, tls);
    }

    public ClientSettings withConnectTimeout(Duration timeout) {
        return new ClientSettings(maxConnections, timeout, receiveBuffer, sendBuffer, largestBody, tls);
    }

    /**
     * Returns settings with other sizes of the socket buffers. With small buffers, the client receives and sends few bytes at a time, like
     * slow clients.
     */
    public ClientSettings withSocketBuffers(int receive, int send) {
        return new ClientSettings(maxConnections, connectTimeout, receive, send, largestBody, tls);
    }

    public ClientSettings withLargestBody(int bytes) {
        return new ClientSettings(maxConnections, connectTimeout, receiveBuffer, sendBuffer, bytes, tls);
    }

    /**
     * Returns settings with which all connections use TLS. The connect timeout then includes the TLS handshake. Every handshake is a full
     * handshake; sessions are not resumed.
     */
    public ClientSettings withTls(SSLContext context) {
        return new ClientSettings(
                maxConnections, connectTimeout, receiveBuffer, sendBuffer, largestBody, Optional.of(context));
    }

    private static void require(boolean holds, String rule, Object value) {
        if (!holds) {
            throw new IllegalArgumentException(rule + ", not " + value);
        }
    }
}
