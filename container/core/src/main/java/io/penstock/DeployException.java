package io.penstock;

/**
 * A web application cannot be deployed on a running server, which serves on what it served before. The message is one line for the
 * operator that names the culprit, with file and line where there is one; the cause is for the developer.
 */
public final class DeployException extends Exception {

    DeployException(String message, Throwable cause) {
        super(message, cause);
    }
}
