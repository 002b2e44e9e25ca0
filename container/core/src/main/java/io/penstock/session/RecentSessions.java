package io.penstock.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The sessions that rest as objects, besides their bytes elsewhere; beyond a number the one that has rested longest goes.
 *
 * <p>Thread: any. What is told to a session that goes is told outside of the lock.
 */
final class RecentSessions {
    private final int most;
    private final Runnable whenGone;

    @GuardedBy("this")
    private final Map<String, SessionState> sessions = new LinkedHashMap<>();

    RecentSessions(int most, Runnable whenGone) {
        this.most = most;
        this.whenGone = whenGone;
    }

    /** Whether there is room for any session at all. */
    boolean mayStay() {
        return most > 0;
    }

    void put(SessionState session) {
        if (most == 0) {
            session.view = null; // the next request gets objects of its own
            return;
        }
        SessionState gone = putAndPoll(session);
        if (gone != null) {
            if (gone.view != null) {
                Passivation.willPassivate(gone.view);
            }
            whenGone.run();
        }
    }

    private synchronized @Nullable SessionState putAndPoll(SessionState session) {
        sessions.remove(session.id());
        sessions.put(session.id(), session);
        if (sessions.size() <= most) {
            return null;
        }
        String eldest = sessions.keySet().iterator().next();
        return sessions.remove(eldest);
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
