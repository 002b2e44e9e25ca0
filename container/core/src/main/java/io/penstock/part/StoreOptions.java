package io.penstock.part;

import io.penstock.limits.OperatorFile;
import io.penstock.time.Saturated;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The options in the address of a session store, {@code name=value&name=value}. The store first reads each option by its name. After that,
 * {@link #refuseOthers} finds the options that were not read. Messages of exceptions have one line, with the name and the value of an
 * option, but without a password.
 *
 * <p>Thread: the thread that parses the address.
 */
public final class StoreOptions {
    private static final Pattern DURATION = Pattern.compile("([0-9]{1,6})(ms|s)");

    private final Map<String, String> environment;
    private final Map<String, String> given = new TreeMap<>();
    private final TreeSet<String> known = new TreeSet<>();

    /**
     * @param options the options; null or empty for none. Their values can have percent escapes
     * @param environment the environment variables, one of which can have the password
     * @throws IOException if an option has no value, or is given twice
     */
    public StoreOptions(@Nullable String options, Map<String, String> environment) throws IOException {
        this.environment = environment;
        if (options != null && !options.isEmpty()) {
            for (String option : options.split("&", -1)) {
                add(option);
            }
        }
    }

    private void add(String option) throws IOException {
        int equals = option.indexOf('=');
        // The messages omit the name, because a name that is not known could be a part of a password.
        if (equals < 1 || equals == option.length() - 1) {
            throw new IOException("an option of the session store is not of the form name=value");
        }
        if (given.put(option.substring(0, equals), decoded(option.substring(equals + 1))) != null) {
            throw new IOException("an option of the session store is given twice");
        }
    }

    /**
     * Replaces the percent escapes of a part of an address.
     *
     * @throws IOException if an escape is malformed; it has no cause, because the message of the cause contains a part of the text
     */
    public static String decoded(String text) throws IOException {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new IOException("the address of the session store has a malformed percent escape");
        }
    }

    /** The value of an option; null if it is not given. */
    public @Nullable String text(String name) {
        known.add(name);
        return given.get(name);
    }

    /** The value of an option, or the default. */
    public String text(String name, String byDefault) {
        String value = text(name);
        return value == null ? byDefault : value;
    }

    /** @throws IOException if the option is missing */
    public String required(String name) throws IOException {
        String value = text(name);
        if (value == null) {
            throw new IOException("the session store needs the option " + name);
        }
        return value;
    }

    /** @throws IOException if the whole value does not match the regular expression */
    public String matching(String name, String byDefault, String pattern) throws IOException {
        String value = text(name, byDefault);
        if (!value.matches(pattern)) {
            throw new IOException(name + " must match " + pattern + ", not '" + value + "'");
        }
        return value;
    }

    /** @throws IOException if the value is no number from {@code least} to {@code most} */
    public int number(String name, int byDefault, int least, int most) throws IOException {
        return number(name, text(name, Integer.toString(byDefault)), least, most);
    }

    /**
     * Reads another number of the address.
     *
     * @throws IOException if the text is no number from {@code least} to {@code most}; the message omits the text, because it could be a part
     *     of a password
     */
    public static int number(String name, String text, int least, int most) throws IOException {
        if (text.matches("[0-9]{1,9}")) {
            int number = Integer.parseInt(text);
            if (number >= least && number <= most) {
                return number;
            }
        }
        throw new IOException(name + " must be a number from " + least + " to " + most);
    }

    /** @throws IOException if the value is no time from {@code shortest} to {@code longest}, such as {@code 500ms} or {@code 2s} */
    public Duration duration(String name, Duration byDefault, Duration shortest, Duration longest) throws IOException {
        String value = text(name);
        if (value == null) {
            return byDefault;
        }
        Matcher matcher = DURATION.matcher(value);
        if (matcher.matches()) {
            int amount = Integer.parseInt(matcher.group(1));
            Duration duration = matcher.group(2).equals("s") ? Duration.ofSeconds(amount) : Duration.ofMillis(amount);
            if (duration.compareTo(shortest) >= 0 && duration.compareTo(longest) <= 0) {
                return duration;
            }
        }
        throw new IOException(name + " must be a time from " + Saturated.millis(shortest) + "ms to "
                + longest.toSeconds() + "s, not '" + value + "'");
    }

    /**
     * Reads an option whose values are the names of constants, in lower case and with hyphens.
     *
     * @throws IOException if there is no such constant
     */
    public <E extends Enum<E>> E choice(String name, E byDefault, Class<E> type) throws IOException {
        String value = text(name);
        if (value == null) {
            return byDefault;
        }
        StringBuilder choices = new StringBuilder();
        for (E choice : type.getEnumConstants()) {
            String word = choice.name().toLowerCase(Locale.ROOT).replace('_', '-');
            if (word.equals(value)) {
                return choice;
            }
            choices.append(choices.isEmpty() ? "" : " or ").append(word);
        }
        throw new IOException(name + " must be " + choices + ", not '" + value + "'");
    }

    /**
     * The password from one of two options. For the name {@code password}, the options are {@code password-file} and {@code password-env}.
     * The value of the first option is the name of a file whose first line is the password. The value of the second option is the name of
     * an environment variable. The result is null without these options.
     *
     * @throws IOException if both options are given, or the password cannot be read
     */
    public @Nullable String password(String name) throws IOException {
        String file = text(name + "-file");
        String variable = text(name + "-env");
        if (file != null && variable != null) {
            throw new IOException("both " + name + "-file and " + name + "-env are given");
        }
        if (variable != null) {
            String value = environment.get(variable);
            if (value == null) {
                throw new IOException(name + "-env: the environment has no variable " + variable);
            }
            return value;
        }
        return file == null ? null : firstLine(name + "-file", file);
    }

    private static String firstLine(String name, String file) throws IOException {
        String line;
        try {
            line = Files.readString(Path.of(file)).lines().findFirst().orElse("");
        } catch (IOException | InvalidPathException e) {
            throw unreadable(name, file, e);
        }
        if (line.isEmpty()) {
            throw new IOException(name + ": the first line of " + file + " is empty");
        }
        return line;
    }

    /** The failure to read a file that an option names, with the reason in an operator's words. */
    public static IOException unreadable(String option, String file, Exception cause) {
        String reason = cause instanceof IOException failure
                ? OperatorFile.reason(failure)
                : String.valueOf(cause.getMessage());
        return new IOException(option + ": cannot read " + file + ": " + reason, cause);
    }

    /**
     * @throws IOException if there is an option that was not read; the message omits its name, because the name could be a part of a
     *     password
     */
    public void refuseOthers() throws IOException {
        if (!known.containsAll(given.keySet())) {
            throw new IOException("an option of the session store is unknown; known are " + String.join(", ", known));
        }
    }
}
