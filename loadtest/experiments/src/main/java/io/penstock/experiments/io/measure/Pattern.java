package io.penstock.experiments.io.measure;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;

/** Creates and checks content in which every byte depends on its position. So lost, duplicate or reordered bytes can be found. */
public final class Pattern {
    private static final int PIECE = 1 << 20;

    private Pattern() {}

    /** The byte at a position. */
    public static byte at(long position) {
        return (byte) (word(position >>> 3) >>> (56 - 8 * (position & 7)));
    }

    private static long word(long index) {
        return (index + 1) * 0x9E3779B97F4A7C15L;
    }

    /**
     * Writes a file with this content, and waits until the content is on the disk. Without this wait, later writes of the operating system
     * would disturb a measurement.
     */
    public static void write(Path file, long size) throws IOException {
        ByteBuffer piece = ByteBuffer.allocateDirect(PIECE);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            for (long position = 0; position < size; position += PIECE) {
                piece.clear();
                while (piece.hasRemaining()) {
                    piece.putLong(word((position + piece.position()) >>> 3));
                }
                piece.flip().limit((int) Math.min(PIECE, size - position));
                while (piece.hasRemaining()) {
                    channel.write(piece);
                }
            }
            channel.force(true);
        }
    }

    /**
     * Checks the first and the last eight bytes of a piece. This check is cheap. Lost or duplicate bytes before or within the piece move
     * its last bytes, so the check finds them.
     *
     * @throws IOException if these bytes are not the right ones for the position
     */
    public static void checkEnds(ByteBuffer piece, long position) throws IOException {
        int length = piece.remaining();
        for (int i = 0; i < Math.min(8, length); i++) {
            check(piece, i, position);
            check(piece, length - 1 - i, position);
        }
    }

    private static void check(ByteBuffer piece, int index, long position) throws IOException {
        byte found = piece.get(piece.position() + index);
        if (found != at(position + index)) {
            throw new IOException(String.format(Locale.ROOT, "a wrong byte arrived at position %,d", position + index));
        }
    }
}
