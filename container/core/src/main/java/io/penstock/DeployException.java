package io.penstock;

/**
 * A web application cannot be deployed on a running server. The former applications stay in service. The message is one line for
 * operators that names the error, with file and line if there is one; the cause is for developers.
 */
public final class DeployException extends Exception {

    DeployException(String message, Throwable cause) {
        super(message, cause);
    }
}
