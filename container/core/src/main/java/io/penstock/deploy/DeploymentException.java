package io.penstock.deploy;

import org.jspecify.annotations.Nullable;

/**
 * A web application cannot be deployed. The message is one line for the operator: it names the file and, where there is one,
 * the line and the element.
 */
public class DeploymentException extends Exception {

    public DeploymentException(String message) {
        super(message);
    }

    public DeploymentException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    DeploymentException(Where at, String message) {
        super(at + ": " + message);
    }

    DeploymentException(Where at, String message, @Nullable Throwable cause) {
        super(at + ": " + message, cause);
    }

    /** The same failure, said of the web application {@code name}. */
    DeploymentException within(String name) {
        DeploymentException named = new DeploymentException(name + ": " + getMessage(), getCause());
        named.setStackTrace(getStackTrace());
        return named;
    }
}
