package io.penstock.environment;

import org.jspecify.annotations.Nullable;

/** Thrown if a resource cannot be declared or created. The message is one line for the operator, and names the location of the declaration. */
@SuppressWarnings("exports") // programs that compile against this class do not need the null annotations
public final class EnvironmentException extends Exception {

    public EnvironmentException(String message) {
        super(message);
    }

    public EnvironmentException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
