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
 * changed by then. It loads the session when the next request begins. Attributes are bytes that only the server understands. From bytes of
 * the store it makes only objects of the application's own classes and of plain data.
 *
 * <p><strong>Versions.</strong> Each saved change gives the session a higher version, which the store assigns. A server may keep sessions
 * in memory, and uses such a copy only if its version is the store's, and its {@linkplain StoredSession#mark mark}, if the store has one.
 *
 * <p><strong>Late changes.</strong> A change may come to a store's database after its call has failed by a time-out. It must have no effect
 * then if another change has been saved meanwhile: the step that makes it should name the exact version that it replaces.
 *
 * <p><strong>Several servers.</strong> The {@linkplain SessionChange#base base} of a change is older than the store's version if another
 * server has changed the session meanwhile. What happens then is the store's choice, and should be documented:
 *
 * <ul>
 * <li>A store that keeps attributes one by one adds the change to the other. If both have changed the same attribute, the later change
 * wins, or is refused with a {@link StaleSessionException}.
 *   <li>A store that keeps each session in one piece may refuse the change in any case.
 * </ul>
 *
 * <p>A refused change is not saved: the response of its request becomes 503, or is cut. Changes that requests at two servers make at the same
 * time do not see each other, so a load balancer should send the requests of a session to one server at a time.
 *
 * <p><strong>Secrets.</strong> Among the attributes is the session's id, which listeners of the application need when the session expires.
 * So anyone who can read the store can take over sessions.
 *
 * <p><strong>Failures.</strong> A store bounds the time of each call by time-outs of its own, and throws a {@link StoreUnavailableException}
 * if it cannot be reached. Other exceptions concern one session: those of {@link #load} fail the request with 500.
 *
 * <p>Thread: workers, and threads of the application that write responses; many at once, also for one key; never a selector thread, so a
 * method may wait. An exception of {@link #save} makes the response 503, or cuts it. Exceptions of the others are logged, unless the
 * application invalidates a session or changes its id: then it gets them, unchecked.
 */
public interface SessionStore {

    /**
     * The session with this key, if there is one. Keys are computed from ids that clients send.
     *
     * @param known the version that the server has in memory, 0 for none. If the store's version is the same, the store may leave the
     * attributes out: the server does not use them then. If only the marks differ, the server loads the session again
     */
    Optional<StoredSession> load(SessionKey key, long known) throws IOException;

    /**
     * Makes a change in one atomic step. With {@code base} 0 it creates the session. Otherwise it changes the session only if it still
     * exists, so that an ended session does not come back.
     *
     * @return the session's version with the change: {@code base} and 1 if the change was made to its base, another one if another server
     *     has changed the session, too. Empty if the session has been deleted; then nothing is saved
     * @throws StaleSessionException if the store refuses the change because of another one, or has a session where one is to be created
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
     * Called every few seconds by every server. A store that several servers share may give each session to one of them, and to the others only
     * some time later, so that they do not all try to delete the same sessions.
     *
     * @param most the number of sessions to return at most; if there are more, the server asks again when these have been deleted
     * @return the sessions. Of their attributes the server uses only {@link StoredSession#ID}, so the store may leave the others out
     */
    Collection<StoredSession> expired(Instant now, int most) throws IOException;

    /**
     * Deletes the session if it has expired, in one atomic step. Of several servers that try, one gets true; it calls the application's
     * listeners.
     *
     * @return whether this call has deleted it
     */
    boolean deleteExpired(SessionKey key, Instant now) throws IOException;
}
