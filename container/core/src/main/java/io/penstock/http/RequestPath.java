package io.penstock.http;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The canonical path of a request (Servlet 6.1 section 3.5.2). Servlet mapping, constraints and file look-ups all use this path. Parameters
 * are removed, the path is decoded once as UTF-8, and empty segments and dot segments are removed. An ambiguous path is refused.
 */
public final class RequestPath {

    /** One parameter {@code ;name=value} of a segment, decoded. If the parameter has no value, {@code value} is the empty string. */
    public record Parameter(String name, String value) {}

    private final String raw;
    private final String decoded;
    private final List<Parameter> parameters;

    RequestPath(String raw, String decoded, List<Parameter> parameters) {
        this.raw = raw;
        this.decoded = decoded;
        this.parameters = parameters;
    }

    /**
     * Makes the canonical path of a request target.
     *
     * @param raw the undecoded path without query, as {@link RequestTarget#path()} returns it
     * @throws Violation 400 if the path is ambiguous
     */
    public static RequestPath of(String raw) throws Violation {
        if (isCanonical(raw)) {
            return new RequestPath(raw, raw, List.of());
        }
        return new RequestPathReader(raw).read();
    }

    /**
     * Makes the canonical path from a path that an application passes, for example for a request dispatcher. Unlike {@link #of}, this
     * method accepts unescaped characters beyond ASCII.
     */
    public static RequestPath ofApplication(String path) throws Violation {
        StringBuilder encoded = new StringBuilder(path.length() + 16);
        for (byte octet : path.getBytes(StandardCharsets.UTF_8)) {
            if (octet >= 0) {
                encoded.append((char) octet);
            } else {
                encoded.append('%').append(Integer.toHexString(octet & 0xFF));
            }
        }
        return of(encoded.length() == path.length() ? path : encoded.toString());
    }

    /** The path as the client has sent it: undecoded, with parameters and dot segments. */
    public String raw() {
        return raw;
    }

    /** The path, decoded and normalised. The path starts with a slash and has no dot segments. Only its last segment may be empty. */
    public String decoded() {
        return decoded;
    }

    /** The parameters of all segments in order of appearance. */
    public List<Parameter> parameters() {
        return parameters;
    }

    /** The value of the first parameter with exactly this name, for example {@code jsessionid}; null if there is none. */
    public @Nullable String parameter(String name) {
        for (Parameter parameter : parameters) {
            if (parameter.name().equals(name)) {
                return parameter.value();
            }
        }
        return null;
    }

    @Override
    public String toString() {
        return decoded;
    }

    /** A fast check whether {@code raw} is already canonical. The check may return false for a canonical path. This only costs time. */
    private static boolean isCanonical(String raw) {
        char before = ' ';
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            if (c <= ' ' || c >= 0x7F || c == '%' || c == ';' || c == '\\' || c == '#' || c == '?') {
                return false;
            }
            if (before == '/' && (c == '/' || c == '.')) {
                return false;
            }
            before = c;
        }
        return raw.startsWith("/");
    }
}
