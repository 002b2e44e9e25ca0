package io.penstock.peer.content;

import java.util.Collection;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the open calls of {@code service}, and measures how long permits are held.
 *
 * <p>Thread: all methods any.
 */
public final class Calls {
    private static final AtomicLong OPEN = new AtomicLong();
    private static final AtomicLong MOST = new AtomicLong();
    private static final AtomicLong LONGEST_PERMIT = new AtomicLong();
    /** When each permit that is held now was taken, in nanoseconds; at most as many as there are permits. */
    private static final Collection<Long> HELD = new ConcurrentLinkedQueue<>();

    private Calls() {}

    /** A call begins. */
    public static void enter() {
        long open = OPEN.incrementAndGet();
        // A new maximum is rare, and a plain read costs less than a contended write.
        if (open > MOST.get()) {
            MOST.accumulateAndGet(open, Math::max);
        }
    }

    /** A call ends. */
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

    /** Calls of {@code service} open now. */
    public static long open() {
        return OPEN.get();
    }

    /** The most calls that have been open at a time. */
    public static long most() {
        return MOST.get();
    }

    /** Resets the most calls at a time and the longest permit. Open calls and held permits still count in full. */
    public static void reset() {
        MOST.set(OPEN.get());
        LONGEST_PERMIT.set(0);
    }

    /** The longest time in microseconds for which one call has held its permit, including permits that are held now. */
    public static long longestPermitMicros() {
        long now = System.nanoTime();
        long longest = LONGEST_PERMIT.get();
        for (Long taken : HELD) {
            longest = Math.max(longest, now - taken);
        }
        return TimeUnit.NANOSECONDS.toMicros(longest);
    }
}
