package io.penstock.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One session from its first user to its last. Its monitor is the lock under which the session is fetched before them, put back
 * after them, given another id, or forgotten.
 *
 * <p>Thread: any.
 *
 * <pre>
 *   OPEN ──the last user leaves──▶ RESTING ──put back──▶ OVER
 *     └──nothing to fetch────────────────────────────────▲
 * </pre>
 */
final class Use {
    @GuardedBy("this")
    private State state = State.OPEN;

    @GuardedBy("this")
    private @Nullable WebSession session;

    @GuardedBy("this")
    private int users;

    private enum State {
        OPEN,
        /** Listeners and the store are being told; only this thread gets here, from within them. */
        RESTING,
        OVER
    }

    /** What came of {@link #join}. */
    enum Joined {
        /** The session has one more user. */
        YES,
        /** There is no such session. */
        ABSENT,
        /** It has been put back meanwhile: this use is over, another can begin. */
        TOO_LATE
    }

    /**
     * Adds a user.
     *
     * @param fetch the session, for the first user; null for none
     * @throws IllegalStateException if called by what is told that the session goes to rest
     */
    synchronized Joined join(Supplier<@Nullable WebSession> fetch) {
        switch (state) {
            case OVER -> {
                return Joined.TOO_LATE;
            }
            case RESTING -> throw new IllegalStateException("the session is being put to rest");
            case OPEN -> {
                // goes on below
            }
        }
        if (session == null) {
            session = fetched(fetch);
            if (session == null) {
                return Joined.ABSENT;
            }
            session.use(this);
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

    synchronized WebSession session() {
        if (session == null) {
            throw new IllegalStateException("no session has been joined");
        }
        return session;
    }

    /** Removes a user; {@code putBack} is called for the last one, and whatever it throws the use is over. */
    synchronized void leave(Consumer<WebSession> putBack) {
        users--;
        if (users > 0) {
            return;
        }
        state = State.RESTING;
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
