package io.penstock.reactor;

import io.penstock.limits.Key;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A layer, such as encryption, between the sockets of a listener and the conversations. (A conversation is the {@link LinkHandler} that
 * speaks HTTP with one client.) For each socket the layer makes a second link over the link of the socket. After a successful handshake the
 * layer opens the conversation on the second link.
 *
 * <p>The buffers of a layer come from a separate memory budget, and an idle layer holds no buffer. A conversation that waits for memory
 * does not read. Its layer keeps the received bytes until other requests release memory. If layers and conversations shared one budget, a
 * deadlock would be possible.
 *
 * <p>A handshake that fails throws a {@link ConnectionClosed} with {@link io.penstock.events.CloseCause#HANDSHAKE_FAILED}; any other {@link
 * IOException} means that the client has disconnected. The exception closes the socket. So the layer must write its last bytes, such as an
 * alert, before it throws the exception.
 *
 * <p>Thread: the reactor.
 */
@FunctionalInterface
public interface LinkLayer {

    /** No layer: the conversation directly uses the link of the socket. */
    LinkLayer NONE = (socket, opening) -> opening.agreed(socket, null);

    /**
     * Makes the handler for the link of a socket. The handler gets the events of the socket. It must pass the following calls to {@code
     * opening}, and after the handshake to the conversation: {@link LinkHandler#conversation}, {@link LinkHandler#onSignals}, {@link
     * LinkHandler#onClosed}.
     *
     * <p>The layer may close the socket in this call. In this case {@link LinkHandler#onClosed} of the returned handler is called after
     * this method has returned.
     *
     * @throws IOException if the layer cannot begin. In this case the socket is closed, and no handler is called
     */
    LinkHandler open(Link socket, Opening opening) throws IOException;

    /**
     * The handler of a connection during the handshake of the layer. The server treats the connection like an idle connection: it counts
     * and displays the connection, sets a deadline, and can close the socket. During the handshake only the layer reads and writes the
     * socket.
     */
    interface Opening extends LinkHandler {

        /**
         * Sets how long the layer waits for the client, from this call on: the time is the configured value of the key {@code bound}. When
         * this time is over, the server closes the socket. Without this call the time is {@code handshake-timeout}.
         */
        void awaits(Key bound);

        /** The names of the protocols that the server accepts (ALPN, RFC 7301), in the order of preference. */
        List<String> protocols();

        /**
         * Opens the conversation after a successful handshake. The layer calls this method once, within {@link LinkLayer#open} or later. At
         * that time the socket is open, and no byte has been read from {@code link}.
         *
         * @param link the link over the socket. From this call on the addresses and the TLS session ({@link Link#tls}) of this link do not
         *     change
         * @param protocol one of {@link #protocols}; null if nothing was negotiated, which means HTTP/1.1
         * @return the handler that gets all further events of the link instead of this handler
         */
        LinkHandler agreed(Link link, @Nullable String protocol);

        // Only the layer reads.
        @Override
        default void onReadable() {}

        // Only the layer writes.
        @Override
        default void onWritable() {}

        // No other thread has access to the link yet.
        @Override
        default void onSignals(int bits) {}
    }
}
