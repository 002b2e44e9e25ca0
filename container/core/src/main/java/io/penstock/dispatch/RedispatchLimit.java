package io.penstock.dispatch;

import io.penstock.exchange.Exchange;

/**
 * Decides whether a call of {@code AsyncContext.dispatch} is carried out. A request may be dispatched any number of times, as long as its
 * client is there and the application does not fail.
 *
 * <p>An error handler may dispatch, too: a listener in {@code onError} or {@code onTimeout}, or an error page. If the target fails again, the
 * error handler dispatches again. So a request ends after more than {@link #MAX_ERRORS} errors: exceptions of the application, calls of
 * error pages, and dispatches after the first error page. A time-out is no error if a listener handles it.
 *
 * <p>If the connection has ended, the client counts as gone. A client that has closed only its sending direction can still read the
 * response. Such a client counts as gone after more than {@link #AFTER_INPUT} further dispatches.
 *
 * <p>Thread: the jobs of the exchange.
 *
 * <pre>
 *   PRESENT --the client is gone--> NOTIFIED --a listener has dispatched--> LAST --> no dispatch any more
 * </pre>
 */
final class RedispatchLimit {
    /**
     * The largest number of dispatches after a client has closed its sending direction. No application needs so many dispatches, and an
     * endless loop soon reaches this number.
     */
    static final int AFTER_INPUT = 1000;

    /** The largest number of errors after which a request may still be dispatched. An error handler that retries needs fewer. */
    static final int MAX_ERRORS = 10;

    private enum State {
        PRESENT,
        /** The listeners have been notified that the client is gone. */
        NOTIFIED,
        /** After the notification a listener has called {@code dispatch}. This dispatch is the last dispatch. */
        LAST
    }

    enum Next {
        DISPATCH,
        /** Notify the listeners that the client is gone. */
        NOTIFY_GONE,
        /** End the exchange: the client is gone. */
        END_GONE,
        /** End the exchange with an error: there were too many errors. */
        END_FAILED
    }

    private final Exchange exchange;
    private State state = State.PRESENT;
    private int afterInput;
    private int errors;
    private int errorPages;

    RedispatchLimit(Exchange exchange) {
        this.exchange = exchange;
    }

    /** Must be called for each exception that the application has thrown. */
    void failed() {
        errors++;
    }

    /** Must be called for each error that is answered with an error page. */
    void errorPage() {
        errorPages++;
    }

    /**
     * Decides on a dispatch for which the application has asked.
     *
     * @param listenerErrors the number of exceptions that async listeners have thrown
     */
    Next next(int listenerErrors) {
        if (errorPages > 0) {
            errors++;
        }
        if (errors + errorPages + listenerErrors > MAX_ERRORS) {
            return Next.END_FAILED;
        }
        switch (state) {
            case PRESENT -> {
                if (!isGone()) {
                    return Next.DISPATCH;
                }
                state = State.NOTIFIED;
                return Next.NOTIFY_GONE;
            }
            case NOTIFIED -> {
                state = State.LAST;
                return Next.DISPATCH;
            }
            default -> {
                return Next.END_GONE;
            }
        }
    }

    /**
     * Must be called if the caller notifies the listeners that the client is gone, and {@link #next} has not asked for this notification
     * with {@link Next#NOTIFY_GONE}.
     */
    void notified() {
        state = State.NOTIFIED;
    }

    private boolean isGone() {
        return switch (exchange.client()) {
            case PRESENT -> false;
            case INPUT_ENDED -> ++afterInput > AFTER_INPUT;
            case GONE -> true;
        };
    }
}
