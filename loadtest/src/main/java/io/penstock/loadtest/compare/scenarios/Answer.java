package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.client.Failure;
import org.jspecify.annotations.Nullable;

/**
 * What became of one request that was due at a time.
 *
 * @param dueNanos when it was due, in nanoseconds since the first one
 * @param latencyNanos from then to its end, whatever that was
 * @param status of the response; 0 if there was none
 * @param failure why there was none; null if there was one
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

    /** The server has said that it has too much to do. */
    boolean isRefusal() {
        return status == UNAVAILABLE;
    }

    boolean isOtherStatus() {
        return status != 0 && !isGood() && !isRefusal();
    }

    /** Nobody could be asked: there was no connection. */
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
