package io.penstock.session;

import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.HttpSessionBindingEvent;
import jakarta.servlet.http.HttpSessionBindingListener;
import java.util.Collections;
import java.util.Enumeration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A session as the application sees it (Servlet 6.1, chapter 7).
 *
 * <p>Thread: any.
 *
 * <p>Owns: the life cycle of the session. If several threads try to end a valid session, only one of them succeeds.
 *
 * <pre>
 * VALID ──────────────────────────► INVALIDATING ──► INVALID
 *   └──► OVERDUE (expired) ──────┘
 * </pre>
 */
public final class WebSession implements HttpSession {
    /**
     * The first character in the name of each note. A note is a text that the container stores with a session. Notes are stored among the
     * attributes, but are hidden from the application.
     */
    static final char NOTE = '\0';

    /**
     * The name of the note of a session that waits for a login. Its value is the maximum inactive interval that the session gets when it
     * waits no more.
     */
    private static final String WAITING = NOTE + "waiting";

    private final SessionState state;
    private final ServletContext context;
    private final SessionEvents events;
    private final AttributeValues allowed;
    private final SessionManager manager;
    private final AtomicReference<Life> life = new AtomicReference<>(Life.VALID);
    private volatile SessionUse use = new SessionUse();
    private volatile long previousAccess;
    private volatile Client client = Client.UNAWARE;
    private volatile Reach reach = Reach.UNTOUCHED;

    /** The state of the session's life cycle. While the session is {@code INVALIDATING}, listeners can read its attributes. */
    private enum Life {
        VALID,
        OVERDUE,
        INVALIDATING,
        INVALID
    }

    /** Whether the client has sent the session's id. */
    private enum Client {
        UNAWARE,
        JOINED
    }

    /**
     * Whether the application may have changed the session since the session was last saved: the application has set an attribute, or has
     * read an attribute and may have changed the object.
     */
    private enum Reach {
        UNTOUCHED,
        TOUCHED
    }

    WebSession(
            SessionState state,
            ServletContext context,
            SessionEvents events,
            AttributeValues allowed,
            SessionManager manager) {
        this.state = state;
        this.context = context;
        this.events = events;
        this.allowed = allowed;
        this.manager = manager;
        this.previousAccess = state.accessed();
        this.client = state.version() == 0 ? Client.UNAWARE : Client.JOINED;
    }

    /** Whether the session is valid: it has not been invalidated, and has not expired. */
    public boolean isValid() {
        return life.get() == Life.VALID;
    }

    @Override
    public long getCreationTime() {
        requireReadable();
        return state.created();
    }

    @Override
    public String getId() {
        return state.id();
    }

    /** The time at which the request before the current request started. */
    @Override
    public long getLastAccessedTime() {
        requireReadable();
        return previousAccess;
    }

    @Override
    public ServletContext getServletContext() {
        return context;
    }

    @Override
    public void setMaxInactiveInterval(int interval) {
        useIfWaiting();
        reach = Reach.TOUCHED;
        state.maxInactiveInterval(interval);
    }

    @Override
    public int getMaxInactiveInterval() {
        return state.maxInactiveInterval();
    }

    @Override
    public @Nullable Object getAttribute(@Nullable String name) {
        requireReadable();
        reach = Reach.TOUCHED;
        return name == null || isNote(name) ? null : state.attributes().get(name);
    }

    @Override
    public Enumeration<String> getAttributeNames() {
        requireReadable();
        return Collections.enumeration(state.attributes().keySet().stream()
                .filter(name -> !isNote(name))
                .toList());
    }

    /**
     * Returns a note: a text that the container has stored with the session. Returns null if there is no such note, or if the session has
     * ended.
     */
    public @Nullable String note(String name) {
        Object value = isValid() ? state.attributes().get(NOTE + name) : null;
        return value instanceof String text ? text : null;
    }

    /** Stores a note with the session; null removes the note. Calls no listener. Has no effect after the end of the session. */
    public void note(String name, @Nullable String value) {
        if (!isValid()) {
            return;
        }
        reach = Reach.TOUCHED;
        if (value == null) {
            state.attributes().remove(NOTE + name);
        } else {
            state.attributes().put(NOTE + name, value);
        }
    }

    /**
     * Lets the session wait for a login: the container has created it, and the application has not used it yet.
     *
     * @param seconds the maximum inactive interval while the session waits, unless it is shorter already
     */
    void await(int seconds) {
        int usual = state.maxInactiveInterval();
        reach = Reach.TOUCHED;
        state.attributes().put(WAITING, Integer.toString(usual));
        if (usual <= 0 || usual > seconds) {
            state.maxInactiveInterval(seconds);
        }
    }

    boolean isWaiting() {
        return state.attributes().containsKey(WAITING);
    }

    /** From now on the session does not wait for a login, and has its usual maximum inactive interval. */
    void awaitNoMore() {
        if (state.attributes().remove(WAITING) instanceof String usual) {
            reach = Reach.TOUCHED;
            state.maxInactiveInterval(Integer.parseInt(usual));
        }
    }

    private void useIfWaiting() {
        if (isWaiting()) {
            manager.use(this);
        }
    }

    private static boolean isNote(String name) {
        return !name.isEmpty() && name.charAt(0) == NOTE;
    }

    @Override
    public void setAttribute(@Nullable String name, @Nullable Object value) {
        requireReadable();
        if (name == null) {
            throw new IllegalArgumentException("a session attribute needs a name");
        }
        if (isNote(name)) {
            throw new IllegalArgumentException("the name of a session attribute must not begin with NUL");
        }
        reach = Reach.TOUCHED;
        if (value == null) {
            removeAttribute(name);
            return;
        }
        allowed.requireAllowed(value);
        useIfWaiting();
        if (state.attributes().get(name) != value) {
            // The listener is called before another thread can get the value.
            bound(name, value);
        }
        Object old = state.attributes().put(name, value);
        reach = Reach.TOUCHED; // again: a save that has begun in the meantime perhaps lacks the value
        state.discardUnreadable(name);
        if (life.get() == Life.INVALID && state.attributes().remove(name, value)) {
            // Another thread has invalidated the session in the meantime, before this attribute was set. The attribute
            // must not stay bound.
            unbound(name, value);
            throw invalidated();
        }
        if (old != null && old != value) {
            unbound(name, old);
        }
        events.attributeBound(this, name, value, old);
    }

    @Override
    public void removeAttribute(@Nullable String name) {
        requireReadable();
        if (name != null && !isNote(name)) {
            unbind(name);
            state.discardUnreadable(name);
        }
    }

    @Override
    public void invalidate() {
        if (!beginEnd()) {
            if (life.get() == Life.INVALIDATING) {
                // The caller is a listener or a second thread. The session is already ending.
                return;
            }
            throw invalidated();
        }
        manager.endInvalidated(this);
    }

    @Override
    public boolean isNew() {
        requireReadable();
        return client == Client.UNAWARE;
    }

    @Override
    public Accessor getAccessor() {
        requireReadable();
        return manager.accessor(getId());
    }

    SessionState state() {
        return state;
    }

    /** The current use of the session. If no request uses the session, the last use. */
    SessionUse use() {
        return use;
    }

    void use(SessionUse current) {
        use = current;
    }

    /** Called when a request of the client for this session has started. */
    void accessed(long now) {
        previousAccess = state.accessed();
        state.accessed(Math.max(now, previousAccess));
        client = Client.JOINED;
    }

    /** Whether the application may have changed the session since the session was last saved. */
    boolean mayHaveChanged() {
        return state.version() == 0 || reach == Reach.TOUCHED;
    }

    /** The attributes may have changed: a listener of an attribute is about to be called, or a save has failed. */
    void touched() {
        reach = Reach.TOUCHED;
    }

    /** Called before all changes of the session are saved. If they cannot be saved, {@link #touched} is called. */
    void untouched() {
        reach = Reach.UNTOUCHED;
    }

    /** Called when the repository has renamed the session. */
    void renamed(String newId) {
        state.id(newId);
    }

    /** Marks the session as expired. {@link #beginEndIfOverdue} decides which caller must end the session. */
    void overdue() {
        life.compareAndSet(Life.VALID, Life.OVERDUE);
    }

    /** If the session is valid, returns true to exactly one caller. This caller must end the session. */
    boolean beginEnd() {
        return life.compareAndSet(Life.VALID, Life.INVALIDATING);
    }

    /** Called when the session could not be ended. The session becomes valid again. */
    void endFailed() {
        life.compareAndSet(Life.INVALIDATING, Life.VALID);
    }

    /** If the session is overdue, returns true to exactly one caller. This caller must end the session. */
    boolean beginEndIfOverdue() {
        return life.compareAndSet(Life.OVERDUE, Life.INVALIDATING);
    }

    /** Removes all attributes at the end of the session, and calls their listeners. */
    void unbindAll(Failures failures) {
        for (String name : state.attributes().keySet()) {
            failures.attempt(() -> unbind(name));
        }
    }

    /** Marks the session as ended. From now on its attributes cannot be read. */
    void ended() {
        life.set(Life.INVALID);
    }

    private void unbind(String name) {
        reach = Reach.TOUCHED;
        Object old = state.attributes().remove(name);
        if (old != null && !isNote(name)) {
            unbound(name, old);
            events.attributeRemoved(this, name, old);
        }
    }

    private void bound(String name, Object value) {
        if (value instanceof HttpSessionBindingListener listener) {
            listener.valueBound(new HttpSessionBindingEvent(this, name, value));
        }
    }

    private void unbound(String name, Object value) {
        if (value instanceof HttpSessionBindingListener listener) {
            listener.valueUnbound(new HttpSessionBindingEvent(this, name, value));
        }
    }

    private void requireReadable() {
        Life now = life.get();
        if (now == Life.INVALID || now == Life.OVERDUE) {
            throw invalidated();
        }
    }

    private static IllegalStateException invalidated() {
        return new IllegalStateException("the session has been invalidated");
    }
}
