package io.penstock.part;

import jakarta.servlet.http.WebConnection;

/**
 * An upgraded connection, for parts of the container. The {@link WebConnection} that an {@link jakarta.servlet.http.HttpUpgradeHandler}
 * gets is one.
 *
 * <p>Thread: any.
 */
public interface UpgradedConnection extends WebConnection {

    /**
     * Whether the connection must end because its application or the server does. It becomes true before the input ends, so that a reader
     * at the end of the input can send the client the reason.
     */
    boolean isLeaving();

    /** Ends reading and writing. Bytes that were written before are still sent; then the connection ends. Does not wait. */
    @Override
    void close();
}
