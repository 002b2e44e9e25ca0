package io.penstock.store;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown by a {@link SessionStore} that cannot reach its database, or gets no answer in time. From then on, the server answers requests
 * that need a session with status 503 and {@code Retry-After}. It tests the store with one call at a time. As soon as a call succeeds, the
 * server handles requests normally. A store must throw another exception if a problem concerns only one session.
 */
public final class StoreUnavailableException extends IOException {
    private static final long serialVersionUID = 1L;

    /** @param message a message of one line. It must not contain a password */
    public StoreUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
