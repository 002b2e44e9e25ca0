package io.penstock.store;

import java.io.IOException;

/**
 * The session stores of a server, one for each application, for {@link io.penstock.Penstock.Builder#sessions}.
 *
 * <p>Thread: those that deploy, several at once.
 */
@FunctionalInterface
public interface SessionStores extends AutoCloseable {

    /**
     * The store of one application, at its deployment. For a new version of an application, returns the store of the former version, or
     * another store with the same sessions. Both versions use them for a while.
     *
     * @param contextPath {@code /} for the root, {@code /name}, or with a host {@code //www.example.org/name}
     * @throws IOException with one line that gives the reason; then the application is not deployed
     */
    SessionStore of(String contextPath) throws IOException;

    /** Closes the resources that the stores share. Called once, when the server has ended and no longer uses the stores. */
    @Override
    default void close() throws IOException {
        // no shared resources
    }
}
