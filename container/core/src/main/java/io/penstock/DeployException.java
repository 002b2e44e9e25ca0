package io.penstock;

/**
 * A web application cannot be deployed on a running server. The applications that were in service before stay there. The message is one
 * line for operators that names the error, and the file and line of the error, if it has any. The cause is for developers.
 */
public final class DeployException extends Exception {

    DeployException(String message, Throwable cause) {
        super(message, cause);
    }
}
