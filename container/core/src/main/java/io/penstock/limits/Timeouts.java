package io.penstock.limits;

import java.time.Duration;

/**
 * How long the server waits for a client; each wait has a name of its own, in this record, in the log line and in a counter.
 *
 * @param head from the first byte of a request head, or from accept, to its end; then 408
 * @param bodyStall between two arrivals of body bytes while the server waits for them; then 408
 * @param bodyTotal for all bytes of a body, whatever their pauses; then 408
 * @param bodyMinRate bytes a second that must arrive while the server waits for the client; 0 for none; fewer are answered 408
 * @param keepAlive an idle connection between two requests; then closed without an answer
 * @param writeStall between two acceptances of response bytes by the client; then closed
 * @param upgradeIdle an upgraded connection on which nobody sends anything; then closed; zero for ever
 * @param linger how long a refused client that is still sending is read and ignored before the close
 * @param shutdownDelay how long a server that is to end still accepts connections; zero is legal
 * @param shutdown how long the server's end waits for running requests; then their connections are closed
 */
public record Timeouts(
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
