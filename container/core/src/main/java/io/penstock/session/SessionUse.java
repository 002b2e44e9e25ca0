package io.penstock.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The use of one session, from the first request that joins it until the last one leaves. Its monitor is the lock under which the session
 * is loaded, put back into the repository, given another id, or removed.
 *
 * <p>Thread: any.
 *
 * <pre>
 *   OPEN ──the last user leaves──▶ RELEASING ──put back──▶ OVER
 *     └──nothing to load───────────────────────────────────▲
 * </pre>
 *
 * <p>Another server may change the session meanwhile. Then this use gets no new users. The next request begins another use with other
 * objects, as a request at another server would.
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
        /** The last user's thread calls listeners and the store, and holds the monitor. So only code that they call can see this state. */
        RELEASING,
        OVER
    }

    /** The outcome of {@link #join}. */
    enum Joined {
        /** The session has one more user. */
        YES,
        /** There is no such session. */
        ABSENT,
        /** The session has been put back meanwhile. The caller must start another use. */
        TOO_LATE,
        /** Another server has changed or ended the session meanwhile. The caller must start another use. */
        OUTDATED
    }

    /**
     * Adds a user.
     *
     * @param fetch loads the session for the first user; null if there is none
     * @param isCurrent whether a further user may have the same objects
     * @throws IllegalStateException if called by a passivation listener of the session
     */
    synchronized Joined join(Supplier<@Nullable WebSession> fetch, Predicate<WebSession> isCurrent) {
        switch (state) {
            case OVER -> {
                return Joined.TOO_LATE;
            }
            case RELEASING -> throw new IllegalStateException("the session is being passivated");
            case OPEN -> {
                // continues below
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
     * throw. After the last user the use is over.
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
