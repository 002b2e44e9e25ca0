package io.penstock.loadtest.report;

import java.util.Locale;

/** Writes numbers for tables and sentences. */
public final class Numbers {
    /** The text for a missing value. */
    public static final String NONE = "-";

    private Numbers() {}

    /** With at least three digits, and as few as possible after the point. */
    public static String number(double value) {
        double size = Math.abs(value);
        int decimals = size >= 100 ? 0 : size >= 10 ? 1 : 2;
        return String.format(Locale.ROOT, "%,." + decimals + "f", value);
    }

    public static String count(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    /** Without a fraction of zero. */
    public static String plain(double value) {
        return value == Math.rint(value)
                ? String.format(Locale.ROOT, "%,d", (long) value)
                : String.format(Locale.ROOT, "%,.3f", value).replaceFirst("0+$", "");
    }

    /** Lowest and highest. */
    public static String range(double lowest, double highest) {
        return number(lowest) + "–" + number(highest);
    }

    /** Such as {@code 5.4×}. */
    public static String factor(double value) {
        return number(value) + "×";
    }

    /** Lowest and highest, in percent of {@code of}. */
    public static String percents(double lowest, double highest, double of) {
        return String.format(Locale.ROOT, "%.0f–%.0f %%", 100 * lowest / of, 100 * highest / of);
    }

    /** Bytes, in the largest binary unit of which they are a whole multiple. */
    public static String bytes(long bytes) {
        if (bytes > 0 && bytes % (1 << 20) == 0) {
            return count(bytes >> 20) + " MB";
        }
        if (bytes > 0 && bytes % (1 << 10) == 0) {
            return count(bytes >> 10) + " KB";
        }
        return count(bytes) + " bytes";
    }
}
