package io.penstock.reactor;

import io.penstock.pipe.PipeOutlet;
import io.penstock.pipe.PipeSource;
import java.io.IOException;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * The transport of one client connection. The {@link LinkHandler} of a link reads and writes the bytes of the connection, and is called the
 * conversation. For encryption a second link lies over the link of the socket ({@link LinkLayer}).
 *
 * <p>Thread: the reactor. Any thread may call {@link #signal}, {@link #signalLater}, {@link #reactor}, {@link #tls}, {@link #isFlushed},
 * {@link #remote} and {@link #local}. The holder of the connection's {@link WriteToken} calls {@link #write}, {@link #transferFrom}, {@link #flush} and {@link
 * #endOutput}.
 *
 * <p>A link can have bytes of its own to send, such as a TLS alert. It then calls {@link LinkHandler#onWritable}: the conversation takes
 * the write token and flushes the link. The holder of the token checks {@link #isFlushed} after it has released the token. So no bytes stay
 * unsent.
 */
public interface Link extends PipeOutlet, PipeSource {

    /** Sets whether the link calls {@link LinkHandler#onReadable} when bytes have arrived. */
    void wantReadable(boolean wanted);

    /**
     * Calls {@link LinkHandler#onReadable} in the next round of the reactor, even if no bytes have arrived or {@link #wantReadable} is off.
     * A link over this link calls this method if it holds bytes that its own handler has not read yet. Several calls in one round have the
     * effect of one call. If the link is closed before the next round, its handler is not called.
     */
    void readAgain();

    /**
     * Sets whether the link calls {@link LinkHandler#onWritable} when bytes can be written. A link over a link sometimes takes no bytes
     * although the socket is writable, for example during a handshake. During that time the upper link must not pass this call to the lower
     * link, because the selector would report the socket in each round. The upper link calls {@link LinkHandler#onWritable} itself as soon
     * as it takes bytes again.
     */
    void wantWritable(boolean wanted);

    /** Runs code of the conversation. An exception closes this link only. */
    void contain(Part part);

    /** Code of a conversation, which runs on the reactor. */
    @FunctionalInterface
    interface Part {
        void run() throws IOException;
    }

    /**
     * Asks the reactor to call {@link LinkHandler#onSignals}. One call of the handler passes the bits of all signals since the previous
     * call. Any thread may call this method.
     */
    void signal(int bit);

    /**
     * As {@link #signal}, but a reactor that wakes within 50 ms anyway is not woken. So this signal, and all later signals of this link, can
     * be late by this time. Any thread may call this method.
     */
    void signalLater(int bit);

    /**
     * Sends the end of the stream to the client, if this link has no closing bytes of its own. The caller is a worker that holds the
     * connection's {@link WriteToken}, and has sent all bytes. If the output has ended, it keeps the token for ever. The reactor calls
     * {@link #shutdownOutput} later, which then has no further effect on the client.
     *
     * @return whether the output has ended; false if only the reactor can end it
     */
    boolean endOutput();

    /**
     * Sends the end of the stream to the client, after all bytes that this link has taken. The link can still read. If a link over a link
     * must first send closing bytes of its own, the next flush sends these bytes. A second call has no effect.
     */
    void shutdownOutput() throws IOException;

    /**
     * Closes the channel, then calls {@link LinkHandler#onClosed} once. A link over a link may first send closing bytes of its own, such as
     * a TLS {@code close_notify}. It may send these bytes only if all bytes that it took are sent, and if the socket takes the closing
     * bytes immediately. The reactor does not hold the write token in this call. So a link that sends closing bytes needs a lock: without
     * the lock, this call and the holder of the write token could write at the same time.
     */
    void close(ConnectionClosed cause);

    /**
     * Closes the channel with a TCP reset. The client sees an error instead of the end of the stream. Bytes that the client has not
     * received yet can be lost.
     */
    void reset(ConnectionClosed cause);

    boolean isOpen();

    /** The address of the client. For a client of a Unix domain socket, the address has an empty path. */
    SocketAddress remote();

    SocketAddress local();

    /**
     * The TLS session of this connection; null if the connection is not encrypted. The session is known when the conversation begins, and
     * does not change. Any thread may call this method.
     */
    default @Nullable TlsSession tls() {
        return null;
    }

    Reactor reactor();
}
