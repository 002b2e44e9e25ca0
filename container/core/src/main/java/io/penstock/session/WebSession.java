package io.penstock.session;

import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.HttpSessionBindingEvent;
import jakarta.servlet.http.HttpSessionBindingListener;
import java.util.Collections;
import java.util.Enumeration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A session as the application sees it (Servlet 6.1, chapter 7).
 *
 * <p>Thread: any.
 *
 * <p>Owns: the state of the session's life. If several threads try to move it out of VALID, only one succeeds.
 *
 * <pre>
 * VALID ──────────────────────────► INVALIDATING ──► INVALID
 *   └──► OVERDUE (expired) ──────┘
 * </pre>
 */
public final class WebSession implements HttpSession {
    /**
     * Notes are texts that the container stores with a session. Their names begin with this character. Notes are stored with the attributes,
     * but hidden from the application.
     */
    static final char NOTE = '\0';

    private final SessionState state;
    private final ServletContext context;
    private final SessionEvents events;
    private final AttributeValues allowed;
    private final Consumer<WebSession> endOfSession;
    private final Function<String, Accessor> accessors;
    private final AtomicReference<Life> life = new AtomicReference<>(Life.VALID);
    private volatile SessionUse use = new SessionUse();
    private volatile long previousAccess;
    private volatile Client client = Client.UNAWARE;
    private volatile Reach reach = Reach.UNTOUCHED;

    /** The stage of the session's life. While it is INVALIDATING, listeners may still read it. */
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
     * Whether the application may have changed the session since the session was last put back into the store: the application has set an
     * attribute, or has read an attribute whose object can change.
     */
    private enum Reach {
        UNTOUCHED,
        TOUCHED
    }

    /**
     * @param endOfSession ends an invalidated session: removes it from the store, calls {@link #unbindAll} and {@link #ended}
     * @param accessors the accessor for a session's id
     */
    WebSession(
            SessionState state,
            ServletContext context,
            SessionEvents events,
            AttributeValues allowed,
            Consumer<WebSession> endOfSession,
            Function<String, Accessor> accessors) {
        this.state = state;
        this.context = context;
        this.events = events;
        this.allowed = allowed;
        this.endOfSession = endOfSession;
        this.accessors = accessors;
        this.previousAccess = state.accessed();
        this.client = state.version() == 0 ? Client.UNAWARE : Client.JOINED;
    }

    /** Whether the session has neither been invalidated nor expired. */
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

    /** The start of the request before the current one. */
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

    /** A text that the container has stored with the session; null if there is none, or if the session has ended. */
    public @Nullable String note(String name) {
        Object value = isValid() ? state.attributes().get(NOTE + name) : null;
        return value instanceof String text ? text : null;
    }

    /** Stores a text with the session, or removes it with null. Calls no listener. No effect after the end of the session. */
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
        if (state.attributes().get(name) != value) {
            bound(name, value); // called before another thread can get the value
        }
        Object old = state.attributes().put(name, value);
        state.discardUnreadable(name);
        if (life.get() == Life.INVALID && state.attributes().remove(name, value)) {
            // Another thread has invalidated the session meanwhile and did not see this attribute: it must not stay
            // bound.
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
                return; // called by a listener or by a second thread: the session is already ending
            }
            throw invalidated();
        }
        endOfSession.accept(this);
    }

    @Override
    public boolean isNew() {
        requireReadable();
        return client == Client.UNAWARE;
    }

    @Override
    public Accessor getAccessor() {
        requireReadable();
        return accessors.apply(getId());
    }

    SessionState state() {
        return state;
    }

    /** The current use of the session, or the last one. */
    SessionUse use() {
        return use;
    }

    void use(SessionUse current) {
        use = current;
    }

    /** A request of the client for this session has started. */
    void accessed(long now) {
        previousAccess = state.accessed();
        state.accessed(Math.max(now, previousAccess));
        client = Client.JOINED;
    }

    /** Whether the application may have changed the session since it was last put back. */
    boolean mayHaveChanged() {
        return state.version() == 0 || reach == Reach.TOUCHED;
    }

    /** A listener of an attribute is about to be called. */
    void touched() {
        reach = Reach.TOUCHED;
    }

    /** The session has been put back, with all changes. */
    void untouched() {
        reach = Reach.UNTOUCHED;
    }

    /** Sets another id. */
    void renamed(String newId) {
        state.id(newId);
    }

    /** The session has expired. {@link #beginEndIfOverdue} decides which caller must end it. */
    void overdue() {
        life.compareAndSet(Life.VALID, Life.OVERDUE);
    }

    /** Returns true to one caller if the session is valid. That caller must end it. */
    boolean beginEnd() {
        return life.compareAndSet(Life.VALID, Life.INVALIDATING);
    }

    /** The session could not be ended: it is valid again. */
    void endFailed() {
        life.compareAndSet(Life.INVALIDATING, Life.VALID);
    }

    /** Returns true to one caller if the session is overdue. That caller must end it. */
    boolean beginEndIfOverdue() {
        return life.compareAndSet(Life.OVERDUE, Life.INVALIDATING);
    }

    /** Removes all attributes at the end of the session, and calls their listeners. */
    void unbindAll(Failures failures) {
        for (String name : state.attributes().keySet()) {
            failures.attempt(() -> unbind(name));
        }
    }

    /** The session can no longer be read. */
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
