package io.penstock.http2;

import java.time.Duration;

/**
 * The patience with frames of a client that cost only the server. Each such frame takes from it; time and answered requests give back. While
 * it is used up, the connection is read slowly, so that an honest client is only delayed.
 *
 * <p>Thread: the reactor.
 */
final class Patience {
    private static final int MOST = 4_000;
    private static final int PER_MILLI = 1;
    private static final int OF_ANSWER = 5;

    /** What a stream costs that the client resets, or makes the server reset. */
    static final int OF_RESET = 10;

    /** A client owes no more than time gives back in two seconds. */
    private static final int MOST_OWED = 2_000;

    private int left = MOST;
    private long since;

    /** @param now the time in nanoseconds */
    Patience(long now) {
        since = now;
    }

    /** Returns whether it is used up now. */
    boolean isLostBy(int cost, long now) {
        earn(now);
        left = Math.max(-MOST_OWED, left - cost);
        return left < 0;
    }

    /** The time that must pass until it is not used up any more. */
    Duration untilRegained(long now) {
        earn(now);
        return Duration.ofMillis(Math.max(0, -left / PER_MILLI));
    }

    private void earn(long now) {
        long earned = (now - since) / 1_000_000 * PER_MILLI;
        if (earned > 0) {
            left = (int) Math.min(MOST, left + earned);
            since = now;
        }
    }

    void answered() {
        left = Math.min(MOST, left + OF_ANSWER);
    }
}
