package io.penstock.injection;

import org.jspecify.annotations.Nullable;

/** An object cannot be given what it asks for; the message is one line that names the class and its member. */
public final class InjectionException extends ReflectiveOperationException {

    InjectionException(String message) {
        super(message);
    }

    InjectionException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** The message says all; it stands inside others. */
    @Override
    @SuppressWarnings("OverrideThrowableToString") // getMessage() is right; what is in the way is the class's name
    public String toString() {
        return String.valueOf(getMessage());
    }
}
