package io.penstock.session;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A repository in memory. The sessions are lost when the process ends. A load returns the object that was released before. */
public final class MemorySessions implements SessionRepository {
    private final ConcurrentHashMap<String, SessionState> sessions = new ConcurrentHashMap<>();

    @Override
    public @Nullable SessionState load(String id) {
        return sessions.get(id);
    }

    @Override
    public int atRest() {
        return sessions.size();
    }

    @Override
    public void release(SessionState session) {
        if (session.version() == 0) {
            sessions.put(session.id(), session);
            session.saved(1, 0);
        }
    }

    @Override
    public void save(SessionState session) {
        // Nothing to save: all requests use the same object.
    }

    @Override
    public boolean rename(SessionState session, String newId) {
        if (sessions.remove(session.id(), session)) {
            sessions.put(newId, session);
        }
        return true;
    }

    @Override
    public boolean delete(String id) {
        return sessions.remove(id) != null;
    }

    @Override
    public boolean deleteExpired(SessionState session, long now) {
        return sessions.remove(session.id()) != null;
    }

    @Override
    public Collection<String> expired(long now) {
        List<String> expired = new ArrayList<>();
        sessions.forEach((id, session) -> {
            if (session.isExpired(now)) {
                expired.add(id);
            }
        });
        return expired;
    }

    @Override
    public boolean isPersistent() {
        return false;
    }

    @Override
    public Collection<String> transientIds() {
        return List.copyOf(sessions.keySet());
    }

    @Override
    public void close() {
        sessions.clear();
    }
}
