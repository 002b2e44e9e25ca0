package io.penstock.session;

import io.penstock.store.SessionChange;
import io.penstock.store.SessionKey;
import io.penstock.store.SessionStore;
import io.penstock.store.StoredSession;
import java.io.IOException;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import java.util.OptionalLong;

/** Wraps a store, and makes each of its calls inside a {@link StoreGate}. Thread: the same as for the wrapped store. */
final class GatedStore implements SessionStore {
    private final SessionStore store;
    private final StoreGate gate;

    GatedStore(SessionStore store, StoreGate gate) {
        this.store = store;
        this.gate = gate;
    }

    @Override
    public Optional<StoredSession> load(SessionKey key, long known) throws IOException {
        return gate.call(() -> store.load(key, known));
    }

    @Override
    public OptionalLong save(SessionChange change) throws IOException {
        return gate.call(() -> store.save(change));
    }

    @Override
    public void touch(SessionKey key, Instant accessed) throws IOException {
        gate.call(() -> {
            store.touch(key, accessed);
            return true;
        });
    }

    @Override
    public boolean delete(SessionKey key) throws IOException {
        return gate.call(() -> store.delete(key));
    }

    @Override
    public Collection<StoredSession> expired(Instant now, int most) throws IOException {
        return gate.call(() -> store.expired(now, most));
    }

    @Override
    public boolean deleteExpired(SessionKey key, Instant now) throws IOException {
        return gate.call(() -> store.deleteExpired(key, now));
    }
}
