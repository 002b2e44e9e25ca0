package io.penstock.dispatch;

import io.penstock.exchange.Exchange;

/**
 * Decides whether a call of {@code AsyncContext.dispatch} is carried out. An application may dispatch a request again and again in an
 * endless loop. Only the client's disconnect ends such a loop.
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
        END
    }

    private final Exchange exchange;
    private State state = State.PRESENT;
    private int afterInput;

    RedispatchLimit(Exchange exchange) {
        this.exchange = exchange;
    }

    /** Decides on a dispatch for which the application has asked. */
    Next next() {
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
                return Next.END;
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
