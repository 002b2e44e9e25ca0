package io.penstock.dispatch;

import io.penstock.exchange.Exchange;

/**
 * Decides whether an exchange is dispatched once more by {@code AsyncContext.dispatch}. An application may dispatch for ever; then only the
 * client's disconnect can end the loop.
 *
 * <p>A client whose connection has ended counts as gone. A client that has only ended its input may still read, so it counts as gone only
 * after many more dispatches.
 *
 * <p>Thread: the jobs of the exchange.
 *
 * <pre>
 *   PRESENT --the client is gone--> NOTIFIED --a listener has dispatched--> LAST --> no dispatch any more
 * </pre>
 */
final class RedispatchLimit {
    /** The most dispatches for a client that has ended its input: more than any application needs, but few enough to end a loop in a moment. */
    static final int AFTER_INPUT = 1000;

    private enum State {
        PRESENT,
        /** The listeners have been notified that the client is gone. */
        NOTIFIED,
        /** The dispatch that a listener asked for after that has run. */
        LAST
    }

    /** The decision: run the dispatch, or what to do instead. */
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

    /** A dispatch has been asked for. */
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

    /** The listeners have been notified. They had not asked for a dispatch before. */
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
