package io.penstock.session;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Where the sessions of one context rest between requests.
 *
 * <p>Thread: workers, many at once, also for the same id; never a reactor. What fails inside a store is thrown unchecked and
 * fails the request.
 */
public interface SessionStore {

    /** The session of that id, or null. May be the very object that was saved. */
    @Nullable
    SessionState load(String id);

    /**
     * Keeps the session under its id and moves its version on by one.
     *
     * @throws StaleSessionException if what is kept is of another version than the one {@code session} was loaded with
     */
    void save(SessionState session);

    /** Notes the start of the latest request of a session, in milliseconds since 1970, where nothing else has changed. */
    void touch(String id, long accessed);

    /** Forgets the session; nothing happens where there is none. */
    void delete(String id);

    /** Ids of the sessions whose time is over at {@code now}, in milliseconds since 1970; none is deleted by this call. */
    Collection<String> expired(long now);

    /** Ids of the sessions that cannot outlive this context and so are invalidated as it stops; empty for a lasting store. */
    Collection<String> ephemeral();
}
