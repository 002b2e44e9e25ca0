package io.penstock.exchange;

/**
 * The protocol that an upgraded connection uses.
 *
 * <p>Thread: workers, as jobs of the exchange. One call at a time, and none after {@link #ended}.
 */
public interface Upgrade {

    /** The connection uses this protocol now. The call may wait for the client, so it counts as streaming. */
    void begin(RawConnection connection);

    /** The server or the application ends: the input has ended, and the connection should be closed soon. */
    void leave();

    /** The connection has ended. Also called without {@link #begin} if the client disconnected earlier. */
    void ended();
}
