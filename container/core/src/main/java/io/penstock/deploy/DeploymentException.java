package io.penstock.deploy;

import org.jspecify.annotations.Nullable;

/**
 * A web application cannot be deployed. The message is one line for operators. It names the file and, if possible, the line and the
 * element. If the exception is not thrown to an embedding program, the caller of the deployment logs the exception once.
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

    /**
     * Makes an exception for a bug of this server or of the application. The message does not explain such a failure, so the log needs the
     * stack trace of the cause.
     */
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

    /** The cause whose stack trace the log needs, or null if the message explains the failure. */
    public @Nullable Throwable unforeseen() {
        return unforeseen;
    }

    /** Returns a copy of this exception with the name of the web application in the message. */
    DeploymentException within(String name) {
        DeploymentException named = new DeploymentException(name + ": " + getMessage(), getCause(), unforeseen);
        named.setStackTrace(getStackTrace());
        return named;
    }
}
