package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.client.Failure;
import org.jspecify.annotations.Nullable;

/**
 * The result of one request. A request is due at a time that the load determines in advance.
 *
 * @param dueNanos the time at which the request was due, in nanoseconds since the first request was due
 * @param latencyNanos the time from {@code dueNanos} to the response or failure, in nanoseconds
 * @param status the status of the response; 0 if there was no response
 * @param failure the reason for which there was no response; null if there was a response
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

    /** Whether the server has refused the request with status 503, since it is overloaded. */
    boolean isRefusal() {
        return status == UNAVAILABLE;
    }

    boolean isOtherStatus() {
        return status != 0 && !isGood() && !isRefusal();
    }

    /** Whether the request was not sent, because no connection could be made. */
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
