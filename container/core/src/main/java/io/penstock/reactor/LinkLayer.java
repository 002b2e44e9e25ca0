package io.penstock.reactor;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A layer between the sockets of a listener and the conversations on them, such as encryption. It makes a link over each socket's link. When
 * the two ends have agreed, it opens the conversation on its link.
 *
 * <p>Its buffers come from a budget of its own, and none is held at rest. A conversation that waits for memory is not read, so the layer
 * keeps what has come until others have given memory back. If that were the memory which is waited for, all would wait for each other.
 *
 * <p>A handshake that fails throws a {@link ConnectionClosed} with {@link io.penstock.events.CloseCause#HANDSHAKE_FAILED}; any other
 * {@link IOException} is taken for a client that has left. The throw closes the socket, so the layer writes what the client should still be
 * told, such as an alert, before it throws.
 *
 * <p>Thread: the reactor.
 */
@FunctionalInterface
public interface LinkLayer {

    /** Conversations have the socket itself, at once. */
    LinkLayer NONE = (socket, opening) -> opening.agreed(socket, null);

    /**
     * Makes the handler of a socket's link. The handler gets the socket's events. It hands on to {@code opening}, and later to the
     * conversation, what concerns them: {@link LinkHandler#conversation}, {@link LinkHandler#onSignals}, {@link LinkHandler#onClosed}.
     *
     * <p>The layer may close the socket in this call. Then the handler that it returns is told of the close when the call has returned.
     *
     * @throws IOException if the layer cannot begin, which closes the socket. There is no handler then that could be told
     */
    LinkHandler open(Link socket, Opening opening) throws IOException;

    /**
     * The place of a conversation on a link whose layer still opens. The server counts it, shows it, gives it a deadline, and closes the
     * socket as it would close an idle connection. The layer alone reads and writes the socket meanwhile.
     */
    interface Opening extends LinkHandler {

        /** The names of the protocols that may be spoken (ALPN, RFC 7301), the preferred first. */
        List<String> protocols();

        /**
         * Opens the conversation: the two ends have agreed. Called once, now or later, before a byte is read from {@code link}, and on
         * a socket that is open.
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
        default void onSignals(int bits) {} // nobody else knows the link
    }
}
