package io.penstock.reactor;

import io.penstock.events.CloseCause;
import io.penstock.pipe.FileFailed;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The reason why a connection is closed. A handler of a connection can throw this exception. The server then closes the {@link Link} for
 * this reason, and threads that wait for the client get the same exception. The exception has no stack trace, because clients could cause a
 * large number of stack traces. The exception in {@link #getCause} keeps its stack trace.
 */
public final class ConnectionClosed extends IOException {
    private static final long serialVersionUID = 1L;

    /** The search for a cause ends after this number of exceptions, because an application can make a cycle of causes. */
    private static final int MAX_BEHIND = 16;

    private final CloseCause reason;
    private final String detail;

    public ConnectionClosed(CloseCause reason) {
        this(reason, "", null);
    }

    /** @param detail a text for the operator, in addition to the reason. The text must not contain data that a client sent */
    public ConnectionClosed(CloseCause reason, String detail) {
        this(reason, detail.equals(reason.id()) ? "" : detail, null);
    }

    private ConnectionClosed(CloseCause reason, String detail, @Nullable Throwable failure) {
        super(failure);
        this.reason = reason;
        this.detail = detail;
    }

    /**
     * Finds the reason of the close for a failure of a link or of the server. If the failure or one of its causes is a {@link
     * ConnectionClosed}, the result is that exception. Otherwise the reason is {@link CloseCause#OUT_OF_MEMORY} for an {@link
     * OutOfMemoryError}, {@link CloseCause#INTERNAL_ERROR} for a file that could not be read, and {@link CloseCause#CLIENT_RESET} for any
     * other {@link IOException}. For all other exceptions the reason is {@link CloseCause#INTERNAL_ERROR}.
     */
    public static ConnectionClosed of(Throwable failure) {
        if (failure instanceof IOException) {
            return of(failure, CloseCause.CLIENT_RESET, String.valueOf(failure.getMessage()));
        }
        return of(failure, CloseCause.INTERNAL_ERROR, failure.toString());
    }

    /**
     * Finds the reason of the close for a failure of the application, with the rules of {@link #of(Throwable)}. If no other reason applies,
     * the reason is {@link CloseCause#APPLICATION_FAILED}.
     */
    public static ConnectionClosed byApplication(Throwable failure) {
        return of(failure, CloseCause.APPLICATION_FAILED, failure.toString());
    }

    private static ConnectionClosed of(Throwable failure, CloseCause otherwise, String detail) {
        Throwable behind = failure;
        for (int depth = 0; behind != null && depth < MAX_BEHIND; depth++) {
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

    /**
     * Returns whether the server failed to read a file while it sent the file. The server has logged this failure. The client is still
     * connected.
     */
    public boolean isFileFailure() {
        return getCause() instanceof FileFailed;
    }

    /** The text for the operator, in addition to the reason; empty if there is no such text. */
    public String detail() {
        return detail;
    }

    /** The reason and the detail, such as {@code client-reset: Broken pipe}. */
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
