package io.penstock.deploy;

import org.jspecify.annotations.Nullable;

/**
 * A web application cannot be deployed. The message is one line for the operator: it names the file and, if possible, the line and the
 * element. If the exception does not reach an embedding program, the caller of the deployment logs it once.
 */
public class DeploymentException extends Exception {
    private final transient @Nullable Throwable unforeseen;

    public DeploymentException(String message) {
        super(message);
        unforeseen = null;
    }

    public DeploymentException(String message, @Nullable Throwable cause) {
        super(message, cause);
        unforeseen = null;
    }

    private DeploymentException(String message, @Nullable Throwable cause, @Nullable Throwable unforeseen) {
        super(message, cause);
        this.unforeseen = unforeseen;
    }

    /** A failure that the message does not explain: a bug of this server or of the application. */
    static DeploymentException unforeseen(String message, Throwable cause) {
        return new DeploymentException(message, cause, cause);
    }

    DeploymentException(SourceLocation at, String message) {
        super(at + ": " + message);
        unforeseen = null;
    }

    DeploymentException(SourceLocation at, String message, @Nullable Throwable cause) {
        super(at + ": " + message, cause);
        unforeseen = null;
    }

    /** The cause to log with its stack trace; null if the message suffices. */
    public @Nullable Throwable unforeseen() {
        return unforeseen;
    }

    /** The same failure, with the name of the web application in the message. */
    DeploymentException within(String name) {
        DeploymentException named = new DeploymentException(name + ": " + getMessage(), getCause(), unforeseen);
        named.setStackTrace(getStackTrace());
        return named;
    }
}
