package io.penstock.dispatch;

import io.penstock.exchange.ClientFault;
import io.penstock.http.Violation;
import io.penstock.pipe.BodyFailure;
import io.penstock.session.SessionFailedException;
import io.penstock.session.SessionNotSavedException;
import io.penstock.session.TooManySessionsException;
import io.penstock.store.StoreUnavailableException;
import jakarta.servlet.ServletException;
import jakarta.servlet.UnavailableException;
import org.jspecify.annotations.Nullable;

/**
 * The error response for an exception of a filter or servlet, and the party at fault.
 *
 * @param shown the exception for an error page; null if the page gets only the status
 * @param retryAfter the value of {@code Retry-After} in seconds, or null
 */
record Failure(
        int status,
        @Nullable String message,
        @Nullable Throwable shown,
        Blame blame,
        @Nullable Integer retryAfter) {
    private static final int DEEPEST_CAUSE = 16;
    private static final int BODY_CUT_OFF = 400;
    private static final int SERVICE_UNAVAILABLE = 503;

    /** The number of seconds after which a client may retry, if the session store does not answer or a budget of the server is used up. */
    private static final int RETRY = 1;

    enum Blame {
        APPLICATION,
        CLIENT,
        /** The session store. The code that calls the store logs the failures of the store. */
        STORE
    }

    static Failure of(Throwable thrown) {
        if (thrown instanceof UnavailableException unavailable) {
            return unavailable(unavailable);
        }
        if (isCausedBy(thrown, SessionNotSavedException.class) || isCausedBy(thrown, StoreUnavailableException.class)) {
            return storeFailed();
        }
        if (isCausedBy(thrown, SessionFailedException.class)) {
            return new Failure(500, null, null, Blame.STORE, null);
        }
        int status = clientFault(thrown);
        if (status > 0) {
            return new Failure(status, null, thrown, Blame.CLIENT, status == SERVICE_UNAVAILABLE ? RETRY : null);
        }
        Throwable shown = thrown;
        if (thrown instanceof ServletException wrapper && wrapper.getRootCause() != null) {
            shown = wrapper.getRootCause();
        }
        return new Failure(500, shown.getMessage(), thrown, Blame.APPLICATION, null);
    }

    /** The failure for a session that could not be loaded or saved. The client may retry. */
    static Failure storeFailed() {
        return new Failure(503, null, null, Blame.STORE, RETRY);
    }

    private static boolean isCausedBy(Throwable thrown, Class<? extends Exception> type) {
        Throwable cause = thrown;
        for (int depth = 0; cause != null && depth < DEEPEST_CAUSE; depth++) {
            if (type.isInstance(cause)) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }

    /** The failure for a call that was interrupted because it took too long. */
    static Failure overdue() {
        return new Failure(503, null, null, Blame.APPLICATION, null);
    }

    /** The failure for a request whose error handling has failed again and again. */
    static Failure repeated() {
        return new Failure(500, null, null, Blame.APPLICATION, null);
    }

    /** The status is 404 if the servlet is permanently unavailable, and 503 if it is temporarily unavailable (Servlet 2.3.3.2). */
    private static Failure unavailable(UnavailableException unavailable) {
        if (unavailable.isPermanent()) {
            return new Failure(404, null, null, Blame.APPLICATION, null);
        }
        int seconds = unavailable.getUnavailableSeconds();
        return new Failure(503, null, null, Blame.APPLICATION, seconds > 0 ? seconds : null);
    }

    /** Returns the status for an exception that the client has caused; 0 for every other exception. */
    private static int clientFault(Throwable thrown) {
        Throwable cause = thrown;
        for (int depth = 0; cause != null && depth < DEEPEST_CAUSE; depth++) {
            if (cause instanceof ClientFault fault) {
                return fault.status();
            }
            if (cause instanceof TooManySessionsException) {
                // Clients cause too many sessions if they never send the session cookie.
                return 503;
            }
            if (cause instanceof Violation violation) {
                return violation.status();
            }
            if (cause instanceof BodyFailure) {
                // The body was not received completely, for example because the client has disconnected. This is no
                // error of the application.
                return BODY_CUT_OFF;
            }
            cause = cause.getCause();
        }
        return 0;
    }
}
