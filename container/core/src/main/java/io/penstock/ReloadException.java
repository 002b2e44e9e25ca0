package io.penstock;

/** A reload has changed nothing. The message is one line for operators that names the cause: a setting, or a file with its line. */
public final class ReloadException extends Exception {

    ReloadException(String message, Throwable cause) {
        super(message, cause);
    }
}
