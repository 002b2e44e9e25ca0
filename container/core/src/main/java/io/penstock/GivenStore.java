package io.penstock;

import io.penstock.session.ByteStore;
import io.penstock.session.StoredSession;
import io.penstock.time.Saturated;
import java.io.IOException;
import java.time.Instant;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** The embedding program's store as the sessions see it. Thread: workers. */
final class GivenStore implements ByteStore {
    private final SessionStore store;

    GivenStore(SessionStore store) {
        this.store = store;
    }

    @Override
    public @Nullable StoredSession load(String id) throws IOException {
        return store.load(id).map(GivenStore::stored).orElse(null);
    }

    private static StoredSession stored(SessionStore.Saved saved) {
        return new StoredSession(
                saved.id(),
                saved.version(),
                Saturated.millis(saved.created()),
                Saturated.millis(saved.accessed()),
                saved.maxInactiveSeconds(),
                saved.attributes());
    }

    @Override
    public void save(StoredSession session) throws IOException {
        store.save(new SessionStore.Saved(
                session.id(),
                session.version(),
                Instant.ofEpochMilli(session.created()),
                Instant.ofEpochMilli(session.accessed()),
                session.maxInactiveInterval(),
                session.attributes()));
    }

    @Override
    public void touch(String id, long accessed) throws IOException {
        store.touch(id, Instant.ofEpochMilli(accessed));
    }

    @Override
    public void delete(String id) throws IOException {
        store.delete(id);
    }

    @Override
    public Collection<String> expired(long now) throws IOException {
        return store.expired(Instant.ofEpochMilli(now));
    }

    /** Others may add and remove sessions. */
    @Override
    public int size() {
        return 0;
    }

    @Override
    public boolean isOwn() {
        return false;
    }
}
