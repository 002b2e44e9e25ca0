package io.penstock.exchange;

/**
 * The other protocol's side of an upgraded connection.
 *
 * <p>Thread: workers, as jobs of the exchange: never two calls at once, and none after {@link #ended}.
 */
public interface Upgrade {

    /** The connection uses the other protocol now. The call may wait for the client: it counts as streaming. */
    void begin(RawConnection connection);

    /** The server ends: the input is at its end, and the connection should be closed soon. */
    void leave();

    /** The connection has ended. Also called without {@link #begin} if the client disconnected earlier. */
    void ended();
}
