package io.penstock.request;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Thrown when the application writes at a time when writing is not allowed. The response itself has not failed. */
final class RefusedWriteException extends IOException {
    private static final long serialVersionUID = 1L;

    RefusedWriteException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
