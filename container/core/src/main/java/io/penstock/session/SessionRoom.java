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
    private final AtomicInteger taken;

    /**
     * @param found sessions that there are already
     * @param whenFull counts a session that is not made
     */
    public SessionRoom(int most, int found, Runnable whenFull) {
        this.most = most;
        this.taken = new AtomicInteger(found);
        this.whenFull = whenFull;
    }

    /** Room for more sessions than there can be. */
    public static SessionRoom unlimited() {
        return new SessionRoom(Integer.MAX_VALUE, 0, () -> {});
    }

    int taken() {
        return taken.get();
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
