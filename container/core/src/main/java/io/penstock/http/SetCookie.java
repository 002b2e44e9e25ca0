package io.penstock.http;

import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Writes the value of a {@code Set-Cookie} field (RFC 6265 section 4.1). All parts are checked. So the text of a cookie cannot add an
 * attribute, another cookie or another field.
 */
public final class SetCookie {
    private static final Set<String> SAME_SITE = Set.of("strict", "lax", "none");

    private SetCookie() {}

    /**
     * Returns the field value.
     *
     * @param attributes the attributes, with names in any case. {@code Secure}, {@code HttpOnly} and {@code Partitioned} are written only
     *     if their value is the empty string. {@code Max-Age} is in seconds. If the number of seconds is 0 or less, an {@code Expires} in
     *     the past is written instead
     * @param now the current time, from which {@code Expires} is computed
     * @throws IllegalArgumentException if the cookie or an attribute cannot be sent. The message names the cookie or the attribute
     */
    public static String format(String name, String value, Map<String, String> attributes, Instant now) {
        if (!FieldSyntax.isToken(name)) {
            throw new IllegalArgumentException("not a cookie name: " + printable(name));
        }
        checkValue(name, value);
        StringBuilder field = new StringBuilder(64).append(name).append('=').append(value);
        attributes.forEach((attribute, text) -> {
            try {
                append(field, attribute, text, now);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("cookie " + name + ": " + e.getMessage(), e);
            }
        });
        return field.toString();
    }

    private static void append(StringBuilder field, String attribute, String value, Instant now) {
        if (!FieldSyntax.isToken(attribute)) {
            throw new IllegalArgumentException("not a cookie attribute: " + printable(attribute));
        }
        checkAttributeValue(attribute, value);
        switch (attribute.toLowerCase(Locale.ROOT)) {
            case "max-age" -> appendMaxAge(field, value, now);
            case "secure" -> appendFlag(field, "Secure", value);
            case "httponly" -> appendFlag(field, "HttpOnly", value);
            case "partitioned" -> appendFlag(field, "Partitioned", value);
            case "domain" -> appendDomain(field, value);
            case "samesite" -> appendSameSite(field, value);
            case "path" -> appendPair(field, "Path", value);
            default -> appendPair(field, attribute, value);
        }
    }

    /** Writes Max-Age, and also Expires for clients that do not know Max-Age. If the value is 0 or less, only Expires is written. */
    private static void appendMaxAge(StringBuilder field, String value, Instant now) {
        long seconds;
        try {
            seconds = Long.parseLong(value);
        } catch (NumberFormatException notANumber) {
            throw new IllegalArgumentException("not a Max-Age: " + printable(value), notANumber);
        }
        if (seconds > 0) {
            field.append("; Max-Age=").append(seconds);
        }
        Instant expires = seconds > 0 ? now.plusSeconds(Math.min(seconds, Integer.MAX_VALUE)) : Instant.EPOCH;
        field.append("; Expires=").append(HttpDate.format(expires));
    }

    /** Writes the flag if the value is the empty string. {@code Cookie.getSecure()} has the same rule. */
    private static void appendFlag(StringBuilder field, String attribute, String value) {
        if (value.isEmpty()) {
            field.append("; ").append(attribute);
        }
    }

    private static void appendDomain(StringBuilder field, String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            boolean ofName = c < 0x80 && (Character.isLetterOrDigit(c) || c == '.' || c == '-' || c == ':');
            if (!ofName) {
                throw new IllegalArgumentException("not a cookie domain: " + printable(value));
            }
        }
        if (!value.isEmpty()) {
            appendPair(field, "Domain", value);
        }
    }

    private static void appendSameSite(StringBuilder field, String value) {
        if (!SAME_SITE.contains(value.toLowerCase(Locale.ROOT))) {
            throw new IllegalArgumentException("not a SameSite: " + printable(value));
        }
        appendPair(field, "SameSite", value);
    }

    private static void appendPair(StringBuilder field, String attribute, String value) {
        field.append("; ").append(attribute);
        if (!value.isEmpty()) {
            field.append('=').append(value);
        }
    }

    /** Checks a cookie-value: cookie-octets, or cookie-octets between two quotes. */
    private static void checkValue(String name, String value) {
        boolean quoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
        int end = quoted ? value.length() - 1 : value.length();
        for (int i = quoted ? 1 : 0; i < end; i++) {
            char c = value.charAt(i);
            if (c <= ' ' || c >= 0x7F || c == '"' || c == ',' || c == ';' || c == '\\') {
                throw new IllegalArgumentException(
                        "cookie " + name + " has a value that cannot be sent: " + character(c, i));
            }
        }
    }

    /** Checks that the value contains only av-octets: ASCII characters except controls and the semicolon. */
    private static void checkAttributeValue(String attribute, String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c < ' ' || c >= 0x7F || c == ';') {
                throw new IllegalArgumentException(
                        "cookie attribute " + attribute + " has a value that cannot be sent: " + character(c, i));
            }
        }
    }

    /** Names the character, and not the whole value, since the value of a cookie may be secret. */
    private static String character(char c, int index) {
        String shown = c > ' ' && c < 0x7F ? "'" + c + "'" : String.format("U+%04X", (int) c);
        return shown + " at index " + index + ". Encode the value, for example by URLEncoder";
    }

    /** Makes {@code text} safe for a log line. */
    private static String printable(String text) {
        return text.replaceAll("[^ -~]", "?");
    }
}
