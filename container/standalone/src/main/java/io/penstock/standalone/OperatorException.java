package io.penstock.standalone;

import org.jspecify.annotations.Nullable;

/** A problem that the operator must solve. The message is one line for a terminal. */
final class OperatorException extends RuntimeException {

    private final ExitCode exitCode;

    OperatorException(ExitCode exitCode, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    /** Creates the exception for a wrong command line or configuration. */
    static OperatorException usage(String message) {
        return new OperatorException(ExitCode.USAGE, message, null);
    }

    ExitCode exitCode() {
        return exitCode;
    }
}
