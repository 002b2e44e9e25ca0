package io.penstock.exchange;

/**
 * A connection as it came, before it says anything.
 *
 * @param connectionId unique within the server's life
 * @param nanos when it was opened, by the reactor's clock
 * @param unfinished the bodies that arrive at its reactor
 */
public record Arrival(String connectionId, long nanos, UnfinishedBodies unfinished) {}
