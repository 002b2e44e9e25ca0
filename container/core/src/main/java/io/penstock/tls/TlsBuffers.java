package io.penstock.tls;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.limits.ByteAccount;
import io.penstock.limits.Counters;
import io.penstock.limits.Key;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The buffers of all TLS connections of one server, under one byte budget. A <em>working buffer</em> is borrowed for one call, to read
 * records into it or to write them from it. Bytes that are left after the call are <em>kept</em> in a buffer of exactly their size. So an
 * idle connection has no buffer, and a slow connection has only the bytes that it has sent or not taken yet.
 *
 * <p>A connection that wants to read waits for room ({@link #tryBorrow}, {@link #whenRoom}), but only if none of its bytes are kept;
 * otherwise all connections could wait for each other. A connection with the beginning of a record uses a reserve ({@link #borrowToGoOn}),
 * and is closed if the reserve is used up, too. A connection that writes never waits, since its writes free memory. The more memory is
 * used, the smaller are its writes ({@link #mostAtOnce}); in the end it exceeds the budget by a little.
 *
 * <p>All buffers are arrays on the heap, since the ciphers of the JDK are fastest on arrays. Thread: any; no call waits.
 */
final class TlsBuffers {

    /** The longest record of an engine, with its header. */
    static final int RECORD = 16_709;

    /** The most content of one record (RFC 8446 section 5.1). */
    static final int CONTENT = 16 * 1024;

    /** The content of one record while memory is short. */
    private static final int SMALL = 1024;

    /** The most records of one socket write. */
    private static final int RECORDS_AT_ONCE = 4;

    private static final int WORKING = RECORDS_AT_ONCE * RECORD;

    private final ByteAccount account;
    private final Counters counters;

    /** More buffers are rarely used at one time. */
    private final int mostFree = 2 * Runtime.getRuntime().availableProcessors();

    @GuardedBy("this")
    private final ArrayDeque<ByteBuffer> free = new ArrayDeque<>();

    @GuardedBy("this")
    private final Set<Runnable> waiting = new LinkedHashSet<>(); // in the order of their calls

    // Whether any link waits. Mostly none does, so a release is cheap.
    private volatile boolean awaited;

    /** @param budget in bytes */
    TlsBuffers(long budget, Counters counters) {
        this.account = new ByteAccount(budget);
        this.counters = counters;
    }

    /** Bytes in use now. */
    long inUse() {
        return account.used();
    }

    long budget() {
        return account.limit();
    }

    /**
     * An empty working buffer to read into; null if the budget is used up except for its reserve. There is room for the bytes that will be
     * kept.
     */
    @Nullable
    ByteBuffer tryBorrow() {
        if (hasRoom() && account.tryReserve(WORKING)) {
            return working();
        }
        counters.reached(Key.TLS_BUDGET);
        return null;
    }

    /** As {@link #tryBorrow}, for a connection with kept bytes, which may also use the reserve. */
    @Nullable
    ByteBuffer borrowToGoOn() {
        if (account.tryReserve(WORKING)) {
            return working();
        }
        counters.reached(Key.TLS_BUDGET);
        return null;
    }

    private boolean hasRoom() {
        return account.limit() - account.limit() / 4 - account.used() >= WORKING;
    }

    /** An empty working buffer to write from, even beyond the budget. */
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

    /** Takes a borrowed buffer back. */
    void giveBack(ByteBuffer working) {
        synchronized (this) {
            if (free.size() < mostFree) {
                free.addLast(working);
            }
        }
        released(WORKING);
    }

    /** The most bytes to encrypt for one write. */
    int mostAtOnce() {
        long used = account.used();
        if (used > account.limit() / 2) {
            return SMALL;
        }
        return used > account.limit() / 4 ? CONTENT : RECORDS_AT_ONCE * CONTENT;
    }

    /** A copy of the buffer's rest. The caller must {@link #release} the copy. */
    ByteBuffer keep(ByteBuffer rest) {
        ByteBuffer kept = ByteBuffer.allocate(rest.remaining());
        account.reserve(kept.capacity());
        return kept.put(rest).flip();
    }

    /** Takes a kept buffer back. */
    void release(ByteBuffer kept) {
        released(kept.capacity());
    }

    private void released(int bytes) {
        account.giveBack(bytes);
        wakeNext();
    }

    /**
     * Runs {@code action} once when a working buffer may be available; it runs at once if a buffer may be available now. Another thread may
     * still take that buffer first. The action must not block. The work that the action begins ends with a call of {@link #wakeNext}, since
     * only one action is woken at a time.
     */
    void whenRoom(Runnable action) {
        synchronized (this) {
            waiting.add(action);
            awaited = true;
        }
        wakeNext(); // bytes may have been released before the action was added
    }

    /** Removes an action that waits for room. */
    synchronized void forget(Runnable action) {
        waiting.remove(action);
    }

    /** Wakes the next waiting action, if there is room. */
    void wakeNext() {
        Runnable next = awaited && hasRoom() ? takeNext() : null;
        if (next != null) {
            next.run(); // a link waits for memory: the link's reactor reads the socket
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
