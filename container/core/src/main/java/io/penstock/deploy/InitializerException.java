package io.penstock.deploy;

import jakarta.servlet.ServletException;

/** An initializer has failed; the cause is what it has thrown. */
final class InitializerException extends ServletException {
    private final String initializer;

    InitializerException(String initializer, Throwable cause) {
        super(initializer, cause);
        this.initializer = initializer;
    }

    /** What an operator can do about it. */
    String cure() {
        return cure(initializer);
    }

    /** The same for the initializer of that class. */
    static String cure(String initializer) {
        return "; --exclude-initializers " + initializer + " starts the application without this initializer";
    }
}
