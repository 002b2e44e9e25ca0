package io.penstock.session;

import org.jspecify.annotations.Nullable;

/** Collects the exceptions of several steps that must all run. Thread: only one thread may use an object. */
public final class Failures {
    private @Nullable Throwable first;

    public void attempt(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error e) {
            if (first == null) {
                first = e;
            } else if (first != e) {
                first.addSuppressed(e);
            }
        }
    }

    /** Throws the first exception, if there was one. The other exceptions are its suppressed exceptions. */
    public void rethrow() {
        if (first instanceof RuntimeException unchecked) {
            throw unchecked;
        }
        if (first instanceof Error error) {
            throw error;
        }
    }
}
