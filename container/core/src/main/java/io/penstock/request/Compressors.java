package io.penstock.request;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.zip.Deflater;
import org.jspecify.annotations.Nullable;

/**
 * The compressors of a server, which have a quarter of a megabyte each outside of the heap. Those that are not in use are kept for later.
 *
 * <p>Thread: any. Owns: the compressors that are not in use, until closed. There are never more than the limit.
 */
public final class Compressors implements AutoCloseable {
    private final int most;
    private final Runnable refused;

    @GuardedBy("this")
    private final ArrayDeque<Deflater> free = new ArrayDeque<>();

    @GuardedBy("this")
    private int inUse;

    @GuardedBy("this")
    private boolean closed;

    /**
     * @param most compressors at one time
     * @param refused runs each time a response gets none because all are in use
     */
    public Compressors(int most, Runnable refused) {
        this.most = most;
        this.refused = refused;
    }

    /** How many are in use. */
    public synchronized int inUse() {
        return inUse;
    }

    /** A compressor for one response, to be given back exactly once; null if all are in use. */
    @Nullable
    Deflater acquire() {
        synchronized (this) {
            if (inUse < most) {
                Deflater known = free.pollLast();
                Deflater acquired = known != null ? known : new Deflater(Deflater.DEFAULT_COMPRESSION, true);
                inUse++;
                return acquired;
            }
        }
        refused.run();
        return null;
    }

    void giveBack(Deflater used) {
        used.reset();
        synchronized (this) {
            inUse--;
            if (!closed) {
                free.addLast(used);
                return;
            }
        }
        used.end();
    }

    /** Frees the memory of those that are not in use, and of each other one as soon as it is given back. */
    @Override
    public synchronized void close() {
        closed = true;
        free.forEach(Deflater::end);
        free.clear();
    }
}
