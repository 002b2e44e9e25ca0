package io.penstock.mapping;

import io.penstock.address.PathText;
import java.util.Locale;

/**
 * One valid URL pattern (Servlet 6.1, section 12.2).
 *
 * @param text the pattern as it was declared
 * @param kind the kind of the pattern, which its form determines
 * @param key the text that is compared with the path. Exact pattern: the whole path. Path pattern: the text before {@code /*}. Extension
 *     pattern: the suffix with its dot. Default and context root: empty
 */
public record UrlPattern(String text, MatchKind kind, String key) {
    /** No pattern of the specification. Applications map filters to it that shall get all requests. */
    public static final String STAR = "*";

    /**
     * @throws IllegalArgumentException if the pattern has a line break, if it does not start with {@code /} or {@code *.}, or if an
     *     extension pattern has a slash or no extension
     */
    public static UrlPattern parse(String text) {
        if (text.indexOf('\n') >= 0 || text.indexOf('\r') >= 0) {
            throw new IllegalArgumentException("URL pattern holds a line break: " + text.strip());
        }
        if (text.isEmpty()) {
            return new UrlPattern(text, MatchKind.CONTEXT_ROOT, "");
        }
        if (text.equals("/")) {
            return new UrlPattern(text, MatchKind.DEFAULT, "");
        }
        if (text.startsWith("*.")) {
            if (text.length() == 2 || text.indexOf('/') >= 0 || text.indexOf('*', 1) >= 0) {
                throw new IllegalArgumentException("URL pattern is not an extension pattern: " + text);
            }
            return new UrlPattern(text, MatchKind.EXTENSION, text.substring(1));
        }
        if (text.charAt(0) != '/') {
            throw new IllegalArgumentException("URL pattern starts with neither / nor *. : " + text);
        }
        if (text.endsWith("/*")) {
            return new UrlPattern(text, MatchKind.PATH, text.substring(0, text.length() - 2));
        }
        return new UrlPattern(text, MatchKind.EXACT, text);
    }

    /**
     * Parses the pattern of a filter. Unlike {@link #parse}, takes {@link #STAR} for <code>/*</code>, as other servers do.
     *
     * @throws IllegalArgumentException as {@link #parse}
     */
    public static UrlPattern ofFilter(String text) {
        return text.equals(STAR) ? new UrlPattern(text, MatchKind.PATH, "") : parse(text);
    }

    /**
     * Parses a pattern that an operator has written as in a URL, with percent escapes such as {@code /my%20shop/*}. A letter beyond ASCII may
     * be written without an escape.
     *
     * @throws IllegalArgumentException as {@link #parse}, or if no path of a request can match because of an escape
     */
    public static UrlPattern ofOperator(String text) {
        UrlPattern given = parse(text);
        String key = PathText.decode(given.key);
        if (key == null) {
            throw new IllegalArgumentException(
                    "URL pattern has a % without the two hexadecimal digits of an octet in UTF-8 (% itself is %25): "
                            + text);
        }
        if (text.toLowerCase(Locale.ROOT).contains("%2f")) {
            throw new IllegalArgumentException(
                    "URL pattern has %2F, but requests with it in the path are refused: " + text);
        }
        return new UrlPattern(text, given.kind, key);
    }

    /**
     * Whether this pattern matches the path, regardless of other patterns. Filters and security constraints use this check. The pattern
     * {@code /} matches only the path {@code /}. The empty pattern matches only the context root. Allocates nothing.
     */
    public boolean covers(String path) {
        return switch (kind) {
            case EXACT -> path.equals(key);
            case PATH -> isPrefix(key, path);
            case EXTENSION -> hasExtension(key, path);
            case DEFAULT -> path.equals("/");
            case CONTEXT_ROOT -> path.isEmpty() || path.equals("/");
        };
    }

    /** Whether the path equals {@code prefix}, or starts with {@code prefix} and a slash. */
    static boolean isPrefix(String prefix, String path) {
        return path.startsWith(prefix) && (path.length() == prefix.length() || path.charAt(prefix.length()) == '/');
    }

    /** Whether the last segment of the path ends with the suffix. The suffix starts with a dot. */
    static boolean hasExtension(String suffix, String path) {
        return path.endsWith(suffix) && path.lastIndexOf('/') < path.length() - suffix.length();
    }

    @Override
    public String toString() {
        return text;
    }
}
