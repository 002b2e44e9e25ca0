package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.client.Failure;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of one request that was due at a certain time.
 *
 * @param dueNanos the time when it was due, in nanoseconds since the first one
 * @param latencyNanos from then to its end, with or without a response
 * @param status of the response; 0 if there was none
 * @param failure the reason why there was no response; null if there was one
 */
record Answer(
        long dueNanos,
        long latencyNanos,
        int status,
        @Nullable Failure failure) {
    private static final int OK = 200;
    private static final int REDIRECTION = 300;
    private static final int UNAVAILABLE = 503;

    boolean isGood() {
        return status >= OK && status < REDIRECTION;
    }

    /** The server has answered that it is overloaded. */
    boolean isRefusal() {
        return status == UNAVAILABLE;
    }

    boolean isOtherStatus() {
        return status != 0 && !isGood() && !isRefusal();
    }

    /** The request was not sent: there was no connection. */
    boolean isConnectError() {
        return failure == Failure.CONNECT_REFUSED
                || failure == Failure.CONNECT_TIMED_OUT
                || failure == Failure.CONNECT_FAILED;
    }

    boolean isTimeout() {
        return failure == Failure.DEADLINE;
    }

    long endNanos() {
        return dueNanos + latencyNanos;
    }
}
