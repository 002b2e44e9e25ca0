package io.penstock.limits;

import java.time.Duration;

/** Limits on the time that the server waits for a client. {@link Key} explains the values. */
public record Timeouts(
        Duration handshake,
        Duration head,
        Duration bodyStall,
        Duration bodyTotal,
        long bodyMinRate,
        Duration keepAlive,
        Duration writeStall,
        Duration upgradeIdle,
        Duration linger,
        Duration shutdownDelay,
        Duration shutdown) {

    static Timeouts of(Configuration given) {
        return new Timeouts(
                given.duration(Key.HANDSHAKE_TIMEOUT),
                given.duration(Key.HEAD_TIMEOUT),
                given.duration(Key.BODY_STALL_TIMEOUT),
                given.duration(Key.BODY_TOTAL_TIMEOUT),
                given.bytes(Key.BODY_MIN_RATE),
                given.duration(Key.KEEP_ALIVE_TIMEOUT),
                given.duration(Key.WRITE_STALL_TIMEOUT),
                given.duration(Key.UPGRADE_IDLE_TIMEOUT),
                given.duration(Key.LINGER_TIMEOUT),
                given.duration(Key.SHUTDOWN_DELAY),
                given.duration(Key.SHUTDOWN_TIMEOUT));
    }

    /**
     * Limits on the time that a request spends inside the server, regardless of its client. {@link Key} explains the values.
     *
     * @param overloadAfter the time for which the queue of requests may be non-empty without a break. After this time, fewer requests may wait.
     *     Zero for no limit
     */
    public record ServiceTimes(Duration queueAge, Duration overloadAfter, Duration call, Duration async) {

        static ServiceTimes of(Configuration given) {
            return new ServiceTimes(
                    given.duration(Key.QUEUE_AGE),
                    given.duration(Key.OVERLOAD_AFTER),
                    given.duration(Key.SERVICE_TIMEOUT),
                    given.duration(Key.ASYNC_TIMEOUT));
        }
    }
}
