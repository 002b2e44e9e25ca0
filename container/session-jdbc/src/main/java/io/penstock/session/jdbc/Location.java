package io.penstock.session.jdbc;

import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The value of {@code session-store}: a JDBC URL, and options of this module after {@code #}.
 *
 * <pre>jdbc:postgresql://db.example.org/shop?user=penstock#password-file=/run/secrets/db&amp;conflict=refuse</pre>
 *
 * <p>Passwords are removed from the URL, because messages of drivers can contain the URL.
 *
 * @param url the JDBC URL without passwords
 * @param user the database user; null if the URL contains the user, or the database needs no user
 * @param secrets the passwords, by the name of the driver's property: {@code password} and, for example, {@code sslpassword}
 * @param connections the most connections of the server
 */
record Location(String url, @Nullable String user, Map<String, String> secrets, int connections, JdbcOptions options) {
    private static final int CONNECTIONS = 10;
    private static final int MAX_CONNECTIONS = 1000;
    private static final Pattern DURATION = Pattern.compile("([0-9]{1,5})(ms|s)");

    private static final String PASSWORD = "password";

    /**
     * Matches each parameter whose name ends in "password", such as {@code sslpassword}. A parameter ends at {@code &} if it begins with
     * {@code ?} or {@code &}. A parameter that begins with {@code ;} ends at {@code ;}.
     */
    private static final Pattern SECRET = Pattern.compile(
            "(?<start>[?&])(?<name>[\\w.-]*password)=(?<value>[^&]*)|;(?<otherName>[\\w.-]*password)=(?<otherValue>[^;]*)",
            Pattern.CASE_INSENSITIVE);

    private static final List<String> NAMES =
            List.of("conflict", "connections", "create-tables", "password-env", "password-file", "timeout", "user");

    /** @throws IOException if the text is invalid; the message is one line without a password */
    static Location parse(String text, Map<String, String> environment) throws IOException {
        int end = text.indexOf('#');
        Map<String, String> given = end < 0 ? Map.of() : options(text.substring(end + 1));
        String url = end < 0 ? text : text.substring(0, end);
        Map<String, String> secrets = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        String password = password(given, environment);
        if (password != null) {
            secrets.put(PASSWORD, password);
        }
        for (Matcher inUrl = SECRET.matcher(url); inUrl.find(); inUrl = SECRET.matcher(url)) {
            String spelt = inUrl.group("name") == null ? inUrl.group("otherName") : inUrl.group("name");
            String name = spelt.equalsIgnoreCase(PASSWORD) ? PASSWORD : spelt;
            if (secrets.put(name, secret(inUrl)) != null) {
                throw new IOException("the " + name + " is given twice");
            }
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
            return new Location(url, given.get("user"), secrets, connections(given), options);
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
                // The message omits the name, because the name could be a part of a password.
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

    /** The reason in an operator's words. The message of the JDK's exception is often only the name of the file. */
    private static String reason(Exception unread) {
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

    private static String firstLine(String file) throws IOException {
        try (var lines = Files.lines(Path.of(file))) {
            return lines.findFirst().orElse("");
        } catch (IOException | RuntimeException e) {
            throw new IOException("password-file: cannot read " + file + ": " + reason(e), e);
        }
    }

    private static String secret(Matcher inUrl) throws IOException {
        String encoded = inUrl.group("value");
        try {
            return encoded == null ? inUrl.group("otherValue") : URLDecoder.decode(encoded, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            // The exception has no cause, because the message of the cause contains a part of the password.
            throw new IOException("a password in the URL has a malformed percent escape");
        }
    }

    private static String without(String url, Matcher secret) {
        String before = url.substring(0, secret.start());
        String behind = url.substring(secret.end());
        String start = secret.group("start");
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
        if (number < 1 || number > MAX_CONNECTIONS) {
            throw new IllegalArgumentException(
                    "connections must be from 1 to " + MAX_CONNECTIONS + ", not '" + value + "'");
        }
        return number;
    }

    /** The text contains no passwords. */
    @Override
    public String toString() {
        return "Location[connections=" + connections + ", options=" + options + "]";
    }
}
