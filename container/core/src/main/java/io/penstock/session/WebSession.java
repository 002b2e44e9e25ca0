package io.penstock.session;

import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpSession;
import java.util.Enumeration;
import org.jspecify.annotations.Nullable;

/** A session as the application sees it (Servlet 6.1, chapter 7). Thread: any. */
public final class WebSession implements HttpSession {
    final SessionManager manager;
    final SessionState state;

    WebSession(SessionManager manager, SessionState state) {
        this.manager = manager;
        this.state = state;
    }

    /** Whether the session has not been invalidated. */
    public boolean isValid() {
        return io.penstock.session.Pending.pending();
    }

    @Override
    public long getCreationTime() {
        return io.penstock.session.Pending.pending();
    }

    @Override
    public String getId() {
        return io.penstock.session.Pending.pending();
    }

    @Override
    public long getLastAccessedTime() {
        return io.penstock.session.Pending.pending();
    }

    @Override
    public ServletContext getServletContext() {
        return io.penstock.session.Pending.pending();
    }

    @Override
    public void setMaxInactiveInterval(int interval) {
        io.penstock.session.Pending.pending();
    }

    @Override
    public int getMaxInactiveInterval() {
        return io.penstock.session.Pending.pending();
    }

    @Override
    public @Nullable Object getAttribute(String name) {
        return io.penstock.session.Pending.pending();
    }

    @Override
    public Enumeration<String> getAttributeNames() {
        return io.penstock.session.Pending.pending();
    }

    @Override
    public void setAttribute(String name, @Nullable Object value) {
        io.penstock.session.Pending.pending();
    }

    @Override
    public void removeAttribute(String name) {
        io.penstock.session.Pending.pending();
    }

    @Override
    public void invalidate() {
        io.penstock.session.Pending.pending();
    }

    @Override
    public boolean isNew() {
        return io.penstock.session.Pending.pending();
    }

    @Override
    public Accessor getAccessor() {
        return io.penstock.session.Pending.pending();
    }
}
