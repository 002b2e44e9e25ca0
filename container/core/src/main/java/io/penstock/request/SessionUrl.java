package io.penstock.request;

import io.penstock.address.PathText;
import io.penstock.context.WebContext;
import io.penstock.http.RequestPath;
import io.penstock.http.Violation;
import io.penstock.limits.ServerConfig.Redirects;
import jakarta.servlet.SessionTrackingMode;

/**
 * Session ids in URLs (Servlet 6.1, section 7.1.3). A URL gets a session id only if the URL leads to the context of the session. No other
 * site must learn the id.
 */
public final class SessionUrl {
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

    /**
     * Returns the path parameter with the session id of a requested path, for a redirect by the server to another path of the context; empty
     * if the path has none, or if the context ignores it.
     */
    public static String carried(RequestPath path, WebContext context) {
        String name = parameterName(context);
        String id = path.parameter(name);
        return id == null || !context.getEffectiveSessionTrackingModes().contains(SessionTrackingMode.URL)
                ? ""
                : ';' + name + '=' + PathText.encode(id);
    }

    /**
     * Returns the URL with the id as a path parameter, in place of any id that the URL already has. If the URL leads out of the context, it is
     * returned unchanged; so is a reference to a place in the same page.
     *
     * @param authority the authority to which the request was sent
     * @param requestedUri the path that the client asked for. The client resolves relative URLs against it
     */
    static String encode(String url, WebContext context, Authority authority, String requestedUri, String id) {
        if (url.startsWith("#") || !leadsTo(context, url, authority, requestedUri)) {
            return url;
        }
        // Without a path, as in "?page=2", a URL leads to the requested path. With only a parameter it would lead to
        // the folder.
        String whole = endOfPath(url) == 0 ? Redirect.location(url, Redirects.RELATIVE, authority, requestedUri) : url;
        int end = endOfPath(whole);
        String name = parameterName(context);
        String path = withoutParameter(whole.substring(0, end), name);
        return path + missingSlash(path) + ';' + name + '=' + id + whole.substring(end);
    }

    /** Whether a client that requests {@code requestedUri} finds a path of the context behind the URL. */
    private static boolean leadsTo(WebContext context, String url, Authority authority, String requestedUri) {
        if (!url.isEmpty() && url.charAt(0) <= ' ') {
            return false; // browsers ignore the white space, and may find a host behind it
        }
        try {
            String absolute = Redirect.location(url, Redirects.ABSOLUTE, authority, requestedUri);
            int start = authority.endIn(absolute);
            if (start < 0) {
                return false;
            }
            String path = absolute.substring(start, endOfPath(absolute));
            return context.settings()
                    .owns(RequestPath.of(path.isEmpty() ? "/" : path).decoded());
        } catch (IllegalArgumentException | Violation e) {
            return false; // the path leads above the root, or no request can have it
        }
    }

    /** Removes the parameters with this name from all segments, as the server would find them in any segment. */
    private static String withoutParameter(String path, String name) {
        String kept = path;
        String parameter = ';' + name;
        int at = kept.indexOf(parameter);
        while (at >= 0) {
            int end = at + parameter.length();
            boolean whole = end == kept.length() || "=;/".indexOf(kept.charAt(end)) >= 0;
            while (whole && end < kept.length() && kept.charAt(end) != ';' && kept.charAt(end) != '/') {
                end++;
            }
            kept = whole ? kept.substring(0, at) + kept.substring(end) : kept;
            at = kept.indexOf(parameter, whole ? at : end);
        }
        return kept;
    }

    /** A dot segment has no parameters, and neither has the authority. A slash before the parameter leads to the same place. */
    private static String missingSlash(String path) {
        String segment = path.substring(path.lastIndexOf('/') + 1);
        boolean bareAuthority = path.startsWith("//")
                ? path.indexOf('/', 2) < 0
                : path.contains("://") && path.indexOf('/', path.indexOf("://") + 3) < 0;
        return segment.equals(".") || segment.equals("..") || bareAuthority ? "/" : "";
    }

    private static int endOfPath(String url) {
        int end = 0;
        while (end < url.length() && url.charAt(end) != '?' && url.charAt(end) != '#') {
            end++;
        }
        return end;
    }
}
