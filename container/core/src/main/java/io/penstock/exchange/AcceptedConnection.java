package io.penstock.exchange;

/**
 * A connection that has just been accepted, before its client has sent a byte.
 *
 * @param number the number of the connection, which is unique while the server runs
 * @param nanos the time when the connection was opened, by the reactor's clock
 * @param unfinished the unfinished bodies of the connection's reactor
 */
public record AcceptedConnection(long number, long nanos, UnfinishedBodies unfinished) {

    /** The name of the connection. */
    public String connectionId() {
        return connectionId(number);
    }

    /** The name of the connection with this number. Connections store only the number, since an idle connection does not need its name. */
    public static String connectionId(long number) {
        return "c" + number;
    }
}
