package io.penstock.session;

import io.penstock.limits.Counter;
import io.penstock.limits.Counters;
import io.penstock.limits.OperatorFile;
import io.penstock.part.AttributeFormat;
import io.penstock.store.SessionChange;
import io.penstock.store.SessionKey;
import io.penstock.store.SessionStore;
import io.penstock.store.StaleSessionException;
import io.penstock.store.StoreUnavailableException;
import io.penstock.store.StoredSession;
import io.penstock.time.RateLimitedLog;
import io.penstock.time.Saturated;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps sessions in a {@link SessionStore}, so that the sessions survive the end of the server. Some sessions also stay in memory as
 * objects. In these objects, attributes that cannot be serialized are kept until the server ends. An object is used again only if the
 * version and the mark of the session in the store are unchanged. The mark is a random number that identifies the latest change.
 *
 * <p>When the last request that uses a session ends, the session is released: {@code sessionWillPassivate} of its attributes is called, and
 * attributes whose bytes differ from the bytes in the store are written. If the session stays in memory, {@code sessionDidActivate} is
 * called afterwards. A session that could not be written does not stay in memory: the next request loads the session from the store.
 *
 * <p>The time of the latest request is written with each change of the session. Without a change, the time is written only if the time in
 * the store is too old. The allowed delay is a tenth of the session's maximum inactive interval, but at most {@code longestDelay}. The time
 * in the store can be too old by this delay. So a session expires only after its maximum inactive interval plus this delay.
 *
 * <p>Thread: workers, one at a time for each {@link SessionState}.
 *
 * <p>Owns: the sessions in memory that no request uses.
 */
public final class PassivatedSessions implements SessionRepository {
    private static final Logger LOG = LoggerFactory.getLogger(PassivatedSessions.class);

    /**
     * The name of the stored attribute that has the session's id. Listeners can read the id when the session expires. Applications cannot
     * use this name.
     */
    private static final String ID = StoredSession.ID;

    /**
     * The largest number of keys in {@link #unconfirmed}. The keys of further sessions are not recorded, so these sessions can stay in the
     * store until they expire.
     */
    private static final int MAX_UNCONFIRMED = 10_000;

    private final RateLimitedLog failed = new RateLimitedLog();
    private final RateLimitedLog unsaved = new RateLimitedLog();
    private final RateLimitedLog untouched = new RateLimitedLog();
    private final RateLimitedLog unconfirmable = new RateLimitedLog();
    private final RateLimitedLog undeleted = new RateLimitedLog();
    private final SessionStore store;
    private final AttributeSerializer attributes;
    private final SessionCache cache;
    private final long longestDelay;
    private final Counters counters;
    private final @Nullable StoreGate gate;

    /**
     * The keys of new sessions whose save has failed, with the times of their creation. Such a session ends at once, and no client knows
     * its id. If the save has failed because the answer of the store came too late, the store contains the session. The next search for
     * expired sessions deletes the session from the store, so that its listeners are not called a second time.
     */
    private final Map<SessionKey, Instant> unconfirmed = new ConcurrentHashMap<>();

    private PassivatedSessions(
            SessionStore store,
            @Nullable StoreGate gate,
            AttributeFormat format,
            int inMemory,
            Duration longestDelay,
            Counters counters) {
        this.store = store;
        this.gate = gate;
        this.counters = counters;
        this.attributes =
                new AttributeSerializer(format, () -> counters.increment(Counter.SESSION_ATTRIBUTES_UNREADABLE));
        this.cache = new SessionCache(inMemory, () -> counters.increment(Counter.SESSIONS_PASSIVATED));
        this.longestDelay = Saturated.millis(longestDelay);
    }

    /**
     * Makes a repository with a local store, for example a folder. Only this server uses the store. The time of each request is written to
     * the store.
     *
     * @param format the format of the application's attributes
     * @param inMemory the number of sessions that stay in memory
     * @param counters counts sessions that are removed from memory, and attributes that cannot be read
     */
    public static PassivatedSessions local(
            SessionStore store, AttributeFormat format, int inMemory, Counters counters) {
        return new PassivatedSessions(store, null, format, inMemory, Duration.ZERO, counters);
    }

    /**
     * Makes a repository with a store that several servers share.
     *
     * @param gate the gate that all stores of this server share
     * @param longestDelay the longest time by which the request time in the store may be behind the latest request
     */
    public static PassivatedSessions shared(
            SessionStore store,
            StoreGate gate,
            AttributeFormat format,
            int inMemory,
            Duration longestDelay,
            Counters counters) {
        return new PassivatedSessions(new GatedStore(store, gate), gate, format, inMemory, longestDelay, counters);
    }

    @Override
    public <T extends @Nullable Object> T admitted(Supplier<T> steps) throws StoreUnavailableException {
        return gate == null ? steps.get() : gate.inside(steps);
    }

    /** The number of milliseconds by which the request time in the store may be behind the session's latest request. */
    private long delay(SessionState session) {
        int interval = session.maxInactiveInterval();
        return interval <= 0 ? longestDelay : Math.min(longestDelay, interval * 1000L / 10);
    }

    @Override
    public boolean hasExpired(SessionState session, long now) {
        return session.isExpired(now - delay(session));
    }

    @Override
    public @Nullable SessionState load(String id) {
        SessionState local = cache.take(id);
        StoredSession stored;
        try {
            stored = load(SessionKey.of(id), local);
        } catch (IOException e) {
            if (local != null) {
                cache.put(local);
            }
            throw failed("a session cannot be read", e);
        }
        if (stored == null) {
            return null;
        }
        if (local == null || !stored.isAt(local.version(), local.mark())) {
            return activated(id, stored);
        }
        long accessed = Saturated.millis(stored.accessed());
        local.accessed(Math.max(local.accessed(), accessed));
        local.stored = local.stored.accessedAt(accessed);
        return local;
    }

    private @Nullable StoredSession load(SessionKey key, @Nullable SessionState local) throws IOException {
        long known = local == null ? 0 : local.version();
        StoredSession stored = store.load(key, known).orElse(null);
        if (stored != null && local != null && stored.version() == known && !stored.isAt(known, local.mark())) {
            // The store has lost a change of this server, and another server has then saved a change with the same
            // version number. So the attributes must be loaded, too.
            return store.load(key, 0).orElse(null);
        }
        return stored;
    }

    @Override
    public boolean isCurrent(SessionState session) {
        if (gate == null || session.version() == 0) {
            return true;
        }
        try {
            StoredSession stored =
                    store.load(SessionKey.of(session.id()), session.version()).orElse(null);
            if (stored == null || !stored.isAt(session.version(), session.mark())) {
                session.copy = SessionState.Copy.STALE;
                return false;
            }
            session.stored = session.stored.accessedAt(Saturated.millis(stored.accessed()));
            return true;
        } catch (IOException e) {
            throw failed("a session cannot be read", e);
        }
    }

    private SessionState activated(String id, StoredSession stored) {
        SessionState state = new SessionState(
                id,
                Saturated.millis(stored.created()),
                Saturated.millis(stored.accessed()),
                stored.maxInactiveSeconds(),
                stored.version(),
                stored.mark());
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
        state.stored = new SessionState.Stored(state.accessed(), stored.maxInactiveSeconds(), digests);
        state.unreadable(unreadable);
        state.activation = SessionState.Activation.DUE;
        return state;
    }

    @Override
    public int atRest() {
        return cache.size();
    }

    @Override
    public void release(SessionState session) {
        WebSession view = session.view;
        if (view != null) {
            Passivation.willPassivate(view);
            if (!view.isValid()) {
                // A listener of an attribute has just invalidated the session.
                return;
            }
        }
        boolean changed = mayHaveChanged(session);
        if (view != null && changed) {
            // Before the save: a thread that still has the session can change it during the save.
            view.untouched();
        }
        boolean saved = false;
        try {
            if (!changed || !saveChanges(session)) {
                touch(session, session.accessed());
            }
            saved = true;
        } catch (IOException e) {
            session.copy = SessionState.Copy.STALE;
            throw notSaved(e);
        } finally {
            if (view != null && changed && !saved) {
                view.touched();
            }
        }
        if (session.copy == SessionState.Copy.CURRENT) {
            if (view != null && cache.hasCapacity()) {
                Passivation.didActivate(view);
            }
            cache.put(session);
        }
    }

    /**
     * Whether the application may have changed the session. If it has not, the attributes are not serialized: many requests have the
     * session's cookie, but do not use the session.
     */
    private static boolean mayHaveChanged(SessionState session) {
        WebSession view = session.view;
        return view == null || view.mayHaveChanged();
    }

    @Override
    public void keep(SessionState session, long now) {
        if (gate != null && session.version() > 0) {
            touch(session, now);
        }
    }

    /**
     * Writes the time of the latest request, unless the store's time is new enough. If the write fails, the session may expire earlier, but
     * no data is lost.
     */
    private void touch(SessionState session, long accessed) {
        if (accessed - session.stored.accessed() < delay(session)) {
            return;
        }
        try {
            store.touch(SessionKey.of(session.id()), Instant.ofEpochMilli(accessed));
            session.stored = session.stored.accessedAt(accessed);
        } catch (StoreUnavailableException e) {
            // The gate has logged the reason.
            LOG.debug("The time of a session's latest request was not stored", e);
        } catch (IOException e) {
            untouched.warn(
                    LOG, "The times of the latest requests of sessions were not stored", OperatorFile.explained(e), e);
        }
    }

    /** Calls the same listeners as a release of a session that stays in memory. */
    @Override
    public void save(SessionState session) {
        WebSession view = session.view;
        try {
            if (view != null) {
                Passivation.willPassivate(view);
            }
            if ((view == null || view.isValid()) && mayHaveChanged(session)) {
                saveChanges(session);
            }
        } catch (IOException e) {
            throw notSaved(e);
        } finally {
            if (view != null) {
                Passivation.didActivate(view);
            }
        }
    }

    private SessionFailedException failed(String what, IOException cause) {
        if (!(cause instanceof StoreUnavailableException)) {
            failed.warn(LOG, "Sessions cannot be read or deleted", OperatorFile.explained(cause), cause);
        }
        return new SessionFailedException(what, cause);
    }

    private SessionNotSavedException notSaved(IOException cause) {
        counters.increment(Counter.SESSIONS_NOT_SAVED);
        boolean expected = cause instanceof StoreUnavailableException || cause instanceof StaleSessionException;
        if (!expected) {
            unsaved.warn(LOG, "Sessions could not be saved", OperatorFile.explained(cause), cause);
        }
        return new SessionNotSavedException(cause);
    }

    /**
     * The changes of a session in memory since its last load or save.
     *
     * @param after the data in the store when the changes have been saved
     */
    private record Difference(Map<String, byte[]> written, Set<String> removed, SessionState.Stored after) {
        boolean isNone(SessionState session) {
            return session.version() > 0
                    && written.isEmpty()
                    && removed.isEmpty()
                    && after.maxInactiveInterval() == session.stored.maxInactiveInterval();
        }
    }

    /** Saves the changes of a session. Returns false if there were no changes. */
    private boolean saveChanges(SessionState session) throws IOException {
        Difference difference = difference(session);
        if (difference.isNone(session)) {
            return false;
        }
        save(session, difference);
        return true;
    }

    private void save(SessionState session, Difference difference) throws IOException {
        SessionKey key = SessionKey.of(session.id());
        saveChange(session, key, key, difference);
    }

    private Difference difference(SessionState session) {
        SessionState.Stored stored = session.stored;
        AttributeSerializer.Written now = attributes.write(session.attributes());
        Map<String, byte[]> bytes = now.bytes();
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
                if (session.isUnreadable(name) || now.disturbed().contains(name)) {
                    digests.put(name, digest);
                } else {
                    removed.add(name);
                }
            }
        });
        return new Difference(
                written, removed, new SessionState.Stored(session.accessed(), session.maxInactiveInterval(), digests));
    }

    /** Renames the session by one change of the store. So a crash of the server cannot lose the session. */
    @Override
    public boolean rename(SessionState session, String newId) {
        if (session.version() == 0) {
            // The session is not in the store yet.
            return true;
        }
        byte[] id = newId.getBytes(StandardCharsets.UTF_8);
        Map<String, String> digests = new HashMap<>(session.stored.digests());
        digests.put(ID, Sha256.of(id));
        SessionState.Stored after = new SessionState.Stored(session.accessed(), session.maxInactiveInterval(), digests);
        try {
            return saveChange(
                    session,
                    SessionKey.of(session.id()),
                    SessionKey.of(newId),
                    new Difference(Map.of(ID, id), Set.of(), after));
        } catch (IOException e) {
            throw failed("a session cannot be given another id", e);
        }
    }

    /** @return false if another server has ended the session */
    private boolean saveChange(SessionState session, SessionKey former, SessionKey key, Difference difference)
            throws IOException {
        long base = session.version();
        long mark = SessionChange.newMark();
        SessionChange change = new SessionChange(
                former,
                key,
                base,
                session.mark(),
                mark,
                Instant.ofEpochMilli(session.created()),
                Instant.ofEpochMilli(session.accessed()),
                difference.after().maxInactiveInterval(),
                base == 0 || difference.after().maxInactiveInterval() != session.stored.maxInactiveInterval(),
                difference.written(),
                difference.removed());
        OptionalLong version = base == 0 ? create(change) : store.save(change);
        if (version.isEmpty()) {
            LOG.debug("A session was not saved, since another server has invalidated it");
            session.copy = SessionState.Copy.STALE;
            return false;
        }
        if (version.getAsLong() == base + 1) {
            session.saved(version.getAsLong(), mark);
        } else {
            // Another server has also saved a change, and the store has combined both changes. This server does not
            // have the combined contents, so the next request must load the session again.
            session.copy = SessionState.Copy.STALE;
        }
        session.stored = difference.after();
        return true;
    }

    private OptionalLong create(SessionChange change) throws IOException {
        try {
            OptionalLong version = store.save(change);
            unconfirmed.remove(change.key());
            return version;
        } catch (StoreUnavailableException e) {
            if (unconfirmed.size() < MAX_UNCONFIRMED) {
                unconfirmed.put(change.key(), change.created());
            }
            throw e;
        }
    }

    @Override
    public boolean delete(String id) {
        cache.take(id);
        try {
            return store.delete(SessionKey.of(id));
        } catch (IOException e) {
            throw failed("a session cannot be deleted", e);
        }
    }

    @Override
    public boolean deleteExpired(SessionState session, long now) {
        try {
            return store.deleteExpired(SessionKey.of(session.id()), Instant.ofEpochMilli(now - delay(session)));
        } catch (IOException e) {
            throw failed("a session cannot be deleted", e);
        }
    }

    @Override
    public Collection<String> expired(long now) {
        Instant instant = Instant.ofEpochMilli(now - longestDelay);
        try {
            deleteUnconfirmed();
            List<String> ids = new ArrayList<>();
            for (StoredSession session : store.expired(instant, BATCH)) {
                String id = session.id();
                if (SessionKey.of(id).equals(session.key())) {
                    ids.add(id);
                } else {
                    deleteWithoutId(session.key(), instant);
                }
            }
            return ids;
        } catch (IOException e) {
            throw new UncheckedIOException("the store cannot be searched for expired sessions", e);
        }
    }

    private void deleteUnconfirmed() throws StoreUnavailableException {
        for (Map.Entry<SessionKey, Instant> doubt : Map.copyOf(unconfirmed).entrySet()) {
            try {
                deleteIfUnknown(doubt.getKey(), doubt.getValue());
            } catch (StoreUnavailableException e) {
                throw e;
            } catch (IOException e) {
                unconfirmable.warn(
                        LOG, "New sessions that could not be saved may be in the store", OperatorFile.explained(e), e);
            }
            unconfirmed.remove(doubt.getKey());
        }
    }

    /**
     * Deletes a session that no client knows. In the meantime another session with the same id may have been created, since a client can
     * use one id in several applications. So the version and the time of creation are compared.
     */
    private void deleteIfUnknown(SessionKey key, Instant created) throws IOException {
        StoredSession stored = store.load(key, 0).orElse(null);
        if (stored != null && stored.version() == 1 && stored.created().equals(created)) {
            store.delete(key);
        }
    }

    /**
     * Deletes an expired session whose key does not belong to its id. No server can have written such a session. If the deletion fails, the
     * other expired sessions are still ended.
     */
    private void deleteWithoutId(SessionKey key, Instant now) throws StoreUnavailableException {
        try {
            store.deleteExpired(key, now);
        } catch (StoreUnavailableException e) {
            throw e;
        } catch (IOException e) {
            undeleted.warn(LOG, "Expired sessions cannot be deleted from the store", OperatorFile.explained(e), e);
        }
    }

    @Override
    public boolean isPersistent() {
        return true;
    }

    @Override
    public Collection<String> transientIds() {
        return List.of();
    }

    /**
     * Also writes late changes: a thread of the application may have changed an attribute after the release of the session. If another
     * server has changed the session since the release, the late changes are not written.
     */
    @Override
    public void close() {
        Failures failures = new Failures();
        for (SessionState session : cache.takeAll()) {
            failures.attempt(() -> passivate(session));
        }
        failures.rethrow();
    }

    private void passivate(SessionState session) {
        if (session.view != null) {
            Passivation.willPassivate(session.view);
        }
        try {
            Difference difference = difference(session);
            if (!difference.isNone(session) && isCurrent(session)) {
                save(session, difference);
            }
        } catch (IOException e) {
            throw notSaved(e);
        }
    }
}
