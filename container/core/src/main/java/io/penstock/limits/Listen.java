package io.penstock.limits;

/**
 * The address that the server listens on, and the settings of its connections.
 *
 * @param host name or address to bind
 * @param port TCP port; 0 takes a free port
 * @param backlog connections that the kernel holds until they are accepted
 * @param sendBuffer SO_SNDBUF of accepted sockets in bytes; 0 leaves it to the kernel
 * @param receiveBuffer SO_RCVBUF of accepted sockets in bytes; 0 leaves it to the kernel
 * @param maxConnections connections open at one time
 * @param policy the treatment of further connections
 */
public record Listen(
        String host,
        int port,
        int backlog,
        int sendBuffer,
        int receiveBuffer,
        int maxConnections,
        ConnectionsPolicy policy) {

    public Listen {
        Check.notBlank(Key.HOST, host);
        Check.atLeast(Key.PORT, port, 0);
        Check.atMost(Key.PORT, port, 65535);
        Check.atLeast(Key.BACKLOG, backlog, 1);
        Check.atLeast(Key.SEND_BUFFER, sendBuffer, 0);
        Check.atLeast(Key.RECEIVE_BUFFER, receiveBuffer, 0);
        Check.atLeast(Key.MAX_CONNECTIONS, maxConnections, 1);
    }

    public static Listen defaults() {
        return of(Configuration.defaults());
    }

    static Listen of(Configuration given) {
        return new Listen(
                given.text(Key.HOST),
                given.number(Key.PORT),
                given.number(Key.BACKLOG),
                given.bufferBytes(Key.SEND_BUFFER),
                given.bufferBytes(Key.RECEIVE_BUFFER),
                given.number(Key.MAX_CONNECTIONS),
                Check.choice(
                        Key.MAX_CONNECTIONS_POLICY, given.text(Key.MAX_CONNECTIONS_POLICY), ConnectionsPolicy.class));
    }
}
