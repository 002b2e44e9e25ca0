package io.penstock.reactor;

import io.penstock.pipe.PipeOutlet;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/**
 * One client's transport, as its conversation sees it. Encryption is a link over a link.
 *
 * <p>Thread: the reactor, but for {@link #signal} (any) and the {@link PipeOutlet} verbs (the holder of the connection's write
 * token).
 */
public interface Link extends PipeOutlet {

    /** Reads what is there; 0 if nothing is, -1 once the client has sent its last byte. */
    int read(ByteBuffer target) throws IOException;

    /** Whether {@link LinkHandler#onReadable} is called while there are bytes to read. */
    void wantReadable(boolean wanted);

    /** Whether {@link LinkHandler#onWritable} is called while bytes can be written. */
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

    /** Sends the client the end of the stream; reading goes on. */
    void shutdownOutput() throws IOException;

    /** Closes the channel, then calls {@link LinkHandler#onClosed} once. */
    void close(IOException cause);

    /** Closes the channel so that the client sees a reset instead of an end; what is on its way may be lost. */
    void reset(IOException cause);

    boolean isOpen();

    InetSocketAddress remote();

    InetSocketAddress local();

    Reactor reactor();
}
