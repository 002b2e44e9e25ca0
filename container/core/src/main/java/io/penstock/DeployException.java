package io.penstock;

/**
 * A web application cannot be deployed on a running server. The applications that were in service before stay in service. The message is
 * one line for operators. The message names the error and, if known, the file and the line of the error. The cause is for developers.
 */
public final class DeployException extends Exception {

    DeployException(String message, Throwable cause) {
        super(message, cause);
    }
}
