package io.penstock.dispatch;

import io.penstock.exchange.Exchange;

/**
 * Decides whether {@code AsyncContext.dispatch} dispatches an exchange once more. An application may dispatch in an endless loop; then only
 * the client's disconnect can end the loop.
 *
 * <p>If the connection has ended, the client counts as gone. A client that has only ended its input may still read. It counts as gone only
 * after many more dispatches.
 *
 * <p>Thread: the jobs of the exchange.
 *
 * <pre>
 *   PRESENT --the client is gone--> NOTIFIED --a listener has dispatched--> LAST --> no dispatch any more
 * </pre>
 */
final class RedispatchLimit {
    /** The most dispatches for a client that has ended its input. No application needs so many, and a loop ends soon. */
    static final int AFTER_INPUT = 1000;

    private enum State {
        PRESENT,
        /** The listeners have been notified that the client is gone. */
        NOTIFIED,
        /** After the notification, a listener has asked for a dispatch, and this dispatch has run. */
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

    /** Decides on a dispatch that the application has asked for. */
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
     * Call this if the listeners have been notified although {@link #next} was not called, since the application had asked for no dispatch.
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
