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
 * <p>Owns: the session's life, in which one thread wins the move out of VALID.
 *
 * <pre>
 * VALID ──────────────────────────► INVALIDATING ──► INVALID
 *   └──► OVERDUE (found too late) ──────┘
 * </pre>
 */
public final class WebSession implements HttpSession {
    /** What the names of notes begin with; an application sees none of them. */
    static final char NOTE = '\0';

    private final SessionState state;
    private final ServletContext context;
    private final SessionEvents events;
    private final AttributeValues allowed;
    private final Consumer<WebSession> endOfSession;
    private final Function<String, Accessor> accessors;
    private final AtomicReference<Life> life = new AtomicReference<>(Life.VALID);
    private volatile Use use = new Use();
    private volatile long previousAccess;
    private volatile Client client = Client.UNAWARE;
    private volatile Stored stored = Stored.UNCHANGED;

    /** Where the session is in its life. While INVALIDATING listeners may still read it. */
    private enum Life {
        VALID,
        OVERDUE,
        INVALIDATING,
        INVALID
    }

    /** Whether the client has come back with the session's id. */
    private enum Client {
        UNAWARE,
        JOINED
    }

    /** Whether the store knows the session as it is. */
    enum Stored {
        UNCHANGED,
        CHANGED
    }

    /**
     * @param endOfSession ends an invalidated session: calls {@link #unbindAll} and {@link #ended}, and removes it from the store
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

    /** Whether the session has been neither invalidated nor found to be over. */
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

    /** When the request before the current one started. */
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
        state.maxInactiveInterval(interval);
        stored = Stored.CHANGED;
    }

    @Override
    public int getMaxInactiveInterval() {
        return state.maxInactiveInterval();
    }

    @Override
    public @Nullable Object getAttribute(@Nullable String name) {
        requireReadable();
        return name == null || isNote(name) ? null : state.attributes().get(name);
    }

    @Override
    public Enumeration<String> getAttributeNames() {
        requireReadable();
        return Collections.enumeration(state.attributes().keySet().stream()
                .filter(name -> !isNote(name))
                .toList());
    }

    /** What the container has noted of the session, which is kept with it; null if nothing, or if the session is over. */
    public @Nullable String note(String name) {
        Object value = isValid() ? state.attributes().get(NOTE + name) : null;
        return value instanceof String text ? text : null;
    }

    /** Notes something, or, with null, forgets it. No listener is told. No effect once the session is over. */
    public void note(String name, @Nullable String value) {
        if (!isValid()) {
            return;
        }
        if (value == null) {
            state.attributes().remove(NOTE + name);
        } else {
            state.attributes().put(NOTE + name, value);
        }
        stored = Stored.CHANGED;
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
        if (value == null) {
            removeAttribute(name);
            return;
        }
        allowed.requireAllowed(value);
        if (state.attributes().get(name) != value) {
            bound(name, value); // before anybody can get at it
        }
        Object old = state.attributes().put(name, value);
        state.discardUnreadable(name);
        stored = Stored.CHANGED;
        if (life.get() == Life.INVALID && state.attributes().remove(name, value)) {
            // Another thread invalidated the session meanwhile and did not see this attribute: it must not stay bound.
            unbound(name, value);
            throw gone();
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
            if (state.discardUnreadable(name)) {
                stored = Stored.CHANGED;
            }
        }
    }

    @Override
    public void invalidate() {
        if (!life.compareAndSet(Life.VALID, Life.INVALIDATING)) {
            if (life.get() == Life.INVALIDATING) {
                return; // by a listener, or by a thread that came second: what it wants is under way
            }
            throw gone();
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

    /** Who uses the session, or did last. */
    Use use() {
        return use;
    }

    void use(Use current) {
        use = current;
    }

    /** The client's request for this session has come. */
    void accessed(long now) {
        previousAccess = state.accessed();
        state.accessed(Math.max(now, previousAccess));
        client = Client.JOINED;
    }

    /** The session goes on under another id. */
    void renamed(String newId) {
        state.id(newId);
    }

    /** Whether it has been made, or changed, since the store was told. */
    boolean isUnknownToStore() {
        return stored == Stored.CHANGED || state.version() == 0;
    }

    /** The store is told now; what changes from here on it does not know. */
    void beingSaved() {
        stored = Stored.UNCHANGED;
    }

    /** The session has expired. It must be ended by the caller of {@link #beginEndIfOverdue}. */
    void overdue() {
        life.compareAndSet(Life.VALID, Life.OVERDUE);
    }

    /** Returns true to one caller if the session is overdue: that caller must end it. */
    boolean beginEndIfOverdue() {
        return life.compareAndSet(Life.OVERDUE, Life.INVALIDATING);
    }

    /** Removes all attributes at the end of the session, and calls their listeners. */
    void unbindAll(Failures failures) {
        for (String name : state.attributes().keySet()) {
            failures.contain(() -> unbind(name));
        }
    }

    /** The session can no longer be read. */
    void ended() {
        life.set(Life.INVALID);
    }

    private void unbind(String name) {
        Object old = state.attributes().remove(name);
        if (old != null && !isNote(name)) {
            stored = Stored.CHANGED;
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
            throw gone();
        }
    }

    private static IllegalStateException gone() {
        return new IllegalStateException("the session has been invalidated");
    }
}
