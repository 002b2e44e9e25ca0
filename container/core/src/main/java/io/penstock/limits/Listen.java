package io.penstock.limits;

import java.util.List;

/**
 * The addresses that the server listens on, and the settings of its connections. {@link Key} explains the values.
 *
 * @param addresses the listeners, except the listener of {@link Https#redirectPort}
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
    }

    static Listen of(Configuration given, Tls certificates) {
        return new Listen(
                ListenAddress.of(given, certificates),
                given.number(Key.BACKLOG),
                given.bufferBytes(Key.SEND_BUFFER),
                given.bufferBytes(Key.RECEIVE_BUFFER),
                given.number(Key.MAX_CONNECTIONS),
                given.choice(Key.MAX_CONNECTIONS_POLICY));
    }

    /** Whether any listener uses TLS ({@code ON}), or any listener uses plain text ({@code OFF}). */
    public boolean any(Switch tls) {
        return addresses.stream().anyMatch(address -> address.tls() == tls);
    }

    /** The treatment of connections beyond {@code max-connections}. */
    public enum ConnectionsPolicy {
        /** The new connection is accepted, answered 503, and closed. */
        REFUSE,
        /** The new connection is not accepted until another connection has closed. */
        WAIT,
        /**
         * The server closes an open connection that only waits for its client, and accepts the new connection. If there is no connection to
         * close, the new connection is refused.
         */
        REPLACE
    }
}
