package io.penstock.request;

import io.penstock.pipe.Segment;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.function.Supplier;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import org.jspecify.annotations.Nullable;

/**
 * Compresses the bytes of one body in the format of gzip (RFC 1952).
 *
 * <p>Thread: one thread at a time; the caller must ensure this. Owns: the segments, until {@link #poll} hands them to the caller or {@link
 * #release} releases them. The caller owns the compressor.
 */
final class GzipEncoder {
    private static final byte[] HEAD = {0x1f, (byte) 0x8b, Deflater.DEFLATED, 0, 0, 0, 0, 0, 0, (byte) 0xff};
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0).asReadOnlyBuffer();

    private final Deflater deflater;
    private final Supplier<Segment> segments;
    private final CRC32 checksum = new CRC32();
    private final ArrayDeque<Segment> full = new ArrayDeque<>();
    private @Nullable Segment last;
    private long bytes;
    private long compressed;
    private long synced;

    /** @param segments supplies empty segments */
    GzipEncoder(Deflater deflater, Supplier<Segment> segments) {
        this.deflater = deflater;
        this.segments = segments;
    }

    /** The number of compressed bytes so far, in all segments. */
    long compressed() {
        return compressed;
    }

    /** Compresses all bytes of {@code source}. */
    void put(ByteBuffer source) {
        begin();
        checksum.update(source.duplicate());
        bytes += source.remaining();
        deflater.setInput(source);
        try {
            boolean more = true;
            while (more) {
                ByteBuffer room = deflate(Deflater.NO_FLUSH);
                // If the buffer is full, the deflater may have more output.
                more = !deflater.needsInput() || !room.hasRemaining();
            }
        } finally {
            // The caller may reuse the source after this call, so the deflater must not keep a reference to the source.
            deflater.setInput(NOTHING);
        }
    }

    /** Flushes the deflater. After this call the segments contain all bytes so far, in a form that a client can decode. */
    void sync() {
        if (synced == bytes) {
            return;
        }
        synced = bytes;
        boolean more = true;
        while (more) {
            more = !deflate(Deflater.SYNC_FLUSH).hasRemaining();
        }
    }

    /** Writes the remaining compressed bytes, and the end of the gzip format: the checksum and the length. */
    void finish() {
        begin();
        deflater.finish();
        while (!deflater.finished()) {
            deflate(Deflater.NO_FLUSH);
        }
        putInt((int) checksum.getValue());
        // The length field of the gzip format has the length modulo 2^32.
        putInt((int) bytes);
    }

    private void begin() {
        if (compressed == 0) {
            for (byte b : HEAD) {
                put(b);
            }
        }
    }

    /** Writes compressed bytes to a buffer, and returns this buffer. */
    private ByteBuffer deflate(int flush) {
        ByteBuffer room = room();
        compressed += deflater.deflate(room, flush);
        return room;
    }

    private void put(byte b) {
        room().put(b);
        compressed++;
    }

    /** Writes the value, the least significant octet first. */
    private void putInt(int value) {
        for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
            put((byte) (value >>> shift));
        }
    }

    private ByteBuffer room() {
        Segment current = last;
        if (current != null && current.buffer().hasRemaining()) {
            return current.buffer();
        }
        Segment fresh = segments.get();
        fresh.buffer().clear();
        if (current != null) {
            full.addLast(current);
        }
        last = fresh;
        return fresh.buffer();
    }

    /** Removes and returns the first full segment, ready to be read; null if there is none. From then on the caller owns the segment. */
    @Nullable
    Segment pollFull() {
        Segment first = full.pollFirst();
        if (first != null) {
            first.buffer().flip();
        }
        return first;
    }

    /** Like {@link #pollFull}. If there is no full segment, removes and returns the last segment, which may be partly filled. */
    @Nullable
    Segment poll() {
        Segment first = pollFull();
        if (first == null && last != null) {
            first = last;
            last = null;
            first.buffer().flip();
        }
        return first;
    }

    /** Whether a segment is left for {@link #pollFull}. */
    boolean hasFull() {
        return !full.isEmpty();
    }

    /** Whether no segment is left for {@link #poll}. */
    boolean isEmpty() {
        return full.isEmpty() && last == null;
    }

    void release() {
        for (Segment segment = poll(); segment != null; segment = poll()) {
            segment.release();
        }
    }
}
