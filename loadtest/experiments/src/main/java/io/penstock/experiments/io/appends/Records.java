package io.penstock.experiments.io.appends;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The records to append. All records have the same length. Each record consists of copies of its number as a 64-bit word; the first number
 * is 1. If a record was not written, the file has zeros at its position, or ends before it.
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

    /** The number of records from 1 to {@code accepted} that are in the file, complete and at the right position. */
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

    /** Reads one record from the piece, and returns whether it is complete and has the given number. */
    private static boolean isWhole(ByteBuffer piece, long number) {
        boolean whole = true;
        for (int i = 0; i < LENGTH; i += Long.BYTES) {
            whole &= piece.getLong() == number;
        }
        return whole;
    }
}
