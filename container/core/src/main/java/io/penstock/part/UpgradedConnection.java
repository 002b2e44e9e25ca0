package io.penstock.part;

import jakarta.servlet.http.WebConnection;

/**
 * An upgraded connection as a part of the container sees it: the {@link WebConnection} that its
 * {@link jakarta.servlet.http.HttpUpgradeHandler} is given is one.
 *
 * <p>Thread: any.
 */
public interface UpgradedConnection extends WebConnection {

    /**
     * Whether the connection is to end because its application or the server does. It holds before the input comes to its end for that
     * reason, so that who has read all can tell the client why.
     */
    boolean isLeaving();

    /** Nothing more is read or written; what has been written still leaves, then the connection ends. Waits for nobody. */
    @Override
    void close();
}
