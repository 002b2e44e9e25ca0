package io.penstock.address;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The location of a context: its host and its context path. The location is written {@code /shop} on the default host, and {@code
 * //www.example.org/shop} or {@code //*.example.org/shop} on another host; {@code /} and {@code //www.example.org/} are the root contexts.
 * Percent escapes of a path may be written or not; the canonical spelling has them, as a URL has.
 *
 * @param host the host in canonical form (see {@link HostName}); empty for the default host
 * @param contextPath the context path, decoded: empty for the root, or {@code /name}
 */
public record ContextLocation(String host, String contextPath) {
    private static final String MARK = "//";

    /** Parses a location; null if the text is no valid location. */
    public static @Nullable ContextLocation read(String text) {
        if (!text.startsWith(MARK)) {
            return location("", text);
        }
        int slash = text.indexOf('/', MARK.length());
        String host = HostName.read(text.substring(MARK.length(), slash < 0 ? text.length() : slash));
        return host == null ? null : location(host, slash < 0 ? "" : text.substring(slash));
    }

    private static @Nullable ContextLocation location(String host, String path) {
        String contextPath = path.equals("/") ? "" : PathText.decode(path);
        if (contextPath == null || path.toLowerCase(Locale.ROOT).contains("%2f")) {
            return null;
        }
        boolean proper = contextPath.isEmpty()
                || contextPath.startsWith("/") && !contextPath.endsWith("/") && !contextPath.contains("//");
        return proper ? new ContextLocation(host, contextPath) : null;
    }

    /**
     * Parses a location.
     *
     * @throws IllegalArgumentException if the text is no valid location; the message quotes the text
     */
    public static ContextLocation parse(String text) {
        ContextLocation location = read(text);
        if (location == null) {
            throw new IllegalArgumentException(
                    text.startsWith(MARK)
                            ? "a context of a host is written //www.example.org/shop, //*.example.org/ or"
                                    + " //[2001:db8::1]/, without a port and in ASCII, not '" + text + "'"
                            : "the context path must be / or like /shop, not '" + text + "'");
        }
        return location;
    }

    /** The canonical spelling of a location; the text itself if the text is no valid location. */
    public static String canonical(String text) {
        ContextLocation location = read(text);
        return location == null ? text : location.name();
    }

    /** Whether {@code other} is this location, or a path below this location. */
    public boolean covers(ContextLocation other) {
        return host.equals(other.host)
                && (other.contextPath.equals(contextPath) || other.contextPath.startsWith(contextPath + "/"));
    }

    /** The context path as in a URL. */
    public String encodedPath() {
        return PathText.encode(contextPath);
    }

    /** The canonical spelling of this location. */
    public String name() {
        String path = contextPath.isEmpty() ? "/" : encodedPath();
        return host.isEmpty() ? path : MARK + host + path;
    }

    @Override
    public String toString() {
        return name();
    }
}
