package io.penstock.session;

import io.penstock.store.StoreUnavailableException;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpSession;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sessions of one context.
 *
 * <p>A request <em>joins</em> a session by {@link #create} or {@link #find}, and must {@link #leave} it exactly once when the request ends.
 * The session cannot expire in between.
 *
 * <p>Thread: any worker; the scheduler calls {@link #expire}.
 *
 * <p>Owns: the sessions in use. All others are in the repository.
 */
public final class SessionManager {
    private static final Logger LOG = LoggerFactory.getLogger(SessionManager.class);

    private final ServletContext context;
    private final SessionRepository repository;
    private final SessionLimit limit;
    private final SessionEvents events;
    private final InstantSource clock;
    private final Executor callbacks;
    private final SessionIds ids = new SessionIds();
    private final SessionsInUse inUse = new SessionsInUse();
    private final Consumer<WebSession> endOfInvalidated = this::endInvalidated;
    private final Function<String, HttpSession.Accessor> accessors = id -> consumer -> access(id, consumer);
    private final AtomicReference<Sweep> sweep = new AtomicReference<>(Sweep.IDLE);
    private volatile int defaultMaxInactiveInterval = 30 * 60;
    private volatile AttributeValues allowed = AttributeValues.ANY;

    /** Whether a search for expired sessions is under way. */
    private enum Sweep {
        IDLE,
        UNDER_WAY
    }

    /**
     * @param repository not shared with another context
     * @param limit not shared with another context
     * @param callbacks runs jobs that call application code because of {@link #expire}
     */
    public SessionManager(
            ServletContext context,
            SessionRepository repository,
            SessionLimit limit,
            SessionEvents events,
            InstantSource clock,
            Executor callbacks) {
        this.context = context;
        this.repository = repository;
        this.limit = limit;
        this.events = events;
        this.clock = clock;
        this.callbacks = callbacks;
    }

    /** The number of sessions, in use or stored. With a store that other servers share, only the sessions in this server's memory. */
    public int count() {
        return limit.isUnlimited() ? inUse.count() + repository.atRest() : limit.count();
    }

    /** The seconds without a request after which a new session expires; zero or less: never. */
    public int defaultMaxInactiveInterval() {
        return defaultMaxInactiveInterval;
    }

    public void defaultMaxInactiveInterval(int seconds) {
        defaultMaxInactiveInterval = seconds;
    }

    /** The values that attributes may have in sessions that are created or loaded from now on. */
    public void allow(AttributeValues values) {
        allowed = values;
    }

    /**
     * Creates a session, calls the listeners, and joins it.
     *
     * @throws TooManySessionsException if there are as many as are allowed
     */
    public WebSession create() {
        return createWith(ids.next());
    }

    /**
     * As {@link #create()}, with an id that the server has generated for this client before. Joins the valid session with that id, if it
     * exists.
     */
    public WebSession create(String id) {
        WebSession known = find(id);
        return known != null ? known : createWith(id);
    }

    private WebSession createWith(String id) {
        limit.acquire();
        WebSession made = newSession(id);
        // Every request may join: no other server knows a new session, so none can have changed it.
        WebSession joined = inUse.join(id, () -> made, any -> true);
        if (joined != made) {
            limit.release(); // another request was faster
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
            // No client learns of the session, so it need not be saved.
            abandon(made);
            throw e;
        }
        return made;
    }

    private WebSession newSession(String id) {
        long now = clock.millis();
        return viewOf(new SessionState(id, now, now, defaultMaxInactiveInterval, 0, 0));
    }

    private WebSession viewOf(SessionState state) {
        WebSession session = new WebSession(state, context, events, allowed, endOfInvalidated, accessors);
        state.view = session;
        return session;
    }

    /** Joins the valid session with that id for a request that starts now; null if there is none. */
    public @Nullable WebSession find(String id) {
        if (id.isEmpty() || id.length() > SessionIds.MAX_LENGTH) {
            return null;
        }
        long now = clock.millis();
        WebSession session = join(id, now);
        if (session != null && !session.isValid()) {
            session = endedUnlessUsedElsewhere(session, now);
        }
        if (session != null) {
            session.accessed(now);
        }
        return session;
    }

    /** Ends an overdue session. If another server has used it since it was loaded, joins it again. */
    private @Nullable WebSession endedUnlessUsedElsewhere(WebSession overdue, long now) {
        String id = overdue.getId();
        boolean isMine = endOverdue(overdue);
        leave(overdue);
        WebSession session = isMine ? null : join(id, now);
        if (session != null && !session.isValid()) {
            leave(session);
            return null;
        }
        return session;
    }

    /**
     * The request that joined the session has ended. Saves its changes.
     *
     * @throws SessionNotSavedException if the changes could not be saved; the session has been left even then
     */
    public void leave(WebSession session) {
        try {
            repository.admitted(() -> {
                inUse.leave(session, this::saveIfValid, this::putBack);
                return session;
            });
        } catch (StoreUnavailableException e) {
            boolean lost = session.mayHaveChanged();
            abandon(session);
            if (lost) {
                throw new SessionNotSavedException(e);
            }
        }
    }

    /** As {@link #leave}, but does not save the changes, since the client does not learn of them. Other requests may save them. */
    public void abandon(WebSession session) {
        inUse.leave(session, stays -> {}, this::endIfNew);
    }

    /**
     * Saves the changes of a session that the caller has joined and continues to use.
     *
     * @throws SessionNotSavedException if the changes could not be saved
     */
    public void save(WebSession session) {
        try {
            repository.admitted(() -> {
                synchronized (session.use()) {
                    if (!session.use().isOver()) {
                        saveIfValid(session);
                    }
                }
                return session;
            });
        } catch (StoreUnavailableException e) {
            if (session.mayHaveChanged()) {
                throw new SessionNotSavedException(e);
            }
        }
    }

    private void saveIfValid(WebSession session) {
        if (session.isValid()) {
            repository.save(session.state());
        }
    }

    /** Runs steps that take the lock of a session and may call the store. */
    private <T extends @Nullable Object> T admitted(Supplier<T> steps) {
        try {
            return repository.admitted(steps);
        } catch (StoreUnavailableException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    /**
     * Changes the id of a session that the caller has joined, and calls the listeners.
     *
     * @return the new id
     * @throws IllegalStateException if the session is no longer valid
     */
    public String changeId(WebSession session) {
        String newId = ids.next();
        String oldId = admitted(() -> {
            synchronized (session.use()) {
                return replaceId(session, newId);
            }
        });
        events.idChanged(session, oldId);
        return newId;
    }

    /** Returns the old id. */
    private String replaceId(WebSession session, String newId) {
        if (!session.isValid()) {
            throw new IllegalStateException("the session has been invalidated");
        }
        String oldId = session.getId();
        rename(session, newId);
        inUse.removeId(oldId, session);
        return oldId;
    }

    /** The session is in use under both ids before the store has the new id, so that no other request loads it. */
    private void rename(WebSession session, String newId) {
        inUse.addId(newId, session);
        boolean renamed = false;
        try {
            renamed = repository.rename(session.state(), newId);
        } finally {
            if (!renamed) {
                inUse.removeId(newId, session);
            }
        }
        if (!renamed) {
            throw new IllegalStateException("the session has been invalidated at another server");
        }
        session.renamed(newId);
    }

    /** Invalidates expired sessions that are not in use, in a job of the callback executor. Thread: the scheduler. */
    public void expire() {
        if (!sweep.compareAndSet(Sweep.IDLE, Sweep.UNDER_WAY)) {
            return;
        }
        try {
            callbacks.execute(this::sweep);
        } catch (RejectedExecutionException e) {
            sweep.set(Sweep.IDLE);
            LOG.warn("Expired sessions could not be removed; the server tries again later: {}", e.getMessage());
        }
    }

    private void sweep() {
        try {
            long now = clock.millis();
            inUse.all().forEach(session -> keep(session, now));
            Collection<String> ids;
            int ended;
            do {
                ids = repository.expired(now);
                ended = 0;
                for (String id : ids) {
                    if (endIfOverdue(id, now)) {
                        ended++;
                    }
                }
            } while (ended > 0 && ids.size() >= SessionRepository.BATCH); // the repository may have more
        } catch (UncheckedIOException | SessionNotSavedException e) {
            if (!(e.getCause() instanceof StoreUnavailableException)) {
                throw e;
            }
            // Only on debug level: the gate has logged already that the store does not answer.
            LOG.debug("The search for expired sessions continues later", e);
        } finally {
            sweep.set(Sweep.IDLE);
        }
    }

    /** Keeps other servers from ending the session, since a request may take longer than the session's interval. */
    private void keep(WebSession session, long now) {
        admitted(() -> {
            synchronized (session.use()) {
                if (session.isValid() && !session.use().isOver()) {
                    repository.keep(session.state(), now);
                }
            }
            return session;
        });
    }

    /** Ends the session if it is overdue. Returns false if it stays because a request for it has come meanwhile. */
    private boolean endIfOverdue(String id, long now) {
        WebSession session;
        try {
            session = join(id, now);
        } catch (UncheckedIOException e) {
            if (e.getCause() instanceof StoreUnavailableException) {
                throw e;
            }
            LOG.warn("An expired session cannot be deleted from the store: {}", String.valueOf(e.getCause()));
            return false; // no exception, so that the other sessions still end
        }
        if (session == null) {
            return true; // another server was faster
        }
        endOverdue(session);
        boolean stays = session.isValid();
        leave(session);
        return !stays;
    }

    /** The context stops: invalidates the sessions that cannot survive it, and stores the others. */
    public void stop() {
        Set<String> doomed = new LinkedHashSet<>(repository.transientIds());
        if (!repository.isPersistent()) {
            doomed.addAll(inUse.ids());
        }
        long now = clock.millis();
        for (String id : doomed) {
            WebSession session = join(id, now);
            if (session != null) {
                endOverdue(session);
                invalidate(session);
                leave(session);
            }
        }
        try {
            repository.close();
        } catch (RuntimeException | Error e) {
            LOG.error("Not every session could be stored", e);
        }
    }

    /**
     * Ends the session if it is overdue. Only one of the servers that share the store does so. Exceptions of listeners are logged, since no
     * call of the application has caused them.
     *
     * @return whether this call has ended it. If not, another thread or server was faster, or another server has used the session; the
     *     next request loads it again
     */
    private boolean endOverdue(WebSession session) {
        try {
            if (!deleteOverdue(session)) {
                return false;
            }
            end(session);
        } catch (UncheckedIOException e) {
            // Only on debug level: the next search finds the session again.
            LOG.debug("An expired session could not be deleted from the store yet", e);
            return false;
        } catch (RuntimeException | Error e) {
            LOG.error("A listener failed when its session ended", e);
        }
        return true;
    }

    /** Returns true to the caller that has deleted the overdue session. That caller must end it. */
    private boolean deleteOverdue(WebSession session) {
        return admitted(() -> {
            synchronized (session.use()) {
                if (!session.beginEndIfOverdue()) {
                    return false;
                }
                boolean deleted = false;
                try {
                    deleted = repository.deleteExpired(session.state(), clock.millis());
                } finally {
                    if (!deleted) {
                        session.ended();
                        inUse.removeId(session.getId(), session);
                    }
                }
                return deleted;
            }
        });
    }

    /** If several servers invalidate the session, the server that deletes it calls the listeners. */
    private void endInvalidated(WebSession session) {
        boolean isMine;
        try {
            isMine = session.state().version() == 0 || delete(session);
        } catch (RuntimeException | Error e) {
            session.endFailed();
            throw e;
        }
        if (isMine) {
            end(session);
        } else {
            session.ended();
            remove(session);
        }
    }

    /** Ends a deleted session completely, even if listeners throw. Then the first exception is rethrown. */
    private void end(WebSession session) {
        Failures failures = new Failures();
        failures.attempt(() -> events.destroyed(session));
        session.unbindAll(failures);
        session.ended();
        remove(session);
        failures.rethrow();
    }

    private static void invalidate(WebSession session) {
        try {
            if (session.isValid()) {
                session.invalidate();
            }
        } catch (RuntimeException | Error e) {
            LOG.error("A listener failed when its session ended with the application", e);
        }
    }

    /** Joins the session like a request, and passes it to {@code consumer}. */
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
    private void remove(WebSession session) {
        limit.release();
        synchronized (session.use()) {
            inUse.removeId(session.getId(), session);
        }
    }

    private boolean delete(WebSession session) {
        return admitted(() -> {
            synchronized (session.use()) {
                return repository.delete(session.getId());
            }
        });
    }

    /** Joins the session with that id, valid or not; null if there is none. */
    private @Nullable WebSession join(String id, long now) {
        return admitted(() -> inUse.join(id, () -> load(id, now), this::isCurrent));
    }

    private boolean isCurrent(WebSession session) {
        return !session.isValid() || repository.isCurrent(session.state());
    }

    private @Nullable WebSession load(String id, long now) {
        SessionState state = repository.load(id);
        if (state == null) {
            return null;
        }
        WebSession session = state.view;
        if (session == null) {
            session = viewOf(state);
        }
        if (state.activation == SessionState.Activation.DUE) {
            state.activation = SessionState.Activation.DONE;
            Passivation.didActivate(session);
        }
        if (repository.hasExpired(state, now)) {
            session.overdue();
        }
        return session;
    }

    /** Saves the changes of a session that is no longer in use. */
    private void putBack(WebSession session) {
        if (!session.isValid()) {
            return;
        }
        try {
            repository.release(session.state());
        } catch (SessionNotSavedException e) {
            endIfNew(session);
            throw e;
        }
    }

    /** A session that is not in a store ends with the request that has created it. */
    private void endIfNew(WebSession session) {
        if (session.state().version() > 0 || !session.beginEnd()) {
            return;
        }
        try {
            end(session);
        } catch (RuntimeException | Error e) {
            LOG.error("A listener failed when its session ended", e);
        }
    }
}
