package io.penstock.store;

import java.io.IOException;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Stores the sessions of one application between requests, for example in a database, or in a cache that several servers share. Without a
 * store, the server keeps sessions in memory and in {@code session-dir}. {@link SessionStores} makes one store for each application.
 *
 * <p>The server saves a session before the client has received the whole response. If the session changes after that, the server saves the
 * session again when the last running request of the session ends. It loads the session when the next request begins. Attributes are bytes
 * that only the server can read. From these bytes, the server creates only objects of the application's own classes, and plain data.
 *
 * <p><strong>Versions.</strong> Each saved change gives the session a higher version, which the store assigns. A server can keep copies of
 * sessions in memory. It uses a copy only if the store has the same version. If the store also saves marks, the {@linkplain
 * StoredSession#mark mark} must be the same too.
 *
 * <p><strong>Late changes.</strong> A call of the store can fail with a timeout, and its change can still reach the database later. Such a
 * change must have no effect if another change has been saved meanwhile. So the database statement that saves a change should contain the
 * exact version that the change replaces.
 *
 * <p><strong>Several servers.</strong> If another server has changed the session, the {@linkplain SessionChange#base base} of a change is
 * older than the version in the store. The store decides how it handles such a change, and should document its behaviour:
 *
 * <ul>
 *   <li>A store that saves each attribute separately combines the two changes. If both changes concern the same attribute, the store uses
 *       the later change, or refuses it with a {@link StaleSessionException}.
 *   <li>A store that saves all attributes of a session together may refuse every such change.
 * </ul>
 *
 * <p>A refused change is not saved. The client gets status 503 instead of the response, or the response is aborted. If requests at two
 * servers change a session at the same time, each request sees only its own changes. So a load balancer should send the requests of a
 * session to one server at a time.
 *
 * <p><strong>Secrets.</strong> The attributes contain the id of the session, because the listeners of the application need the id when the
 * session expires. So any person with read access to the store can take over sessions.
 *
 * <p><strong>Failures.</strong> A store must limit the time of each call with its own timeouts. It throws a {@link
 * StoreUnavailableException} if it cannot reach its database. Any other exception concerns only one session. If {@link #load} throws such
 * an exception, the client gets status 500.
 *
 * <p>Thread: workers, and application threads that write responses. Many threads can call a store at the same time, even for the same key.
 * Selector threads never call a store, so a method may block. If {@link #save} throws an exception, the client gets status 503, or the
 * response is aborted. Exceptions of the methods other than {@link #load} and {@link #save} are normally logged. But if the application
 * invalidates a session or changes its id, the application receives the exception of the store as an unchecked exception.
 */
public interface SessionStore {

    /**
     * Returns the session with this key; empty if the store has no such session. Keys are computed from ids that clients send, so a key can
     * be unknown.
     *
     * @param known the version that the server has in memory; 0 if the server has no copy. If the store has the same version, the result
     *     need not contain the attributes. If the version is the same and the mark differs, the server calls this method again with 0
     */
    Optional<StoredSession> load(SessionKey key, long known) throws IOException;

    /**
     * Saves a change in one atomic step. If {@code base} is 0, the method creates the session. Otherwise it changes the session only if the
     * session exists in the store. So a session that has ended is not created again.
     *
     * @return the version of the session after the change. This is {@code base} + 1 if no other server has changed the session, and
     *     otherwise a higher version. The result is empty if the session has been deleted; the change is then not saved
     * @throws StaleSessionException if the store refuses the change because of another change, or because the change creates a session that
     *     already exists
     */
    OptionalLong save(SessionChange change) throws IOException;

    /**
     * Saves the start of the latest request of a session without other changes. The call has no effect if the store has a later time, or if
     * the session does not exist. The version of the session does not change.
     */
    void touch(SessionKey key, Instant accessed) throws IOException;

    /** Deletes the session. Returns whether the session existed. */
    boolean delete(SessionKey key) throws IOException;

    /**
     * Returns expired sessions. A session has expired if {@code maxInactiveSeconds} is above zero, and at least this number of seconds has
     * passed since {@code accessed}. This method deletes no session. Every server calls this method every few seconds. If several servers
     * share a store, the store can return each session to one server first, and to the other servers later. Then the servers do not all try
     * to delete the same sessions.
     *
     * @param most the maximum number of sessions to return. If more sessions have expired, the server calls this method again after it has
     *     deleted the returned sessions
     * @return the expired sessions. The server uses only their attribute {@link StoredSession#ID}, so the store may omit the other
     *     attributes
     */
    Collection<StoredSession> expired(Instant now, int most) throws IOException;

    /**
     * Deletes the session if it has expired, in one atomic step. If several servers call this method for a session, only one server gets
     * the result true. This server then calls the listeners of the application.
     *
     * @return whether this call has deleted the session
     */
    boolean deleteExpired(SessionKey key, Instant now) throws IOException;
}
