package io.penstock.admin;

import io.penstock.time.Saturated;
import java.time.Duration;
import java.util.ArrayDeque;

/**
 * What something was at some moments of the last seconds, so that it can be told how it has changed.
 *
 * <p>Thread: one.
 */
final class Window<T> {
    private final long span;
    private final ArrayDeque<Look<T>> looks = new ArrayDeque<>();

    /**
     * @param value what it was
     * @param at by {@link System#nanoTime}
     */
    record Look<V>(V value, long at) {

        /** Seconds from then until {@code now}, and a little more than none. */
        double secondsUntil(long now) {
            return Math.max(0.001, (now - at) / 1e9);
        }
    }

    /** @param span how long ago the oldest is, about */
    Window(Duration span) {
        this.span = Saturated.nanos(span);
    }

    /** Adds what it is now; returns the oldest that is known, which is this one at first. */
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
