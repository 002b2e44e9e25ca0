package io.penstock;

/**
 * The server cannot start: its port, a file, an application or a configured value is at fault. The message is one line for the
 * operator that names the culprit; the cause, where there is one, is for the developer.
 */
public final class StartException extends Exception {

    StartException(String message, Throwable cause) {
        super(message, cause);
    }
}
