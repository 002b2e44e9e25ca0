package io.penstock.loadtest.client;

import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * Limits of a loop and its connections.
 *
 * @param maxConnections maximum number of open connections; this limits the heap
 * @param connectTimeout time limit for making a connection
 * @param receiveBuffer bytes of each socket's receive buffer; 0 leaves it to the system
 * @param sendBuffer bytes of each socket's send buffer; 0 leaves it to the system
 * @param largestBody bytes that a response's body may have if it is kept as a whole
 * @param tls how every connection is encrypted; empty if none is
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

    /** A thousand connections, ten seconds to make one, the system's buffers, bodies of up to 64 MiB. */
    public static ClientSettings defaults() {
        return DEFAULTS;
    }

    public ClientSettings withMaxConnections(int most) {
        return new ClientSettings(most, connectTimeout, receiveBuffer, sendBuffer, largestBody, tls);
    }

    public ClientSettings withConnectTimeout(Duration timeout) {
        return new ClientSettings(maxConnections, timeout, receiveBuffer, sendBuffer, largestBody, tls);
    }

    /** With small buffers the client receives and sends few bytes at a time, as slow clients do. */
    public ClientSettings withSocketBuffers(int receive, int send) {
        return new ClientSettings(maxConnections, connectTimeout, receive, send, largestBody, tls);
    }

    public ClientSettings withLargestBody(int bytes) {
        return new ClientSettings(maxConnections, connectTimeout, receiveBuffer, sendBuffer, bytes, tls);
    }

    /** All connections speak TLS. The time to connect then includes the handshake, which is always a full one. */
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
