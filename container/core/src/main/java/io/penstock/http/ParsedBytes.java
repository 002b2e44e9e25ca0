package io.penstock.http;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.limits.Key;
import io.penstock.memory.ByteAccount;

/**
 * The heap that the values of one request use: parameters, parts, cookies. The bytes are reserved in an account that all requests of the
 * server share. Objects count as they lie in the heap of a JVM with compressed references, so a parameter of one character counts much more
 * than one byte.
 *
 * <p>Thread: any. A request can end while its application still reads a value.
 *
 * <p>Owns: the reserved bytes, until {@link #end}. Values that are parsed after the end of their request do not count: only an application
 * that has kept the request object can ask for them.
 */
public final class ParsedBytes {
    /** The account is shared, so its bytes are reserved in blocks. Most requests with cookies or parameters need one block. */
    private static final long BLOCK = 1024;

    /** A string without characters: the object, and the header of its array. */
    private static final int STRING = 40;

    private static final int WORD = 8;

    private final ByteAccount account;

    @GuardedBy("this")
    private long used;

    @GuardedBy("this")
    private long reserved;

    @GuardedBy("this")
    private State state = State.OPEN;

    private enum State {
        OPEN,
        ENDED
    }

    public ParsedBytes(ByteAccount account) {
        this.account = account;
    }

    /** The size of a string in the heap. */
    public static long of(String text) {
        int chars = text.length();
        for (int i = 0; i < chars; i++) {
            if (text.charAt(i) > 0xFF) {
                return of(2L * chars);
            }
        }
        return of((long) chars);
    }

    /** The size of a string in the heap whose characters use this number of bytes. */
    static long of(long bytes) {
        return STRING + (bytes + WORD - 1) / WORD * WORD;
    }

    /**
     * Reserves bytes for values that will be made.
     *
     * @throws Violation if the values of all requests together would exceed their limit
     */
    public synchronized void reserve(long bytes) throws Violation {
        if (state == State.ENDED) {
            return;
        }
        long missing = used + bytes - reserved;
        if (missing > 0) {
            long blocks = (missing + BLOCK - 1) / BLOCK * BLOCK;
            if (!account.tryReserve(blocks)) {
                throw new Violation(Key.PARSED_BUDGET);
            }
            reserved += blocks;
        }
        used += bytes;
    }

    /** Gives back bytes of values that are no longer referenced, such as a buffer. */
    public synchronized void giveBack(long bytes) {
        if (state == State.OPEN) {
            used -= bytes;
            long blocks = (reserved - used) / BLOCK * BLOCK;
            reserved -= blocks;
            account.giveBack(blocks);
        }
    }

    /** The request has ended: gives all bytes back. Later calls have no effect. */
    public synchronized void end() {
        state = State.ENDED;
        account.giveBack(reserved);
        reserved = 0;
    }
}
