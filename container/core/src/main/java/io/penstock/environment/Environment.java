package io.penstock.environment;

import org.jspecify.annotations.Nullable;

/** The names of one application, and the objects that are bound to them. Thread: any. */
@SuppressWarnings("exports") // programs that compile against this do not need the annotations for null
public interface Environment extends AutoCloseable {

    /** Adds a reference of an annotation. An existing one of the same name, from a descriptor, stays. */
    void declare(Reference reference);

    /**
     * The object that is bound to a name, which is relative to {@code java:comp/env} unless it begins with {@code java:}; null if there is
     * none.
     *
     * @throws EnvironmentException if the object cannot be made; the message is one line with the reason
     */
    @Nullable
    Object find(String name) throws EnvironmentException;

    /** Closes the resources that were opened for the application. Idempotent. */
    @Override
    void close();
}
