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

    @Override
    public void save(SessionState session) {
        sessions.compute(session.id(), (id, kept) -> {
            if (kept != null && kept.version() != session.version()) {
                throw new StaleSessionException(kept.version(), session.version());
            }
            session.saved(session.version() + 1);
            return session;
        });
    }

    @Override
    public void keep(SessionState session) {
        // found by who uses it already, and lost with the process
    }

    /** The object that is kept is the one that was used. */
    @Override
    public void touch(SessionState session) {
        if (session.version() == 0) {
            save(session);
        }
    }

    @Override
    public void delete(String id) {
        sessions.remove(id);
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
    public int size() {
        return sessions.size();
    }

    @Override
    public void close() {
        sessions.clear();
    }
}
