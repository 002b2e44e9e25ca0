package io.penstock.websocket.frame;

import java.nio.ByteBuffer;

/**
 * A message, or a part of one, to send. Its bytes are encoded once, and compressed at most once, for all connections to which it is sent.
 * Thread: any.
 */
public final class EncodedMessage {
    private EncodedMessage() {}

    /** A text message. Consecutive calls with the same object return the same message, so a broadcast needs no other code. */
    public static EncodedMessage text(String text) {
        throw new UnsupportedOperationException();
    }

    /** A binary message. The bytes must not change until the message has been sent. The buffer's position does not change. */
    public static EncodedMessage binary(ByteBuffer bytes) {
        throw new UnsupportedOperationException();
    }

    /** A part of a text message. Surrogates that a part leaves alone must be kept by the caller. */
    public static EncodedMessage textPart(String part, boolean last) {
        throw new UnsupportedOperationException();
    }

    /** A part of a binary message. */
    public static EncodedMessage binaryPart(ByteBuffer part, boolean last) {
        throw new UnsupportedOperationException();
    }
}
