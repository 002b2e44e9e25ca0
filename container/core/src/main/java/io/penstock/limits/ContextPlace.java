package io.penstock.limits;

import org.jspecify.annotations.Nullable;

/**
 * The place of a context: its host and its context path. The place is written {@code /shop} on the default host, and {@code
 * //www.example.org/shop} or {@code //*.example.org/shop} on another host; {@code /} and {@code //www.example.org/} are the root contexts.
 *
 * @param host the host in canonical form (see {@link HostName}); empty for the default host
 * @param contextPath the context path: empty for the root, or {@code /name}
 */
public record ContextPlace(String host, String contextPath) {
    private static final String MARK = "//";

    /** Parses a place; null if the text is no valid place. */
    public static @Nullable ContextPlace read(String text) {
        if (!text.startsWith(MARK)) {
            return place("", text);
        }
        int slash = text.indexOf('/', MARK.length());
        String host = HostName.read(text.substring(MARK.length(), slash < 0 ? text.length() : slash));
        return host == null ? null : place(host, slash < 0 ? "" : text.substring(slash));
    }

    private static @Nullable ContextPlace place(String host, String path) {
        String contextPath = path.equals("/") ? "" : path;
        boolean proper = contextPath.isEmpty()
                || contextPath.startsWith("/") && !contextPath.endsWith("/") && !contextPath.contains("//");
        return proper ? new ContextPlace(host, contextPath) : null;
    }

    /**
     * Parses a place.
     *
     * @throws IllegalArgumentException if the text is no valid place; the message quotes the text
     */
    public static ContextPlace parse(String text) {
        ContextPlace place = read(text);
        if (place == null) {
            throw new IllegalArgumentException(
                    text.startsWith(MARK)
                            ? "a context of a host is written //www.example.org/shop, //*.example.org/ or //[2001:db8::1]/,"
                                    + " without a port and in ASCII, not '" + text + "'"
                            : "the context path must be / or like /shop, not '" + text + "'");
        }
        return place;
    }

    /** The canonical spelling of a place; the text itself if the text is no valid place. */
    public static String canonical(String text) {
        ContextPlace place = read(text);
        return place == null ? text : place.name();
    }

    /** Whether {@code other} is this place, or a path below this place. */
    public boolean covers(ContextPlace other) {
        return host.equals(other.host)
                && (other.contextPath.equals(contextPath) || other.contextPath.startsWith(contextPath + "/"));
    }

    /** The canonical spelling of this place. */
    public String name() {
        String path = contextPath.isEmpty() ? "/" : contextPath;
        return host.isEmpty() ? path : MARK + host + path;
    }

    @Override
    public String toString() {
        return name();
    }
}
