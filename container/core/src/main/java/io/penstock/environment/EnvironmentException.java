package io.penstock.environment;

import org.jspecify.annotations.Nullable;

/** A resource cannot be declared or made. The message is one line for the operator. It names the place of the declaration. */
@SuppressWarnings("exports") // programs that compile against this class do not need the null annotations
public final class EnvironmentException extends Exception {

    public EnvironmentException(String message) {
        super(message);
    }

    public EnvironmentException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
