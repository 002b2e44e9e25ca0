package io.penstock.session;

import io.penstock.store.StoreUnavailableException;
import java.util.Collection;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of one context that no request uses. A session is first stored when the request that created it ends.
 *
 * <p>Thread: workers; {@link #save} is also called by threads of the application that write a response; never a reactor. Many threads at
 * once, but one at a time for each state. Only {@link #delete} may be called at any time. Failures are unchecked exceptions; {@link
 * #release} and {@link #save} throw a {@link SessionNotSavedException}.
 */
public interface SessionRepository {
    /** The maximum number of ids that {@link #expired} returns if it cannot return all. */
    int BATCH = 1000;

    /**
     * Runs steps that take the lock of a session and may call a store. A store that does not answer then blocks only some of the threads.
     *
     * @throws StoreUnavailableException if too many threads wait already; then no step has run
     */
    default <T extends @Nullable Object> T admitted(Supplier<T> steps) throws StoreUnavailableException {
        return steps.get();
    }

    /** The session with that id, or null. It may be the same object that was released. */
    @Nullable
    SessionState load(String id);

    /**
     * Whether a session in use is still current: no other server has changed or ended it since it was loaded. If not, the next request
     * loads it again.
     */
    default boolean isCurrent(SessionState session) {
        return true; // no other server has the session
    }

    /** The number of sessions in memory that no request uses. */
    int atRest();

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

    /** Deletes the session; returns whether there was one. */
    boolean delete(String id);

    /** A request uses the session at {@code now}, in milliseconds since 1970: no other server may end it. */
    default void keep(SessionState session, long now) {
        // Nothing to do: no other server has the session.
    }

    /** Whether the session has expired at {@code now}, in milliseconds since 1970. */
    default boolean hasExpired(SessionState session, long now) {
        return session.isExpired(now);
    }

    /** Deletes the session if it has expired; returns false if it has not, or if another server has deleted it. */
    boolean deleteExpired(SessionState session, long now);

    /** The ids of sessions that have expired at {@code now}, in milliseconds since 1970. Deletes none. */
    Collection<String> expired(long now);

    /** Whether sessions survive the stop of the context. If not, the context invalidates them. */
    boolean isPersistent();

    /** The ids of all sessions that do not survive the stop of the context. */
    Collection<String> transientIds();

    /** The context has stopped: writes persistent sessions, and calls {@code sessionWillPassivate} of their attributes. */
    void close();
}
