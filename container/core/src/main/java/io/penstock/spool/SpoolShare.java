package io.penstock.spool;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Limits the writes to disk that wait or run at one time, of all bodies or of the bodies of one bulkhead. It also keeps the actions that
 * run when there is room again. A write of a bulkhead takes a place in the share of the bulkhead first, then in the share of all. So a
 * write that finds its bulkhead full takes no place that others need.
 *
 * <p>Thread: any. A place belongs to one write, from {@link #tryTake} until that write has ended or was not accepted.
 */
public final class SpoolShare {
    private final int most;
    private final AtomicInteger taken = new AtomicInteger();
    private final ConcurrentLinkedQueue<Runnable> waiting = new ConcurrentLinkedQueue<>();

    /** @param most writes that wait or run */
    public SpoolShare(int most) {
        this.most = most;
    }

    /** Writes that wait or run. Any thread. */
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

    /** @param runner runs a waiting action, and contains its exceptions */
    void giveBack(Consumer<Runnable> runner) {
        int left = taken.decrementAndGet();
        assert left >= 0 : "a place was given back twice";
        if (left > 0) {
            wakeOne(runner); // the end of this action's write wakes the next action
            return;
        }
        // After the last write, no other write wakes the waiting actions; and a woken action may decide not to write.
        for (Runnable action = waiting.poll(); action != null; action = waiting.poll()) {
            runner.accept(action);
        }
    }

    /** Runs {@code action} once when there may be room; at once if there is. */
    void whenRoom(Runnable action, Consumer<Runnable> runner) {
        waiting.add(action);
        if (!isFull()) {
            // There may be room by now, and perhaps no other write is left whose end would run this action.
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
