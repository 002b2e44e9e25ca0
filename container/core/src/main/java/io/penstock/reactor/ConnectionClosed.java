package io.penstock.reactor;

import io.penstock.events.CloseCause;
import io.penstock.pipe.FileFailed;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Why a connection is closed, or has been closed. A part of a conversation may throw this exception. Then its link is closed with this
 * cause, and workers that wait for the client get the exception. It has no stack trace, since clients can cause it at will. The exception
 * that caused it keeps its own stack trace.
 */
public final class ConnectionClosed extends IOException {
    private static final long serialVersionUID = 1L;

    /** Bounds the search for a cause, since an application can make a cycle of causes. */
    private static final int MOST_BEHIND = 16;

    private final CloseCause reason;
    private final String detail;

    public ConnectionClosed(CloseCause reason) {
        this(reason, "", null);
    }

    /** @param detail for the operator, in addition to the cause; quotes nothing that a client sent */
    public ConnectionClosed(CloseCause reason, String detail) {
        this(reason, detail.equals(reason.id()) ? "" : detail, null);
    }

    private ConnectionClosed(CloseCause reason, String detail, @Nullable Throwable failure) {
        super(failure);
        this.reason = reason;
        this.detail = detail;
    }

    /**
     * Finds the cause of the close for a failure of a link or of the server. If the failure, or one of its causes, is a {@link
     * ConnectionClosed}, this is the result. Otherwise the cause depends on the failure: memory has run out, a file could not be read,
     * the client has disconnected (for any other {@link IOException}), or an internal error.
     */
    public static ConnectionClosed of(Throwable failure) {
        if (failure instanceof IOException) {
            return of(failure, CloseCause.CLIENT_RESET, String.valueOf(failure.getMessage()));
        }
        return of(failure, CloseCause.INTERNAL_ERROR, failure.toString());
    }

    /** As {@link #of}, for a failure of the application. */
    public static ConnectionClosed byApplication(Throwable failure) {
        return of(failure, CloseCause.APPLICATION_FAILED, failure.toString());
    }

    private static ConnectionClosed of(Throwable failure, CloseCause otherwise, String detail) {
        Throwable behind = failure;
        for (int depth = 0; behind != null && depth < MOST_BEHIND; depth++) {
            if (behind instanceof ConnectionClosed closed) {
                return closed;
            }
            if (behind instanceof OutOfMemoryError) {
                return new ConnectionClosed(CloseCause.OUT_OF_MEMORY, behind.toString(), failure);
            }
            if (behind instanceof FileFailed) {
                return new ConnectionClosed(CloseCause.INTERNAL_ERROR, String.valueOf(behind.getMessage()), behind);
            }
            behind = behind.getCause();
        }
        return new ConnectionClosed(otherwise, detail, failure);
    }

    public CloseCause reason() {
        return reason;
    }

    /** Whether a file could not be read while it was sent: a failure of the server, which has been logged. The client is still connected. */
    public boolean isFileFailure() {
        return getCause() instanceof FileFailed;
    }

    /** Detail for the operator, in addition to the cause; may be empty. */
    public String detail() {
        return detail;
    }

    /** The cause and the detail, such as {@code client-reset: Broken pipe}. */
    @Override
    public String getMessage() {
        return detail.isEmpty() ? reason.id() : reason.id() + ": " + detail;
    }

    @Override
    public String toString() {
        return getMessage();
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
