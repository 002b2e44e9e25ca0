package io.penstock.admin;

import java.util.Locale;

/** Formats numbers for human readers. */
final class Figures {
    private static final double MICRO = 1e3;
    private static final double MILLI = 1e6;
    private static final double SECOND = 1e9;
    private static final double MINUTE = 60 * SECOND;

    private static final double KB = 1024;

    private Figures() {}

    /** Formats a number with separators between thousands: {@code 1,024}. */
    static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /**
     * Formats a number as the page of the flow board does: {@code 2.6}, {@code 3}, {@code 12}. A fractional number below ten has one
     * decimal.
     */
    static String count(double number) {
        double shown = Math.round(number * 10) / 10.0;
        return shown < 10 && shown != Math.rint(shown)
                ? String.format(Locale.ROOT, "%.1f", shown)
                : count(Math.round(number));
    }

    /** A number with its noun in the singular or plural: {@code 1 request}, {@code 2 requests}. */
    static String count(long number, String noun) {
        return count(number) + " " + noun + (number == 1 ? "" : "s");
    }

    static String count(double number, String noun) {
        String count = count(number);
        return count + " " + noun + (isOne(count) ? "" : "s");
    }

    /** Whether this formatted number needs a noun and a verb in the singular. */
    static boolean isOne(String count) {
        return count.equals("1");
    }

    /**
     * A time with a suitable unit: {@code 45 us}, {@code 1.2 ms}, {@code 380 ms}, {@code 10 s}, {@code 2 min}. A time below one microsecond
     * is not shown as zero.
     */
    static String time(long nanos) {
        if (nanos < MICRO) {
            return "less than 1 \u00b5s";
        }
        if (nanos < MILLI) {
            return inUnit(nanos / MICRO, "\u00b5s");
        }
        if (nanos < SECOND) {
            return inUnit(nanos / MILLI, "ms");
        }
        return nanos < 2 * MINUTE ? inUnit(nanos / SECOND, "s") : inUnit(nanos / MINUTE, "min");
    }

    /** A number of bytes with a suitable unit: {@code 512 B}, {@code 1.5 KB}, {@code 64 MB}. */
    static String bytes(long number) {
        if (number < KB) {
            return inUnit((double) number, "B");
        }
        if (number < KB * KB) {
            return inUnit(number / KB, "KB");
        }
        return number < KB * KB * KB ? inUnit(number / (KB * KB), "MB") : inUnit(number / (KB * KB * KB), "GB");
    }

    /** Formats a value and its unit. A fractional value below ten has one decimal. All other values are rounded to whole numbers. */
    private static String inUnit(double value, String unit) {
        boolean whole = value >= 10 || value == Math.rint(value);
        return String.format(Locale.ROOT, whole ? "%,.0f %s" : "%.1f %s", value, unit);
    }
}
