package io.penstock.session;

import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpSession;
import java.time.InstantSource;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
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
 * <p>Owns: the sessions in use. All others are at rest.
 */
public final class SessionManager {
    private static final Logger LOG = LoggerFactory.getLogger(SessionManager.class);

    private final ServletContext context;
    private final RestingSessions resting;
    private final SessionRoom room;
    private final SessionEvents events;
    private final InstantSource clock;
    private final Executor callbacks;
    private final SessionIds ids = new SessionIds();
    private final SessionsInUse inUse = new SessionsInUse();
    private final Consumer<WebSession> endOfInvalidated = session -> end(session, () -> delete(session));
    private final Function<String, HttpSession.Accessor> accessors = id -> consumer -> access(id, consumer);
    private final AtomicReference<Sweep> sweep = new AtomicReference<>(Sweep.IDLE);
    private volatile int defaultMaxInactiveInterval = 30 * 60;
    private volatile AttributeValues allowed = AttributeValues.ANY;

    /** Whether a look for expired sessions is under way. */
    private enum Sweep {
        IDLE,
        UNDER_WAY
    }

    /**
     * @param resting this context's own
     * @param room this context's own
     * @param callbacks runs what calls application code because of {@link #expire}
     */
    public SessionManager(
            ServletContext context,
            RestingSessions resting,
            SessionRoom room,
            SessionEvents events,
            InstantSource clock,
            Executor callbacks) {
        this.context = context;
        this.resting = resting;
        this.room = room;
        this.events = events;
        this.clock = clock;
        this.callbacks = callbacks;
    }

    /** How many sessions there are, in use and at rest. */
    public int count() {
        return room.taken();
    }

    /** Seconds that new sessions live between requests; zero or less: for ever. */
    public int defaultMaxInactiveInterval() {
        return defaultMaxInactiveInterval;
    }

    public void defaultMaxInactiveInterval(int seconds) {
        defaultMaxInactiveInterval = seconds;
    }

    /** The values that attributes of sessions may have from now on. */
    public void allow(AttributeValues values) {
        allowed = values;
    }

    /**
     * Makes a session, tells the listeners, and joins it.
     *
     * @throws TooManySessionsException if there are as many as there may be
     */
    public WebSession create() {
        return begin(ids.next());
    }

    /** As {@link #create()}, under an id that the server has made for this client before; joins the valid one that has it already. */
    public WebSession create(String id) {
        WebSession known = find(id);
        return known != null ? known : begin(id);
    }

    private WebSession begin(String id) {
        room.take();
        WebSession made = make(id);
        WebSession joined = inUse.join(id, () -> made);
        if (joined != made) {
            room.giveBack(); // another request was faster
            if (joined != null && joined.isValid()) {
                return joined;
            }
            if (joined != null) {
                leave(joined);
            }
            return create();
        }
        try {
            events.created(made);
        } catch (RuntimeException | Error e) {
            leave(made);
            throw e;
        }
        return made;
    }

    private WebSession make(String id) {
        long now = clock.millis();
        return viewOf(new SessionState(id, now, now, defaultMaxInactiveInterval, 0));
    }

    private WebSession viewOf(SessionState state) {
        WebSession session = new WebSession(state, context, events, allowed, endOfInvalidated, accessors);
        state.view = session;
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
            endOverdue(session);
            leave(session);
            return null;
        }
        session.accessed(now);
        return session;
    }

    /** The request that joined the session has ended. */
    public void leave(WebSession session) {
        inUse.leave(session, this::putBack);
    }

    /**
     * Tells the store what has been changed in a session that the caller has joined, and goes on to use. Changes inside of attributes
     * that have not been set again are seen when the last request leaves.
     */
    public void keep(WebSession session) {
        synchronized (session.use()) {
            if (session.isValid() && !session.use().isOver() && session.isUnknownToStore()) {
                session.beingSaved();
                tell(() -> resting.keep(session.state()));
            }
        }
    }

    /**
     * Gives a session that the caller has joined another id and tells the listeners.
     *
     * @return the new id
     * @throws IllegalStateException if the session is no longer valid
     */
    public String changeId(WebSession session) {
        String newId = ids.next();
        String oldId;
        synchronized (session.use()) {
            if (!session.isValid()) {
                throw new IllegalStateException("the session has been invalidated");
            }
            oldId = session.getId();
            rename(session, newId);
            inUse.forget(oldId, session);
        }
        events.idChanged(session, oldId);
        return newId;
    }

    /** In use by both ids before the store has the new one, so that nobody else fetches it. */
    private void rename(WebSession session, String newId) {
        inUse.alsoBy(newId, session);
        boolean renamed = false;
        try {
            renamed = resting.rename(session.state(), newId);
        } finally {
            if (!renamed) {
                inUse.forget(newId, session);
            }
        }
        if (!renamed) {
            throw new IllegalStateException("the session has been invalidated at another server");
        }
        session.renamed(newId);
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
            Collection<String> ids;
            int ended;
            do {
                ids = resting.expired(now);
                ended = 0;
                for (String id : ids) {
                    if (endIfOverdue(id, now)) {
                        ended++;
                    }
                }
            } while (ended > 0 && ids.size() >= RestingSessions.BATCH); // there may be more
        } finally {
            sweep.set(Sweep.IDLE);
        }
    }

    /** Returns false if the session stays, since a request has come for it meanwhile. */
    private boolean endIfOverdue(String id, long now) {
        WebSession session = join(id, now);
        if (session == null) {
            return true; // another server was faster
        }
        endOverdue(session);
        boolean stays = session.isValid();
        leave(session);
        return !stays;
    }

    /** Invalidates the sessions that cannot outlive the context, and puts the others to rest; at the end of its life. */
    public void stop() {
        Set<String> ephemeral = new LinkedHashSet<>(resting.ephemeral());
        if (!resting.isLasting()) {
            ephemeral.addAll(inUse.ids());
        }
        long now = clock.millis();
        for (String id : ephemeral) {
            WebSession session = join(id, now);
            if (session != null) {
                endOverdue(session);
                invalidate(session);
                leave(session);
            }
        }
        try {
            resting.close();
        } catch (RuntimeException | Error e) {
            LOG.error("Not every session could be put to rest", e);
        }
    }

    /**
     * Ends the session if it is overdue. One caller does so, of all servers that share the store. This happens outside of every call of the
     * application, so exceptions of listeners are logged.
     */
    private void endOverdue(WebSession session) {
        try {
            if (session.beginEndIfOverdue()) {
                if (deleteExpired(session)) {
                    end(session, () -> {});
                } else {
                    session.ended();
                }
            }
        } catch (RuntimeException | Error e) {
            LOG.error("A listener failed as its session ended", e);
        }
    }

    /** Ends the session completely, whatever listeners throw. Then the first exception is rethrown. */
    private void end(WebSession session, Runnable deletion) {
        Failures failures = new Failures();
        failures.contain(() -> events.destroyed(session));
        session.unbindAll(failures);
        session.ended();
        failures.contain(deletion);
        forget(session);
        failures.rethrow();
    }

    private static void invalidate(WebSession session) {
        try {
            if (session.isValid()) {
                session.invalidate();
            }
        } catch (RuntimeException | Error e) {
            LOG.error("A listener failed as its session ended with the application", e);
        }
    }

    /** As a request for that session. */
    private void access(String id, Consumer<HttpSession> consumer) {
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

    /** The session has ended: no request finds it any more. */
    private void forget(WebSession session) {
        room.giveBack();
        synchronized (session.use()) {
            inUse.forget(session.getId(), session);
        }
    }

    private void delete(WebSession session) {
        synchronized (session.use()) {
            resting.delete(session.getId());
        }
    }

    /** Returns whether the session was over and this call has deleted it. */
    private boolean deleteExpired(WebSession session) {
        synchronized (session.use()) {
            return resting.deleteExpired(session.getId(), clock.millis());
        }
    }

    /** The session of that id with one more user, valid or not; null where there is none. */
    private @Nullable WebSession join(String id, long now) {
        return inUse.join(id, () -> load(id, now));
    }

    private @Nullable WebSession load(String id, long now) {
        SessionState state = resting.load(id);
        if (state == null) {
            return null;
        }
        WebSession session = state.view;
        if (session == null) {
            session = viewOf(state);
        }
        if (state.activation == SessionState.Activation.DUE) {
            state.activation = SessionState.Activation.TOLD;
            Passivation.didActivate(session);
        }
        if (state.isExpired(now)) {
            session.overdue();
        }
        return session;
    }

    /** Tells the store what it does not know. A failing store loses the change only. */
    private void putBack(WebSession session) {
        if (!session.isValid()) {
            return;
        }
        session.beingSaved();
        tell(() -> resting.rest(session.state()));
    }

    private static void tell(Runnable store) {
        try {
            store.run();
        } catch (RuntimeException e) {
            LOG.error("A session could not be saved", e);
        }
    }
}
