package io.penstock.session;

import org.jspecify.annotations.Nullable;

/** What application code throws while the container has several things to do that must all be done. Thread: one. */
final class Failures {
    private @Nullable Throwable first;

    void contain(Runnable step) {
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

    /** Throws what was contained first, if anything was. */
    void rethrow() {
        if (first instanceof RuntimeException unchecked) {
            throw unchecked;
        }
        if (first instanceof Error error) {
            throw error;
        }
    }
}
