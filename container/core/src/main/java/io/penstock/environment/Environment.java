package io.penstock.environment;

import org.jspecify.annotations.Nullable;

/** The names of one application, and the objects that are bound to them. Thread: any. */
@SuppressWarnings("exports") // programs that compile against this class do not need the null annotations
public interface Environment extends AutoCloseable {

    /** Adds a reference of an annotation. A reference of the same name from a descriptor stays. */
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
