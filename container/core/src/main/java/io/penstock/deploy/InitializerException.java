package io.penstock.deploy;

import jakarta.servlet.ServletException;

/** An initializer has failed. The cause is the exception of the initializer. */
final class InitializerException extends ServletException {
    private final String initializer;

    InitializerException(String initializer, Throwable cause) {
        super(initializer, cause);
        this.initializer = initializer;
    }

    /** A part of a message for operators: the option that avoids this failure. */
    String cure() {
        return cure(initializer);
    }

    /** A part of a message for operators: the option that avoids a failure of the given initializer. */
    static String cure(String initializer) {
        return "; --exclude-initializers " + initializer + " starts the application without this initializer";
    }
}
