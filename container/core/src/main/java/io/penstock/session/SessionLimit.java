package io.penstock.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.limits.Counter;
import io.penstock.limits.Counters;
import io.penstock.limits.SessionLimits;
import io.penstock.memory.FairRoom;
import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Limits the number of sessions of one context, in use or stored. Sessions that wait for a login have a limit of their own, since any client
 * can cause them: a request without a cookie is enough. A session beyond the usual limit is refused. A further waiting session always gets
 * in, and the oldest waiting session goes.
 *
 * <p>Thread: any; each call takes this object's lock for a moment.
 */
public final class SessionLimit {
    private static final int UNLIMITED = Integer.MAX_VALUE;

    private final int max;
    private final Counters counters;

    /** The ids of the waiting sessions. They are not part of {@link #count}. */
    private final FairRoom<String> waiting;

    @GuardedBy("this")
    private int count;

    private SessionLimit(int max, int found, int maxWaiting, Counters counters) {
        this.max = max;
        this.count = found;
        this.waiting = new FairRoom<>(maxWaiting);
        this.counters = counters;
    }

    /**
     * The limits for sessions that no other server has.
     *
     * @param found the number of sessions that exist already
     */
    public static SessionLimit of(SessionLimits limits, int found, Counters counters) {
        return new SessionLimit(limits.most(), found, limits.mostWaiting(), counters);
    }

    /** The limit for a store that several servers share: it applies only to the waiting sessions that this server has created. */
    public static SessionLimit onlyWaiting(SessionLimits limits, Counters counters) {
        return new SessionLimit(UNLIMITED, 0, limits.mostWaiting(), counters);
    }

    public static SessionLimit unlimited() {
        return new SessionLimit(UNLIMITED, 0, UNLIMITED, new Counters());
    }

    boolean isUnlimited() {
        return max == UNLIMITED;
    }

    /** The number of sessions without those that wait for a login. */
    synchronized int count() {
        return count;
    }

    int waiting() {
        return waiting.count();
    }

    /** @throws TooManySessionsException if the number of sessions has reached the limit */
    synchronized void acquire() {
        if (isUnlimited()) {
            return;
        }
        if (count >= max) {
            counters.increment(Counter.SESSIONS_REFUSED);
            throw new TooManySessionsException(max);
        }
        count++;
    }

    /**
     * Counts a session that waits for a login.
     *
     * @param client the address of the client; null if the client has none
     * @return the ids of waiting sessions that the caller must end. They count as usual sessions until then
     */
    synchronized List<String> acquireWaiting(String id, @Nullable InetAddress client) {
        List<String> ended = waiting.add(id, client, 1);
        count += isUnlimited() ? 0 : ended.size();
        counters.add(Counter.LOGIN_SESSIONS_DROPPED, ended.size());
        return ended;
    }

    /**
     * Counts a waiting session as a usual session from now on. Has no effect if the session does not wait.
     *
     * @throws TooManySessionsException if the number of usual sessions has reached the limit. The session then still waits
     */
    synchronized void promote(String id) {
        if (waiting.has(id)) {
            acquire();
            waiting.remove(id);
        }
    }

    /** Called at the end of a session. */
    synchronized void release(String id) {
        if (!waiting.remove(id)) {
            release();
        }
    }

    /** Takes back {@link #acquire}. */
    synchronized void release() {
        if (!isUnlimited()) {
            count--;
        }
    }
}
