package io.penstock;

/**
 * A web application cannot be deployed on a running server. The applications that were in service before stay in service. The message is
 * one line for operators. It names the error, with its file and line if the error has them. The cause is for developers.
 */
public final class DeployException extends Exception {

    DeployException(String message, Throwable cause) {
        super(message, cause);
    }
}
