package io.penstock.request;

import io.penstock.context.WebContext;

/**
 * Session ids in URLs (Servlet 6.1, section 7.1.3). A URL gets a session id only if the URL leads to the context of the session. No other site must
 * learn the id.
 */
final class SessionUrl {
    private static final String DEFAULT_PARAMETER = "jsessionid";

    private SessionUrl() {}

    /**
     * The name of the path parameter that carries the session id. If the application has set a name for the session cookie, the parameter
     * has the same name.
     */
    static String parameterName(WebContext context) {
        String name = context.getSessionCookieConfig().getName();
        return name == null ? DEFAULT_PARAMETER : name;
    }

    /** Returns the URL with the id as a path parameter. */
    static String encode(String url, WebContext context, String id) {
        int end = endOfPath(url);
        return url.substring(0, end) + ';' + parameterName(context) + '=' + id + url.substring(end);
    }

    /**
     * Whether the URL leads to the context. A relative path leads to the context. A path that begins with a slash must begin with the
     * context path. An absolute URL must also begin with the request's origin.
     *
     * @param origin the origin of the request, such as {@code http://host:8080}
     */
    static boolean isOf(WebContext context, String origin, String url) {
        if (url.isEmpty() || url.startsWith("#") || url.startsWith("//")) {
            return false;
        }
        if (url.startsWith("/")) {
            return isWithin(context.getContextPath(), url);
        }
        if (!hasScheme(url)) {
            return true;
        }
        if (!url.regionMatches(true, 0, origin, 0, origin.length())) {
            return false;
        }
        String rest = url.substring(origin.length());
        // If the origin is not followed by a slash, the URL may name another host, such as example.com.attacker.org.
        return rest.startsWith("/") && isWithin(context.getContextPath(), rest);
    }

    private static boolean isWithin(String contextPath, String url) {
        String path = url.substring(0, endOfPath(url));
        return path.startsWith(contextPath)
                && (path.length() == contextPath.length()
                        || contextPath.isEmpty()
                        || "/;".indexOf(path.charAt(contextPath.length())) >= 0);
    }

    /**
     * Whether the URL begins with a scheme. A colon before the first slash ends a scheme (RFC 3986 section 4.2): {@code mailto:}, {@code
     * javascript:}, {@code http:}.
     */
    private static boolean hasScheme(String url) {
        int colon = url.indexOf(':');
        return colon >= 0 && colon < endOfSegment(url);
    }

    private static int endOfSegment(String url) {
        int slash = url.indexOf('/');
        int end = endOfPath(url);
        return slash < 0 ? end : Math.min(slash, end);
    }

    private static int endOfPath(String url) {
        int end = 0;
        while (end < url.length() && url.charAt(end) != '?' && url.charAt(end) != '#') {
            end++;
        }
        return end;
    }
}
