package io.penstock.maven;

import org.jspecify.annotations.Nullable;

/** The server has not started. The message is one line. */
final class LaunchException extends Exception {
    LaunchException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
