package io.penstock.session;

import io.penstock.store.SessionChange;
import io.penstock.store.SessionKey;
import io.penstock.store.SessionStore;
import io.penstock.store.StoredSession;
import io.penstock.time.Saturated;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps sessions as bytes in a store that outlives the server. A number of sessions stay in memory as objects, too, so that attributes which
 * have no bytes last as long as the server. Such an object is used again only if its version is still the store's.
 *
 * <p>Each time a session goes to rest its attributes hear that they are passivated. Attributes whose bytes differ from those in the store are
 * written. Then the attributes hear that they are active again if they stay in memory.
 *
 * <p>Thread: workers, for one id one at a time.
 *
 * <p>Owns: the objects of resting sessions.
 */
public final class PassivatedSessions implements RestingSessions {
    private static final Logger LOG = LoggerFactory.getLogger(PassivatedSessions.class);

    /** The session's id, beside its attributes: the key does not tell it, and listeners ask for it when the session expires. */
    private static final String ID = WebSession.NOTE + "id";

    private final SessionStore store;
    private final AttributeBytes attributes;
    private final RecentSessions recent;

    /**
     * @param loader of the application, whose classes may be read from the store
     * @param inMemory sessions that stay in memory
     * @param whenPassivated counts a session that leaves memory for others
     */
    public PassivatedSessions(SessionStore store, ClassLoader loader, int inMemory, Runnable whenPassivated) {
        this.store = store;
        this.attributes = new AttributeBytes(loader);
        this.recent = new RecentSessions(inMemory, whenPassivated);
    }

    @Override
    public @Nullable SessionState load(String id) {
        SessionState local = recent.take(id);
        if (local != null && local.version() == 0) {
            return local; // saving it has failed: the store has never had it
        }
        StoredSession stored;
        try {
            stored = store.load(SessionKey.of(id), local == null ? 0 : local.version())
                    .orElse(null);
        } catch (IOException e) {
            if (local != null) {
                recent.put(local);
            }
            throw new UncheckedIOException("a session cannot be read", e);
        }
        if (stored == null) {
            return null;
        }
        if (local == null || local.version() != stored.version()) {
            return activated(id, stored);
        }
        local.accessed(Math.max(local.accessed(), Saturated.millis(stored.accessed())));
        return local;
    }

    private SessionState activated(String id, StoredSession stored) {
        SessionState state = new SessionState(
                id,
                Saturated.millis(stored.created()),
                Saturated.millis(stored.accessed()),
                stored.maxInactiveSeconds(),
                stored.version());
        Map<String, String> digests = new HashMap<>();
        Set<String> unreadable = new HashSet<>();
        stored.attributes().forEach((name, bytes) -> {
            digests.put(name, Sha256.of(bytes));
            Object value = name.equals(ID) ? null : attributes.read(name, bytes);
            if (value != null) {
                state.attributes().put(name, value);
            } else if (!name.equals(ID)) {
                unreadable.add(name);
            }
        });
        state.stored = new SessionState.Stored(stored.maxInactiveSeconds(), digests);
        state.unreadable(unreadable);
        state.activation = SessionState.Activation.DUE;
        return state;
    }

    @Override
    public void rest(SessionState session) {
        WebSession view = session.view;
        if (view != null) {
            Passivation.willPassivate(view);
            if (!view.isValid()) {
                return; // by one of its attributes just now
            }
        }
        try {
            if (!saveChanges(session)) {
                store.touch(SessionKey.of(session.id()), Instant.ofEpochMilli(session.accessed()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("a session cannot be written", e);
        } finally {
            if (session.copy == SessionState.Copy.WHOLE) {
                if (view != null && recent.mayStay()) {
                    Passivation.didActivate(view);
                }
                recent.put(session);
            }
        }
    }

    /** Its attributes hear what they hear when it goes to rest and stays in memory. */
    @Override
    public void keep(SessionState session) {
        WebSession view = session.view;
        try {
            if (view != null) {
                Passivation.willPassivate(view);
            }
            if (view == null || view.isValid()) {
                saveChanges(session);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("a session cannot be written", e);
        } finally {
            if (view != null) {
                Passivation.didActivate(view);
            }
        }
    }

    /** Returns false if there was nothing to save. */
    private boolean saveChanges(SessionState session) throws IOException {
        SessionState.Stored stored = session.stored;
        Map<String, byte[]> bytes = attributes.write(session.attributes());
        bytes.put(ID, session.id().getBytes(StandardCharsets.UTF_8));
        Map<String, String> digests = new HashMap<>();
        Map<String, byte[]> written = new HashMap<>();
        bytes.forEach((name, value) -> {
            String digest = Sha256.of(value);
            digests.put(name, digest);
            if (!digest.equals(stored.digests().get(name))) {
                written.put(name, value);
            }
        });
        Set<String> removed = new HashSet<>();
        stored.digests().forEach((name, digest) -> {
            if (!bytes.containsKey(name)) {
                if (session.isUnreadable(name)) {
                    digests.put(name, digest);
                } else {
                    removed.add(name);
                }
            }
        });
        int interval = session.maxInactiveInterval();
        if (session.version() > 0
                && written.isEmpty()
                && removed.isEmpty()
                && interval == stored.maxInactiveInterval()) {
            return false;
        }
        SessionKey key = SessionKey.of(session.id());
        save(session, key, key, written, removed, new SessionState.Stored(interval, digests));
        return true;
    }

    /** At once and by one change, so that a crash loses neither the session nor leaves it under two ids. */
    @Override
    public boolean rename(SessionState session, String newId) {
        if (session.version() == 0) {
            return true; // the store does not know it
        }
        byte[] id = newId.getBytes(StandardCharsets.UTF_8);
        Map<String, String> digests = new HashMap<>(session.stored.digests());
        digests.put(ID, Sha256.of(id));
        SessionState.Stored after = new SessionState.Stored(session.maxInactiveInterval(), digests);
        try {
            return save(session, SessionKey.of(session.id()), SessionKey.of(newId), Map.of(ID, id), Set.of(), after);
        } catch (IOException e) {
            throw new UncheckedIOException("a session cannot be given another id", e);
        }
    }

    /** @return false if another server has ended the session */
    private boolean save(
            SessionState session,
            SessionKey former,
            SessionKey key,
            Map<String, byte[]> written,
            Set<String> removed,
            SessionState.Stored after)
            throws IOException {
        long base = session.version();
        OptionalLong version = store.save(new SessionChange(
                former,
                key,
                base,
                Instant.ofEpochMilli(session.created()),
                Instant.ofEpochMilli(session.accessed()),
                after.maxInactiveInterval(),
                written,
                removed));
        if (version.isEmpty()) {
            LOG.debug("A session was not saved, since another server has ended it");
            session.copy = SessionState.Copy.PARTIAL;
            return false;
        }
        if (version.getAsLong() != base + 1) {
            session.copy = SessionState.Copy.PARTIAL;
        }
        session.saved(version.getAsLong());
        session.stored = after;
        return true;
    }

    @Override
    public void delete(String id) {
        recent.take(id);
        try {
            store.delete(SessionKey.of(id));
        } catch (IOException e) {
            throw new UncheckedIOException("a session cannot be deleted", e);
        }
    }

    @Override
    public boolean deleteExpired(String id, long now) {
        try {
            return store.deleteExpired(SessionKey.of(id), Instant.ofEpochMilli(now));
        } catch (IOException e) {
            throw new UncheckedIOException("a session cannot be deleted", e);
        }
    }

    @Override
    public Collection<String> expired(long now) {
        Instant instant = Instant.ofEpochMilli(now);
        try {
            List<String> ids = new ArrayList<>();
            for (SessionKey key : store.expired(instant, BATCH)) {
                String id = store.load(key, 0).map(PassivatedSessions::id).orElse("");
                if (SessionKey.of(id).equals(key)) {
                    ids.add(id);
                } else {
                    store.deleteExpired(key, instant); // gone meanwhile, or not saved by a server
                }
            }
            return ids;
        } catch (IOException e) {
            throw new UncheckedIOException("the store cannot be searched for sessions that are over", e);
        }
    }

    private static String id(StoredSession session) {
        byte[] bytes = session.attributes().get(ID);
        return bytes == null ? "" : new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public boolean isLasting() {
        return true;
    }

    @Override
    public Collection<String> ephemeral() {
        return List.of();
    }

    /** What a thread of the application has changed in an attribute since its session went to rest is written too. */
    @Override
    public void close() {
        Failures failures = new Failures();
        for (SessionState session : recent.takeAll()) {
            failures.contain(() -> passivate(session));
        }
        failures.rethrow();
    }

    private void passivate(SessionState session) {
        if (session.view != null) {
            Passivation.willPassivate(session.view);
        }
        try {
            saveChanges(session);
        } catch (IOException e) {
            throw new UncheckedIOException("a session cannot be written", e);
        }
    }
}
