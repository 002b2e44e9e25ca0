package io.penstock.request;

import io.penstock.context.WebContext;
import io.penstock.exchange.Peer;
import io.penstock.http.RequestCookie;
import io.penstock.reactor.TlsSession;
import io.penstock.session.SessionManager;
import io.penstock.session.SessionNotSavedException;
import io.penstock.session.WebSession;
import jakarta.servlet.SessionTrackingMode;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds and makes the session of one request in one context: by cookie, by path parameter, or by the TLS session of the connection (Servlet
 * 7.1).
 *
 * <p>After a dispatch into another context, the session there gets the id of the session in the request's own context. The client sends
 * that id back, even if it does not send the cookie of the other context.
 *
 * <p>The ids that clients have may end with the name of a node ({@link RoutedId}), which the application never sees.
 *
 * <p>Thread: one application thread at a time.
 *
 * <p>Owns: the request's use of its session, ended once by {@link #leave}.
 */
final class SessionAccess {
    private final WebContext context;
    private final SessionManager manager;
    private final ResponseState response;
    private final Peer peer;
    private final @Nullable SessionAccess home;
    private @Nullable String requestedId;

    /** The node that the client's cookie names. Once the response has a session cookie, this is the present node. */
    private String cookieRoute = "";

    private Origin origin = Origin.NONE;
    private @Nullable WebSession session;

    /** Set when the request has failed because a session could not be saved. */
    private @Nullable Throwable abandoned;

    /** The part of the request that named the session. */
    private enum Origin {
        NONE,
        COOKIE,
        URL,
        TLS
    }

    /** @param home the access in the context of the request URL; null if this object is that access */
    SessionAccess(WebContext context, ResponseState response, Peer peer, @Nullable SessionAccess home) {
        this.context = context;
        this.manager = context.sessions();
        this.response = response;
        this.peer = peer;
        this.home = home;
    }

    /** Joins the session that the client names, if it is valid. Of several cookies with that name, the first valid one counts. */
    void join(List<RequestCookie> cookies, @Nullable String pathParameter) {
        if (isTrackedBy(SessionTrackingMode.COOKIE)) {
            String name = context.getSessionCookieConfig().effectiveName();
            for (RequestCookie cookie : cookies) {
                if (session == null && cookie.name().equals(name)) {
                    tryToJoin(cookie.value(), Origin.COOKIE);
                }
            }
        }
        if (session == null && pathParameter != null && isTrackedBy(SessionTrackingMode.URL)) {
            tryToJoin(pathParameter, Origin.URL);
        }
        String tls = tlsId();
        if (tls != null) {
            tryToJoin(tls, Origin.TLS);
        }
    }

    /** The id of the TLS session. Null if there is none, or if TLS sessions do not identify the sessions of this context. */
    private @Nullable String tlsId() {
        TlsSession tls = peer.tls();
        return tls == null || tls.id().isEmpty() || !isTrackedBy(SessionTrackingMode.SSL) ? null : tls.id();
    }

    private boolean isTrackedBy(SessionTrackingMode mode) {
        Set<SessionTrackingMode> modes = context.getEffectiveSessionTrackingModes();
        return modes.contains(mode);
    }

    private void tryToJoin(String sent, Origin from) {
        String id = RoutedId.id(sent);
        session = manager.find(id);
        if (session != null || origin == Origin.NONE) {
            requestedId = id;
            cookieRoute = RoutedId.route(sent);
            origin = from;
        }
    }

    /**
     * The valid session of this request for the application, or null. If the client's cookie names another node, the response gets a cookie
     * that names this node. Responses that do not use the session, such as files, get no cookie, since shared caches may store them.
     */
    @Nullable
    WebSession use() {
        WebSession found = find();
        String here = context.sessionRoute();
        if (found != null && origin == Origin.COOKIE && !here.isEmpty() && !cookieRoute.equals(here)) {
            sendCookie(found.getId());
        }
        return found;
    }

    /** The valid session of this request, or null. */
    @Nullable
    WebSession find() {
        if (session != null && !session.isValid()) {
            leave();
        }
        if (session == null && home != null && abandoned == null) {
            WebSession there = home.find();
            session = there == null ? null : manager.find(there.getId());
        }
        return session;
    }

    /** The valid session of this request; makes one if there is none. */
    WebSession findOrCreate() {
        WebSession existing = use();
        if (existing != null) {
            return existing;
        }
        if (abandoned != null) {
            // A new session would replace the client's session.
            throw new IllegalStateException("the request has failed and can use no session any more", abandoned);
        }
        if (response.isCommitted()) {
            throw new IllegalStateException("The response is committed: the cookie of a new session cannot be added");
        }
        WebSession created = create();
        session = created;
        sendCookie(created.getId());
        return created;
    }

    private WebSession create() {
        String tls = tlsId();
        if (tls != null) {
            return manager.create(tls);
        }
        return home == null
                ? manager.create()
                : manager.create(home.findOrCreate().getId());
    }

    /** Changes the session's id. A session that is identified by its TLS session keeps its id, which no other client can have. */
    String changeId() {
        WebSession existing = find();
        if (existing == null) {
            throw new IllegalStateException("The request has no session");
        }
        if (isTrackedBy(SessionTrackingMode.SSL)) {
            return existing.getId();
        }
        String id = manager.changeId(existing);
        sendCookie(id);
        return id;
    }

    /**
     * Saves the session, since the client may send its next request before this one has ended.
     *
     * @throws SessionNotSavedException if that failed
     */
    void keep() {
        if (session != null) {
            manager.save(session);
        }
    }

    /**
     * The request has ended.
     *
     * @throws SessionNotSavedException if the session's changes were not saved
     */
    void leave() {
        WebSession left = session;
        session = null;
        if (left != null) {
            manager.leave(left);
        }
    }

    /** The request has failed: it has no session any more, and its changes are not saved. */
    void abandon(Throwable cause) {
        abandoned = cause;
        WebSession left = session;
        session = null;
        if (left != null) {
            manager.abandon(left);
        }
    }

    /** The id that the client has sent, without the name of a node. */
    @Nullable
    String requestedId() {
        return requestedId;
    }

    boolean isRequestedIdValid() {
        WebSession existing = find();
        return existing != null && existing.getId().equals(requestedId);
    }

    boolean isFromCookie() {
        return origin == Origin.COOKIE;
    }

    boolean isFromUrl() {
        return origin == Origin.URL;
    }

    /**
     * The URL with the session's id, unless the client returns the id by itself (Servlet 7.1.3).
     *
     * @param authority to which the request was sent
     */
    String encode(String url, Authority authority) {
        WebSession existing = find();
        return existing == null
                        || origin == Origin.COOKIE
                        || !isTrackedBy(SessionTrackingMode.URL)
                        || !SessionUrl.isOf(context, authority.origin(), url)
                ? url
                : SessionUrl.encode(url, context, RoutedId.of(existing.getId(), context.sessionRoute()));
    }

    private void sendCookie(String id) {
        if (!response.isCommitted() && isTrackedBy(SessionTrackingMode.COOKIE)) {
            String value = RoutedId.of(id, context.sessionRoute());
            String cookie = context.getSessionCookieConfig().format(value, peer.secure(), Instant.now());
            response.fields()
                    .sessionCookie(
                            context.getSessionCookieConfig().effectiveName()
                                    + ';'
                                    + context.getSessionCookieConfig().effectivePath(),
                            cookie);
            cookieRoute = context.sessionRoute();
        }
    }
}
