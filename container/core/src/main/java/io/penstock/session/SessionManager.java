package io.penstock.session;

import jakarta.servlet.ServletContext;
import java.time.InstantSource;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of one context.
 *
 * <p>A request <em>joins</em> a session by {@link #create} or {@link #find} and must {@link #leave} it exactly once when it has
 * ended; between the two the session does not expire.
 *
 * <p>Thread: any worker; {@link #expire} the keeper.
 */
public final class SessionManager {

    /**
     * @param callbacks runs what calls application code because of {@link #expire}
     */
    public SessionManager(
            ServletContext context, SessionStore store, SessionEvents events, InstantSource clock, Executor callbacks) {
        io.penstock.session.Pending.pending();
    }

    /** Seconds that new sessions live between requests; zero or less: for ever. */
    public int defaultMaxInactiveInterval() {
        return io.penstock.session.Pending.pending();
    }

    public void defaultMaxInactiveInterval(int seconds) {
        io.penstock.session.Pending.pending();
    }

    /** Makes a session, tells the listeners, and joins it. */
    public WebSession create() {
        return io.penstock.session.Pending.pending();
    }

    /** Joins the valid session of that id, as the client's request for it that starts now; null where there is none. */
    public @Nullable WebSession find(String id) {
        return io.penstock.session.Pending.pending();
    }

    /** The request that joined the session has ended. */
    public void leave(WebSession session) {
        io.penstock.session.Pending.pending();
    }

    /**
     * Gives a session that the caller has joined another id and tells the listeners.
     *
     * @return the new id
     * @throws IllegalStateException if the session is no longer valid
     */
    public String changeId(WebSession session) {
        return io.penstock.session.Pending.pending();
    }

    /** Invalidates, by the callback executor, what is not in use and whose time is over. Thread: the keeper. */
    public void expire() {
        io.penstock.session.Pending.pending();
    }

    /** Invalidates the sessions that cannot outlive the context; at the end of its life. */
    public void stop() {
        io.penstock.session.Pending.pending();
    }
}
