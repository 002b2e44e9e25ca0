package io.penstock.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The use of one session, from the first request that joins the session until the last request leaves it. The monitor of this object is the
 * session's lock: the session is loaded, put back into the repository, renamed or removed under this lock.
 *
 * <p>Thread: any.
 *
 * <pre>
 *   OPEN ──the last user leaves──▶ RELEASING ──put back──▶ OVER
 *     └──nothing to load───────────────────────────────────▲
 * </pre>
 *
 * <p>If another server changes the session during a use, this use gets no new users. The next request begins another use, which has its own
 * objects.
 */
final class SessionUse {
    @GuardedBy("this")
    private State state = State.OPEN;

    @GuardedBy("this")
    private @Nullable WebSession session;

    @GuardedBy("this")
    private int users;

    private enum State {
        OPEN,
        /**
         * The thread of the last user holds the monitor, and calls listeners and the store. So only code within these calls can see this
         * state.
         */
        RELEASING,
        OVER
    }

    /** The outcome of {@link #join}. */
    enum Joined {
        /** The session has one more user. */
        YES,
        /** There is no such session. */
        ABSENT,
        /** The session has been put back in the meantime. The caller must start another use. */
        TOO_LATE,
        /** Another server has changed or ended the session in the meantime. The caller must start another use. */
        OUTDATED
    }

    /**
     * Adds a user. A user is a request that has joined the session.
     *
     * @param fetch loads the session for the first user; returns null if there is no such session
     * @param isCurrent decides whether a further user may use the same objects
     * @throws IllegalStateException if called by a passivation listener of the session
     */
    synchronized Joined join(Supplier<@Nullable WebSession> fetch, Predicate<WebSession> isCurrent) {
        switch (state) {
            case OVER -> {
                return Joined.TOO_LATE;
            }
            case RELEASING -> throw new IllegalStateException("the session is being passivated");
            case OPEN -> {
                // The code after the switch statement adds the user.
            }
        }
        if (session == null) {
            session = fetched(fetch);
            if (session == null) {
                return Joined.ABSENT;
            }
            session.use(this);
        } else if (!isCurrent.test(session)) {
            return Joined.OUTDATED;
        }
        users++;
        return Joined.YES;
    }

    @GuardedBy("this")
    private @Nullable WebSession fetched(Supplier<@Nullable WebSession> fetch) {
        WebSession fetched = null;
        try {
            fetched = fetch.get();
        } finally {
            if (fetched == null) {
                state = State.OVER;
            }
        }
        return fetched;
    }

    synchronized @Nullable WebSession sessionOrNull() {
        return session;
    }

    synchronized WebSession session() {
        if (session == null) {
            throw new IllegalStateException("no session is in use");
        }
        return session;
    }

    /**
     * Removes a user. Calls {@code putBack} for the last user, and {@code save} for other users. The user has left even if these calls
     * throw. When the last user has left, the use is over.
     */
    synchronized void leave(Consumer<WebSession> save, Consumer<WebSession> putBack) {
        users--;
        if (users > 0) {
            save.accept(session());
            return;
        }
        state = State.RELEASING;
        try {
            putBack.accept(session());
        } finally {
            state = State.OVER;
        }
    }

    synchronized boolean isOver() {
        return state == State.OVER;
    }
}
