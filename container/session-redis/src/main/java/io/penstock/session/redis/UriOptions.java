package io.penstock.session.redis;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
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
 * The options of a Redis address, {@code ?name=value&name=value}. The caller first reads each option by its name. After that, {@link
 * #refuseOthers} finds the options that were not read. Messages of exceptions contain the name and the value of an option, but no password.
 *
 * <p>Thread: the thread that parses the address.
 */
final class UriOptions {
    private static final Pattern DURATION = Pattern.compile("([0-9]{1,6})(ms|s)");
    private static final Duration SHORTEST = Duration.ofMillis(20);
    private static final Duration LONGEST = Duration.ofMinutes(1);

    private final Map<String, String> given;
    private final TreeSet<String> known = new TreeSet<>();

    private UriOptions(Map<String, String> given) {
        this.given = given;
    }

    static UriOptions parse(@Nullable String query) throws IOException {
        Map<String, String> given = new TreeMap<>();
        if (query != null && !query.isEmpty()) {
            for (String option : query.split("&", -1)) {
                int equals = option.indexOf('=');
                if (equals < 1 || equals == option.length() - 1) {
                    throw new IOException("an option of the address of Redis is not of the form name=value");
                }
                String name = option.substring(0, equals);
                if (given.put(name, RedisLocation.decoded(option.substring(equals + 1))) != null) {
                    throw new IOException("an option of the address of Redis is given twice");
                }
            }
        }
        return new UriOptions(given);
    }

    @Nullable
    String text(String name) {
        known.add(name);
        return given.get(name);
    }

    String text(String name, String byDefault) {
        String value = text(name);
        return value == null ? byDefault : value;
    }

    String required(String name) throws IOException {
        String value = text(name);
        if (value == null) {
            throw new IOException("the address of Redis needs the option " + name);
        }
        return value;
    }

    String matching(String name, String byDefault, String pattern) throws IOException {
        String value = text(name, byDefault);
        if (!value.matches(pattern)) {
            throw new IOException(name + " must match " + pattern + ", not '" + value + "'");
        }
        return value;
    }

    int number(String name, int byDefault, int least, int most) throws IOException {
        return number(name, text(name, Integer.toString(byDefault)), least, most);
    }

    static int number(String name, String text, int least, int most) throws IOException {
        if (text.matches("[0-9]{1,9}")) {
            int number = Integer.parseInt(text);
            if (number >= least && number <= most) {
                return number;
            }
        }
        throw new IOException(
                // The message omits the text, because the text could be a part of a password.
                name + " must be a number from " + least + " to " + most);
    }

    Duration duration(String name, Duration byDefault) throws IOException {
        String value = text(name);
        if (value == null) {
            return byDefault;
        }
        Matcher matcher = DURATION.matcher(value);
        if (matcher.matches()) {
            int amount = Integer.parseInt(matcher.group(1));
            Duration duration = matcher.group(2).equals("s") ? Duration.ofSeconds(amount) : Duration.ofMillis(amount);
            if (duration.compareTo(SHORTEST) >= 0 && duration.compareTo(LONGEST) <= 0) {
                return duration;
            }
        }
        throw new IOException(name + " must be a time from 20ms to 60s, not '" + value + "'");
    }

    /** Reads an option whose values are the names of constants, in lower case and with hyphens. */
    <E extends Enum<E>> E choice(String name, E byDefault, Class<E> type) throws IOException {
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
     */
    @Nullable
    String password(String name) throws IOException {
        String file = text(name + "-file");
        String variable = text(name + "-env");
        if (file != null && variable != null) {
            throw new IOException("both " + name + "-file and " + name + "-env are given");
        }
        if (variable != null) {
            String value = System.getenv(variable);
            if (value == null) {
                throw new IOException(name + "-env: the environment has no variable " + variable);
            }
            return value;
        }
        return file == null ? null : firstLine(name + "-file", file);
    }

    /** The reason in an operator's words. The message of the JDK's exception is often only the name of the file. */
    static String reason(Exception unread) {
        if (unread instanceof NoSuchFileException) {
            return "no such file";
        }
        if (unread instanceof AccessDeniedException) {
            return "permission denied";
        }
        return unread instanceof FileSystemException file && file.getReason() != null
                ? file.getReason()
                : String.valueOf(unread.getMessage());
    }

    private static String firstLine(String name, String file) throws IOException {
        String text;
        try {
            text = Files.readString(Path.of(file), StandardCharsets.UTF_8);
        } catch (IOException | InvalidPathException e) {
            throw new IOException(name + ": cannot read " + file + ": " + reason(e), e);
        }
        String line = text.lines().findFirst().orElse("");
        if (line.isEmpty()) {
            throw new IOException(name + ": the first line of " + file + " is empty");
        }
        return line;
    }

    /**
     * @throws IOException if there is an option that was not read; the message omits its name, because the name could be a part of a
     *     password
     */
    void refuseOthers() throws IOException {
        if (!known.containsAll(given.keySet())) {
            throw new IOException(
                    "an option of the address of Redis is unknown; known are " + String.join(", ", known));
        }
    }
}
