package io.penstock.request;

import io.penstock.spool.SpoolFile;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;

/** A part whose bytes are a region of a file. The file contains the whole request body, and belongs to the request. */
final class RegionContent implements PartContent {
    /** The number of bytes that are read from the file at a time when the application reads single bytes. */
    private static final int BUFFER = 1024;

    private final SpoolFile file;
    private final long begin;
    private long size;

    /** @param begin the position of the part's first byte */
    RegionContent(SpoolFile file, long begin) {
        this.file = file;
        this.begin = begin;
    }

    /** Only counts the bytes. The parser has read them from the file, so they are in the file already. */
    @Override
    public void append(byte[] bytes, int offset, int length) {
        size += length;
    }

    @Override
    public void end() {
        // Nothing to close: this object opens no file of its own.
    }

    /** Returns a stream that owns only a buffer. So the application need not close the stream. */
    @Override
    public InputStream open() {
        return new BufferedInputStream(new Region(), BUFFER);
    }

    /** Copies the bytes from file to file. If the operating system supports this, the bytes are not copied into this process. */
    @Override
    public void writeTo(Path target) throws IOException {
        try (FileChannel to = FileChannel.open(
                target, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            for (long done = 0; done < size; ) {
                long count = file.transferTo(begin + done, size - done, to);
                if (count <= 0) {
                    throw new IOException("The body on disk ended " + (size - done) + " bytes early");
                }
                done += count;
            }
        }
    }

    @Override
    public void delete() {
        // The disk space is released when the request ends.
        size = 0;
    }

    @Override
    public void discard() {
        delete();
    }

    /** Reads the region as a stream. Several such streams may be open at one time. */
    private final class Region extends InputStream {
        private final long end = begin + size;
        private long position = begin;

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            Objects.checkFromIndexSize(offset, length, target.length);
            if (length == 0) {
                return 0;
            }
            if (position == end) {
                return -1;
            }
            int most = (int) Math.min(length, end - position);
            int count = file.read(ByteBuffer.wrap(target, offset, most), position);
            position += Math.max(0, count);
            return count;
        }

        @Override
        public long skip(long count) {
            long skipped = Math.max(0, Math.min(count, end - position));
            position += skipped;
            return skipped;
        }

        @Override
        public int available() {
            return (int) Math.min(Integer.MAX_VALUE, end - position);
        }
    }
}
