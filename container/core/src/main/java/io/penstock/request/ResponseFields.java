package io.penstock.request;

import io.penstock.http.FieldList;
import io.penstock.http.FieldSyntax;
import io.penstock.http.Fields;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The field lines that the application sets on a response, without Content-Type and Content-Length. Values with control characters are
 * refused, since such a character could end a line.
 *
 * <p>Thread: one application thread at a time.
 */
final class ResponseFields {
    /** Fields that describe the body. They are removed when an error page replaces the body. */
    private static final Set<String> OF_THE_BODY = Set.of(
            "Content-Encoding",
            "Content-Language",
            "Content-Range",
            "Content-Disposition",
            "Accept-Ranges",
            "ETag",
            "Last-Modified");

    /**
     * Fields for framing, routing, authentication and caching. The receiver needs these fields before the body, so they must not be
     * trailers (RFC 9110, 6.5.1).
     */
    private static final Set<String> NO_TRAILERS = Set.of(
            "transfer-encoding",
            "content-length",
            "content-encoding",
            "content-range",
            "content-type",
            "trailer",
            "host",
            "connection",
            "keep-alive",
            "proxy-connection",
            "upgrade",
            "te",
            "expect",
            "max-forwards",
            "cache-control",
            "set-cookie",
            "authorization",
            "proxy-authorization",
            "www-authenticate",
            "proxy-authenticate",
            "location",
            "vary");

    /** Fields of the connection, and of the framing, which an interim response must not have (RFC 9110 sections 7.6.1 and 8.6). */
    private static final Set<String> NO_HINTS = Set.of(
            "connection",
            "content-length",
            "keep-alive",
            "proxy-connection",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade");

    private final FieldList lines = new FieldList();

    /** The session cookies, by the cookie's name and path. Each context that the request has entered may set one session cookie. */
    private Map<String, String> sessionCookies = Map.of();

    /** @throws IllegalArgumentException if the name is not a token or the value has control characters */
    void set(String name, @Nullable String value) {
        checkName(name);
        if (value == null) {
            lines.remove(name);
        } else {
            lines.set(name, checked(name, value));
        }
    }

    /** Like {@link #set}, but adds a line and keeps the existing lines of this name. */
    void add(String name, String value) {
        checkName(name);
        lines.add(name, checked(name, value));
    }

    void remove(String name) {
        lines.remove(name);
    }

    /**
     * Sets the cookie of a session. The cookie replaces a session cookie with the same name and path. {@link #clear} does not remove
     * session cookies.
     */
    void sessionCookie(String nameAndPath, String value) {
        if (sessionCookies.isEmpty()) {
            sessionCookies = new LinkedHashMap<>(2);
        }
        sessionCookies.put(nameAndPath, checked("Set-Cookie", value));
    }

    @Nullable
    String first(String name) {
        String value = lines.first(name);
        return value == null && name.equalsIgnoreCase("Set-Cookie")
                ? sessionCookies.values().stream().findFirst().orElse(null)
                : value;
    }

    Collection<String> all(String name) {
        Collection<String> values = lines.all(name);
        if (name.equalsIgnoreCase("Set-Cookie")) {
            values.addAll(sessionCookies.values());
        }
        return values;
    }

    Set<String> names() {
        Set<String> names = lines.names();
        if (!sessionCookies.isEmpty() && !lines.contains("Set-Cookie")) {
            names.add("Set-Cookie");
        }
        return names;
    }

    void clear() {
        lines.clear();
    }

    /**
     * Removes the fields that describe a body that is replaced, except those that belong to {@code status}: the length of the representation
     * with 416 (RFC 9110 section 15.5.17), and the validators with 304 (section 15.4.5).
     */
    void removeThoseOfTheBody(int status) {
        for (String name : OF_THE_BODY) {
            boolean needed =
                    switch (name) {
                        case "Content-Range" -> status == 416 && isLengthOnly(lines.first(name));
                        case "ETag", "Last-Modified" -> status == 304;
                        default -> false;
                    };
            if (!needed) {
                lines.remove(name);
            }
        }
    }

    /** Whether the value of {@code Content-Range} names no range, but only the length of the representation. */
    private static boolean isLengthOnly(@Nullable String contentRange) {
        return contentRange != null && contentRange.contains(" */");
    }

    /** The fields to send, including {@code contentType}. */
    Fields compose(@Nullable String contentType) {
        if (contentType != null) {
            lines.set("Content-Type", contentType);
        }
        if (!sessionCookies.isEmpty()) {
            sessionCookies.values().forEach(cookie -> lines.add("Set-Cookie", cookie));
            sessionCookies.clear();
        }
        return lines;
    }

    /**
     * A copy of the fields, including {@code contentType}, to send ahead of the response. A session cookie is left out: the session is
     * saved right before the response is sent, and a client must not use it earlier.
     */
    Fields hints(@Nullable String contentType) {
        FieldList hints = new FieldList();
        for (int i = 0, n = lines.size(); i < n; i++) {
            if (!NO_HINTS.contains(lines.name(i).toLowerCase(Locale.ROOT))) {
                hints.add(lines.name(i), lines.value(i));
            }
        }
        return contentType == null ? hints : hints.add("Content-Type", contentType);
    }

    /** Makes trailer fields. Names and values are checked as in other fields. The fields in {@link #NO_TRAILERS} are refused. */
    static Fields trailers(Map<String, @Nullable String> map) {
        FieldList trailers = new FieldList();
        map.forEach((name, value) -> {
            checkName(name);
            if (NO_TRAILERS.contains(name.toLowerCase(Locale.ROOT))) {
                throw new IllegalArgumentException("The field " + name + " may not be a trailer");
            }
            if (value == null) {
                throw new IllegalArgumentException("The trailer " + name + " has no value");
            }
            trailers.add(name, checked(name, value));
        });
        return trailers;
    }

    /** Checks a value, and returns the value to send. Characters outside ISO-8859-1 become question marks. */
    static String checked(String name, String value) {
        if (FieldSyntax.isValue(value)) {
            return value;
        }
        StringBuilder replaced = new StringBuilder(value);
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c > 0xff) {
                replaced.setCharAt(i, '?');
            } else if (!FieldSyntax.isValueChar(c)) {
                throw new IllegalArgumentException("The value of header " + name + " holds a control character");
            }
        }
        return replaced.toString();
    }

    private static void checkName(String name) {
        if (!FieldSyntax.isToken(name)) {
            throw new IllegalArgumentException("Not a header name");
        }
    }
}
