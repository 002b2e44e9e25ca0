package io.penstock.loadtest.report;

import java.util.Locale;
import java.util.function.DoubleFunction;

/**
 * An axis of a chart.
 *
 * @param title the title with the unit, such as {@code latency (ms)}
 * @param ticks a function that formats the values on the axis
 */
public record Axis(String title, Scale scale, DoubleFunction<String> ticks) {

    /** The scale of the axis. */
    public enum Scale {
        LINEAR,
        LOGARITHMIC
    }

    /** An axis that starts at zero. */
    public static Axis linear(String title) {
        return new Axis(title, Scale.LINEAR, Axis::plain);
    }

    /** A logarithmic axis. */
    public static Axis logarithmic(String title) {
        return new Axis(title, Scale.LOGARITHMIC, Axis::plain);
    }

    /** Returns the same axis with another format of its values. */
    public Axis withTicks(DoubleFunction<String> other) {
        return new Axis(title, scale, other);
    }

    boolean isLogarithmic() {
        return scale == Scale.LOGARITHMIC;
    }

    /** Whether the axis can show the value. */
    boolean shows(double value) {
        return Double.isFinite(value) && (!isLogarithmic() || value > 0);
    }

    private static String plain(double value) {
        if (value == Math.rint(value) && Math.abs(value) < 1e15) {
            return String.format(Locale.ROOT, "%,d", (long) value);
        }
        String digits = String.format(Locale.ROOT, "%.6f", value);
        return digits.replaceFirst("0+$", "").replaceFirst("\\.$", "");
    }
}
