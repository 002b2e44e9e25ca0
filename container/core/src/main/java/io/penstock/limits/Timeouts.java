package io.penstock.limits;

import java.time.Duration;

/**
 * Limits on the time that the server waits for a client. Each wait has its own name, which is the same in this record, in the log and in a
 * counter.
 *
 * @param handshake from accept to the end of the TLS handshake; then the connection is closed
 * @param head from the first byte of a request head, or from accept, to its end; then 408
 * @param bodyStall the time without further body bytes while the server waits for them; then 408
 * @param bodyTotal the time for all bytes of a body together; then 408
 * @param bodyMinRate bytes per second that must arrive while the server waits for the client; 408 if fewer arrive; 0 for no minimum
 * @param keepAlive the idle time of a connection between two requests; then it is closed without a response
 * @param writeStall how long a client may take no byte of a response before its connection is closed
 * @param upgradeIdle the time without bytes in either direction of an upgraded connection; then it is closed; zero for no limit
 * @param linger how long the server reads and ignores a client's bytes after the last response, before it closes the connection
 * @param shutdownDelay how long a stopping server still accepts connections; may be zero
 * @param shutdown how long a stopping server waits for running requests; then their connections are closed
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
