package io.penstock.server;

/** A reload has failed and has changed nothing. The message is one line that names the cause. */
public final class RefusedReloadException extends Exception {

    RefusedReloadException(String message, Throwable cause) {
        super(message, cause);
    }
}
