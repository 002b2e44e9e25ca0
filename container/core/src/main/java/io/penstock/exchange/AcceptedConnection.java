package io.penstock.exchange;

/**
 * A connection that has just been accepted, before its client has sent a byte.
 *
 * @param number of the connection, unique within the server's life
 * @param nanos when the connection was opened, by the reactor's clock
 * @param unfinished the unfinished bodies of its reactor
 */
public record AcceptedConnection(long number, long nanos, UnfinishedBodies unfinished) {

    /** The name of the connection. */
    public String connectionId() {
        return connectionId(number);
    }

    /** The name of the connection with this number. Connections store only the number: an idle connection needs no name. */
    public static String connectionId(long number) {
        return "c" + number;
    }
}
