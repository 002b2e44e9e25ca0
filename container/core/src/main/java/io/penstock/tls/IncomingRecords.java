package io.penstock.tls;

import io.penstock.events.CloseCause;
import io.penstock.limits.Key;
import io.penstock.reactor.ConnectionClosed;
import io.penstock.reactor.Link;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The records of a client that are not decrypted yet. Between two turns their bytes are kept; nearly always this is only a part of one
 * record.
 *
 * <p>Thread: the reactor. Owns what it keeps.
 */
final class IncomingRecords {
    /** Types of records of a handshake (RFC 8446 section 5.1). */
    static final byte CHANGE_CIPHER_SPEC = 20;

    static final byte HANDSHAKE = 22;

    private static final int HEAD = 5;
    private static final int LENGTH = 3; // the place of the length in the head
    private static final int TOO_LONG = 0xFFFF;

    private final Link socket;
    private final TlsBuffers buffers;
    private @Nullable ByteBuffer kept;

    IncomingRecords(Link socket, TlsBuffers buffers) {
        this.socket = socket;
        this.buffers = buffers;
    }

    /**
     * Begins a turn: returns a working buffer with the kept bytes, which the caller hands to {@link #end}.
     *
     * @return null if memory is short; the caller may try later
     * @throws ConnectionClosed if memory is short, and bytes of this connection are kept
     */
    @Nullable
    ByteBuffer begin() throws ConnectionClosed {
        ByteBuffer known = kept;
        ByteBuffer working = known == null ? buffers.tryBorrow() : buffers.borrowToGoOn();
        if (known != null) {
            if (working == null) {
                throw new ConnectionClosed(CloseCause.MEMORY_BUDGET, Key.TLS_BUDGET.id());
            }
            working.put(known);
            release();
        }
        return working == null ? null : working.flip();
    }

    /** Reads once, at most {@code most} bytes, behind the bytes of the buffer. Returns as {@link Link#read(ByteBuffer)}. */
    int fill(ByteBuffer working, int most) throws IOException {
        working.compact();
        working.limit(Math.min(working.capacity(), working.position() + most));
        try {
            return socket.read(working);
        } finally {
            working.flip();
        }
    }

    /** Ends a turn: keeps the rest of the buffer. */
    void end(ByteBuffer working) {
        try {
            if (working.hasRemaining()) {
                kept = buffers.keep(working);
            }
        } finally {
            buffers.giveBack(working);
        }
    }

    /** Whether the kept bytes contain a record that can be decrypted or refused. */
    boolean hasRecord() {
        ByteBuffer known = kept;
        return known != null
                && known.remaining() >= HEAD
                && (isTooLong(known) || known.remaining() >= HEAD + length(known));
    }

    /**
     * Makes the engine refuse a record that is too long, with the engine's own alert. The engine would accept up to twice the length that
     * the standard allows, but no buffer here has room for that. So this method writes an even greater length into the head of the record.
     */
    static void refuseTooLong(ByteBuffer working) {
        if (working.remaining() >= HEAD && isTooLong(working)) {
            working.putShort(working.position() + LENGTH, (short) TOO_LONG);
        }
    }

    /** The head of a record that every engine refuses, since its length is too great. */
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
