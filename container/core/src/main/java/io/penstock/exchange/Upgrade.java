package io.penstock.exchange;

/**
 * Who goes on with a connection that has gone over to another protocol.
 *
 * <p>Thread: workers, as jobs of the exchange: never two calls at once, and none after {@link #ended}.
 */
public interface Upgrade {

    /** The connection speaks the other protocol now. The call may wait for the client: it counts as one that streams. */
    void begin(RawConnection connection);

    /** The server ends: the input has come to its end, and the connection is to be closed soon. */
    void leave();

    /** The connection has ended. Also called where {@link #begin} never was, because the client was gone before. */
    void ended();
}
