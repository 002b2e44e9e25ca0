package io.penstock.part;

import io.penstock.store.SessionStores;
import java.io.IOException;

/**
 * A kind of session store that the operator can choose with the key {@code session-store}. For example, the value {@code
 * redis://cache:6379} chooses the provider with the scheme {@code redis}.
 *
 * <p>Thread: the deploying threads, one at a time.
 */
public interface SessionStoreProvider {

    /** The scheme in lower case. This is the text before the first colon in the value of {@code session-store}. */
    String scheme();

    /**
     * Opens the stores. Called at most once for each server, before the server deploys its first application. The server closes the stores
     * when it stops.
     *
     * @param location the value of {@code session-store}, including the scheme. It may contain a password
     * @throws IOException if the stores cannot be opened. In this case, no application is deployed. The message has one line, which gives
     *     the reason and contains no password
     */
    SessionStores open(String location) throws IOException;
}
