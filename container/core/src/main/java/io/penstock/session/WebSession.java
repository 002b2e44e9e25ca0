package io.penstock.session;

import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.HttpSessionBindingEvent;
import jakarta.servlet.http.HttpSessionBindingListener;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A session as the application sees it (Servlet 6.1, chapter 7).
 *
 * <p>Thread: any.
 *
 * <p>Owns: the session's life, in which one thread wins the move out of VALID, and the count of requests that use it.
 *
 * <pre>
 * VALID ──────────────────────────► INVALIDATING ──► INVALID
 *   └──► OVERDUE (found too late) ──────┘
 * </pre>
 */
public final class WebSession implements HttpSession {
    private static final Logger LOG = LoggerFactory.getLogger(WebSession.class);

    private final SessionManager manager;
    private final SessionState state;
    private final AtomicReference<Life> life = new AtomicReference<>(Life.VALID);
    private final AtomicInteger users = new AtomicInteger();
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

    WebSession(SessionManager manager, SessionState state) {
        this.manager = manager;
        this.state = state;
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
        return manager.context();
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
        return name == null ? null : state.attributes().get(name);
    }

    @Override
    public Enumeration<String> getAttributeNames() {
        requireReadable();
        return Collections.enumeration(List.copyOf(state.attributes().keySet()));
    }

    @Override
    public void setAttribute(@Nullable String name, @Nullable Object value) {
        requireReadable();
        if (name == null) {
            throw new IllegalArgumentException("a session attribute needs a name");
        }
        if (value == null) {
            removeAttribute(name);
            return;
        }
        Object old = state.attributes().put(name, value);
        stored = Stored.CHANGED;
        if (life.get() == Life.INVALID && state.attributes().remove(name, value)) {
            // Another thread invalidated the session meanwhile and did not see this attribute: it must not stay bound.
            throw gone();
        }
        if (old != value) {
            bound(name, value);
        }
        if (old != null && old != value) {
            unbound(name, old);
        }
        manager.events().attributeBound(this, name, value, old);
    }

    @Override
    public void removeAttribute(@Nullable String name) {
        requireReadable();
        if (name != null) {
            unbind(name);
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
        end();
    }

    @Override
    public boolean isNew() {
        requireReadable();
        return client == Client.UNAWARE;
    }

    @Override
    public Accessor getAccessor() {
        requireReadable();
        String id = getId();
        return consumer -> manager.access(id, consumer);
    }

    SessionState state() {
        return state;
    }

    AtomicInteger users() {
        return users;
    }

    /** The client's request for this session has come. */
    void accessed(long now) {
        previousAccess = state.accessed();
        state.accessed(Math.max(now, previousAccess));
        client = Client.JOINED;
    }

    /** What the store is to be told; asking answers UNCHANGED from here on. */
    Stored takeStored() {
        Stored now = stored;
        stored = Stored.UNCHANGED;
        return now;
    }

    /** The session is over by the clock; whoever gets to it first ends it by {@link #endOverdue}. */
    void overdue() {
        life.compareAndSet(Life.VALID, Life.OVERDUE);
    }

    /** Ends the session if it is overdue; one caller only does so. */
    void endOverdue() {
        if (life.compareAndSet(Life.OVERDUE, Life.INVALIDATING)) {
            end();
        }
    }

    private void end() {
        try {
            manager.events().destroyed(this);
            for (String name : state.attributes().keySet()) {
                unbind(name);
            }
        } finally {
            life.set(Life.INVALID);
            manager.forget(this);
        }
    }

    private void unbind(String name) {
        Object old = state.attributes().remove(name);
        if (old != null) {
            stored = Stored.CHANGED;
            unbound(name, old);
            manager.events().attributeRemoved(this, name, old);
        }
    }

    private void bound(String name, Object value) {
        if (value instanceof HttpSessionBindingListener listener) {
            try {
                listener.valueBound(new HttpSessionBindingEvent(this, name, value));
            } catch (RuntimeException e) {
                LOG.error("Session attribute {} failed as it was bound", name, e);
            }
        }
    }

    private void unbound(String name, Object value) {
        if (value instanceof HttpSessionBindingListener listener) {
            try {
                listener.valueUnbound(new HttpSessionBindingEvent(this, name, value));
            } catch (RuntimeException e) {
                LOG.error("Session attribute {} failed as it was unbound", name, e);
            }
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
