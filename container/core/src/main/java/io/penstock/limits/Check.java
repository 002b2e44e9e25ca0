package io.penstock.limits;

import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.UnsupportedCharsetException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Validation for the configuration records. Each error message names the configuration key. */
final class Check {
    /** The longest allowed time. A deadline is the sum of the current time and such a time, in nanoseconds. This sum must not overflow. */
    private static final Duration LONGEST = Duration.ofDays(3650);

    private Check() {}

    static void atLeast(Key key, long value, long least) {
        if (value < least) {
            throw new BadValueException(key, "must be at least " + shown(key, least) + ", not " + shown(key, value));
        }
    }

    static void atMost(Key key, long value, long most) {
        if (value > most) {
            throw new BadValueException(key, "must be at most " + shown(key, most) + ", not " + shown(key, value));
        }
    }

    static void positive(Key key, Duration value) {
        if (value.isZero() || value.isNegative()) {
            throw new BadValueException(key, "must be longer than zero");
        }
        notTooLong(key, value);
    }

    static void notNegative(Key key, Duration value) {
        if (value.isNegative()) {
            throw new BadValueException(key, "must not be negative");
        }
        notTooLong(key, value);
    }

    private static void notTooLong(Key key, Duration value) {
        if (value.compareTo(LONGEST) > 0) {
            throw new BadValueException(key, "must not be longer than " + LONGEST.toDays() + " days");
        }
    }

    static void notBlank(Key key, String value) {
        if (value.isBlank()) {
            throw new BadValueException(key, "must not be blank");
        }
    }

    /**
     * Returns the enum constant for a word. The word is the constant's name in lower case, with hyphens in place of underscores.
     *
     * @throws BadValueException if there is no constant for the word; the message lists all constants
     */
    static <E extends Enum<E>> E choice(Key key, String word, Class<E> choices) {
        List<String> words = new ArrayList<>();
        for (E choice : choices.getEnumConstants()) {
            String ofChoice = choice.name().toLowerCase(Locale.ROOT).replace('_', '-');
            if (ofChoice.equals(word)) {
                return choice;
            }
            words.add(ofChoice);
        }
        String last = words.remove(words.size() - 1);
        throw new BadValueException(
                key, "must be " + String.join(", ", words) + " or " + last + ", not '" + word + "'");
    }

    /**
     * Returns the charset with the name {@code text}; null for {@code none}.
     *
     * @throws BadValueException if the platform does not have the charset, or cannot encode text with it
     */
    static @Nullable Charset charset(Key key, String text) {
        if (text.equals("none")) {
            return null;
        }
        try {
            Charset found = Charset.forName(text);
            if (found.canEncode()) {
                return found;
            }
        } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
            throw new BadValueException(key, noCharset(text), e);
        }
        throw new BadValueException(key, noCharset(text));
    }

    private static String noCharset(String text) {
        return "must be a charset such as UTF-8, or none, not '" + text + "'";
    }

    private static String shown(Key key, long value) {
        return key.type() == ValueType.BYTES ? key.type().show(value) : Long.toString(value);
    }
}
