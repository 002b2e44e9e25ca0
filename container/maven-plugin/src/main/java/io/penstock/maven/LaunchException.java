package io.penstock.maven;

import org.jspecify.annotations.Nullable;

/** The server does not start; the message is one line. */
final class LaunchException extends Exception {
    LaunchException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
