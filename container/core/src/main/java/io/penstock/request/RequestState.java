package io.penstock.request;

import io.penstock.context.WebContext;
import io.penstock.exchange.Exchange;
import io.penstock.http.Cookies;
import io.penstock.http.RequestCookie;
import io.penstock.http.RequestHead;
import io.penstock.http.RequestPath;
import io.penstock.http.Violation;
import jakarta.servlet.http.Cookie;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The one request of an exchange, which all its façades ({@link HttpRequest}) share.
 *
 * <p>Thread: one application thread at a time.
 *
 * <p>Owns: uploads' temporary files and shares in sessions, given up by {@link #end}.
 */
public final class RequestState {
    private final Exchange exchange;
    private final RequestPath path;
    private final ResponseState response;
    private final AsyncSupport async;
    private final Attributes attributes;
    private final RequestBodyAccess body;
    private final RequestedUpgrade upgrade;
    private final Map<WebContext, SessionAccess> sessions = new HashMap<>(2);
    private final Guard guard;
    private @Nullable WebContext home;
    private @Nullable Authority authority;
    private @Nullable List<RequestCookie> cookies;
    private @Nullable Violation tooManyCookies;
    private volatile @Nullable Identity identity;

    /** @param guard of the context that the client has asked */
    public RequestState(
            Exchange exchange,
            RequestPath path,
            ResponseState response,
            AsyncSupport async,
            Bounds bounds,
            Guard guard) {
        this.exchange = exchange;
        this.path = path;
        this.response = response;
        this.async = async;
        this.guard = guard;
        this.attributes = new Attributes(SecureAttributes.of(exchange.peer()));
        this.body = new RequestBodyAccess(exchange, async, bounds);
        this.upgrade = new RequestedUpgrade(exchange, response);
    }

    /** The request has ended: files, sessions and stream are given up. What the application kept reads nothing any more. */
    public void end() {
        body.end();
        leaveSessions();
    }

    /**
     * Gives the sessions up, before the client has the whole response: it may ask again at once, and find in a store that several
     * servers share what this request has changed.
     */
    public void leaveSessions() {
        sessions.values().forEach(SessionAccess::leave);
    }

    /** What the connection is to become. */
    public RequestedUpgrade upgrade() {
        return upgrade;
    }

    /** Part of the response leaves before the request has ended: the same holds for what has been changed until now. */
    public void keepSessions() {
        sessions.values().forEach(SessionAccess::keep);
    }

    RequestHead head() {
        return exchange.head();
    }

    public Exchange exchange() {
        return exchange;
    }

    Guard guard() {
        return guard;
    }

    /** The user who makes the request; null while nobody is known to. */
    public @Nullable Identity identity() {
        return identity;
    }

    /** Changed by the guard alone, and by a logout. */
    public void identity(@Nullable Identity user) {
        identity = user;
        exchange.user(user == null ? "" : String.valueOf(user.principal().getName()));
    }

    ResponseState response() {
        return response;
    }

    /** What the dispatching keeps about the exchange. */
    public AsyncSupport async() {
        return async;
    }

    Attributes attributes() {
        return attributes;
    }

    RequestBodyAccess body() {
        return body;
    }

    Authority authority() {
        if (authority == null) {
            authority = Authority.of(exchange.head(), exchange.peer());
        }
        return authority;
    }

    /** The session of this request in a context; found at the first call. */
    SessionAccess session(WebContext context) {
        SessionAccess access = sessions.get(context);
        if (access == null) {
            WebContext asked = home;
            SessionAccess there = asked == null || asked == context ? null : session(asked);
            access = new SessionAccess(context, response, exchange.peer(), there);
            access.join(requestCookies(), path.parameter(SessionUrl.parameterName(context)));
            sessions.put(context, access);
        }
        return access;
    }

    /**
     * Tells the session that the client names that it is in use, in the context that he has asked.
     *
     * @throws Violation if the client has sent more cookies than anybody needs
     */
    public void joinSession(WebContext context) throws Violation {
        home = context;
        boolean named = exchange.head().fields().contains("Cookie")
                || !path.parameters().isEmpty()
                || exchange.peer().tls() != null;
        if (named) {
            session(context);
        }
        if (tooManyCookies != null) {
            throw tooManyCookies;
        }
    }

    Cookie @Nullable [] cookies() {
        List<Cookie> converted = new ArrayList<>();
        for (RequestCookie cookie : requestCookies()) {
            converted.add(new Cookie(cookie.name(), cookie.value()));
        }
        return converted.isEmpty() ? null : converted.toArray(Cookie[]::new);
    }

    /** None where there were too many: listeners and error pages, which still see the request, can do without. */
    private List<RequestCookie> requestCookies() {
        if (cookies == null) {
            Bounds bounds = body.bounds();
            try {
                cookies = Cookies.of(exchange.head().fields(), bounds.limits().cookies());
            } catch (Violation e) {
                bounds.count(e);
                tooManyCookies = e;
                cookies = List.of();
            }
        }
        return cookies;
    }
}
