package io.penstock.http;

import io.penstock.memory.HeapSize;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a request target, undecoded (RFC 9112 section 3.2).
 *
 * @param raw the target as the client has sent it
 * @param authority the host and the port, from the absolute form, the authority form or a trusted proxy; otherwise null
 * @param path the undecoded path, starting with a slash; {@code *} for the asterisk form
 * @param query the query without its question mark; null if the target has no query
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

    /** How many bytes of memory the texts of this target take. */
    public int held() {
        return HeapSize.text(raw.length())
                + sizeUnlessRaw(path)
                + sizeUnlessRaw(query)
                + sizeUnlessRaw(scheme)
                + sizeUnlessRaw(authority);
    }

    private int sizeUnlessRaw(@Nullable String part) {
        return part == null || part.length() == raw.length() ? 0 : HeapSize.text(part.length());
    }

    /** Makes a target in the origin form. */
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
