package io.penstock.tls;

import io.penstock.events.CloseCause;
import io.penstock.limits.Key;
import io.penstock.reactor.ConnectionClosed;
import io.penstock.reactor.Link;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The encrypted records that a client has sent. Each read borrows a working buffer from {@link TlsBuffers}: {@link #begin} borrows the
 * buffer, and {@link #end} returns it. Bytes that remain after the read are kept for the next read. They are nearly always a part of one
 * record.
 *
 * <p>Thread: the reactor. This object owns the kept bytes.
 */
final class IncomingRecords {
    /** The types of records in a handshake (RFC 8446 section 5.1). */
    static final byte CHANGE_CIPHER_SPEC = 20;

    static final byte HANDSHAKE = 22;

    private static final int HEAD = 5;
    private static final int LENGTH = 3; // the offset of the length in the head
    private static final int TOO_LONG = 0xFFFF;

    /** The maximum length of a small record. */
    private static final int SMALL = 256;

    private final Link socket;
    private final TlsBuffers buffers;
    private @Nullable ByteBuffer kept;

    IncomingRecords(Link socket, TlsBuffers buffers) {
        this.socket = socket;
        this.buffers = buffers;
    }

    /**
     * Returns a working buffer that begins with the kept bytes. The caller must pass the buffer to {@link #end} after the read.
     *
     * @param holds whether the connection holds other memory of the budget
     * @return the working buffer; null if the memory budget has no room and the connection holds no memory. The caller can try again later
     * @throws ConnectionClosed if the memory budget has no room, and the connection holds memory
     */
    @Nullable
    ByteBuffer begin(boolean holds) throws ConnectionClosed {
        ByteBuffer known = kept;
        boolean waits = known == null && !holds;
        ByteBuffer working = waits ? buffers.tryBorrow() : buffers.borrowWithReserve();
        if (working == null && !waits) {
            throw new ConnectionClosed(CloseCause.MEMORY_BUDGET, Key.TLS_BUDGET.id());
        }
        if (working != null && known != null) {
            working.put(known);
            release();
        }
        return working == null ? null : working.flip();
    }

    /**
     * Reads the socket once, and adds at most {@code most} bytes to the working buffer. Returns the result of {@link
     * Link#read(ByteBuffer)}.
     */
    int fill(ByteBuffer working, int most) throws IOException {
        working.compact();
        working.limit(Math.min(working.capacity(), working.position() + most));
        try {
            return socket.read(working);
        } finally {
            working.flip();
        }
    }

    /** Keeps the remaining bytes of the working buffer, and returns the buffer to {@link TlsBuffers}. */
    void end(ByteBuffer working) {
        try {
            if (working.hasRemaining()) {
                kept = buffers.keep(working);
            }
        } finally {
            buffers.giveBack(working);
        }
    }

    /**
     * Removes the next record from the working buffer if the record is complete and not small.
     *
     * @return the record, in a buffer that the caller must pass to {@link TlsBuffers#release}; null if there is no such record
     */
    @Nullable
    ByteBuffer takeLarge(ByteBuffer working) {
        if (working.remaining() < HEAD || isTooLong(working)) {
            return null;
        }
        int whole = HEAD + length(working);
        if (whole <= SMALL || working.remaining() < whole) {
            return null;
        }
        ByteBuffer record = buffers.keep(working.slice(working.position(), whole));
        working.position(working.position() + whole);
        return record;
    }

    int keptBytes() {
        ByteBuffer known = kept;
        return known == null ? 0 : known.capacity();
    }

    /** Whether the kept bytes contain a complete record, or a record that is too long. */
    boolean hasRecord() {
        ByteBuffer known = kept;
        return known != null
                && known.remaining() >= HEAD
                && (isTooLong(known) || known.remaining() >= HEAD + length(known));
    }

    /**
     * Called before the engine reads a record. If the record is too long, this method makes sure that the engine refuses the record with an
     * alert. The engine accepts up to twice the length that the standard allows, but the working buffers have no room for such a record. So
     * this method writes an even greater length into the head of the record.
     */
    static void refuseTooLong(ByteBuffer working) {
        if (working.remaining() >= HEAD && isTooLong(working)) {
            working.putShort(working.position() + LENGTH, (short) TOO_LONG);
        }
    }

    /** Returns the head of a record with a length that every engine refuses. */
    static ByteBuffer tooLong() {
        return ByteBuffer.wrap(new byte[] {HANDSHAKE, 3, 3, (byte) (TOO_LONG >> 8), (byte) TOO_LONG});
    }

    private static boolean isTooLong(ByteBuffer records) {
        return HEAD + length(records) > TlsBuffers.RECORD;
    }

    private static int length(ByteBuffer records) {
        return Short.toUnsignedInt(records.getShort(records.position() + LENGTH));
    }

    void release() {
        ByteBuffer known = kept;
        if (known != null) {
            kept = null;
            buffers.release(known);
        }
    }
}
