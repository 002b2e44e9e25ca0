package io.penstock.store;

import java.io.IOException;

/**
 * The session stores of a server, one for each application: what {@link io.penstock.Penstock.Builder#sessions} takes.
 *
 * <p>Thread: those that deploy, several at once.
 */
@FunctionalInterface
public interface SessionStores extends AutoCloseable {

    /**
     * The store of one application, as it is deployed. A new version of an application is given the store of the former one, or another
     * with the same sessions; both are in use for a while.
     *
     * @param contextPath {@code /} for the root, or {@code /name}
     * @throws IOException with one line that says why there is none; the application is not deployed
     */
    SessionStore of(String contextPath) throws IOException;

    /** Closes what the stores have in common. Called once, when the server has ended and uses none of them any more. */
    @Override
    default void close() throws IOException {
        // nothing is in common
    }
}
