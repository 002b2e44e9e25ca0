package io.penstock.deploy;

import jakarta.servlet.ServletException;

/** An initializer has failed; the cause is its exception. */
final class InitializerException extends ServletException {
    private final String initializer;

    InitializerException(String initializer, Throwable cause) {
        super(initializer, cause);
        this.initializer = initializer;
    }

    /** The remedy, for the operator. */
    String cure() {
        return cure(initializer);
    }

    /** The remedy for a failure of the initializer. */
    static String cure(String initializer) {
        return "; --exclude-initializers " + initializer + " starts the application without this initializer";
    }
}
