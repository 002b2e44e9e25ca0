package io.penstock.http;

import io.penstock.memory.HeapSize;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The canonical path of a request (Servlet 6.1 section 3.5.2). Servlet mapping, constraints and file look-ups all use this path. Parameters
 * are removed, the path is decoded once as UTF-8, and empty segments and dot segments are removed. An ambiguous path is refused.
 */
public final class RequestPath {

    private final String raw;
    private final String decoded;

    RequestPath(String raw, String decoded) {
        this.raw = raw;
        this.decoded = decoded;
    }

    /**
     * Makes the canonical path of a request target.
     *
     * @param raw the undecoded path without query, as {@link RequestTarget#path()} returns it
     * @throws Violation 400 if the path is ambiguous
     */
    public static RequestPath of(String raw) throws Violation {
        if (isCanonical(raw)) {
            return new RequestPath(raw, raw);
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

    /** Whether a segment may have parameters. This method is cheaper than {@link #parameter}. */
    public boolean mayHaveParameters() {
        return !isDecodedRaw() && raw.indexOf(';') >= 0;
    }

    /**
     * The value of the first parameter {@code ;name=value} with exactly this name, for example {@code jsessionid}. Null if there is none;
     * empty if the parameter has no value. Each call searches the raw path: a list of parameters could be forty times as large as the path,
     * and would live as long as the request.
     */
    public @Nullable String parameter(String name) {
        return mayHaveParameters() ? new RequestPathReader(raw).parameter(name) : null;
    }

    /** How many bytes of memory this path takes in addition to the raw path. */
    public int held() {
        return isDecodedRaw() ? 0 : HeapSize.text(decoded);
    }

    private boolean isDecodedRaw() {
        return decoded.length() == raw.length(); // decoding and normalising make each other path shorter
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
