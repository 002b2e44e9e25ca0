package io.penstock.tls;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.limits.Counters;
import io.penstock.limits.Key;
import io.penstock.memory.ByteAccount;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The buffers of all TLS connections of one server, with one memory budget. A <em>working buffer</em> is borrowed for one call, to read or
 * to write records. If some bytes remain after the call, they are <em>kept</em> in a buffer of exactly their size. So an idle connection
 * has no buffer. A slow connection only has buffers for an incomplete record and for unsent records.
 *
 * <p>A connection without kept bytes waits for room before it reads ({@link #tryBorrow}, {@link #whenRoom}). A connection with kept bytes
 * never waits, because connections that hold memory and wait for memory could cause a deadlock. For its reads, a connection with kept bytes
 * can use the last quarter of the budget ({@link #borrowWithReserve}). If the last quarter is used up too, the connection is closed. Writes
 * never wait, because they free memory. They can exceed the budget, but only by a small amount: when little memory is free, each write is
 * smaller ({@link #mostAtOnce}).
 *
 * <p>All buffers are arrays on the heap, because the ciphers of the JDK are fastest with arrays. Thread: any. No method blocks.
 */
final class TlsBuffers {

    /** The length of the longest record of an engine, including the header. */
    static final int RECORD = 16_709;

    /** The maximum length of the content of one record (RFC 8446 section 5.1). */
    static final int CONTENT = 16 * 1024;

    /** The length of the content of one record when little memory is free. */
    private static final int SMALL = 1024;

    /** The maximum number of records in one socket write. */
    private static final int RECORDS_AT_ONCE = 4;

    private static final int WORKING = RECORDS_AT_ONCE * RECORD;

    private final ByteAccount account;
    private final Counters counters;

    /** The maximum number of free working buffers that are kept for reuse. More buffers are rarely used at the same time. */
    private final int mostFree = 2 * Runtime.getRuntime().availableProcessors();

    @GuardedBy("this")
    private final ArrayDeque<ByteBuffer> free = new ArrayDeque<>();

    @GuardedBy("this")
    private final Set<Runnable> waiting = new LinkedHashSet<>(); // in the order in which the actions were added

    // Whether any action waits. In most cases no action waits, and a release then takes no lock.
    private volatile boolean awaited;

    /** @param budget the maximum number of bytes in all buffers */
    TlsBuffers(long budget, Counters counters) {
        this.account = new ByteAccount(budget);
        this.counters = counters;
    }

    /** The number of bytes in used buffers. */
    long inUse() {
        return account.used();
    }

    long budget() {
        return account.limit();
    }

    /**
     * Returns an empty working buffer for a read; null if only the last quarter of the budget is free. The budget has enough room for the
     * bytes that are kept after the read.
     */
    @Nullable
    ByteBuffer tryBorrow() {
        if (hasRoom() && account.tryReserve(WORKING)) {
            return working();
        }
        counters.reached(Key.TLS_BUDGET);
        return null;
    }

    /**
     * Returns an empty working buffer for the read of a connection with kept bytes. Such a connection may also use the last quarter of the
     * budget. Returns null if the whole budget is used up.
     */
    @Nullable
    ByteBuffer borrowWithReserve() {
        if (account.tryReserve(WORKING)) {
            return working();
        }
        counters.reached(Key.TLS_BUDGET);
        return null;
    }

    private boolean hasRoom() {
        return account.limit() - account.limit() / 4 - account.used() >= WORKING;
    }

    /** Returns an empty working buffer for a write. The buffer may exceed the budget. */
    ByteBuffer borrow() {
        account.reserve(WORKING);
        return working();
    }

    private ByteBuffer working() {
        ByteBuffer found;
        synchronized (this) {
            found = free.pollLast();
        }
        if (found != null) {
            return found.clear();
        }
        try {
            return ByteBuffer.allocate(WORKING);
        } catch (OutOfMemoryError e) {
            account.giveBack(WORKING);
            throw e;
        }
    }

    /** Takes back a borrowed working buffer. */
    void giveBack(ByteBuffer working) {
        synchronized (this) {
            if (free.size() < mostFree) {
                free.addLast(working);
            }
        }
        giveBack(WORKING);
    }

    /** The maximum number of bytes that one write may encrypt. */
    int mostAtOnce() {
        long used = account.used();
        if (used > account.limit() / 2) {
            return SMALL;
        }
        return used > account.limit() / 4 ? CONTENT : RECORDS_AT_ONCE * CONTENT;
    }

    /** Copies the remaining bytes of a buffer into a new kept buffer. The caller must later {@link #release} the kept buffer. */
    ByteBuffer keep(ByteBuffer rest) {
        ByteBuffer kept = ByteBuffer.allocate(rest.remaining());
        account.reserve(kept.capacity());
        return kept.put(rest).flip();
    }

    /** Takes back a kept buffer. */
    void release(ByteBuffer kept) {
        giveBack(kept.capacity());
    }

    /** Counts memory of an engine in the budget, even if it exceeds the budget. */
    void reserve(long bytes) {
        account.reserve(bytes);
    }

    /** Ends the effect of {@link #reserve}. */
    void giveBack(long bytes) {
        account.giveBack(bytes);
        wakeNext();
    }

    /**
     * Runs {@code action} once, when the budget has room for a working buffer. If the budget has room now, the action runs in this call. It
     * is possible that another thread takes the room before the action. The action must not block. Only one action runs at a time, so the
     * action must cause a call of {@link #wakeNext} when its work is done.
     */
    void whenRoom(Runnable action) {
        synchronized (this) {
            waiting.add(action);
            awaited = true;
        }
        // Another thread may have released bytes just before the action was added.
        wakeNext();
    }

    /** Removes an action that waits for room. */
    synchronized void forget(Runnable action) {
        waiting.remove(action);
    }

    /** Runs the next waiting action if the budget has room. */
    void wakeNext() {
        Runnable next = awaited && hasRoom() ? takeNext() : null;
        if (next != null) {
            next.run();
        }
    }

    private synchronized @Nullable Runnable takeNext() {
        Iterator<Runnable> all = waiting.iterator();
        Runnable next = all.hasNext() ? all.next() : null;
        if (next != null) {
            all.remove();
        }
        awaited = !waiting.isEmpty();
        return next;
    }
}
