package io.penstock.experiments.io.measure;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.channels.WritableByteChannel;
import java.util.Locale;

/**
 * Writes a whole file to a blocking channel, with as many calls as necessary. One call of {@code transferTo} moves at most 2^31 - 1 bytes,
 * and one mapping also has at most this size.
 */
public final class WholeFile {
    /** The size of one mapping, in bytes. It is below the limit of 2^31 - 1 bytes, and a multiple of every page size. */
    public static final long WINDOW = 1L << 30;

    /** The method {@link FileChannel#transferTo}. */
    @FunctionalInterface
    public interface Transfer {
        long transferTo(long position, long count, WritableByteChannel to) throws IOException;
    }

    /** The method {@link FileChannel#map}, for reading. */
    @FunctionalInterface
    public interface Mapping {
        ByteBuffer map(long position, long size) throws IOException;
    }

    private WholeFile() {}

    public static void transfer(Transfer from, long size, WritableByteChannel to) throws IOException {
        long position = 0;
        while (position < size) {
            long moved = from.transferTo(position, Math.min(Integer.MAX_VALUE, size - position), to);
            if (moved <= 0) {
                // A blocking channel takes bytes at each call. If no bytes were moved, the file has become shorter.
                throw endedEarly(position, size);
            }
            position += moved;
        }
    }

    /**
     * Writes a file by mapping it piece by piece. A mapping exists until its buffer is garbage-collected, since Java before version 22 has
     * no public method to unmap it.
     */
    public static void map(Mapping from, long size, long window, WritableByteChannel to) throws IOException {
        for (long position = 0; position < size; position += window) {
            writeAll(from.map(position, Math.min(window, size - position)), to);
        }
    }

    public static void writeAll(ByteBuffer buffer, WritableByteChannel to) throws IOException {
        while (buffer.hasRemaining()) {
            to.write(buffer);
        }
    }

    public static Mapping readOnly(FileChannel file) {
        return (position, size) -> file.map(MapMode.READ_ONLY, position, size);
    }

    private static EOFException endedEarly(long position, long size) {
        return new EOFException(String.format(Locale.ROOT, "the file ended at byte %,d of %,d", position, size));
    }
}
