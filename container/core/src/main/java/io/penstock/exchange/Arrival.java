package io.penstock.exchange;

/**
 * A connection as it was accepted, before its client has sent a byte.
 *
 * @param connectionId unique within the server's life
 * @param nanos when it was opened, by the reactor's clock
 * @param unfinished the unfinished bodies of its reactor
 */
public record Arrival(String connectionId, long nanos, UnfinishedBodies unfinished) {}
