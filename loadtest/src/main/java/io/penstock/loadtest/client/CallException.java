package io.penstock.loadtest.client;

import java.io.IOException;
import java.net.ConnectException;
import java.net.ProtocolException;
import java.util.Locale;
import javax.net.ssl.SSLException;

/** The failure of a connection, or of a call on it. */
public final class CallException extends IOException {
    private final Failure failure;

    public CallException(Failure failure, String message) {
        super(message);
        this.failure = failure;
    }

    public CallException(Failure failure, String message, Throwable cause) {
        super(message, cause);
        this.failure = failure;
    }

    public Failure failure() {
        return failure;
    }

    /** Returns the failure for an exception that was thrown while the connection was being made. */
    static CallException ofConnecting(Exception cause) {
        String message = String.valueOf(cause.getMessage());
        if (!(cause instanceof ConnectException)) {
            return new CallException(Failure.CONNECT_FAILED, message, cause);
        }
        // The JDK throws the same class of exception for a refused connection and for a timeout. Only the message
        // differs; it comes from the operating system.
        boolean timedOut = message.toLowerCase(Locale.ROOT).contains("timed out");
        return new CallException(timedOut ? Failure.CONNECT_TIMED_OUT : Failure.CONNECT_REFUSED, message, cause);
    }

    /** Returns the failure for an exception that was thrown while the connection was in use. */
    static CallException ofUsing(IOException cause) {
        if (cause instanceof CallException known) {
            return known;
        }
        boolean wrong = cause instanceof ProtocolException || cause instanceof SSLException;
        Failure failure = wrong ? Failure.BAD_RESPONSE : Failure.RESET;
        return new CallException(failure, String.valueOf(cause.getMessage()), cause);
    }

    static CallException ofHandler(RuntimeException cause) {
        return new CallException(Failure.HANDLER_FAILED, "The call's handler has failed: " + cause, cause);
    }
}
