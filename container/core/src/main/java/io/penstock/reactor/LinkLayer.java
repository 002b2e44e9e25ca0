package io.penstock.reactor;

import io.penstock.limits.Key;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A layer between the sockets of a listener and the conversations on them, such as encryption. It makes a link over each socket's link.
 * When the two ends have agreed, it opens the conversation on its link.
 *
 * <p>A layer's buffers come from a separate budget, and an idle layer holds none. A conversation that waits for memory does not read, so
 * its layer keeps the bytes that have arrived until other requests release memory. If layers and conversations shared one budget, they
 * could all wait for each other.
 *
 * <p>A handshake that fails throws a {@link ConnectionClosed} with {@link io.penstock.events.CloseCause#HANDSHAKE_FAILED}; any other {@link
 * IOException} means that the client has disconnected. The exception closes the socket. So if the layer has something left to send, such as
 * an alert, it writes this before it throws.
 *
 * <p>Thread: the reactor.
 */
@FunctionalInterface
public interface LinkLayer {

    /** No layer: the conversation gets the socket's own link, at once. */
    LinkLayer NONE = (socket, opening) -> opening.agreed(socket, null);

    /**
     * Makes the handler of a socket's link. The handler gets the socket's events. It passes these calls on to {@code opening}, and later to
     * the conversation: {@link LinkHandler#conversation}, {@link LinkHandler#onSignals}, {@link LinkHandler#onClosed}.
     *
     * <p>The layer may close the socket in this call. Then {@link LinkHandler#onClosed} of the returned handler is called after this call
     * has returned.
     *
     * @throws IOException if the layer cannot begin. This closes the socket, and no handler is called
     */
    LinkHandler open(Link socket, Opening opening) throws IOException;

    /**
     * The place of a conversation on a link whose layer still opens. The server counts it, shows it, gives it a deadline, and closes the
     * socket as it would close an idle connection. The layer alone reads and writes the socket meanwhile.
     */
    interface Opening extends LinkHandler {

        /**
         * Sets how long the layer waits for the client, from now on. After that the socket is closed. Without this call the limit is
         * {@code handshake-timeout}.
         */
        void awaits(Key bound);

        /** The names of the protocols that may be spoken (ALPN, RFC 7301), the preferred first. */
        List<String> protocols();

        /**
         * Opens the conversation, since the two ends have agreed. Called once, within {@link LinkLayer#open} or later, before a byte is
         * read from {@code link}, while the socket is open.
         *
         * @param link over the socket; its addresses and its {@link Link#tls} do not change any more
         * @param protocol one of {@link #protocols}; null if nothing was negotiated, which means HTTP/1.1
         * @return the handler that gets the link's events from here on, in place of this one
         */
        LinkHandler agreed(Link link, @Nullable String protocol);

        @Override
        default void onReadable() {} // the layer reads

        @Override
        default void onWritable() {} // the layer writes

        @Override
        default void onSignals(int bits) {} // no other thread has the link yet
    }
}
