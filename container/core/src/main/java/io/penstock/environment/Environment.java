package io.penstock.environment;

import org.jspecify.annotations.Nullable;

/** The names of one application, and what stands behind them. Thread: any. */
@SuppressWarnings("exports") // who compiles against this needs no annotation for null
public interface Environment extends AutoCloseable {

    /** Adds a reference that an annotation makes; one of the same name that is there already, from a descriptor, stays. */
    void declare(Reference reference);

    /**
     * What stands behind a name, which is relative to {@code java:comp/env} unless it begins with {@code java:}; null if nothing
     * does.
     *
     * @throws EnvironmentException if what stands there cannot be had, with one line that says why
     */
    @Nullable
    Object find(String name) throws EnvironmentException;

    /** Gives back what was opened for the application. Idempotent. */
    @Override
    void close();
}
