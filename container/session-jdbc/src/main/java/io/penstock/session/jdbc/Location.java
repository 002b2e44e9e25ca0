package io.penstock.session.jdbc;

import io.penstock.part.StoreOptions;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
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
    /** The values of {@code create-tables}. */
    private enum MissingTables {
        ON,
        OFF
    }

    private static final int CONNECTIONS = 10;
    private static final int MAX_CONNECTIONS = 1000;

    private static final String PASSWORD = "password";

    /**
     * Matches each parameter whose name ends in "password", such as {@code sslpassword}. A parameter ends at {@code &} if it begins with
     * {@code ?} or {@code &}. A parameter that begins with {@code ;} ends at {@code ;}.
     */
    private static final Pattern SECRET = Pattern.compile(
            "(?<start>[?&])(?<name>[\\w.-]*password)=(?<value>[^&]*)|;(?<otherName>[\\w.-]*password)=(?<otherValue>[^;]*)",
            Pattern.CASE_INSENSITIVE);

    /** @throws IOException if the text is invalid; the message is one line without a password */
    static Location parse(String text, Map<String, String> environment) throws IOException {
        int end = text.indexOf('#');
        StoreOptions given = new StoreOptions(end < 0 ? null : text.substring(end + 1), environment);
        String url = end < 0 ? text : text.substring(0, end);
        Map<String, String> secrets = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        String password = given.password(PASSWORD);
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
        JdbcOptions defaults = JdbcOptions.defaults();
        JdbcOptions options = new JdbcOptions(
                given.choice("conflict", defaults.conflict(), JdbcOptions.Conflict.class),
                given.duration("timeout", defaults.timeout(), JdbcOptions.SHORTEST, JdbcOptions.LONGEST),
                given.choice("create-tables", MissingTables.ON, MissingTables.class) == MissingTables.ON
                        ? JdbcOptions.Creation.IF_MISSING
                        : JdbcOptions.Creation.NEVER);
        Location location = new Location(
                url,
                given.text("user"),
                secrets,
                given.number("connections", CONNECTIONS, 1, MAX_CONNECTIONS),
                options);
        given.refuseOthers();
        return location;
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

    /** The text contains no passwords. */
    @Override
    public String toString() {
        return "Location[connections=" + connections + ", options=" + options + "]";
    }
}
