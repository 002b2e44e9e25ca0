package io.penstock.standalone;

import org.jspecify.annotations.Nullable;

/** A problem that the operator must solve; the message is one line for a terminal. */
final class OperatorException extends RuntimeException {

    private final ExitCode exitCode;

    OperatorException(ExitCode exitCode, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    /** The command line or the configuration is wrong. */
    static OperatorException usage(String message) {
        return new OperatorException(ExitCode.USAGE, message, null);
    }

    ExitCode exitCode() {
        return exitCode;
    }
}
