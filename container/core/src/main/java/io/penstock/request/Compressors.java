package io.penstock.request;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.zip.Deflater;
import org.jspecify.annotations.Nullable;

/**
 * The compressors of a server. Each compressor uses a quarter of a megabyte outside of the heap. Unused compressors are kept for later.
 *
 * <p>Thread: any. Owns: the compressors that are not in use, until {@link #close}. The number of compressors never exceeds the limit.
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
     * @param most the limit: the largest number of compressors at one time
     * @param refused runs each time a response gets no compressor because all compressors are in use
     */
    public Compressors(int most, Runnable refused) {
        this.most = most;
        this.refused = refused;
    }

    /** The number of compressors in use. */
    public synchronized int inUse() {
        return inUse;
    }

    /** Returns a compressor for one response; null if all compressors are in use. The caller must give the compressor back exactly once. */
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

    /** Frees the memory of unused compressors at once. The memory of a compressor in use is freed when the compressor is given back. */
    @Override
    public synchronized void close() {
        closed = true;
        free.forEach(Deflater::end);
        free.clear();
    }
}
