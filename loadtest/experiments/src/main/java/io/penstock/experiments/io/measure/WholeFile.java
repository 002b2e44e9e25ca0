package io.penstock.experiments.io.measure;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.channels.WritableByteChannel;
import java.util.Locale;

/**
 * Moves a whole file to a blocking channel, even if one call moves little: {@code transferTo} moves at most 2^31 - 1 bytes, and
 * this is also the limit of a mapping.
 */
public final class WholeFile {
    /** The size of one mapping: well below the limit, and a multiple of every page size. */
    public static final long WINDOW = 1L << 30;

    /** {@link FileChannel#transferTo}. */
    @FunctionalInterface
    public interface Transfer {
        long transferTo(long position, long count, WritableByteChannel to) throws IOException;
    }

    /** {@link FileChannel#map}, for reading. */
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
                // A blocking channel takes bytes at each call, so the file must have become shorter.
                throw endedEarly(position, size);
            }
            position += moved;
        }
    }

    /** The mappings exist until their buffers are collected: before Java 22 no public method unmaps them. */
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
