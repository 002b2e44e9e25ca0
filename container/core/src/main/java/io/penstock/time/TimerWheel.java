package io.penstock.time;

import java.util.BitSet;

/**
 * A hashed timer wheel: a ring of buckets, each with the timers of one tick. The cost to set, move or cancel a timer does not depend on the
 * number of timers.
 *
 * <p>A call of {@link #advance} fires the timers whose deadline has passed, at most one tick late. In most cases a deadline is moved to a
 * later time. Such a move only changes a field of the timer. When the wheel reaches the old bucket of the timer, it moves the timer to the
 * bucket of the new deadline.
 *
 * <p>If a timer throws an exception, this timer stays off. The other due timers fire at the next {@link #advance}.
 *
 * <p>Thread: only the thread of the owner may use the wheel.
 */
public final class TimerWheel {

    /** An action that runs at a deadline. A timer belongs to one wheel at a time. */
    public abstract static class Timer {
        private static final long OFF = Long.MAX_VALUE;

        private long deadline = OFF;
        // The tick of the bucket that contains the timer. This value is valid only if the timer is linked.
        private long tick;
        private boolean linked;
        private Timer next = this;
        private Timer previous = this;

        /**
         * Called when the deadline has passed. The timer is off, and this method may set the timer again. The owner's thread calls this
         * method.
         */
        protected abstract void expired();

        public boolean isOn() {
            return deadline != OFF;
        }
    }

    private static final class Bucket extends Timer {
        @Override
        protected void expired() {
            throw new IllegalStateException("a bucket does not expire");
        }
    }

    private final long origin;
    private final long tickNanos;
    private final Bucket[] buckets;
    private final BitSet occupied;

    /**
     * The due timers that have been taken out of their bucket and have not fired yet. After a call of {@link #advance} the list is empty,
     * except if a timer threw an exception.
     */
    private final Bucket met = new Bucket();

    private long currentTick;

    /**
     * @param now the current time of the owner's {@link Clock}
     * @param tickNanos the length of a tick in nanoseconds
     * @param size the number of buckets, a power of two
     */
    public TimerWheel(long now, long tickNanos, int size) {
        if (Integer.bitCount(size) != 1) {
            throw new IllegalArgumentException("size must be a power of two, not " + size);
        }
        this.origin = now;
        this.tickNanos = tickNanos;
        this.buckets = new Bucket[size];
        this.occupied = new BitSet(size);
        for (int i = 0; i < size; i++) {
            buckets[i] = new Bucket();
        }
    }

    /** Sets the timer to a deadline. A timer that is already set gets the new deadline. */
    public void set(Timer timer, long deadline) {
        timer.deadline = deadline;
        long tick = Math.max(currentTick + 1, tickOf(deadline));
        if (timer.linked) {
            if (timer.tick <= tick) {
                // The wheel moves the timer when it reaches the timer's old bucket.
                return;
            }
            unlink(timer);
        }
        link(timer, tick);
    }

    /** Switches the timer off. The timer stays in its bucket until the wheel reaches this bucket. So a later {@link #set} costs little. */
    public void cancel(Timer timer) {
        timer.deadline = Timer.OFF;
    }

    /** Switches the timer off and removes it from the wheel. */
    public void remove(Timer timer) {
        timer.deadline = Timer.OFF;
        if (timer.linked) {
            unlink(timer);
        }
    }

    /** Fires the timers whose deadline has passed. */
    public void advance(long now) {
        // This call fires timers that an earlier call did not fire because a timer threw an exception.
        fireMet(now);
        long target = (now - origin) / tickNanos;
        if (target - currentTick >= buckets.length) {
            // The wheel is late by at least one whole revolution. It is sufficient to process each bucket once.
            currentTick = target - buckets.length;
        }
        while (currentTick < target) {
            currentTick++;
            int index = index(currentTick);
            if (occupied.get(index)) {
                meet(buckets[index], index);
                fireMet(now);
            }
        }
    }

    /**
     * Returns the time from {@code now} until the next timer can be due, in nanoseconds. The result is 0 if a timer can be due now, and
     * {@link Long#MAX_VALUE} if the wheel is empty.
     */
    public long nanosToNext(long now) {
        if (isLeft(met)) {
            return 0;
        }
        if (occupied.isEmpty()) {
            return Long.MAX_VALUE;
        }
        int from = index(currentTick + 1);
        int found = occupied.nextSetBit(from);
        long distance = found >= 0 ? found - from : buckets.length - from + occupied.nextSetBit(0);
        long due = origin + (currentTick + 1 + distance) * tickNanos;
        return Math.max(0, due - now);
    }

    /**
     * Moves the timers of a bucket to the list of due timers. The bucket is then empty. So a timer that is set again during this call is
     * not processed a second time.
     */
    private void meet(Timer bucket, int index) {
        Timer due = met;
        due.next = bucket.next;
        due.previous = bucket.previous;
        due.next.previous = due;
        due.previous.next = due;
        bucket.next = bucket;
        bucket.previous = bucket;
        occupied.clear(index);
    }

    private void fireMet(long now) {
        Timer due = met;
        while (isLeft(due)) {
            Timer timer = due.next;
            unlink(timer);
            if (timer.deadline <= now) {
                timer.deadline = Timer.OFF;
                timer.expired();
            } else if (timer.isOn()) {
                link(timer, Math.max(currentTick + 1, tickOf(timer.deadline)));
            }
        }
    }

    private static boolean isLeft(Timer list) {
        return list.next != list;
    }

    private void link(Timer timer, long tick) {
        int index = index(tick);
        Timer bucket = buckets[index];
        timer.tick = tick;
        timer.linked = true;
        timer.next = bucket;
        timer.previous = bucket.previous;
        bucket.previous.next = timer;
        bucket.previous = timer;
        occupied.set(index);
    }

    private void unlink(Timer timer) {
        timer.previous.next = timer.next;
        timer.next.previous = timer.previous;
        timer.next = timer;
        timer.previous = timer;
        timer.linked = false;
        int index = index(timer.tick);
        Timer bucket = buckets[index];
        if (bucket.next == bucket) {
            occupied.clear(index);
        }
    }

    private int index(long tick) {
        return (int) (tick & (buckets.length - 1));
    }

    /** Returns the first tick at which {@code deadline} has passed. */
    private long tickOf(long deadline) {
        return (deadline - origin + tickNanos - 1) / tickNanos;
    }
}
