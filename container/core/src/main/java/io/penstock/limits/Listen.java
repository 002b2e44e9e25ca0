package io.penstock.limits;

/**
 * Where the server listens.
 *
 * @param host name or address to bind
 * @param port TCP port; 0 takes a free one
 * @param backlog connections the kernel holds until they are accepted
 * @param sendBuffer SO_SNDBUF of accepted sockets in bytes; 0 leaves it to the kernel
 * @param receiveBuffer SO_RCVBUF of accepted sockets in bytes; 0 leaves it to the kernel
 */
public record Listen(String host, int port, int backlog, int sendBuffer, int receiveBuffer) {

    public Listen {
        Check.atLeast("port", port, 0);
        Check.atLeast("backlog", backlog, 1);
        Check.atLeast("send-buffer", sendBuffer, 0);
        Check.atLeast("receive-buffer", receiveBuffer, 0);
        if (port > 65535) {
            throw new IllegalArgumentException("port must be at most 65535, not " + port);
        }
    }

    public static Listen defaults() {
        return new Listen("0.0.0.0", 8080, 4096, 0, 0);
    }
}
