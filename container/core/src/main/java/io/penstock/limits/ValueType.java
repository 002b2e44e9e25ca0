package io.penstock.limits;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The types of configuration values, and their text forms. */
public enum ValueType {
    /** A whole number: {@code 32}. */
    NUMBER("number") {
        @Override
        Object parse(String text) {
            try {
                return Integer.valueOf(text);
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException("'" + text + "' is not a whole number", e);
            }
        }
    },
    /** A number of bytes, with K, M or G for powers of 1024: {@code 64K}. */
    BYTES("bytes") {
        @Override
        Object parse(String text) {
            Matcher parts = matched(SIZE, text, "is not a number of bytes such as 4096, 64K, 100M or 1G");
            return scaled(text, parts.group(1), 1L << shift(parts.group(2)));
        }

        @Override
        String show(Object value) {
            long bytes = (Long) value;
            for (String unit : new String[] {"G", "M", "K"}) {
                if (bytes != 0 && bytes % (1L << shift(unit)) == 0) {
                    return bytes / (1L << shift(unit)) + unit;
                }
            }
            return Long.toString(bytes);
        }
    },
    /** A time with a unit (ms, s, m or h): {@code 20s}. */
    DURATION("duration") {
        @Override
        Object parse(String text) {
            Matcher parts = matched(TIME, text, "is not a time such as 500ms, 20s, 5m or 1h");
            return Duration.ofMillis(scaled(text, parts.group(1), millis(parts.group(2))));
        }

        @Override
        String show(Object value) {
            long millis = ((Duration) value).toMillis();
            for (String unit : new String[] {"h", "m", "s"}) {
                if (millis != 0 && millis % millis(unit) == 0) {
                    return millis / millis(unit) + unit;
                }
            }
            return millis == 0 ? "0s" : millis + "ms";
        }
    },
    /** Any text that is not blank. */
    TEXT("text") {
        @Override
        Object parse(String text) {
            if (text.isBlank()) {
                throw new IllegalArgumentException("a value is missing");
            }
            return text;
        }
    },
    /** Text that is never shown. */
    SECRET("text") {
        @Override
        Object parse(String text) {
            return TEXT.parse(text);
        }
    };

    private static final Pattern SIZE = Pattern.compile("([0-9]+)([KMGkmg]?)");
    private static final Pattern TIME = Pattern.compile("([0-9]+)(ms|s|m|h)");

    private final String label;

    ValueType(String label) {
        this.label = label;
    }

    /** The placeholder of a value in a usage message, as in {@code --workers=<number>}. */
    public String label() {
        return label;
    }

    /**
     * Reads a value.
     *
     * @throws IllegalArgumentException if the text has another form; the message quotes the text and describes the expected form
     */
    abstract Object parse(String text);

    /** Converts a value back to text: the shortest form that {@link #parse} reads as the same value. */
    String show(Object value) {
        return value.toString();
    }

    private static Matcher matched(Pattern pattern, String text, String otherwise) {
        Matcher matcher = pattern.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("'" + text + "' " + otherwise);
        }
        return matcher;
    }

    private static long scaled(String text, String digits, long factor) {
        try {
            return Math.multiplyExact(Long.parseLong(digits), factor);
        } catch (ArithmeticException | NumberFormatException e) {
            throw new IllegalArgumentException("'" + text + "' is too large", e);
        }
    }

    private static int shift(String unit) {
        return switch (unit.toUpperCase(Locale.ROOT)) {
            case "K" -> 10;
            case "M" -> 20;
            case "G" -> 30;
            default -> 0;
        };
    }

    private static long millis(String unit) {
        return switch (unit) {
            case "h" -> 3_600_000;
            case "m" -> 60_000;
            case "s" -> 1_000;
            default -> 1;
        };
    }
}
