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
     * Whether the connection must end because its application or the server stops. The result becomes true before the input ends. So code
     * that reads the end of the input can send this reason to the client.
     */
    boolean isLeaving();

    /**
     * Ends reading and writing. The server still sends the bytes that were written before, and then ends the connection. This method does
     * not wait.
     */
    @Override
    void close();
}
