package io.penstock.session;

import io.penstock.store.StoreUnavailableException;
import java.util.Collection;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of one context that no request uses. A new session is stored when the request that has created it ends, or earlier by {@link
 * #save}.
 *
 * <p>Thread: workers, never a reactor. Threads of the application that write a response also call {@link #save}. Many threads may call at
 * the same time, but only one thread at a time for the same {@link SessionState}. Only {@link #delete} may be called at any time. Failures
 * are unchecked exceptions; {@link #release} and {@link #save} throw a {@link SessionNotSavedException}.
 */
public interface SessionRepository {
    /**
     * The size of a batch of {@link #expired}. If a result has at least this number of ids, the repository may have more expired sessions.
     */
    int BATCH = 1000;

    /**
     * Runs steps that take the lock of a session and may call a store. If the store does not answer, only a limited number of threads wait
     * for it.
     *
     * @throws StoreUnavailableException if too many threads are waiting already; in this case no step has run
     */
    default <T extends @Nullable Object> T admitted(Supplier<T> steps) throws StoreUnavailableException {
        return steps.get();
    }

    /** Returns the session with the given id, or null. The result may be the object that was released before. */
    @Nullable
    SessionState load(String id);

    /**
     * Whether a session in use is current: no other server has changed or ended the session since it was loaded. If the session is not
     * current, the next request loads it again.
     */
    default boolean isCurrent(SessionState session) {
        // No other server has the session.
        return true;
    }

    /** The number of sessions in memory that no request uses. */
    int atRest();

    /** Saves the changes of a session whose last request has ended. */
    void release(SessionState session);

    /**
     * Saves the changes of a session that stays in use, so that other servers see the changes, and the changes survive a crash. Has no
     * effect without a persistent store.
     */
    void save(SessionState session);

    /**
     * Changes the id of a session that is in use. During this call {@code session} has the old id.
     *
     * @return false if another server has ended the session
     */
    boolean rename(SessionState session, String newId);

    /** Deletes the session. Returns whether there was a session with this id. */
    boolean delete(String id);

    /**
     * Called while a request uses the session. Prevents other servers from ending the session. {@code now} is the current time, in
     * milliseconds since 1970.
     */
    default void keep(SessionState session, long now) {
        // Nothing to do: no other server has the session.
    }

    /** Whether the session has expired at {@code now}, in milliseconds since 1970. */
    default boolean hasExpired(SessionState session, long now) {
        return session.isExpired(now);
    }

    /** Deletes the session if it has expired. Returns false if the session has not expired, or if another server has deleted it. */
    boolean deleteExpired(SessionState session, long now);

    /** The ids of sessions that have expired at {@code now}, in milliseconds since 1970. The sessions are not deleted. */
    Collection<String> expired(long now);

    /** Whether sessions survive the stop of the context. If they do not, they are invalidated when the context stops. */
    boolean isPersistent();

    /** The ids of all sessions that do not survive the stop of the context. */
    Collection<String> transientIds();

    /** Called when the context has stopped. Writes persistent sessions, and calls {@code sessionWillPassivate} of their attributes. */
    void close();
}
