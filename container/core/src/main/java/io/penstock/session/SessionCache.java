package io.penstock.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Stored sessions that are also in memory as objects, while no request uses them. If there are too many sessions, the session that has been
 * in the cache for the longest time is removed.
 *
 * <p>Thread: any. Listeners of a removed session are called outside of the lock.
 */
final class SessionCache {
    private final int max;
    private final Runnable whenRemoved;

    @GuardedBy("this")
    private final Map<String, SessionState> sessions = new LinkedHashMap<>();

    SessionCache(int max, Runnable whenRemoved) {
        this.max = max;
        this.whenRemoved = whenRemoved;
    }

    /** Whether any session can stay in memory. */
    boolean hasCapacity() {
        return max > 0;
    }

    void put(SessionState session) {
        if (max == 0) {
            // The next request must get a new session object.
            session.view = null;
            return;
        }
        SessionState removed = putAndRemoveEldest(session);
        if (removed != null) {
            if (removed.view != null) {
                Passivation.willPassivate(removed.view);
            }
            whenRemoved.run();
        }
    }

    private synchronized @Nullable SessionState putAndRemoveEldest(SessionState session) {
        sessions.remove(session.id());
        sessions.put(session.id(), session);
        if (sessions.size() <= max) {
            return null;
        }
        String eldest = sessions.keySet().iterator().next();
        return sessions.remove(eldest);
    }

    synchronized int size() {
        return sessions.size();
    }

    synchronized @Nullable SessionState take(String id) {
        return sessions.remove(id);
    }

    synchronized List<SessionState> takeAll() {
        List<SessionState> all = List.copyOf(sessions.values());
        sessions.clear();
        return all;
    }
}
