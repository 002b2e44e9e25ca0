package io.penstock.admin;

import io.penstock.time.Saturated;
import java.time.Duration;
import java.util.ArrayDeque;

/**
 * The recent values of a figure. The server computes the change per second of the figure from these values.
 *
 * <p>Thread: one.
 */
final class Window<T> {
    private final long span;
    private final ArrayDeque<Reading<T>> readings = new ArrayDeque<>();

    /**
     * @param value the value of the figure
     * @param at the time of the reading, by {@link System#nanoTime}
     */
    record Reading<V>(V value, long at) {

        /** The seconds from {@code at} until {@code now}. The result is never zero. */
        double secondsUntil(long now) {
            return Math.max(0.001, (now - at) / 1e9);
        }
    }

    /** @param span the approximate age of the oldest value in the window */
    Window(Duration span) {
        this.span = Saturated.nanos(span);
    }

    /** Adds the current value, and returns the oldest value. The first call returns the current value. */
    Reading<T> add(T value, long now) {
        readings.addLast(new Reading<>(value, now));
        while (readings.size() > 2 && now - readings.getFirst().at() > span) {
            readings.removeFirst();
        }
        return readings.getFirst();
    }

    void clear() {
        readings.clear();
    }
}
