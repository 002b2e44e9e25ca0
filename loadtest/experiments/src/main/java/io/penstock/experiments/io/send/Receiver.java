package io.penstock.experiments.io.send;

import io.penstock.experiments.io.measure.Pattern;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.Locale;

/**
 * Reads the bytes of a sender until it closes, and checks that they are the complete pattern: it counts every byte, and checks
 * both ends of every piece. It is the same for all ways of sending.
 */
final class Receiver {
    private static final int PIECE = 256 << 10;

    private final ByteBuffer piece = ByteBuffer.allocateDirect(PIECE);

    /**
     * @param expected the exact number of bytes that must come
     */
    void receive(ReadableByteChannel from, long expected) throws IOException {
        long position = 0;
        piece.clear();
        while (from.read(piece) >= 0) {
            piece.flip();
            position = take(position, expected);
        }
        requireAll(position, expected);
    }

    /** As {@link #receive}, but after the head of an HTTP response. The expected length is checked against the head, too. */
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
