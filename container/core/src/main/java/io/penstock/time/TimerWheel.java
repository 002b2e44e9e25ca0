package io.penstock.time;

import java.util.BitSet;

/**
 * A hashed wheel of timers. The cost of setting, moving and cancelling a timer does not depend on their number.
 *
 * <p>A timer fires at the first {@link #advance} at or after its deadline, at most one tick late. Moving a deadline to a later time, the
 * usual case, only changes a number. The timer moves to its new place when the wheel meets it at the old place.
 *
 * <p>A timer that throws is switched off. The other due timers fire at the next {@link #advance}.
 *
 * <p>Thread: only the thread of the owner.
 */
public final class TimerWheel {

    /** An action at a deadline, unless the deadline is moved first. A timer belongs to one wheel at a time. */
    public abstract static class Timer {
        private static final long OFF = Long.MAX_VALUE;

        private long deadline = OFF;
        // The tick whose bucket the timer is linked into; valid only while the timer is linked.
        private long tick;
        private boolean linked;
        private Timer next = this;
        private Timer previous = this;

        /** Called when the deadline has passed. The timer is off and may be set again. Thread: the wheel's owner. */
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

    /** Timers that the wheel has met but not processed yet: empty unless a timer has thrown. */
    private final Bucket met = new Bucket();

    private long currentTick;

    /**
     * @param now the present time of the owner's {@link Clock}
     * @param tickNanos the wheel's resolution
     * @param size number of buckets, a power of two
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

    /** Sets the timer, or moves its deadline. */
    public void set(Timer timer, long deadline) {
        timer.deadline = deadline;
        long tick = Math.max(currentTick + 1, tickOf(deadline));
        if (timer.linked) {
            if (timer.tick <= tick) {
                return; // the wheel meets the timer at its old place and moves it from there
            }
            unlink(timer);
        }
        link(timer, tick);
    }

    /** Turns the timer off. The timer stays linked until the wheel meets it, so setting it again soon costs nothing. */
    public void cancel(Timer timer) {
        timer.deadline = Timer.OFF;
    }

    /** Turns the timer off and removes it from the wheel. */
    public void remove(Timer timer) {
        timer.deadline = Timer.OFF;
        if (timer.linked) {
            unlink(timer);
        }
    }

    /** Fires the due timers. */
    public void advance(long now) {
        fireMet(now); // timers that are left from a call in which a timer has thrown
        long target = (now - origin) / tickNanos;
        if (target - currentTick >= buckets.length) {
            // A whole turn or more was missed: it suffices to meet each bucket once.
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

    /** Nanoseconds from {@code now} until a timer may be due, at least 0; {@link Long#MAX_VALUE} if the wheel is empty. */
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

    /** First takes the bucket's timers off the wheel, so that a timer that is set again meanwhile waits for the next turn. */
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

    /** The first tick at which {@code deadline} has passed. */
    private long tickOf(long deadline) {
        return (deadline - origin + tickNanos - 1) / tickNanos;
    }
}
