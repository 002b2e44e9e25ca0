package io.penstock.websocket;

import io.penstock.part.WebSocketSessions;
import io.penstock.websocket.frame.FrameConnection;
import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import org.jspecify.annotations.Nullable;

/** One session of the server as its limits and its operator see it, from the handshake on. Thread: any. */
final class ListedSession implements WebSocketSessions.Session {
    private final String endpoint;
    private final String address;
    private final @Nullable String user;
    private volatile @Nullable FrameConnection frames;

    ListedSession(String endpoint, HttpServletRequest request) {
        this.endpoint = endpoint;
        this.address = String.valueOf(request.getRemoteAddr());
        Principal principal = request.getUserPrincipal();
        this.user = principal == null ? null : principal.getName();
    }

    /** The session is open. */
    void open(FrameConnection connection) {
        frames = connection;
    }

    @Override
    public String endpoint() {
        return endpoint;
    }

    @Override
    public String address() {
        return address;
    }

    @Override
    public @Nullable String user() {
        return user;
    }

    @Override
    public long queuedBytes() {
        FrameConnection open = frames;
        return open == null ? 0 : open.pendingBytes();
    }
}
