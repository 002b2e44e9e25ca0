package io.penstock.limits;

import java.util.List;

/**
 * The addresses that the server listens on, and the settings of its connections.
 *
 * @param addresses the listeners, except the listener of {@link Https#redirectPort}
 * @param backlog the most connections that wait in the kernel until the server accepts them
 * @param sendBuffer SO_SNDBUF of accepted sockets in bytes; 0 lets the kernel decide
 * @param receiveBuffer SO_RCVBUF of accepted sockets in bytes; 0 lets the kernel decide
 * @param maxConnections the most connections open at one time
 * @param policy the treatment of connections beyond {@code maxConnections}
 */
public record Listen(
        List<ListenAddress> addresses,
        int backlog,
        int sendBuffer,
        int receiveBuffer,
        int maxConnections,
        ConnectionsPolicy policy) {

    public Listen {
        addresses = List.copyOf(addresses);
        Check.atLeast(Key.BACKLOG, backlog, 1);
        Check.atLeast(Key.SEND_BUFFER, sendBuffer, 0);
        Check.atLeast(Key.RECEIVE_BUFFER, receiveBuffer, 0);
        Check.atLeast(Key.MAX_CONNECTIONS, maxConnections, 1);
    }

    public static Listen defaults() {
        return of(Configuration.defaults(), Tls.defaults());
    }

    static Listen of(Configuration given, Tls certificates) {
        return new Listen(
                ListenAddress.of(given, certificates),
                given.number(Key.BACKLOG),
                given.bufferBytes(Key.SEND_BUFFER),
                given.bufferBytes(Key.RECEIVE_BUFFER),
                given.number(Key.MAX_CONNECTIONS),
                Check.choice(
                        Key.MAX_CONNECTIONS_POLICY, given.text(Key.MAX_CONNECTIONS_POLICY), ConnectionsPolicy.class));
    }

    /** Whether any listener uses TLS ({@code ON}), or any listener uses plain text ({@code OFF}). */
    public boolean any(Switch tls) {
        return addresses.stream().anyMatch(address -> address.tls() == tls);
    }
}
