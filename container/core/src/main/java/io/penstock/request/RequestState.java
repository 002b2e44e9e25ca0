package io.penstock.request;

import io.penstock.context.WebContext;
import io.penstock.exchange.Exchange;
import io.penstock.http.Cookies;
import io.penstock.http.DecidingFields;
import io.penstock.http.ParsedBytes;
import io.penstock.http.RequestCookie;
import io.penstock.http.RequestHead;
import io.penstock.http.RequestPath;
import io.penstock.http.Violation;
import io.penstock.session.Failures;
import io.penstock.session.SessionNotSavedException;
import jakarta.servlet.http.Cookie;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The state of an exchange's request. All request objects of the exchange share this state: each dispatch has its own {@link HttpRequest}.
 *
 * <p>Thread: one application thread at a time.
 *
 * <p>Owns: the temporary files of uploads, the reserved bytes of parsed values, and the request's use of sessions. {@link #end} ends all.
 */
public final class RequestState {
    private final Exchange exchange;
    private final RequestPath path;
    private final ResponseState response;
    private final AsyncSupport async;
    private final CountedLimits limits;
    private Map<WebContext, SessionAccess> sessions = Map.of();
    private final Guard guard;
    private @Nullable RequestParameters parameters;
    private @Nullable RequestedUpgrade upgrade;
    private @Nullable WebContext home;
    private @Nullable Authority authority;
    private @Nullable List<RequestCookie> cookies;
    private @Nullable Violation refusedCookies;
    private volatile @Nullable Identity identity;

    private volatile @Nullable Attributes attributes;

    // body() sets the field body, then reads ended. end() sets ended, then reads the field body. So the body is ended
    // with the request even if both methods run at the same time. The same is true for memory() and its field.
    private volatile @Nullable RequestBodyAccess body;
    private volatile @Nullable ParsedBytes memory;
    private volatile boolean ended;

    /** @param guard the guard of the context to which the request URL leads */
    public RequestState(
            Exchange exchange,
            RequestPath path,
            ResponseState response,
            AsyncSupport async,
            CountedLimits limits,
            Guard guard) {
        this.exchange = exchange;
        this.path = path;
        this.response = response;
        this.async = async;
        this.guard = guard;
        this.limits = limits;
    }

    /**
     * Ends the request: releases its files, sessions, body stream, and the memory of its parsed values. If the application has kept a stream, reads from this stream fail.
     */
    public void end() {
        ended = true;
        RequestBodyAccess used = body;
        if (used != null) {
            used.end();
        }
        ParsedBytes parsed = memory;
        if (parsed != null) {
            parsed.end();
        }
        try {
            leaveSessions();
        } catch (SessionNotSavedException e) {
            // An error page is not possible: the response has been aborted, or its client has disconnected.
            exchange.threw(e);
        }
    }

    /**
     * Saves and releases the sessions. This method must be called before the client has received the whole response: the client may send
     * its next request at once, perhaps to another server that shares the store. That request must find the changes of the present request.
     *
     * @throws SessionNotSavedException if the changes of a session were not saved. Even in this case all sessions have been released
     */
    public void leaveSessions() {
        if (sessions.isEmpty()) {
            // Most requests have no session. The return avoids the iterator object of an empty map.
            return;
        }
        Failures failures = new Failures();
        for (SessionAccess session : sessions.values()) {
            failures.attempt(session::leave);
        }
        failures.rethrow();
    }

    /**
     * Called when the request has failed and the client gets an error. The changes of the request's sessions are not saved. From now on the
     * request has no session.
     */
    public void abandonSessions(Throwable cause) {
        sessions.values().forEach(session -> session.abandon(cause));
    }

    /**
     * Removes and returns the memory of the parsed values; null if there is none. From then on the caller gives it back. Called at an
     * upgrade, since the application may keep the values of the request as long as the upgraded connection, as WebSocket does.
     */
    public @Nullable ParsedBytes takeMemory() {
        ParsedBytes taken = memory;
        memory = null;
        return taken;
    }

    /** The upgrade that the application asks for. */
    RequestedUpgrade upgrade() {
        if (upgrade == null) {
            upgrade = new RequestedUpgrade(exchange, response);
        }
        return upgrade;
    }

    /**
     * Removes and returns the handler of the upgrade that the application has asked for; null if there is none. From then on the caller
     * owns the handler.
     */
    public RequestedUpgrade.@Nullable Handler takeUpgrade() {
        return upgrade == null ? null : upgrade.take();
    }

    /** Saves the sessions, since a part of the response is sent before the request ends. */
    private void keepSessions() {
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

    /** The authenticated user, or null. */
    public @Nullable Identity identity() {
        return identity;
    }

    /** Sets the authenticated user; null after a logout. */
    public void identity(@Nullable Identity user) {
        identity = user;
        exchange.user(user == null ? "" : String.valueOf(user.principal().getName()));
    }

    ResponseState response() {
        return response;
    }

    /** The asynchronous state of the exchange. */
    public AsyncSupport async() {
        return async;
    }

    /** The attributes of the request. The first call makes the object, since many requests use no attribute. */
    Attributes attributes() {
        Attributes made = attributes;
        return made == null ? makeAttributes() : made;
    }

    private synchronized Attributes makeAttributes() {
        Attributes made = attributes;
        if (made == null) {
            made = new Attributes(SecureAttributes.of(exchange.tls()));
            attributes = made;
        }
        return made;
    }

    RequestBodyAccess body() {
        RequestBodyAccess used = body;
        if (used == null) {
            used = new RequestBodyAccess(exchange, async, limits, memory());
            body = used;
            if (ended) {
                used.end();
            }
        }
        return used;
    }

    /** The memory of the parsed values of this request. */
    private ParsedBytes memory() {
        ParsedBytes used = memory;
        if (used == null) {
            used = new ParsedBytes(limits.memory());
            memory = used;
            if (ended) {
                used.end();
            }
        }
        return used;
    }

    RequestParameters parameters() {
        if (parameters == null) {
            parameters = new RequestParameters(exchange.head().target().query(), body(), limits, memory());
        }
        return parameters;
    }

    /** The undecoded path that the client asked for, whatever dispatch is running. */
    String requestedUri() {
        return path.raw();
    }

    Authority authority() {
        if (authority == null) {
            authority = Authority.of(exchange.head(), exchange.peer());
        }
        return authority;
    }

    /** Returns the access to this request's session in a context. The first call for a context looks up the session. */
    SessionAccess session(WebContext context) {
        SessionAccess access = sessions.get(context);
        if (access == null) {
            if (sessions.isEmpty()) {
                sessions = new HashMap<>(2);
            }
            WebContext asked = home;
            SessionAccess there = asked == null || asked == context ? null : session(asked);
            access = new SessionAccess(context, response, exchange.peer(), limits, there);
            sessions.put(context, access);
            try {
                access.join(requestCookies(), path.parameter(SessionUrl.parameterName(context)));
            } catch (UncheckedIOException e) {
                // After this call the request uses no session, so an error page does not wait for the store again.
                access.abandon(e);
                throw e;
            }
            response.whenLeaving(this::keepSessions);
        }
        return access;
    }

    /**
     * Looks up the session that the client names, in the context of the request URL. If the session is valid, the request uses it.
     *
     * @throws Violation if the client has sent too many cookies, or if there is no memory for them
     */
    public void joinSession(WebContext context) throws Violation {
        home = context;
        boolean named = exchange.head().deciding().has(DecidingFields.Name.COOKIE)
                || path.mayHaveParameters()
                || exchange.tls() != null;
        if (named) {
            session(context);
        }
        if (refusedCookies != null) {
            throw refusedCookies;
        }
    }

    /** Whether a session has been looked up. If not, after {@link #joinSession}, the client has named none. */
    public boolean hasSessions() {
        return !sessions.isEmpty();
    }

    Cookie @Nullable [] cookies() {
        List<Cookie> converted = new ArrayList<>();
        for (RequestCookie cookie : requestCookies()) {
            converted.add(new Cookie(cookie.name(), cookie.value()));
        }
        return converted.isEmpty() ? null : converted.toArray(Cookie[]::new);
    }

    /**
     * Returns the cookies of the request; an empty list if the request is refused because of its cookies. In this case listeners and error pages get the
     * request without cookies.
     */
    private List<RequestCookie> requestCookies() {
        if (cookies == null) {
            try {
                cookies = Cookies.of(exchange.head().fields(), limits.values().cookies(), memory());
            } catch (Violation e) {
                refusedCookies = limits.counted(e);
                cookies = List.of();
            }
        }
        return cookies;
    }
}
