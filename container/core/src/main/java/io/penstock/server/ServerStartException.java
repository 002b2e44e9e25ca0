package io.penstock.server;

/** A server cannot start. The message is one line that names the cause: a configured value, a file, an application, or the port. */
public final class ServerStartException extends Exception {
    private final Throwable reason;
    private final boolean unforeseen;

    public ServerStartException(String message, Throwable cause) {
        this(message, cause, false);
    }

    /** @param unforeseen whether the log needs the stack trace of the cause, because the message does not explain the failure */
    ServerStartException(String message, Throwable cause, boolean unforeseen) {
        super(message, cause);
        this.reason = cause;
        this.unforeseen = unforeseen;
    }

    /** The cause, never null. */
    public Throwable reason() {
        return reason;
    }

    public boolean isUnforeseen() {
        return unforeseen;
    }
}
