package io.penstock.store;

import java.io.IOException;

/**
 * Makes the session stores of a server, with one {@link SessionStore} for each application. An object of this type is the argument of
 * {@link io.penstock.Penstock.Builder#sessions}.
 *
 * <p>Thread: the threads that deploy applications. Several threads can call {@link #of} at the same time.
 */
@FunctionalInterface
public interface SessionStores extends AutoCloseable {

    /**
     * Returns the store of one application. The server calls this method when it deploys the application. A new version of an application
     * must get the store of the former version, or another store with the same sessions. Both versions use the sessions for some time.
     *
     * @param contextPath the context path of the application: {@code /} for the root context, {@code /name}, or {@code
     *     //www.example.org/name} for an application of one host
     * @throws IOException if the application has no store. The message is one line with the reason. The server then does not deploy the
     *     application
     */
    SessionStore of(String contextPath) throws IOException;

    /**
     * Closes the resources that the stores share. The server calls this method once, when it has stopped and does not use the stores any
     * more.
     */
    @Override
    default void close() throws IOException {
        // By default the stores share no resources.
    }
}
