package io.penstock.part;

import io.penstock.store.SessionStores;
import java.io.IOException;

/**
 * A kind of session store that the operator can choose with the key {@code session-store}: {@code redis://cache:6379} chooses the provider
 * with the scheme {@code redis}.
 *
 * <p>Thread: the deploying threads, one at a time.
 */
public interface SessionStoreProvider {

    /** The scheme in lower case: the text before the first colon of {@code session-store}. */
    String scheme();

    /**
     * Opens the stores. Called at most once for each server, before the server deploys its first application. The server closes the stores
     * at its end.
     *
     * @param location the value of {@code session-store}, including the scheme. It may contain a password
     * @throws IOException if the stores cannot be opened; the one-line message gives the reason, without a password. Then no application is
     * deployed
     */
    SessionStores open(String location) throws IOException;
}
