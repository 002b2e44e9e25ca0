package io.penstock.environment;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The names of one application, and the objects that are bound to these names. Thread: any. */
@SuppressWarnings("exports") // programs that compile against this class do not need the null annotations
public interface Environment extends AutoCloseable {

    /** Adds a reference that an annotation declares. A descriptor's reference with the same name takes precedence. */
    void declare(Reference reference);

    /**
     * Returns the object that is bound to a name; null if no object is bound. The name is relative to {@code java:comp/env} unless it
     * begins with {@code java:}.
     *
     * @throws EnvironmentException if the object cannot be created; the message is one line with the reason
     */
    @Nullable
    Object find(String name) throws EnvironmentException;

    /** The references, from descriptors and annotations, to which nothing is bound. */
    default List<Reference> missing() {
        return List.of();
    }

    /** Closes the resources that were opened for the application. Idempotent. */
    @Override
    void close();
}
