package io.penstock.websocket.frame;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** One WebSocket connection. Thread: {@link #received} and {@link #inputEnded}: one at a time; all other methods: any. */
public final class FrameConnection {

    /** Which side of the connection this is. A client masks its frames (RFC 6455 section 5.3). */
    public enum Side {
        SERVER,
        CLIENT
    }

    public FrameConnection(Side side, Transport transport, @Nullable DeflateParameters deflate) {
        throw new UnsupportedOperationException();
    }

    /** Must be called once, before the first {@link #received}. */
    public void listen(FrameListener listener) {
        throw new UnsupportedOperationException();
    }

    // ---- settings; each holds from the next frame on

    /** The most bytes of a whole text message, and of one part of a text message; a longer whole message closes with 1009. */
    public void maxText(int bytes) {}

    /** The most bytes of a whole binary message, and of one part. */
    public void maxBinary(int bytes) {}

    /** Whether the listener gets text messages in parts, as they arrive. At first it gets whole messages. */
    public void textInParts(boolean parts) {}

    /** Whether the listener gets binary messages in parts. */
    public void binaryInParts(boolean parts) {}

    /** Closes the connection when no frame has arrived or been sent for this time; 0 for never. */
    public void idleTimeout(long millis) {}

    /** Whether messages wait for {@link #flush}, as long as the memory of the session's queue has room. */
    public void batching(boolean allowed) {}

    public boolean isBatching() {
        return false;
    }

    // ---- incoming

    /** Takes all bytes of {@code bytes}, and calls the listener. The content of the buffer changes, because frames are unmasked in it. */
    public void received(ByteBuffer bytes) {
        throw new UnsupportedOperationException();
    }

    /**
     * The peer sends no more bytes.
     *
     * @param leaving whether the server or application ends: the peer and the listener then get 1001
     */
    public void inputEnded(boolean leaving) {
        throw new UnsupportedOperationException();
    }

    /** The transport has ended. Waiting sends fail. */
    public void ended() {
        throw new UnsupportedOperationException();
    }

    // ---- outgoing

    /**
     * Sends a message. Never waits for the peer.
     *
     * @param timeoutMillis how long the message may wait for the transport, then it fails and the connection ends; 0 for no limit
     */
    public void send(EncodedMessage message, long timeoutMillis, SendResult result) {
        throw new UnsupportedOperationException();
    }

    /**
     * Sends a message, and waits until the transport has taken it, but at most {@code timeoutMillis}; 0 for no limit.
     *
     * @throws IOException if the connection is closed or ends, or if the time has passed
     */
    public void sendAndWait(EncodedMessage message, long timeoutMillis) throws IOException {
        throw new UnsupportedOperationException();
    }

    /** Sends the messages that wait because of {@link #batching}. Does not wait for the peer. */
    public void flush() throws IOException {}

    /** @param payload at most 125 bytes */
    public void ping(ByteBuffer payload) throws IOException {}

    /** @param payload at most 125 bytes */
    public void pong(ByteBuffer payload) throws IOException {}

    /**
     * Sends a close frame behind all messages, and ends the connection when the peer has answered it, or after some seconds. Idempotent:
     * the first code counts. Frames that arrive from now on are dropped.
     *
     * @param code 1005 for a close frame without code
     * @param reason at most 123 bytes of UTF-8
     */
    public void close(int code, String reason) {}

    /** Whether neither side has closed. */
    public boolean isOpen() {
        return true;
    }

    /** Bytes of messages that the transport has not taken. */
    public long queuedBytes() {
        return 0;
    }

    /** The transport. */
    public Transport transport() {
        throw new UnsupportedOperationException();
    }
}
