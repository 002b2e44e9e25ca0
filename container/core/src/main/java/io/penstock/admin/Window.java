package io.penstock.admin;

import io.penstock.time.Saturated;
import java.time.Duration;
import java.util.ArrayDeque;

/**
 * The values of a figure at some moments of the last seconds, to compute its change.
 *
 * <p>Thread: one.
 */
final class Window<T> {
    private final long span;
    private final ArrayDeque<Look<T>> looks = new ArrayDeque<>();

    /**
     * @param value at that moment
     * @param at by {@link System#nanoTime}
     */
    record Look<V>(V value, long at) {

        /** Seconds from that moment until {@code now}; never zero. */
        double secondsUntil(long now) {
            return Math.max(0.001, (now - at) / 1e9);
        }
    }

    /** @param span approximate age of the oldest value */
    Window(Duration span) {
        this.span = Saturated.nanos(span);
    }

    /** Adds the current value. Returns the oldest value, which is the current one at first. */
    Look<T> add(T value, long now) {
        looks.addLast(new Look<>(value, now));
        while (looks.size() > 2 && now - looks.getFirst().at() > span) {
            looks.removeFirst();
        }
        return looks.getFirst();
    }

    void clear() {
        looks.clear();
    }
}
