package io.penstock.experiments.io.appends;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The records to append. All have the same length, and each contains its number, from 1 on, in each of its words. A record that
 * never reached the file is a hole of zeroes, or lies beyond its end.
 */
final class Records {
    static final int LENGTH = 64;

    private Records() {}

    static ByteBuffer encode(long number) {
        ByteBuffer record = ByteBuffer.allocate(LENGTH);
        while (record.hasRemaining()) {
            record.putLong(number);
        }
        return record.flip();
    }

    /** The position of a record in the file. */
    static long position(long number) {
        return (number - 1) * LENGTH;
    }

    /** How many of the records 1 to {@code accepted} are in a file, complete and at their positions. */
    static long present(Path file, long accepted) throws IOException {
        if (!Files.exists(file)) {
            return 0;
        }
        long present = 0;
        ByteBuffer piece = ByteBuffer.allocateDirect(LENGTH * 4096);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            long number = 1;
            int n = 0;
            while (n >= 0 && number <= accepted) {
                n = channel.read(piece);
                piece.flip();
                while (piece.remaining() >= LENGTH && number <= accepted) {
                    present += isWhole(piece, number) ? 1 : 0;
                    number++;
                }
                piece.compact();
            }
        }
        return present;
    }

    /** Reads one record from the piece. */
    private static boolean isWhole(ByteBuffer piece, long number) {
        boolean whole = true;
        for (int i = 0; i < LENGTH; i += Long.BYTES) {
            whole &= piece.getLong() == number;
        }
        return whole;
    }
}
