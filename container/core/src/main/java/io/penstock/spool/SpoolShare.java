package io.penstock.spool;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Limits the number of writes to disk that wait or run. There is one object for all writes of the {@link Spool}. There is one more object
 * for each bulkhead, which is a group of requests with its own limits. Each object also keeps the actions that run when the object has room
 * again. A write of a bulkhead is counted in the share of the bulkhead first, then in the share of all writes. So writes above the limit of
 * a bulkhead take no room from other writes.
 *
 * <p>Thread: any. A write is counted by {@link #tryTake}, until {@link #giveBack} is called after the write.
 */
public final class SpoolShare {
    private final int most;
    private final AtomicInteger taken = new AtomicInteger();
    private final ConcurrentLinkedQueue<Runnable> waiting = new ConcurrentLinkedQueue<>();

    /** @param most the maximum number of writes that wait or run */
    public SpoolShare(int most) {
        this.most = most;
    }

    /** The number of writes that wait or run. Any thread may call this method. */
    public int pending() {
        return taken.get();
    }

    boolean isFull() {
        return taken.get() >= most;
    }

    boolean tryTake() {
        while (true) {
            int now = taken.get();
            if (now >= most) {
                return false;
            }
            if (taken.compareAndSet(now, now + 1)) {
                return true;
            }
        }
    }

    /** @param runner runs a waiting action, and catches its exceptions */
    void giveBack(Consumer<Runnable> runner) {
        int left = taken.decrementAndGet();
        assert left >= 0 : "a place was given back twice";
        if (left > 0) {
            // One waiting action runs now and normally starts a write. The end of this write runs the next action.
            wakeOne(runner);
            return;
        }
        // No other write is left that could run the waiting actions. An action can also decide not to write. So all
        // waiting actions run now.
        for (Runnable action = waiting.poll(); action != null; action = waiting.poll()) {
            runner.accept(action);
        }
    }

    /** Runs {@code action} once, when there may be room. If there is room now, the action runs in this call. */
    void whenRoom(Runnable action, Consumer<Runnable> runner) {
        waiting.add(action);
        if (!isFull()) {
            // There is room now, and perhaps no other write is left that could run this action at its end.
            wakeOne(runner);
        }
    }

    private void wakeOne(Consumer<Runnable> runner) {
        Runnable action = waiting.poll();
        if (action != null) {
            runner.accept(action);
        }
    }
}
