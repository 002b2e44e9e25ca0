package io.penstock.session;

import io.penstock.store.StoreUnavailableException;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpSession;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.time.InstantSource;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sessions of one context.
 *
 * <p>A request <em>joins</em> a session by {@link #create} or {@link #find}, and must {@link #leave} it exactly once when the request ends.
 * The session cannot expire before the request has left it.
 *
 * <p>Thread: any worker; the scheduler calls {@link #expire}.
 *
 * <p>Owns: the sessions in use. All other sessions are in the repository.
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
    private final AtomicReference<Sweep> sweep = new AtomicReference<>(Sweep.IDLE);
    private volatile int defaultMaxInactiveInterval = 30 * 60;
    private volatile AttributeValues allowed = AttributeValues.ANY;

    /**
     * The wait of a new session for the login of its client.
     *
     * @param client the address of the client; null if the client has none
     * @param seconds the maximum inactive interval until the login
     */
    public record Wait(@Nullable InetAddress client, int seconds) {}

    /** Whether a search for expired sessions is under way. */
    private enum Sweep {
        IDLE,
        UNDER_WAY
    }

    /**
     * @param repository the repository, which no other context uses
     * @param limit limits the number of sessions of this context
     * @param callbacks runs the jobs of {@link #expire}, which can call application code
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

    /**
     * The number of sessions, in use or stored. If other servers share the store, only the sessions in this server's memory are counted.
     * Otherwise, sessions that wait for a login are not counted.
     */
    public int count() {
        return limit.isUnlimited() ? inUse.count() + repository.atRest() : limit.count();
    }

    /** The number of sessions that wait for a login. If other servers share the store, these can have ended some of the sessions. */
    public int waiting() {
        return limit.waiting();
    }

    /** The seconds without a request after which a new session expires; zero or less means never. */
    public int defaultMaxInactiveInterval() {
        return defaultMaxInactiveInterval;
    }

    public void defaultMaxInactiveInterval(int seconds) {
        defaultMaxInactiveInterval = seconds;
    }

    /** Sets the permitted values of attributes. The call affects sessions that are created or loaded from now on. */
    public void allow(AttributeValues values) {
        allowed = values;
    }

    /**
     * Creates a session, calls the listeners, and joins the session.
     *
     * @throws TooManySessionsException if the number of sessions has reached the limit
     */
    public WebSession create() {
        return create(null, null);
    }

    /**
     * Creates a session, calls the listeners, and joins the session. If there is a valid session with the given id, joins that session
     * instead.
     *
     * @param id an id that the server has already generated for this client; null for a new id
     * @param wait null for a session that the application uses. Otherwise a new session waits for a login: it is not part of the usual number
     *     of sessions, and ends early if too many sessions wait
     * @throws TooManySessionsException if the number of sessions has reached the limit
     */
    public WebSession create(@Nullable String id, @Nullable Wait wait) {
        WebSession known = id == null ? null : find(id);
        return known != null ? known : createWith(id == null ? ids.next() : id, wait);
    }

    private WebSession createWith(String id, @Nullable Wait wait) {
        if (wait == null) {
            limit.acquire();
        }
        WebSession made = newSession(id);
        // Every request may join the new session: no other server knows it, so no other server can have changed it.
        WebSession joined = inUse.join(id, () -> made, any -> true);
        if (joined != made) {
            // Another request has already created a session with this id.
            if (wait == null) {
                limit.release();
            }
            if (joined != null && joined.isValid()) {
                return joined;
            }
            if (joined != null) {
                leave(joined);
            }
            return create(null, wait);
        }
        if (wait != null) {
            limit.acquireWaiting(id, wait.client()).forEach(this::endIfWaiting);
        }
        try {
            events.created(made);
        } catch (Throwable e) {
            // No client gets the id of the session, so the session need not be saved.
            abandon(made);
            throw e;
        }
        if (wait != null) {
            made.await(wait.seconds());
        }
        return made;
    }

    /**
     * Ends a session that does not count as waiting any more. If another server has the session, the application may use it there by now, and
     * then it stays.
     */
    private void endIfWaiting(String id) {
        try {
            WebSession session = join(id, clock.millis());
            if (session != null) {
                // A session that has never been stored may still be on its way to become a waiting one.
                if (session.isWaiting() || session.state().version() == 0) {
                    invalidate(session);
                }
                leave(session);
            }
        } catch (UncheckedIOException | SessionNotSavedException e) {
            LOG.debug("A session without a login stays in the store until it expires", e);
        }
    }

    /**
     * Called when the application uses a session that the caller has joined. If the session waits for a login, it becomes a usual session.
     *
     * @throws TooManySessionsException if the number of sessions has reached the limit
     */
    public void use(WebSession session) {
        if (session.isWaiting()) {
            limit.promote(session.getId());
            session.awaitNoMore();
        }
    }

    private WebSession newSession(String id) {
        long now = clock.millis();
        return viewOf(new SessionState(id, now, now, defaultMaxInactiveInterval, 0, 0));
    }

    private WebSession viewOf(SessionState state) {
        WebSession session = new WebSession(state, context, events, allowed, this);
        state.view = session;
        return session;
    }

    /** Joins the valid session with the given id, for a request that starts now. Returns null if there is no such session. */
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

    /**
     * Ends an overdue session: a session that has expired, but has not ended yet. If another server has used the session since this server
     * loaded it, joins the session again.
     */
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
     * Called when the request that has joined the session ends. Saves the session's changes.
     *
     * @throws SessionNotSavedException if the changes could not be saved; even in this case the request has left the session
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

    /**
     * Like {@link #leave}, but does not save the changes, since the client gets an error. Another request that uses the session can save
     * the changes.
     */
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
     * @throws IllegalStateException if the session is not valid
     * @throws TooManySessionsException if the session waits for a login, and the number of other sessions has reached the limit
     */
    public String changeId(WebSession session) {
        use(session);
        String newId = ids.next();
        String oldId = admitted(() -> {
            synchronized (session.use()) {
                return replaceId(session, newId);
            }
        });
        events.idChanged(session, oldId);
        return newId;
    }

    /** Gives the session the new id, and returns the old id. */
    private String replaceId(WebSession session, String newId) {
        if (!session.isValid()) {
            throw new IllegalStateException("the session has been invalidated");
        }
        String oldId = session.getId();
        rename(session, newId);
        inUse.removeId(oldId, session);
        return oldId;
    }

    /**
     * Renames the session. While the store is changed, requests find the session in use by both ids, so that no request loads the session
     * from the store.
     */
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

    /** Invalidates expired sessions that are not in use, in a job of the executor {@code callbacks}. Thread: the scheduler. */
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
                // After a full batch, the repository may have more expired sessions.
            } while (ended > 0 && ids.size() >= SessionRepository.BATCH);
        } catch (UncheckedIOException | SessionNotSavedException e) {
            if (!(e.getCause() instanceof StoreUnavailableException)) {
                throw e;
            }
            // This is logged only on debug level, since StoreGate has already logged that the store does not answer.
            LOG.debug("The search for expired sessions continues later", e);
        } finally {
            sweep.set(Sweep.IDLE);
        }
    }

    /** Prevents other servers from ending the session while a request uses it. The request may take longer than the session's interval. */
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

    /**
     * Ends the session if it is overdue. Returns false if the session stays: a request has used it in the meantime, or the store has
     * failed.
     */
    private boolean endIfOverdue(String id, long now) {
        WebSession session;
        try {
            session = join(id, now);
        } catch (UncheckedIOException e) {
            if (e.getCause() instanceof StoreUnavailableException) {
                throw e;
            }
            // The repository has logged the failure. No exception is thrown, so that the other expired sessions are
            // ended.
            return false;
        }
        if (session == null) {
            // Another server has already ended the session.
            return true;
        }
        endOverdue(session);
        boolean stays = session.isValid();
        leave(session);
        return !stays;
    }

    /** Called when the context stops. Invalidates the sessions that cannot survive the stop, and stores the other sessions. */
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
     * Ends the session if it is overdue. Only one of the servers that share the store ends the session. Exceptions of listeners are logged,
     * since no call of the application has caused them.
     *
     * @return whether this call has ended the session. False if another thread or server has ended the session, if another server has used
     *     it, or if the store has failed. In these cases the next request loads the session again
     */
    private boolean endOverdue(WebSession session) {
        try {
            if (!deleteOverdue(session)) {
                return false;
            }
            end(session);
        } catch (UncheckedIOException e) {
            // This is logged only on debug level, since the next search finds the session again.
            LOG.debug("An expired session could not be deleted from the store yet", e);
            return false;
        } catch (RuntimeException | Error e) {
            LOG.error("A listener failed when its session ended", e);
        }
        return true;
    }

    /**
     * Deletes the session if it is overdue. Returns true to the only caller that has deleted the session. This caller must end the session.
     */
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

    /**
     * Ends an invalidated session. If several servers invalidate the session at the same time, only the server that deletes the session
     * from the store calls the listeners.
     */
    void endInvalidated(WebSession session) {
        boolean isMine;
        try {
            isMine = hasNeverBeenStored(session) || delete(session);
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

    /** Waits for a save that has begun while the session was valid. Later saves do not store the session. */
    private static boolean hasNeverBeenStored(WebSession session) {
        synchronized (session.use()) {
            return session.state().version() == 0;
        }
    }

    /** Ends a deleted session. All steps run, even if listeners throw. The first exception is rethrown at the end. */
    private void end(WebSession session) {
        Failures failures = new Failures();
        failures.attempt(() -> events.destroyed(session));
        session.unbindAll(failures);
        session.ended();
        // A listener or another thread may have set an attribute meanwhile. From now on none can be set.
        session.unbindAll(failures);
        remove(session);
        failures.rethrow();
    }

    private static void invalidate(WebSession session) {
        try {
            if (session.isValid()) {
                session.invalidate();
            }
        } catch (RuntimeException | Error e) {
            LOG.error("A listener failed when the container ended its session", e);
        }
    }

    /** The accessor for the id of a session. */
    HttpSession.Accessor accessor(String id) {
        return consumer -> access(id, consumer);
    }

    /** Joins the session as a request does, passes the session to {@code consumer}, and leaves the session. */
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

    /** Called when the session has ended. From now on no request finds the session. */
    private void remove(WebSession session) {
        limit.release(session.getId());
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

    /** Joins the session with the given id, valid or not. Returns null if there is no such session. */
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

    /** Called when the last request has left the session. Saves the changes, and puts the session back into the repository. */
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

    /** Ends the session if it has never been stored. Such a session ends with the request that has created it. */
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
