package io.penstock.experiments.io.measure;

import java.util.Locale;

/** Writes numbers for tables and sentences. */
public final class Numbers {
    /** The text for a missing value. */
    public static final String NONE = "-";

    private Numbers() {}

    /** Writes a number with two decimals below 10, one decimal below 100, and none from 100 on. */
    public static String number(double value) {
        double size = Math.abs(value);
        int decimals = size >= 100 ? 0 : size >= 10 ? 1 : 2;
        return String.format(Locale.ROOT, "%,." + decimals + "f", value);
    }

    public static String count(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    /** Writes the lowest and the highest value. */
    public static String range(double lowest, double highest) {
        return number(lowest) + "–" + number(highest);
    }

    /** Writes a factor, such as {@code 5.4×}. */
    public static String factor(double value) {
        return number(value) + "×";
    }

    /** Writes the lowest and the highest value, in percent of {@code of}. */
    public static String percents(double lowest, double highest, double of) {
        return String.format(Locale.ROOT, "%.0f–%.0f %%", 100 * lowest / of, 100 * highest / of);
    }

    /** Writes a number of bytes. It is written in MB or KB (binary units) if it is a multiple of this unit. */
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
