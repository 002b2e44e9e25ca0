package io.penstock.experiments.io.measure;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;

/** Content in which every byte depends on its position, so that lost, doubled or reordered bytes are found. */
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

    /** Writes a file of such content, and waits for the disk, so that later writes of the system do not disturb a measurement. */
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
     * Checks the first and the last eight bytes of a piece. This is cheap, and every error before or within the piece moves its
     * end.
     *
     * @throws IOException if they are not those of that position
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
