package io.penstock;

/**
 * The server cannot start: its port, a file, an application or a configured value is at fault. The message is one line for the
 * operator that names the culprit; the cause, where there is one, is for the developer.
 */
public final class StartException extends Exception {
    private final boolean unforeseen;

    StartException(String message, Throwable cause) {
        this(message, cause, false);
    }

    StartException(String message, Throwable cause, boolean unforeseen) {
        super(message, cause);
        this.unforeseen = unforeseen;
    }

    /** Whether the message does not explain the failure: the stack trace of the cause shows a bug, of an application or of this server. */
    public boolean isUnforeseen() {
        return unforeseen;
    }
}
