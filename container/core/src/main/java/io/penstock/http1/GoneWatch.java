package io.penstock.http1;

import io.penstock.pipe.ResponsePipe;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Who is to be told, once, when a connection ends before its running exchange is over.
 *
 * <p>Thread: any. Whoever takes the reference out tells, so nobody is told twice; whoever sets it looks afterwards whether the connection
 * has ended, so nobody is forgotten.
 */
final class GoneWatch {
    private final ResponsePipe pipe; // which has failed once the connection has ended
    private final AtomicReference<@Nullable Runnable> told = new AtomicReference<>();

    GoneWatch(ResponsePipe pipe) {
        this.pipe = pipe;
    }

    /** Runs {@code action} if the connection ends before {@link #over}; at once if it has ended. */
    void set(Runnable action) {
        told.set(action);
        if (pipe.hasFailed()) {
            tell();
        }
    }

    /** The connection has ended. */
    void tell() {
        Runnable action = told.getAndSet(null);
        if (action != null) {
            action.run();
        }
    }

    /** The exchange is over. */
    void over() {
        if (told.get() != null && !pipe.hasFailed()) { // else the reactor is about to tell it
            told.set(null);
        }
    }
}
