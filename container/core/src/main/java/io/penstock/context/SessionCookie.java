package io.penstock.context;

import jakarta.servlet.SessionCookieConfig;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The session cookie's configuration, open to change until the context has started. Thread: any. */
@SuppressWarnings("removal")
public final class SessionCookie implements SessionCookieConfig {

    SessionCookie(WebContext context, CookieSettings settings) {
        io.penstock.session.Pending.pending();
    }

    /** The path that the cookie is sent with: the configured one, else the context path, else {@code /}. */
    public String effectivePath() {
        return io.penstock.session.Pending.pending();
    }

    @Override
    public void setName(String name) {
        io.penstock.session.Pending.pending();
    }

    @Override
    public String getName() {
        return io.penstock.session.Pending.pending();
    }

    @Override
    public void setDomain(@Nullable String domain) {
        io.penstock.session.Pending.pending();
    }

    @Override
    public @Nullable String getDomain() {
        return io.penstock.session.Pending.pending();
    }

    @Override
    public void setPath(@Nullable String path) {
        io.penstock.session.Pending.pending();
    }

    @Override
    public @Nullable String getPath() {
        return io.penstock.session.Pending.pending();
    }

    @Override
    public void setComment(@Nullable String comment) {
        io.penstock.session.Pending.pending();
    }

    @Override
    public @Nullable String getComment() {
        return io.penstock.session.Pending.pending();
    }

    @Override
    public void setHttpOnly(boolean httpOnly) {
        io.penstock.session.Pending.pending();
    }

    @Override
    public boolean isHttpOnly() {
        return io.penstock.session.Pending.pending();
    }

    @Override
    public void setSecure(boolean secure) {
        io.penstock.session.Pending.pending();
    }

    @Override
    public boolean isSecure() {
        return io.penstock.session.Pending.pending();
    }

    @Override
    public void setMaxAge(int seconds) {
        io.penstock.session.Pending.pending();
    }

    @Override
    public int getMaxAge() {
        return io.penstock.session.Pending.pending();
    }

    @Override
    public void setAttribute(String name, @Nullable String value) {
        io.penstock.session.Pending.pending();
    }

    @Override
    public @Nullable String getAttribute(String name) {
        return io.penstock.session.Pending.pending();
    }

    @Override
    public Map<String, String> getAttributes() {
        return io.penstock.session.Pending.pending();
    }
}
