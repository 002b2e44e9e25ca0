package io.penstock.injection;

import org.jspecify.annotations.Nullable;

/** An object cannot be injected; the message is one line that names the class and its member. */
public final class InjectionException extends ReflectiveOperationException {

    InjectionException(String message) {
        super(message);
    }

    InjectionException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** Only the message, since it becomes part of other messages. */
    @Override
    @SuppressWarnings("OverrideThrowableToString") // getMessage() is unchanged; the class name would only disturb
    public String toString() {
        return String.valueOf(getMessage());
    }
}
