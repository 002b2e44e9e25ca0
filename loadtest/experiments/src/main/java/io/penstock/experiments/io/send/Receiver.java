package io.penstock.experiments.io.send;

import io.penstock.experiments.io.measure.Pattern;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.Locale;

/**
 * Receives a file until the sender closes the connection, and checks its content (see {@link Pattern}). It counts all bytes, and checks the
 * first and the last bytes of every piece. The same class receives the file for all ways of sending.
 */
final class Receiver {
    private static final int PIECE = 256 << 10;

    private final ByteBuffer piece = ByteBuffer.allocateDirect(PIECE);

    /** @param expected the exact number of bytes that must be received */
    void receive(ReadableByteChannel from, long expected) throws IOException {
        long position = 0;
        piece.clear();
        while (from.read(piece) >= 0) {
            piece.flip();
            position = take(position, expected);
        }
        requireAll(position, expected);
    }

    /**
     * Does the same as {@link #receive} for the body of an HTTP response. Also checks that the head of the response declares the expected
     * length.
     */
    void receiveResponse(ReadableByteChannel from, long expected) throws IOException {
        piece.clear();
        ResponseHead head = ResponseHead.read(from, piece);
        head.require(expected);
        long position = take(0, expected);
        while (from.read(piece) >= 0) {
            piece.flip();
            position = take(position, expected);
        }
        requireAll(position, expected);
    }

    private long take(long position, long expected) throws IOException {
        int length = piece.remaining();
        if (position + length > expected) {
            throw new IOException(String.format(Locale.ROOT, "more than the %,d bytes of the file arrived", expected));
        }
        Pattern.checkEnds(piece, position);
        piece.clear();
        return position + length;
    }

    private static void requireAll(long received, long expected) throws IOException {
        if (received != expected) {
            throw new IOException(
                    String.format(Locale.ROOT, "%,d of the %,d bytes of the file arrived", received, expected));
        }
    }
}
