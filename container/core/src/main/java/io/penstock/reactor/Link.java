package io.penstock.reactor;

import io.penstock.pipe.PipeOutlet;
import io.penstock.pipe.PipeSource;
import java.io.IOException;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * One client's transport, as its conversation sees it. Encryption is a link over a link ({@link LinkLayer}).
 *
 * <p>Thread: the reactor. {@link #signal}, {@link #reactor}, {@link #tls}, {@link #isFlushed} and the addresses: any. {@link #write},
 * {@link #transferFrom} and {@link #flush}: the holder of the connection's write token.
 *
 * <p>A link that has its own bytes to send calls {@link LinkHandler#onWritable}: the conversation takes the token and flushes the link. The
 * holder checks {@link #isFlushed} after it has released the token, so no bytes stay unsent.
 */
public interface Link extends PipeOutlet, PipeSource {

    /** Whether {@link LinkHandler#onReadable} is called while there are bytes to read. */
    void wantReadable(boolean wanted);

    /**
     * Calls {@link LinkHandler#onReadable} once more, in the next round, regardless of the socket and of {@link #wantReadable}. A link over
     * this link calls this method when it has bytes that its own handler has not read yet. The handler of a link is called at most once a
     * round in this way. A second call before that changes nothing. If the link is closed by then, its handler is not called.
     */
    void readAgain();

    /**
     * Whether {@link LinkHandler#onWritable} is called while bytes can be written. A link over a link may take no bytes for another reason
     * than a full socket, such as a handshake. Then it does not pass this call on, since the reactor would find a writable socket in each
     * round. It calls {@link LinkHandler#onWritable} itself once it takes bytes again.
     */
    void wantWritable(boolean wanted);

    /** Runs part of the conversation. An exception ends this link only. */
    void contain(Part part);

    /** Part of a conversation, on the reactor. */
    @FunctionalInterface
    interface Part {
        void run() throws IOException;
    }

    /** Asks for one call of {@link LinkHandler#onSignals} with this bit among others; any thread. */
    void signal(int bit);

    /**
     * Sends the client the end of the stream, behind the bytes that were taken; reading continues. A link over a link may have to send
     * its own closing bytes first; it sends them when it is flushed. Further calls change nothing.
     */
    void shutdownOutput() throws IOException;

    /**
     * Closes the channel, then calls {@link LinkHandler#onClosed} once. Before that, a link over a link may send its own closing bytes. It
     * does so if all bytes that it took are sent, and the socket takes the closing bytes at once. The reactor does not hold the write token
     * in this call. So a link that sends closing bytes needs a lock, which keeps this call apart from the writes of the token's holder.
     */
    void close(ConnectionClosed cause);

    /** Closes the channel so that the client sees a reset instead of an end; bytes on their way may be lost. */
    void reset(ConnectionClosed cause);

    boolean isOpen();

    /** The client's address; without a name if the client uses a Unix domain socket. */
    SocketAddress remote();

    SocketAddress local();

    /**
     * The session of the link that encrypts, either this link or a link below it; null if no link encrypts. It is set when the conversation
     * begins, and does not change. Any thread.
     */
    default @Nullable TlsSession tls() {
        return null;
    }

    Reactor reactor();
}
