package io.penstock.limits;

import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.UnsupportedCharsetException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The values that a key can have. A text that is no value of the type is refused where it is given. A value out of its bounds is refused
 * before the server starts.
 *
 * @param unit the unit of a number; empty if the values have none
 * @param least the smallest number; for a time, its milliseconds
 * @param most the largest number
 * @param words the type of the constants for which the words stand; null if the values are no words
 */
record Allowed(
        ValueType type,
        String unit,
        long least,
        long most,
        @Nullable Class<? extends Enum<?>> words) {
    /** The longest time. A deadline is the sum of the current time and such a time, in nanoseconds. This sum must not overflow. */
    private static final Duration LONGEST = Duration.ofDays(3650);

    private static final String NO_CHARSET = "must be a charset such as UTF-8, not ";

    static Allowed number(String unit, int least) {
        return number(unit, least, Integer.MAX_VALUE);
    }

    static Allowed number(String unit, int least, int most) {
        return new Allowed(ValueType.NUMBER, unit, least, most, null);
    }

    static Allowed bytes(long least) {
        return bytes("bytes", least);
    }

    static Allowed bytes(String unit, long least) {
        return new Allowed(ValueType.BYTES, unit, least, Long.MAX_VALUE, null);
    }

    /** Bytes in one array or buffer. */
    static Allowed buffer(int least) {
        return new Allowed(ValueType.BYTES, "bytes", least, Integer.MAX_VALUE, null);
    }

    static Allowed time() {
        return new Allowed(ValueType.DURATION, "time", 1, LONGEST.toMillis(), null);
    }

    static Allowed timeOrZero() {
        return new Allowed(ValueType.DURATION, "time", 0, LONGEST.toMillis(), null);
    }

    static Allowed text() {
        return new Allowed(ValueType.TEXT, "", 0, 0, null);
    }

    static Allowed secret() {
        return new Allowed(ValueType.SECRET, "", 0, 0, null);
    }

    /** The names of constants, in lower case and with hyphens. */
    static Allowed word(Class<? extends Enum<?>> words) {
        return new Allowed(ValueType.TEXT, "", 0, 0, words);
    }

    static Allowed onOff() {
        return word(Switch.class);
    }

    /** @throws BadValueException if the value of the key is out of its bounds */
    void check(Key key, Object value) {
        if (value instanceof Duration time) {
            if (time.toMillis() < least) {
                throw new BadValueException(key, "must be longer than zero");
            }
            if (time.toMillis() > most) {
                throw new BadValueException(key, "must not be longer than " + LONGEST.toDays() + " days");
            }
        } else if (value instanceof Number number) {
            atLeast(key, number.longValue(), least);
            if (number.longValue() > most) {
                throw new BadValueException(key, "must be at most " + shown(most) + ", not " + shown(value));
            }
        }
    }

    /** Checks a bound that depends on the value of another key. */
    static void atLeast(Key key, long value, long least) {
        if (value < least) {
            Allowed allowed = key.allowed();
            throw new BadValueException(
                    key, "must be at least " + allowed.shown(least) + ", not " + allowed.shown(value));
        }
    }

    private String shown(Object number) {
        return type == ValueType.BYTES ? type.show(number) : number.toString();
    }

    /**
     * The constant for a word.
     *
     * @throws BadValueException if there is none; the message lists all words
     */
    static <E extends Enum<E>> E choice(Key key, String word, Class<E> choices) {
        try {
            return choice(word, choices);
        } catch (IllegalArgumentException e) {
            throw new BadValueException(key, String.valueOf(e.getMessage()), e);
        }
    }

    /** @throws IllegalArgumentException if the platform does not have the charset, or cannot encode text with it */
    static Charset charset(String name) {
        try {
            Charset found = Charset.forName(name);
            if (found.canEncode()) {
                return found;
            }
        } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
            throw new IllegalArgumentException(NO_CHARSET + "'" + name + "'", e);
        }
        throw new IllegalArgumentException(NO_CHARSET + "'" + name + "'");
    }

    /** @throws IllegalArgumentException if there is no constant for the word; the message lists all words */
    static <E extends Enum<E>> E choice(String word, Class<E> choices) {
        List<String> words = new ArrayList<>();
        for (E choice : choices.getEnumConstants()) {
            String ofChoice = choice.name().toLowerCase(Locale.ROOT).replace('_', '-');
            if (ofChoice.equals(word)) {
                return choice;
            }
            words.add(ofChoice);
        }
        String last = words.remove(words.size() - 1);
        throw new IllegalArgumentException(
                "must be " + String.join(", ", words) + " or " + last + ", not '" + word + "'");
    }
}
