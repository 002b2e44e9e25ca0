package io.penstock.environment;

import org.jspecify.annotations.Nullable;

/** A resource cannot be declared or had; the message is one line for the operator, which names the place of the declaration. */
@SuppressWarnings("exports") // who compiles against this needs no annotation for null
public final class EnvironmentException extends Exception {

    public EnvironmentException(String message) {
        super(message);
    }

    public EnvironmentException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
