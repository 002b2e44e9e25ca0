package io.penstock.loadtest.compare.scenarios;

import java.util.Locale;

/**
 * A quantity that a scenario measures: a column of its table.
 *
 * @param key its name in JSON and CSV
 * @param title its heading, with the unit
 * @param form how its values are written
 */
record Measure(String key, String title, Form form) {

    /** How values are written. */
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

    /** The time of an event that did not happen is {@linkplain Double#POSITIVE_INFINITY infinite}: longer than all others. */
    String write(double value) {
        if (Double.isInfinite(value)) {
            return "never";
        }
        return String.format(Locale.ROOT, "%." + form.decimals + "f", value);
    }
}
