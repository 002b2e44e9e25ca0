package io.penstock.peer.content;

import java.util.Collection;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the running calls of {@code service}, and measures how long {@link Content.PooledServlet} holds its permits.
 *
 * <p>Thread: any.
 */
public final class Calls {
    private static final AtomicLong OPEN = new AtomicLong();
    private static final AtomicLong MOST = new AtomicLong();
    private static final AtomicLong LONGEST_PERMIT = new AtomicLong();
    /** One element for each permit that is held now: the {@link System#nanoTime} at which the permit was taken. */
    private static final Collection<Long> HELD = new ConcurrentLinkedQueue<>();

    private Calls() {}

    /** Records the beginning of a call. */
    public static void enter() {
        long open = OPEN.incrementAndGet();
        // A new maximum is rare. For this reason, the maximum is read first: a read costs less than a write that
        // several threads compete for.
        if (open > MOST.get()) {
            MOST.accumulateAndGet(open, Math::max);
        }
    }

    /** Records the end of a call. */
    public static void leave() {
        OPEN.decrementAndGet();
    }

    static Long takePermit() {
        Long now = System.nanoTime();
        HELD.add(now);
        return now;
    }

    static void givePermit(Long taken) {
        HELD.remove(taken);
        LONGEST_PERMIT.accumulateAndGet(System.nanoTime() - taken, Math::max);
    }

    /** The present number of running calls of {@code service}. */
    public static long open() {
        return OPEN.get();
    }

    /** The maximum of {@link #open} since the last reset. */
    public static long most() {
        return MOST.get();
    }

    /**
     * Resets the maximum of calls and the longest time of a permit. Calls that are running and permits that are held at this moment are
     * included in the new values, with their whole time.
     */
    public static void reset() {
        MOST.set(OPEN.get());
        LONGEST_PERMIT.set(0);
    }

    /** The longest time for which a call held its permit since the last reset, in microseconds. Permits that are held now are included. */
    public static long longestPermitMicros() {
        long now = System.nanoTime();
        long longest = LONGEST_PERMIT.get();
        for (Long taken : HELD) {
            longest = Math.max(longest, now - taken);
        }
        return TimeUnit.NANOSECONDS.toMicros(longest);
    }
}
