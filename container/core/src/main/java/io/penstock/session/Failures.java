package io.penstock.session;

import java.lang.reflect.UndeclaredThrowableException;
import org.jspecify.annotations.Nullable;

/** Collects the exceptions of several steps that must all run. Thread: only one thread may use an object. */
public final class Failures {
    private @Nullable Throwable first;

    /** Runs a step. Code that is not written in Java can throw any exception, also checked ones that it does not declare. */
    public void attempt(Runnable step) {
        try {
            step.run();
        } catch (Throwable e) {
            if (first == null) {
                first = e;
            } else if (first != e) {
                first.addSuppressed(e);
            }
        }
    }

    /**
     * Throws the first exception, if there was one. The other exceptions are its suppressed exceptions. A checked exception is the cause of
     * an unchecked one.
     */
    public void rethrow() {
        if (first instanceof RuntimeException unchecked) {
            throw unchecked;
        }
        if (first instanceof Error error) {
            throw error;
        }
        if (first != null) {
            throw new UndeclaredThrowableException(first);
        }
    }
}
