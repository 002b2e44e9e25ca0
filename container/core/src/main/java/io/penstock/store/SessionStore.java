package io.penstock.store;

import java.io.IOException;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Stores the sessions of one application between requests, instead of memory and {@code session-dir}: for example in a database, or in a
 * cache that several servers share. {@link SessionStores} makes one store for each application.
 *
 * <p>The server saves a session before the client has received the whole response. It saves the session again when the last running
 * request of the session ends, if the session has changed by then. It loads the session again when the next request begins. Attributes are
 * bytes that only the server understands. From these bytes, it creates only objects of the application's own classes, and plain data.
 *
 * <p><strong>Versions.</strong> Each saved change gives the session a higher version, which the store assigns. A server may keep copies of
 * sessions in memory. It uses a copy only if the store has the same version and, if the store has marks, the same {@linkplain
 * StoredSession#mark mark}.
 *
 * <p><strong>Late changes.</strong> A change may reach the database of a store after its call has already failed with a timeout. The
 * change must then have no effect if another change has been saved meanwhile. So the statement that saves a change should name the exact
 * version that it replaces.
 *
 * <p><strong>Several servers.</strong> The {@linkplain SessionChange#base base} of a change is older than the store's version if another
 * server has changed the session meanwhile. The store decides how to handle this, and should document it:
 *
 * <ul>
 * <li>A store that keeps attributes one by one combines both changes. If both changes are to the same attribute, the later change wins or
 * is refused with a {@link StaleSessionException}.
 *   <li>A store that keeps each session in one piece may refuse every such change.
 * </ul>
 *
 * <p>A refused change is not saved: the response of its request becomes 503, or is aborted. If requests at two servers change a session at
 * the same time, neither sees the changes of the other. So a load balancer should send the requests of a session to one server at a time.
 *
 * <p><strong>Secrets.</strong> The session's id is among the attributes, since listeners of the application need it when the session
 * expires. So anyone who can read the store can take over sessions.
 *
 * <p><strong>Failures.</strong> A store limits the time of each call with its own timeouts, and throws a {@link
 * StoreUnavailableException} if it cannot reach its database. Other exceptions concern one session: an exception of {@link #load} fails the
 * request with 500.
 *
 * <p>Thread: workers, and application threads that write responses; many at once, also for the same key. Selector threads never call a
 * store, so a method may wait. An exception of {@link #save} makes the response 503, or aborts it. Exceptions of the other methods are
 * logged. But if the application invalidates a session or changes its id, the application receives these exceptions as unchecked
 * exceptions.
 */
public interface SessionStore {

    /**
     * The session with this key, if there is one. Keys are computed from ids that clients send.
     *
     * @param known the version that the server has in memory; 0 for none. If the store has the same version, it may leave the attributes
     * out, since the server does not use them. If only the marks differ, the server loads the session again
     */
    Optional<StoredSession> load(SessionKey key, long known) throws IOException;

    /**
     * Makes a change in one atomic step. With {@code base} 0 it creates the session. Otherwise it changes the session only if it still
     * exists, so that an ended session does not come back.
     *
     * @return the session's version with the change: {@code base} + 1 if no other change came in between; a higher version if another
     * server has changed the session, too. Empty if the session has been deleted; then nothing is saved
     * @throws StaleSessionException if the store refuses the change because of another change, or because it already has the session that
     * should be created
     */
    OptionalLong save(SessionChange change) throws IOException;

    /**
     * Stores the start of the latest request of a session that has not changed otherwise. Has no effect if the store has a later time, or
     * no such session. The version does not change.
     */
    void touch(SessionKey key, Instant accessed) throws IOException;

    /** Deletes the session, and returns whether there was one. */
    boolean delete(SessionKey key) throws IOException;

    /**
     * The expired sessions: {@code maxInactiveSeconds} is above zero, and at least this many seconds have passed since {@code accessed}.
     * Deletes no session. Called every few seconds by every server. A store that several servers share may return each session to one
     * server first, and to the other servers some time later. Then the servers do not all try to delete the same sessions.
     *
     * @param most the maximum number of sessions to return; if there are more, the server asks again when these have been deleted
     * @return the sessions. The server uses only their attribute {@link StoredSession#ID}, so the store may omit the other attributes
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
