package io.penstock.part;

import jakarta.servlet.http.WebConnection;

/**
 * An upgraded connection, for parts of the container. The {@link WebConnection} that an {@link jakarta.servlet.http.HttpUpgradeHandler}
 * receives implements this interface.
 *
 * <p>Thread: any.
 */
public interface UpgradedConnection extends WebConnection {

    /**
     * Whether the connection must end because its application or the server ends. This becomes true before the input ends, so a reader that
     * finds the end of the input can send the reason to the client.
     */
    boolean isLeaving();

    /** Ends reading and writing. Bytes that have been written before are still sent; then the connection ends. Does not wait. */
    @Override
    void close();
}
