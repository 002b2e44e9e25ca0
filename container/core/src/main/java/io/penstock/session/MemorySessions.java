package io.penstock.session;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Keeps sessions in this process and loses them with it; what is loaded is what was saved, the same object. */
public final class MemorySessions implements RestingSessions {
    private final ConcurrentHashMap<String, SessionState> sessions = new ConcurrentHashMap<>();

    @Override
    public @Nullable SessionState load(String id) {
        return sessions.get(id);
    }

    /** The object that is kept is the one that was used. */
    @Override
    public void rest(SessionState session) {
        if (session.version() == 0) {
            sessions.put(session.id(), session);
            session.saved(1);
        }
    }

    @Override
    public void keep(SessionState session) {
        // requests that use it already find it, and it is lost with the process
    }

    @Override
    public boolean rename(SessionState session, String newId) {
        if (sessions.remove(session.id(), session)) {
            sessions.put(newId, session);
        }
        return true;
    }

    @Override
    public void delete(String id) {
        sessions.remove(id);
    }

    @Override
    public boolean deleteExpired(String id, long now) {
        return sessions.remove(id) != null;
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
    public boolean isLasting() {
        return false;
    }

    @Override
    public Collection<String> ephemeral() {
        return List.copyOf(sessions.keySet());
    }

    @Override
    public void close() {
        sessions.clear();
    }
}
