package io.penstock.session;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Keeps sessions in this process and loses them with it; what is loaded is what was saved, the same object. */
public final class MemorySessionStore implements SessionStore {
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
    public void touch(String id, long accessed) {
        SessionState session = sessions.get(id);
        if (session != null) {
            session.accessed(Math.max(accessed, session.accessed()));
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
    public Collection<String> ephemeral() {
        return List.copyOf(sessions.keySet());
    }
}
