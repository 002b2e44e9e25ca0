package io.penstock.store;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A store cannot be reached, or does not answer in time. The server then answers requests that need a session with 503 and {@code
 * Retry-After}. It tries the store with one call at a time, and resumes normal service as soon as a call succeeds. For a problem of one
 * session only, a store throws another exception.
 */
public final class StoreUnavailableException extends IOException {
    private static final long serialVersionUID = 1L;

    /** @param message one line without a password */
    public StoreUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
