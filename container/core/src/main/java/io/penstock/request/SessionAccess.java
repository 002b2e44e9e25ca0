package io.penstock.request;

import io.penstock.context.SessionCookie;
import io.penstock.context.WebContext;
import io.penstock.http.RequestCookie;
import io.penstock.http.SetCookie;
import io.penstock.session.SessionManager;
import io.penstock.session.WebSession;
import jakarta.servlet.SessionTrackingMode;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How one request and one context's sessions find each other: by cookie or by path parameter (Servlet 7.1).
 *
 * <p>Thread: one application thread at a time.
 *
 * <p>Owns: the request's share in its session, given back once by {@link #leave}.
 */
final class SessionAccess {
    private static final String DEFAULT_COOKIE = "JSESSIONID";
    private static final String DEFAULT_PARAMETER = "jsessionid";
    private static final Set<String> TYPED_ATTRIBUTES =
            Set.of("domain", "path", "max-age", "httponly", "secure", "comment");

    private final WebContext context;
    private final SessionManager manager;
    private final ResponseState response;
    private final Transport transport;
    private @Nullable String requestedId;
    private Origin origin = Origin.NONE;
    private @Nullable WebSession session;

    /** Where the client named the session. */
    private enum Origin {
        NONE,
        COOKIE,
        URL
    }

    /** Whether others can read along. */
    enum Transport {
        PLAIN,
        SECURE
    }

    SessionAccess(WebContext context, ResponseState response, Transport transport) {
        this.context = context;
        this.manager = context.sessions();
        this.response = response;
        this.transport = transport;
    }

    /** Joins the session that the client names, if it is valid; of several cookies of the name, the first valid one. */
    void join(List<RequestCookie> cookies, @Nullable String pathParameter) {
        Set<SessionTrackingMode> modes = context.getEffectiveSessionTrackingModes();
        if (modes.contains(SessionTrackingMode.COOKIE)) {
            String name = cookieName();
            for (RequestCookie cookie : cookies) {
                if (session == null && cookie.name().equals(name)) {
                    tryToJoin(cookie.value(), Origin.COOKIE);
                }
            }
        }
        if (session == null && pathParameter != null && modes.contains(SessionTrackingMode.URL)) {
            tryToJoin(pathParameter, Origin.URL);
        }
    }

    private void tryToJoin(String id, Origin from) {
        session = manager.find(id);
        if (session != null || origin == Origin.NONE) {
            requestedId = id;
            origin = from;
        }
    }

    /** The valid session of this request, or null. */
    @Nullable
    WebSession find() {
        if (session != null && !session.isValid()) {
            leave();
        }
        return session;
    }

    /** The valid session of this request, a new one if there is none. */
    WebSession findOrCreate() {
        WebSession found = find();
        if (found != null) {
            return found;
        }
        if (response.isCommitted()) {
            throw new IllegalStateException("The response is committed: it cannot carry a new session's cookie");
        }
        WebSession created = manager.create();
        session = created;
        sendCookie(created.getId());
        return created;
    }

    String changeId() {
        WebSession found = find();
        if (found == null) {
            throw new IllegalStateException("The request has no session");
        }
        String id = manager.changeId(found);
        sendCookie(id);
        return id;
    }

    /** The request has ended. */
    void leave() {
        if (session != null) {
            manager.leave(session);
            session = null;
        }
    }

    @Nullable
    String requestedId() {
        return requestedId;
    }

    boolean isRequestedIdValid() {
        WebSession found = find();
        return found != null && found.getId().equals(requestedId);
    }

    boolean isFromCookie() {
        return origin == Origin.COOKIE;
    }

    boolean isFromUrl() {
        return origin == Origin.URL;
    }

    /** The URL with the session's identifier, if the client does not keep it by itself (Servlet 7.1.3). */
    String encode(String url, HttpRequest request) {
        WebSession found = find();
        if (found == null
                || origin == Origin.COOKIE
                || !context.getEffectiveSessionTrackingModes().contains(SessionTrackingMode.URL)
                || !isOfThisContext(url, request)) {
            return url;
        }
        int end = 0;
        while (end < url.length() && url.charAt(end) != '?' && url.charAt(end) != '#') {
            end++;
        }
        return url.substring(0, end) + ';' + parameterName(context) + '=' + found.getId() + url.substring(end);
    }

    private boolean isOfThisContext(String url, HttpRequest request) {
        if (url.isEmpty() || url.startsWith("#")) {
            return false;
        }
        int scheme = url.indexOf("://");
        boolean absolute = scheme > 0 && url.substring(0, scheme).chars().allMatch(Character::isLetterOrDigit);
        String path = url;
        if (absolute) {
            String origin = request.origin();
            if (!url.startsWith(origin)) {
                return false;
            }
            path = url.substring(origin.length());
        }
        return !path.startsWith("//")
                && (!path.startsWith("/") || path.startsWith(context.getContextPath()))
                && !path.startsWith("mailto:")
                && !path.startsWith("javascript:");
    }

    static String parameterName(WebContext context) {
        String name = context.getSessionCookieConfig().getName();
        return name == null ? DEFAULT_PARAMETER : name;
    }

    private String cookieName() {
        String name = context.getSessionCookieConfig().getName();
        return name == null ? DEFAULT_COOKIE : name;
    }

    private void sendCookie(String id) {
        if (response.isCommitted()
                || !context.getEffectiveSessionTrackingModes().contains(SessionTrackingMode.COOKIE)) {
            return;
        }
        SessionCookie config = context.getSessionCookieConfig();
        Map<String, String> attributes = new LinkedHashMap<>();
        attributes.put("Path", config.effectivePath());
        if (config.getDomain() != null) {
            attributes.put("Domain", config.getDomain());
        }
        if (config.getMaxAge() >= 0) {
            attributes.put("Max-Age", Integer.toString(config.getMaxAge()));
        }
        if (config.isSecure() || transport == Transport.SECURE) {
            attributes.put("Secure", "");
        }
        if (config.isHttpOnly()) {
            attributes.put("HttpOnly", "");
        }
        config.getAttributes().forEach((name, value) -> {
            if (!TYPED_ATTRIBUTES.contains(name.toLowerCase(Locale.ROOT))) {
                attributes.put(name, value);
            }
        });
        response.fields().sessionCookie(SetCookie.format(cookieName(), id, attributes, Instant.now()));
    }
}
