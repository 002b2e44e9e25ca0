package io.penstock.session.jdbc;

import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The value of {@code session-store}: a JDBC URL, and options of this part behind a {@code #}.
 *
 * <pre>jdbc:postgresql://db.example.org/shop?user=penstock#password-file=/run/secrets/db&amp;conflict=refuse</pre>
 *
 * <p>A password in the URL is moved out of it, since drivers repeat URLs in messages.
 *
 * @param url without a password
 * @param user null if the URL has it, or the database needs none
 * @param connections the number of connections that the server has at most
 */
record Location(String url, @Nullable String user, @Nullable String password, int connections, JdbcOptions options) {
    private static final int CONNECTIONS = 10;
    private static final int MOST_CONNECTIONS = 1000;
    private static final Pattern DURATION = Pattern.compile("([0-9]{1,5})(ms|s)");

    /** Behind {@code ?}, parameters are separated by {@code &}; behind {@code ;} by {@code ;}. */
    private static final Pattern PASSWORD = Pattern.compile(
            "(?<start>[?&])password=(?<first>[^&]*)|;password=(?<other>[^;]*)", Pattern.CASE_INSENSITIVE);

    private static final List<String> NAMES =
            List.of("conflict", "connections", "create-tables", "password-env", "password-file", "timeout", "user");

    /** @throws IOException with one line without a password */
    static Location parse(String text, Map<String, String> environment) throws IOException {
        int end = text.indexOf('#');
        Map<String, String> given = end < 0 ? Map.of() : options(text.substring(end + 1));
        String url = end < 0 ? text : text.substring(0, end);
        String password = password(given, environment);
        Matcher inUrl = PASSWORD.matcher(url);
        if (inUrl.find()) {
            if (password != null) {
                throw new IOException("the password is given twice");
            }
            String encoded = inUrl.group("first");
            password = encoded == null ? inUrl.group("other") : URLDecoder.decode(encoded, StandardCharsets.UTF_8);
            url = without(url, inUrl);
        }
        try {
            JdbcOptions defaults = JdbcOptions.defaults();
            JdbcOptions options = new JdbcOptions(
                    choice(
                            given,
                            "conflict",
                            defaults.conflict(),
                            Map.of("last-wins", JdbcOptions.Conflict.LAST_WINS, "refuse", JdbcOptions.Conflict.REFUSE)),
                    duration(given, "timeout", defaults.timeout()),
                    choice(
                            given,
                            "create-tables",
                            defaults.creation(),
                            Map.of("on", JdbcOptions.Creation.IF_MISSING, "off", JdbcOptions.Creation.NEVER)));
            return new Location(url, given.get("user"), password, connections(given), options);
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private static Map<String, String> options(String text) throws IOException {
        Map<String, String> options = new LinkedHashMap<>();
        for (String option : text.split("&", -1)) {
            int equals = option.indexOf('=');
            String name = equals < 0 ? option : option.substring(0, equals);
            if (!NAMES.contains(name)) {
                // not the name: it may be a part of a password
                throw new IOException("an option behind the # is unknown; known are " + String.join(", ", NAMES));
            }
            if (equals < 0 || equals == option.length() - 1) {
                throw new IOException(name + " has no value");
            }
            if (options.put(name, option.substring(equals + 1)) != null) {
                throw new IOException(name + " is given twice");
            }
        }
        return options;
    }

    private static @Nullable String password(Map<String, String> given, Map<String, String> environment)
            throws IOException {
        String file = given.get("password-file");
        String variable = given.get("password-env");
        if (file != null && variable != null) {
            throw new IOException("both password-file and password-env are given");
        }
        if (variable != null) {
            String password = environment.get(variable);
            if (password == null) {
                throw new IOException("password-env: the environment has no variable " + variable);
            }
            return password;
        }
        return file == null ? null : firstLine(file);
    }

    private static String firstLine(String file) throws IOException {
        try (var lines = Files.lines(Path.of(file))) {
            return lines.findFirst().orElse("");
        } catch (IOException | RuntimeException e) {
            throw new IOException(
                    "password-file: cannot read " + file + ": " + e.getClass().getSimpleName(), e);
        }
    }

    private static String without(String url, Matcher password) {
        String before = url.substring(0, password.start());
        String behind = url.substring(password.end());
        String start = password.group("start");
        return start != null && start.equals("?") && behind.startsWith("&")
                ? before + "?" + behind.substring(1)
                : before + behind;
    }

    private static <E> E choice(Map<String, String> given, String name, E usual, Map<String, E> choices) {
        String value = given.get(name);
        if (value == null) {
            return usual;
        }
        E chosen = choices.get(value);
        if (chosen == null) {
            throw new IllegalArgumentException(name + " must be "
                    + String.join(" or ", choices.keySet().stream().sorted().toList()) + ", not '" + value + "'");
        }
        return chosen;
    }

    private static Duration duration(Map<String, String> given, String name, Duration usual) {
        String value = given.get(name);
        if (value == null) {
            return usual;
        }
        Matcher parts = DURATION.matcher(value);
        if (!parts.matches()) {
            throw new IllegalArgumentException(name + " must be a time such as 2s or 500ms, not '" + value + "'");
        }
        long number = Long.parseLong(parts.group(1));
        return parts.group(2).equals("s") ? Duration.ofSeconds(number) : Duration.ofMillis(number);
    }

    private static int connections(Map<String, String> given) {
        String value = given.get("connections");
        if (value == null) {
            return CONNECTIONS;
        }
        int number = value.matches("[0-9]{1,4}") ? Integer.parseInt(value) : 0;
        if (number < 1 || number > MOST_CONNECTIONS) {
            throw new IllegalArgumentException(
                    "connections must be from 1 to " + MOST_CONNECTIONS + ", not '" + value + "'");
        }
        return number;
    }

    /** Without the password. */
    @Override
    public String toString() {
        return "Location[connections=" + connections + ", options=" + options + "]";
    }
}
