package io.penstock.websocket;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.part.LogoutListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.HttpSessionEvent;
import jakarta.servlet.http.HttpSessionIdListener;
import jakarta.servlet.http.HttpSessionListener;
import jakarta.websocket.CloseReason;
import jakarta.websocket.CloseReason.CloseCodes;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The connections of logged-in users, by the id of the user's HTTP session. When the user logs out, or when the session ends, all of them
 * are closed with the code 1008 (WebSocket 2.2 section 7.2).
 *
 * <p>Thread: any.
 */
final class UserConnections implements HttpSessionListener, HttpSessionIdListener, LogoutListener {
    @GuardedBy("this")
    private final Map<String, Set<WebSocketSession>> ofSessions = new HashMap<>();

    /** The session id of each connection in {@link #ofSessions}. */
    @GuardedBy("this")
    private final Map<WebSocketSession, String> ids = new HashMap<>();

    /** Registers a connection until {@link #remove}, if its request has a user and a session. */
    void add(HttpServletRequest request, WebSocketSession connection) {
        HttpSession session = request.getUserPrincipal() == null ? null : request.getSession(false);
        if (session != null) {
            synchronized (this) {
                ofSessions
                        .computeIfAbsent(session.getId(), none -> new HashSet<>())
                        .add(connection);
                ids.put(connection, session.getId());
            }
            if (request.getSession(false) == null) {
                closeAll(session.getId()); // it ends or has ended, perhaps before the connection was known
            }
        }
    }

    synchronized void remove(WebSocketSession connection) {
        String id = ids.remove(connection);
        if (id != null) {
            ofSessions.computeIfPresent(id, (same, connections) -> {
                connections.remove(connection);
                return connections.isEmpty() ? null : connections;
            });
        }
    }

    @Override
    public void loggedOut(HttpSession session) {
        closeAll(session.getId());
    }

    @Override
    public void sessionDestroyed(HttpSessionEvent ended) {
        closeAll(ended.getSession().getId());
    }

    private void closeAll(String session) {
        Set<WebSocketSession> connections;
        synchronized (this) {
            connections = ofSessions.remove(session);
            if (connections != null) {
                connections.forEach(ids::remove);
            }
        }
        if (connections != null) {
            CloseReason reason = new CloseReason(CloseCodes.VIOLATED_POLICY, "The user is logged out");
            connections.forEach(connection -> connection.close(reason));
        }
    }

    @Override
    public synchronized void sessionIdChanged(HttpSessionEvent changed, String oldId) {
        Set<WebSocketSession> connections = ofSessions.remove(oldId);
        if (connections != null) {
            String id = changed.getSession().getId();
            // A handshake with the new id may have come first.
            ofSessions.computeIfAbsent(id, none -> new HashSet<>()).addAll(connections);
            connections.forEach(connection -> ids.put(connection, id));
        }
    }
}
