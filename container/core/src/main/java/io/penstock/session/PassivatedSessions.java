package io.penstock.session;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps sessions as bytes in a store that outlives the server. Where the store is this server's own, a number of sessions stay in
 * memory as objects beside their bytes, so that attributes which have no bytes last as long as the server.
 *
 * <p>Thread: workers, for one id one at a time.
 *
 * <p>Owns: the objects of resting sessions. Each time a session goes to rest its attributes hear that they are passivated, are
 * written if that makes other bytes than before, and hear that they are active again if they stay in memory.
 */
public final class PassivatedSessions implements RestingSessions {
    private final ByteStore store;
    private final AttributeBytes attributes;
    private final RecentSessions recent;

    /**
     * @param loader of the application, whose classes may be read from the store
     * @param inMemory sessions that stay in memory; none does where others use the store too
     * @param whenPassivated counts a session that leaves memory for others
     */
    public PassivatedSessions(ByteStore store, ClassLoader loader, int inMemory, Runnable whenPassivated) {
        this.store = store;
        this.attributes = new AttributeBytes(loader);
        this.recent = new RecentSessions(store.isOwn() ? inMemory : 0, whenPassivated);
    }

    @Override
    public @Nullable SessionState load(String id) {
        SessionState known = recent.take(id);
        if (known != null) {
            return known;
        }
        try {
            StoredSession stored = store.load(id);
            return stored == null ? null : activated(stored);
        } catch (IOException e) {
            throw new UncheckedIOException("a session cannot be read", e);
        }
    }

    private SessionState activated(StoredSession stored) throws IOException {
        SessionState state = new SessionState(
                stored.id(), stored.created(), stored.accessed(), stored.maxInactiveInterval(), stored.version());
        attributes.read(stored.attributes(), state.attributes());
        state.fingerprint = Sha256.of(stored.attributes());
        state.activation = SessionState.Activation.DUE;
        return state;
    }

    @Override
    public void save(SessionState session) {
        rest(session, WebSession.Stored.CHANGED);
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
                write(session, WebSession.Stored.CHANGED);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("a session cannot be written", e);
        } finally {
            if (view != null) {
                Passivation.didActivate(view);
            }
        }
    }

    @Override
    public void touch(SessionState session) {
        rest(session, WebSession.Stored.UNCHANGED);
    }

    private void rest(SessionState session, WebSession.Stored known) {
        WebSession view = session.view;
        if (view != null) {
            Passivation.willPassivate(view);
            if (!view.isValid()) {
                return; // by one of its attributes just now
            }
        }
        try {
            write(session, known);
        } catch (IOException e) {
            throw new UncheckedIOException("a session cannot be written", e);
        } finally {
            if (view != null && recent.mayStay()) {
                Passivation.didActivate(view);
            }
            recent.put(session);
        }
    }

    private void write(SessionState session, WebSession.Stored known) throws IOException {
        ByteBuffer bytes = attributes.write(session.attributes());
        String fingerprint = Sha256.of(bytes);
        if (known == WebSession.Stored.UNCHANGED && session.version() > 0 && fingerprint.equals(session.fingerprint)) {
            store.touch(session.id(), session.accessed());
            return;
        }
        store.save(new StoredSession(
                session.id(),
                session.version() + 1,
                session.created(),
                session.accessed(),
                session.maxInactiveInterval(),
                bytes));
        session.saved(session.version() + 1);
        session.fingerprint = fingerprint;
    }

    @Override
    public void delete(String id) {
        recent.take(id);
        try {
            store.delete(id);
        } catch (IOException e) {
            throw new UncheckedIOException("a session cannot be deleted", e);
        }
    }

    @Override
    public Collection<String> expired(long now) {
        try {
            return store.expired(now);
        } catch (IOException e) {
            throw new UncheckedIOException("the store cannot be searched for sessions that are over", e);
        }
    }

    @Override
    public boolean isLasting() {
        return true;
    }

    @Override
    public Collection<String> ephemeral() {
        return List.of();
    }

    @Override
    public int size() {
        return store.size();
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
            write(session, WebSession.Stored.UNCHANGED);
        } catch (IOException e) {
            throw new UncheckedIOException("a session cannot be written", e);
        }
    }
}
