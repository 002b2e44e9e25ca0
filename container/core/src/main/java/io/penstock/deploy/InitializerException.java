package io.penstock.deploy;

import jakarta.servlet.ServletException;

/** An initializer has failed; the cause is its exception. */
final class InitializerException extends ServletException {
    private final String initializer;

    InitializerException(String initializer, Throwable cause) {
        super(initializer, cause);
        this.initializer = initializer;
    }

    /** A remedy for the operator. */
    String cure() {
        return cure(initializer);
    }

    /** A remedy for a failure of that initializer. */
    static String cure(String initializer) {
        return "; --exclude-initializers " + initializer + " starts the application without this initializer";
    }
}
