package io.penstock.store;

import java.io.IOException;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Stores the sessions of one application between requests, in place of memory and {@code session-dir}: for example in a database, or in a
 * cache that several servers share. {@link SessionStores} makes one for each application.
 *
 * <p>The server saves a session before its client has the whole response, and again when the session's last running request ends, if it has
 * changed by then. It loads the session when the next request begins. Attributes are bytes that only the server understands. From these
 * bytes it makes only objects of the application's own classes, and plain data.
 *
 * <p><strong>Versions.</strong> Each saved change gives the session a higher version, which the store assigns. A server may keep sessions
 * in memory. It uses such a copy only if the store has the same version and, if it has marks, the same {@linkplain StoredSession#mark
 * mark}.
 *
 * <p><strong>Late changes.</strong> A change may reach a store's database after its call has failed by a timeout. It must then have no
 * effect if another change has been saved meanwhile. So the statement that makes a change should name the exact version that it replaces.
 *
 * <p><strong>Several servers.</strong> The {@linkplain SessionChange#base base} of a change is older than the store's version if another
 * server has changed the session meanwhile. The store decides what happens then, and should document it:
 *
 * <ul>
 * <li>A store that keeps attributes one by one combines both changes. If both have changed the same attribute, the later change wins, or is
 * refused with a {@link StaleSessionException}.
 *   <li>A store that keeps each session in one piece may refuse the change in any case.
 * </ul>
 *
 * <p>A refused change is not saved: the response of its request becomes 503, or is aborted. Changes that requests at two servers make at
 * the same time do not see each other, so a load balancer should send the requests of a session to one server at a time.
 *
 * <p><strong>Secrets.</strong> Among the attributes is the session's id, which listeners of the application need when the session expires.
 * So anyone who can read the store can take over sessions.
 *
 * <p><strong>Failures.</strong> A store limits the time of each call by timeouts of its own, and throws a {@link StoreUnavailableException}
 * if it cannot be reached. Other exceptions concern one session: an exception of {@link #load} fails the request with 500.
 *
 * <p>Thread: workers, and threads of the application that write responses; many at once, also for one key; never a selector thread, so a
 * method may wait. An exception of {@link #save} makes the response 503, or aborts it. Exceptions of the other methods are logged. But if
 * the application invalidates a session or changes its id, the application gets them as unchecked exceptions.
 */
public interface SessionStore {

    /**
     * The session with this key, if there is one. Keys are computed from ids that clients send.
     *
     * @param known the version that the server has in memory, 0 for none. If the store has the same version, it may leave the attributes
     * out, since the server does not use them. If only the marks differ, the server loads the session again
     */
    Optional<StoredSession> load(SessionKey key, long known) throws IOException;

    /**
     * Makes a change in one atomic step. With {@code base} 0 it creates the session. Otherwise it changes the session only if it still
     * exists, so that an ended session does not come back.
     *
     * @return the session's version with the change: {@code base} + 1 if the change was made to its base, a higher one if another server
     * has changed the session, too. Empty if the session has been deleted; then nothing is saved
     * @throws StaleSessionException if the store refuses the change because of another change, or because the session to create exists
     * already
     */
    OptionalLong save(SessionChange change) throws IOException;

    /**
     * Stores the start of the latest request of an otherwise unchanged session. No effect if the store has a later time, or no such
     * session. The version does not change.
     */
    void touch(SessionKey key, Instant accessed) throws IOException;

    /** Deletes the session, and returns whether there was one. */
    boolean delete(SessionKey key) throws IOException;

    /**
     * The expired sessions: those for which {@code maxInactiveSeconds}, if above zero, have passed since {@code accessed}. Deletes none.
     * Called every few seconds by every server. A store that several servers share may return each session to one server first, and to the
     * other servers some time later. So they do not all try to delete the same sessions.
     *
     * @param most the number of sessions to return at most; if there are more, the server asks again when these have been deleted
     * @return the sessions. The server uses only their attribute {@link StoredSession#ID}, so the store may leave the other attributes out
     */
    Collection<StoredSession> expired(Instant now, int most) throws IOException;

    /**
     * Deletes the session if it has expired, in one atomic step. If several servers try this, only one gets true; that server calls the
     * application's listeners.
     *
     * @return whether this call has deleted it
     */
    boolean deleteExpired(SessionKey key, Instant now) throws IOException;
}
