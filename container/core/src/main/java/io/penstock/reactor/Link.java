package io.penstock.reactor;

import io.penstock.pipe.PipeOutlet;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One client's transport, as its conversation sees it. Encryption is a link over a link ({@link LinkLayer}).
 *
 * <p>Thread: the reactor, but for {@link #signal} (any) and the {@link PipeOutlet} verbs (the holder of the connection's write
 * token). A link that has something to say itself calls {@link LinkHandler#onWritable}: the conversation takes the token and flushes the
 * link. The holder of the token looks at {@link #isFlushed} after its release, so nothing stays behind.
 */
public interface Link extends PipeOutlet {

    /** Reads what is there; 0 if nothing is, -1 once the client has sent its last byte. */
    int read(ByteBuffer target) throws IOException;

    /** Whether {@link LinkHandler#onReadable} is called while there are bytes to read. */
    void wantReadable(boolean wanted);

    /**
     * Calls {@link LinkHandler#onReadable} once more, in the next round, whether or not the socket is readable or is wanted to be: for a
     * link over this one that holds bytes which its handler has not read yet. All links that ask have one turn a round. Asking again before
     * the turn changes nothing; a link that has closed by then has no turn.
     */
    void readAgain();

    /**
     * Whether {@link LinkHandler#onWritable} is called while bytes can be written. A link over a link that takes no bytes for another reason
     * than a full socket, such as a handshake, does not hand this on: the reactor would find a writable socket in each round. It calls
     * {@link LinkHandler#onWritable} itself once it takes bytes again.
     */
    void wantWritable(boolean wanted);

    /** Runs part of the conversation: what it throws ends this link, and only it. */
    void contain(Part part);

    /** Part of a conversation, on the reactor. */
    @FunctionalInterface
    interface Part {
        void run() throws IOException;
    }

    /** Asks for one call of {@link LinkHandler#onSignals} with this bit among others; any thread. */
    void signal(int bit);

    /**
     * Sends the client the end of the stream, behind what was taken; reading goes on. A link over a link may have a last word to say first,
     * which it sends when it is flushed. Asking again changes nothing.
     */
    void shutdownOutput() throws IOException;

    /**
     * Closes the channel, then calls {@link LinkHandler#onClosed} once. A link over a link may send a last word before, if all that it took
     * is sent and the socket takes the word at once. The reactor does not have the write token then, so such a link needs a lock between
     * this and the writes of the token's holder.
     */
    void close(ConnectionClosed cause);

    /** Closes the channel so that the client sees a reset instead of an end; what is on its way may be lost. */
    void reset(ConnectionClosed cause);

    boolean isOpen();

    /** The client's address; without a name where it comes by a Unix domain socket. */
    SocketAddress remote();

    SocketAddress local();

    /**
     * The session of the link that encrypts, be it this one or one below it; null if none does. It stands when the conversation begins, and
     * does not change. Any thread.
     */
    default @Nullable TlsSession tls() {
        return null;
    }

    Reactor reactor();
}
