package io.penstock.session;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of one context that no request uses. A session is first stored when the request that created it ends.
 *
 * <p>Thread: workers, and for {@link #save} a thread of the application that writes a response; never a reactor. Many at once, but for one
 * id one at a time, except {@link #delete}. Failures are unchecked exceptions.
 */
public interface SessionRepository {
    /** The maximum number of ids that {@link #expired} returns if it cannot return all. */
    int BATCH = 1000;

    /** The session with that id, or null. It may be the object that was released. */
    @Nullable
    SessionState load(String id);

    /** Saves the changes of a session whose last request has ended. */
    void release(SessionState session);

    /**
     * Saves the changes of a session that stays in use, so that other servers see them and they survive a crash. No effect without a
     * persistent store.
     */
    void save(SessionState session);

    /**
     * Changes the id of a session that is in use. Its state has the old id during this call.
     *
     * @return false if another server has ended the session
     */
    boolean rename(SessionState session, String newId);

    /** Deletes the session, if there is one. */
    void delete(String id);

    /** Deletes the session if it has expired; returns false if it has not, or if another server has deleted it. */
    boolean deleteExpired(String id, long now);

    /** The ids of sessions that have expired at {@code now}, in milliseconds since 1970. Deletes none. */
    Collection<String> expired(long now);

    /** Whether sessions survive the stop of the context; otherwise it invalidates them. */
    boolean isPersistent();

    /** The ids of all sessions that do not survive the stop of the context. */
    Collection<String> transientIds();

    /** The context has stopped: writes persistent sessions, and calls {@code sessionWillPassivate} of their attributes. */
    void close();
}
