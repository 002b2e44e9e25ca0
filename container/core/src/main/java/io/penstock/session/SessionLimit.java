package io.penstock.session;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Limits the number of sessions of one context, in use or stored.
 *
 * <p>Thread: any.
 */
public final class SessionLimit {
    private final int max;
    private final Runnable whenFull;
    private final AtomicInteger count;

    /**
     * @param found the number of sessions that exist already
     * @param whenFull counts a session that is refused
     */
    public SessionLimit(int max, int found, Runnable whenFull) {
        this.max = max;
        this.count = new AtomicInteger(found);
        this.whenFull = whenFull;
    }

    public static SessionLimit unlimited() {
        return new SessionLimit(Integer.MAX_VALUE, 0, () -> {});
    }

    boolean isUnlimited() {
        return max == Integer.MAX_VALUE;
    }

    int count() {
        return count.get();
    }

    /** @throws TooManySessionsException if the number of sessions has reached the limit */
    void acquire() {
        int now = count.get();
        while (now < max) {
            if (count.compareAndSet(now, now + 1)) {
                return;
            }
            now = count.get();
        }
        whenFull.run();
        throw new TooManySessionsException(max);
    }

    void release() {
        count.decrementAndGet();
    }
}
