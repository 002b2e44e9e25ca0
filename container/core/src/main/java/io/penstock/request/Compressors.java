package io.penstock.request;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.zip.Deflater;
import org.jspecify.annotations.Nullable;

/**
 * The compressors of a server. Each uses a quarter of a megabyte outside of the heap. Unused compressors are kept for later.
 *
 * <p>Thread: any. Owns: the compressors that are not in use, until closed. There are never more compressors than the limit.
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
     * @param refused runs each time a response gets no compressor because all are in use
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

    /** Frees the memory of the unused compressors now, and of the others when they are given back. */
    @Override
    public synchronized void close() {
        closed = true;
        free.forEach(Deflater::end);
        free.clear();
    }
}
