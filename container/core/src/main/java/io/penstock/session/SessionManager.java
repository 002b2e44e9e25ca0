package io.penstock.session;

import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpSession;
import java.time.InstantSource;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sessions of one context.
 *
 * <p>A request <em>joins</em> a session by {@link #create} or {@link #find} and must {@link #leave} it exactly once when it has
 * ended; between the two the session does not expire.
 *
 * <p>Thread: any worker; {@link #expire} the keeper.
 *
 * <p>Owns: the sessions in use. All others are in the store only. The entry of an id in the map of sessions in use is also the
 * lock under which a session is loaded, put back, or found to be over.
 */
public final class SessionManager {
    private static final Logger LOG = LoggerFactory.getLogger(SessionManager.class);

    private final ServletContext context;
    private final SessionStore store;
    private final SessionEvents events;
    private final InstantSource clock;
    private final Executor callbacks;
    private final SessionIds ids = new SessionIds();
    private final ConcurrentHashMap<String, WebSession> inUse = new ConcurrentHashMap<>();
    private final AtomicReference<Sweep> sweep = new AtomicReference<>(Sweep.IDLE);
    private volatile int defaultMaxInactiveInterval = 30 * 60;

    /** Whether a look for expired sessions is under way. */
    private enum Sweep {
        IDLE,
        UNDER_WAY
    }

    /**
     * @param callbacks runs what calls application code because of {@link #expire}
     */
    public SessionManager(
            ServletContext context, SessionStore store, SessionEvents events, InstantSource clock, Executor callbacks) {
        this.context = context;
        this.store = store;
        this.events = events;
        this.clock = clock;
        this.callbacks = callbacks;
    }

    /** Seconds that new sessions live between requests; zero or less: for ever. */
    public int defaultMaxInactiveInterval() {
        return defaultMaxInactiveInterval;
    }

    public void defaultMaxInactiveInterval(int seconds) {
        defaultMaxInactiveInterval = seconds;
    }

    /** Makes a session, tells the listeners, and joins it. */
    public WebSession create() {
        long now = clock.millis();
        SessionState state = new SessionState(ids.next(), now, now, defaultMaxInactiveInterval, 0);
        WebSession session = new WebSession(this, state);
        session.users().incrementAndGet();
        state.view = session;
        store.save(state);
        inUse.put(state.id(), session);
        events.created(session);
        return session;
    }

    /** Joins the valid session of that id, as the client's request for it that starts now; null where there is none. */
    public @Nullable WebSession find(String id) {
        if (id.isEmpty() || id.length() > SessionIds.LONGEST) {
            return null;
        }
        long now = clock.millis();
        WebSession session = join(id, now);
        if (session == null) {
            return null;
        }
        if (!session.isValid()) {
            session.endOverdue();
            leave(session);
            return null;
        }
        session.accessed(now);
        return session;
    }

    /** The request that joined the session has ended. */
    public void leave(WebSession session) {
        if (session.users().decrementAndGet() == 0) {
            inUse.computeIfPresent(
                    session.getId(),
                    (id, used) -> used == session && session.users().get() == 0 ? putBack(session) : used);
        }
    }

    /**
     * Gives a session that the caller has joined another id and tells the listeners.
     *
     * @return the new id
     * @throws IllegalStateException if the session is no longer valid
     */
    public String changeId(WebSession session) {
        String oldId;
        String newId = ids.next();
        synchronized (session) {
            if (!session.isValid()) {
                throw new IllegalStateException("the session has been invalidated");
            }
            // In use under both ids for a moment: the caller's share keeps the count above zero, so nobody puts it
            // back.
            oldId = session.getId();
            inUse.put(newId, session);
            session.state().id(newId);
            store.delete(oldId);
            session.takeStored();
            store.save(session.state());
            inUse.remove(oldId, session);
        }
        events.idChanged(session, oldId);
        return newId;
    }

    /** Invalidates, by the callback executor, what is not in use and whose time is over. Thread: the keeper. */
    public void expire() {
        if (!sweep.compareAndSet(Sweep.IDLE, Sweep.UNDER_WAY)) {
            return;
        }
        try {
            callbacks.execute(this::sweep);
        } catch (RejectedExecutionException e) {
            sweep.set(Sweep.IDLE);
            LOG.warn("Sessions are not looked through for expired ones now: {}", e.getMessage());
        }
    }

    private void sweep() {
        try {
            long now = clock.millis();
            for (String id : store.expired(now)) {
                WebSession session = join(id, now);
                if (session != null) {
                    session.endOverdue();
                    leave(session);
                }
            }
        } finally {
            sweep.set(Sweep.IDLE);
        }
    }

    /** Invalidates the sessions that cannot outlive the context; at the end of its life. */
    public void stop() {
        long now = clock.millis();
        for (String id : store.ephemeral()) {
            WebSession session = join(id, now);
            if (session != null) {
                session.endOverdue();
                if (session.isValid()) {
                    session.invalidate();
                }
                leave(session);
            }
        }
    }

    ServletContext context() {
        return context;
    }

    SessionEvents events() {
        return events;
    }

    /** For {@code HttpSession.Accessor}: as a request for that session. */
    void access(String id, Consumer<HttpSession> consumer) {
        WebSession session = find(id);
        if (session == null) {
            throw new IllegalStateException("the session has been invalidated, or its id has changed");
        }
        try {
            consumer.accept(session);
        } finally {
            leave(session);
        }
    }

    /** The session is invalid: nobody finds it any more. */
    void forget(WebSession session) {
        synchronized (session) {
            store.delete(session.getId());
            inUse.remove(session.getId(), session);
        }
    }

    /** The session of that id with one more user, valid or not; null where there is none. */
    private @Nullable WebSession join(String id, long now) {
        return inUse.compute(id, (key, used) -> {
            WebSession session = used != null ? used : load(key, now);
            if (session != null) {
                session.users().incrementAndGet();
            }
            return session;
        });
    }

    private @Nullable WebSession load(String id, long now) {
        SessionState state = store.load(id);
        if (state == null) {
            return null;
        }
        WebSession session = state.view;
        if (session == null) {
            session = new WebSession(this, state);
            state.view = session;
        }
        if (state.isExpired(now)) {
            session.overdue();
        }
        return session;
    }

    /** Tells the store what it does not know; null, as a map entry that is removed. A failing store loses the change only. */
    private @Nullable WebSession putBack(WebSession session) {
        if (session.isValid()) {
            SessionState state = session.state();
            try {
                if (session.takeStored() == WebSession.Stored.CHANGED) {
                    store.save(state);
                } else {
                    store.touch(state.id(), state.accessed());
                }
            } catch (RuntimeException e) {
                LOG.error("A session could not be saved", e);
            }
        }
        return null;
    }
}
