package io.penstock;

/**
 * A reload has failed and has changed nothing. The message is one line for operators. It names the wrong setting, or the wrong file with
 * the line of the error.
 */
public final class ReloadException extends Exception {

    ReloadException(String message, Throwable cause) {
        super(message, cause);
    }
}
