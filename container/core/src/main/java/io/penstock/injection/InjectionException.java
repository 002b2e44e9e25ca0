package io.penstock.injection;

import org.jspecify.annotations.Nullable;

/** Thrown if an object cannot be injected. The message is one line, and names the class and the member. */
public final class InjectionException extends ReflectiveOperationException {

    InjectionException(String message) {
        super(message);
    }

    InjectionException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** Returns only the message, because this text becomes part of other messages. */
    @Override
    // The method getMessage() is unchanged. The class name would not help the reader of a message.
    @SuppressWarnings("OverrideThrowableToString")
    public String toString() {
        return String.valueOf(getMessage());
    }
}
