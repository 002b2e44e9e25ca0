package io.penstock.standalone;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.store.SessionChange;
import io.penstock.store.SessionKey;
import io.penstock.store.SessionStore;
import io.penstock.store.StoredSession;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** A session store in memory for several servers in this process. Sessions do not expire. */
final class SharedSessions implements SessionStore {
    @GuardedBy("this")
    private final Map<SessionKey, StoredSession> sessions = new HashMap<>();

    @Override
    public synchronized Optional<StoredSession> load(SessionKey key, long known) {
        return Optional.ofNullable(sessions.get(key));
    }

    @Override
    public synchronized OptionalLong save(SessionChange change) {
        StoredSession before = sessions.get(change.former());
        if (before == null && change.base() > 0) {
            return OptionalLong.empty();
        }
        StoredSession after = change.appliedTo(before);
        sessions.remove(change.former());
        sessions.put(change.key(), after);
        return OptionalLong.of(after.version());
    }

    @Override
    public void touch(SessionKey key, Instant accessed) {
        // The time of last use is not stored, because no session expires.
    }

    @Override
    public synchronized boolean delete(SessionKey key) {
        return sessions.remove(key) != null;
    }

    @Override
    public Collection<StoredSession> expired(Instant now, int most) {
        return List.of();
    }

    @Override
    public boolean deleteExpired(SessionKey key, Instant now) {
        return false;
    }
}
