package io.penstock.store;

import java.io.IOException;

/**
 * The session stores of a server, one for each application, for {@link io.penstock.Penstock.Builder#sessions}.
 *
 * <p>Thread: the deploying threads, several at once.
 */
@FunctionalInterface
public interface SessionStores extends AutoCloseable {

    /**
     * Returns the store of one application; called at its deployment. For a new version of an application, this is the store of the former
     * version, or another store with the same sessions. Both versions use the sessions for a while.
     *
     * @param contextPath {@code /} for the root, {@code /name}, or with a host {@code //www.example.org/name}
     * @throws IOException if there is no store, with the reason in a one-line message; then the application is not deployed
     */
    SessionStore of(String contextPath) throws IOException;

    /** Closes the resources that the stores share. Called once, when the server has ended and no longer uses the stores. */
    @Override
    default void close() throws IOException {
        // no shared resources
    }
}
