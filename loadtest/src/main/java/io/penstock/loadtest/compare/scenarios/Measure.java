package io.penstock.loadtest.compare.scenarios;

import java.util.Locale;

/**
 * A quantity that a {@link Scenario} measures. Each quantity is a column of the scenario's table.
 *
 * @param key the name of the quantity in JSON and CSV files
 * @param title the heading of the column, with the unit
 * @param form the format of the values
 */
record Measure(String key, String title, Form form) {

    /** The format of values: a text, or a number with its number of decimals. */
    enum Form {
        WHOLE(0),
        TENTHS(1),
        HUNDREDTHS(2),
        THOUSANDTHS(3),
        TEXT(0);

        private final int decimals;

        Form(int decimals) {
            this.decimals = decimals;
        }
    }

    static Measure whole(String key, String title) {
        return new Measure(key, title, Form.WHOLE);
    }

    static Measure tenths(String key, String title) {
        return new Measure(key, title, Form.TENTHS);
    }

    static Measure hundredths(String key, String title) {
        return new Measure(key, title, Form.HUNDREDTHS);
    }

    static Measure thousandths(String key, String title) {
        return new Measure(key, title, Form.THOUSANDTHS);
    }

    static Measure text(String key, String title) {
        return new Measure(key, title, Form.TEXT);
    }

    boolean isText() {
        return form == Form.TEXT;
    }

    /** Writes a value for a table. {@linkplain Double#POSITIVE_INFINITY Infinity} is the time of an event that did not happen. */
    String write(double value) {
        if (Double.isInfinite(value)) {
            return "never";
        }
        return String.format(Locale.ROOT, "%." + form.decimals + "f", value);
    }
}
