package io.penstock.request;

import io.penstock.context.WebContext;
import io.penstock.exchange.Peer;
import io.penstock.http.RequestCookie;
import io.penstock.limits.Key;
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
 * Finds or creates the session of one request in one context. The client identifies the session by a cookie, by a path parameter, or by the
 * TLS session of the connection (Servlet 7.1).
 *
 * <p>After a dispatch into another context, the session of the other context gets the same id as the session in the context of the request
 * URL. So later requests find this session, even if the client does not send the cookie of the other context.
 *
 * <p>An id that the client sends may end with the name of a node ({@link RoutedId}). The application gets the id without this name.
 *
 * <p>Thread: one application thread at a time.
 *
 * <p>Owns: the request's use of its session. {@link #leave} ends this use.
 */
final class SessionAccess {
    private final WebContext context;
    private final SessionManager manager;
    private final ResponseState response;
    private final Peer peer;
    private final CountedLimits limits;
    private final @Nullable SessionAccess home;
    private @Nullable String requestedId;

    /**
     * The name of the node in the client's session cookie. When the response gets a session cookie, this field gets the name of the node
     * that serves the request.
     */
    private String cookieRoute = "";

    private Origin origin = Origin.NONE;
    private @Nullable WebSession session;

    /** While this request shows a login form: how its new session waits for the login. Otherwise null. */
    private SessionManager.@Nullable Wait wait;

    /** The failure of the session store after which this request uses no session; null if there was no such failure. */
    private @Nullable Throwable abandoned;

    /** The part of the request that named the session. */
    private enum Origin {
        NONE,
        COOKIE,
        URL,
        TLS
    }

    /** @param home the session access for the context of the request URL; null if this object itself is for that context */
    SessionAccess(
            WebContext context, ResponseState response, Peer peer, CountedLimits limits, @Nullable SessionAccess home) {
        this.context = context;
        this.manager = context.sessions();
        this.response = response;
        this.peer = peer;
        this.limits = limits;
        this.home = home;
    }

    /**
     * Looks up the session that the client names. If the session is valid, the request uses it. If several cookies have the name of the
     * session cookie, the first cookie with a valid session counts. Only the first cookies are looked up, since each can need a call of the
     * session store.
     */
    void join(List<RequestCookie> cookies, @Nullable String pathParameter) {
        if (isTrackedBy(SessionTrackingMode.COOKIE)) {
            String name = context.getSessionCookieConfig().effectiveName();
            int left = limits.values().sessionCookies();
            for (RequestCookie cookie : cookies) {
                if (session == null && cookie.name().equals(name)) {
                    if (left > 0) {
                        left--;
                        tryToJoin(cookie.value(), Origin.COOKIE);
                    } else {
                        limits.counters().reached(Key.MAX_SESSION_COOKIES);
                    }
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

    /**
     * The id of the TLS session. Null if the connection has no TLS session, or if TLS sessions do not identify the sessions of this
     * context.
     */
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
        if (session != null) {
            response.session(id);
        }
        if (session != null || origin == Origin.NONE) {
            requestedId = id;
            cookieRoute = RoutedId.route(sent);
            origin = from;
        }
    }

    /**
     * Returns the valid session of this request, for the application; null if there is none. If the client's cookie names another node, the
     * response gets a cookie that names this node. A response that does not use the session, such as a file, gets no cookie, since shared
     * caches may store such a response.
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

    /** Returns the valid session of this request; null if there is none. */
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

    /**
     * Called when the response is a login form. Until the request ends, a session that {@link #findOrCreate} creates waits for the login, and
     * a waiting session goes on waiting: a form often gets the session without a need for it, as JSP pages do.
     *
     * @param seconds the maximum inactive interval until the login
     */
    void awaitLogin(int seconds) {
        wait = new SessionManager.Wait(peer.remoteIp(), seconds);
    }

    /** Returns the valid session of this request. Creates a session if there is none. */
    WebSession findOrCreate() {
        WebSession existing = use();
        if (existing != null) {
            if (wait == null) {
                manager.use(existing);
            }
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
        response.session(created.getId());
        sendCookie(created.getId());
        return created;
    }

    private WebSession create() {
        String id = tlsId();
        if (id == null && home != null) {
            id = home.findOrCreate().getId();
        }
        return manager.create(id, wait);
    }

    /**
     * Changes the session's id. If a TLS session identifies the session, the id stays the same, since no other client can have the same TLS
     * session.
     */
    String changeId() {
        WebSession existing = find();
        if (existing == null) {
            throw new IllegalStateException("The request has no session");
        }
        if (isTrackedBy(SessionTrackingMode.SSL)) {
            return existing.getId();
        }
        String id = manager.changeId(existing);
        response.session(id);
        sendCookie(id);
        return id;
    }

    /**
     * Saves the session, since the client may send its next request before the present request has ended.
     *
     * @throws SessionNotSavedException if the session could not be saved
     */
    void keep() {
        if (session != null) {
            manager.save(session);
        }
    }

    /**
     * Ends the request's use of the session, and saves the changes.
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

    /** Called when the request has failed. The request has no session any more, and the changes of its session are not saved. */
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
     * Adds the session's id to the URL, if the client can send the id only in the URL (Servlet 7.1.3). Otherwise returns the URL unchanged.
     *
     * @param authority the authority to which the request was sent
     * @param requestedUri the path that the client asked for
     */
    String encode(String url, Authority authority, String requestedUri) {
        WebSession existing = find();
        if (existing == null || origin == Origin.COOKIE || !isTrackedBy(SessionTrackingMode.URL)) {
            return url;
        }
        String id = RoutedId.of(existing.getId(), context.sessionRoute());
        return SessionUrl.encode(url, context, authority, requestedUri, id);
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
