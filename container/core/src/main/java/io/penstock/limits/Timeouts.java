package io.penstock.limits;

import java.time.Duration;

/**
 * Limits on the time that the server waits for a client.
 *
 * @param handshake the time from the accept, or from the end of the PROXY header, to the end of the TLS handshake; after this time, the
 *     connection is closed
 * @param head the time from the first byte of a request head to the end of the head; after this time, the request is answered 408. For the
 *     first request of a connection, the time begins with the accept, or with the end of the PROXY header or of the TLS handshake
 * @param bodyStall the longest time without body bytes while the server waits for them; after this time, the request is answered 408
 * @param bodyTotal the longest time that the server waits for a body, all waits together; after this time, the request is answered 408
 * @param bodyMinRate the fewest bytes of a body per second while the server waits for the client; a slower request is answered 408; 0 for
 *     no minimum
 * @param keepAlive the longest idle time of a connection between two requests; after this time, the connection is closed without a response
 * @param writeStall the longest time in which a client takes no byte of a response; after this time, the connection is closed
 * @param upgradeIdle the longest time without bytes in either direction of an upgraded connection; after this time, the connection is
 *     closed; zero for no limit
 * @param linger how long the server reads and ignores a client's bytes after the last response, before it closes the connection
 * @param shutdownDelay how long a stopping server continues to accept connections; can be zero
 * @param shutdown how long a stopping server waits for running requests; after this time, their connections are closed
 */
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

    public Timeouts {
        Check.positive(Key.HANDSHAKE_TIMEOUT, handshake);
        Check.positive(Key.HEAD_TIMEOUT, head);
        Check.positive(Key.BODY_STALL_TIMEOUT, bodyStall);
        Check.positive(Key.BODY_TOTAL_TIMEOUT, bodyTotal);
        Check.atLeast(Key.BODY_MIN_RATE, bodyMinRate, 0);
        Check.positive(Key.KEEP_ALIVE_TIMEOUT, keepAlive);
        Check.positive(Key.WRITE_STALL_TIMEOUT, writeStall);
        Check.notNegative(Key.UPGRADE_IDLE_TIMEOUT, upgradeIdle);
        Check.positive(Key.LINGER_TIMEOUT, linger);
        Check.notNegative(Key.SHUTDOWN_DELAY, shutdownDelay);
        Check.positive(Key.SHUTDOWN_TIMEOUT, shutdown);
    }

    public static Timeouts defaults() {
        return of(Configuration.defaults());
    }

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
}
