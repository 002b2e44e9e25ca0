package io.penstock.session;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many sessions of one context there may be, in use and at rest.
 *
 * <p>Thread: any.
 */
public final class SessionRoom {
    private final int most;
    private final Runnable whenFull;
    private final AtomicInteger taken = new AtomicInteger();

    /** @param whenFull counts a session that is not made */
    public SessionRoom(int most, Runnable whenFull) {
        this.most = most;
        this.whenFull = whenFull;
    }

    /** Room for more sessions than there can be. */
    public static SessionRoom unlimited() {
        return new SessionRoom(Integer.MAX_VALUE, () -> {});
    }

    int taken() {
        return taken.get();
    }

    /** Those that rested before this server started. */
    void found(int sessions) {
        taken.set(sessions);
    }

    /** @throws TooManySessionsException if there is no room for one more */
    void take() {
        int now = taken.get();
        while (now < most) {
            if (taken.compareAndSet(now, now + 1)) {
                return;
            }
            now = taken.get();
        }
        whenFull.run();
        throw new TooManySessionsException(most);
    }

    void giveBack() {
        taken.decrementAndGet();
    }
}
