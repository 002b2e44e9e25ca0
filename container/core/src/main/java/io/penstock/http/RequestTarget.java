package io.penstock.http;

import org.jspecify.annotations.Nullable;

/**
 * The parts of a request target, undecoded (RFC 9112 section 3.2).
 *
 * @param raw as sent
 * @param authority host and port: those of the absolute or the authority form, or those that a trusted proxy names; null otherwise
 * @param path the undecoded path, starting with a slash; {@code *} for the asterisk form
 * @param query without its question mark; null if the target has none
 */
public record RequestTarget(
        Form form,
        String raw,
        @Nullable String scheme,
        @Nullable String authority,
        String path,
        @Nullable String query) {

    /** The four forms of RFC 9112 section 3.2. */
    public enum Form {
        ORIGIN,
        ABSOLUTE,
        AUTHORITY,
        ASTERISK
    }

    /** An origin-form target, for callers that compose one. */
    public static RequestTarget origin(String pathAndQuery) {
        int q = pathAndQuery.indexOf('?');
        return new RequestTarget(
                Form.ORIGIN,
                pathAndQuery,
                null,
                null,
                q < 0 ? pathAndQuery : pathAndQuery.substring(0, q),
                q < 0 ? null : pathAndQuery.substring(q + 1));
    }
}
