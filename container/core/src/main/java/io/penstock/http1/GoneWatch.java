package io.penstock.http1;

import io.penstock.pipe.ResponsePipe;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * Who is to be told, once, when a connection ends before its running exchange is over.
 *
 * <p>Thread: any. Whoever takes the reference out tells, so nobody is told twice; whoever sets it looks afterwards whether the connection
 * has ended, so nobody is forgotten.
 */
final class GoneWatch {
    private static final AtomicReferenceFieldUpdater<GoneWatch, @Nullable Runnable> TOLD =
            AtomicReferenceFieldUpdater.newUpdater(GoneWatch.class, Runnable.class, "told");

    private final ResponsePipe pipe; // which has failed once the connection has ended
    private volatile @Nullable Runnable told;

    GoneWatch(ResponsePipe pipe) {
        this.pipe = pipe;
    }

    /** Runs {@code action} if the connection ends before {@link #over}; at once if it has ended. */
    void set(Runnable action) {
        told = action;
        if (pipe.hasFailed()) {
            tell();
        }
    }

    /** The connection has ended. */
    void tell() {
        Runnable action = TOLD.getAndSet(this, null);
        if (action != null) {
            action.run();
        }
    }

    /** The exchange is over. */
    void over() {
        if (told != null && !pipe.hasFailed()) { // else the reactor is about to tell it
            told = null;
        }
    }
}
