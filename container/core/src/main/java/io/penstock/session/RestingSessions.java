package io.penstock.session;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of one context between requests. A session comes here for the first time as the request that made it ends.
 *
 * <p>Thread: workers, and for {@link #keep} a thread of the application that writes a response. Many at once, but for one id one at a time,
 * except {@link #delete}; never a reactor. What fails here is thrown unchecked.
 */
public interface RestingSessions {
    /** As many ids as {@link #expired} returns at most, where it cannot return all. */
    int BATCH = 1000;

    /** The session of that id, or null. May be the very object that was put to rest. */
    @Nullable
    SessionState load(String id);

    /** The last request of the session has ended: keeps it under its id, with what has changed. */
    void rest(SessionState session);

    /**
     * Saves what has changed in a session that stays in use, so that it is found in a store that others see, or after a crash, as it is now.
     * Nothing happens where there is no such store.
     */
    void keep(SessionState session);

    /**
     * Moves a session that is in use to another id; the state still has the former one.
     *
     * @return false if another server has ended the session
     */
    boolean rename(SessionState session, String newId);

    /** Forgets the session; nothing happens where there is none. */
    void delete(String id);

    /** Forgets the session if its time is over; returns false if it is not, or if another server has done so. */
    boolean deleteExpired(String id, long now);

    /** Ids of sessions whose time is over at {@code now}, in milliseconds since 1970; none is deleted by this call. */
    Collection<String> expired(long now);

    /** Whether sessions outlive this context; otherwise they are invalidated as it stops. */
    boolean isLasting();

    /** Ids of all sessions that do not last; empty where they do. */
    Collection<String> ephemeral();

    /** The context ends: what lasts is written, and the objects are told that they rest for long. */
    void close();
}
