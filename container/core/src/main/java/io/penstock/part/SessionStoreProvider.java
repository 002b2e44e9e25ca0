package io.penstock.part;

import io.penstock.store.SessionStores;
import java.io.IOException;

/**
 * A kind of session store that an operator can choose by the key {@code session-store}: {@code redis://cache:6379} chooses the provider
 * with the scheme {@code redis}.
 *
 * <p>Thread: the deploying threads, one at a time.
 */
public interface SessionStoreProvider {

    /** The scheme in lower case: the text before the first colon of {@code session-store}. */
    String scheme();

    /**
     * Opens the stores. Called at most once by a server, before it deploys its first application; the server closes them at its end.
     *
     * @param location the value of {@code session-store}, including the scheme. It may contain a password
     * @throws IOException with one line that gives the reason, without a password; then no application is deployed
     */
    SessionStores open(String location) throws IOException;
}
