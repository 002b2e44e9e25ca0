package io.penstock.loadtest.run;

import java.util.Locale;

/** Numbers as they are written in a sentence. */
final class Numbers {
    private Numbers() {}

    /** Without a fraction that is nothing. */
    static String plain(double value) {
        return value == Math.rint(value)
                ? String.format(Locale.ROOT, "%,d", (long) value)
                : String.format(Locale.ROOT, "%,.3f", value).replaceFirst("0+$", "");
    }
}
