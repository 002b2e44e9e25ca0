package io.penstock.session;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of one context between requests. A session comes here for the first time as the request that made it ends.
 *
 * <p>Thread: workers, and for {@link #keep} whoever of the application writes a response; many at once, but for one id one at a time,
 * except {@link #delete}; never a reactor. What fails here is thrown
 * unchecked and fails the request.
 */
public interface RestingSessions {

    /** The session of that id, or null. May be the very object that was put to rest. */
    @Nullable
    SessionState load(String id);

    /**
     * Keeps the session under its id and moves its version on by one.
     *
     * @throws StaleSessionException if what is kept is of another version than the one {@code session} was loaded with
     */
    void save(SessionState session);

    /**
     * As {@link #save}, of a session that stays in use: who looks for it in a store that others see, or after a crash, finds it as it is
     * now. Nothing happens where there is no such store.
     */
    void keep(SessionState session);

    /** As {@link #save}, of a session whose attributes nobody has set or removed; objects in them may have changed all the same. */
    void touch(SessionState session);

    /** Forgets the session; nothing happens where there is none. */
    void delete(String id);

    /** Ids of the sessions whose time is over at {@code now}, in milliseconds since 1970; none is deleted by this call. */
    Collection<String> expired(long now);

    /** Whether sessions outlive this context; otherwise they are invalidated as it stops. */
    boolean isLasting();

    /** Ids of all sessions that do not last; empty where they do. */
    Collection<String> ephemeral();

    /** How many sessions are kept; 0 where that is not known. */
    int size();

    /** The context ends: what lasts is written, and the objects are told that they rest for long. */
    void close();
}
