package io.penstock.websocket;

import io.penstock.websocket.frame.UnfinishedMessages;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpUpgradeHandler;
import java.io.IOException;
import org.glassfish.tyrus.servlet.TyrusHttpUpgradeHandler;

/**
 * Gives the WebSocket engine {@link EndpointConnection} as its upgrade handler, instead of the engine's own class. The filter also refuses
 * handshakes with an invalid key, method or version of HTTP, because the engine would accept them. The filter runs before the engine's own
 * filter. Thread: any.
 */
final class UpgradeFilter extends HttpFilter {
    private static final long serialVersionUID = 1L;

    private final transient UnfinishedMessages unfinished;
    private final transient UserConnections users;

    UpgradeFilter(UnfinishedMessages unfinished, UserConnections users) {
        this.unfinished = unfinished;
        this.users = users;
    }

    @Override
    protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        String protocol = request.getHeader("Upgrade");
        if (protocol == null) {
            chain.doFilter(request, response);
        } else if (protocol.equalsIgnoreCase("websocket") && !HandshakeRequirements.hasKey(request)) {
            response.sendError(HttpServletResponse.SC_BAD_REQUEST, HandshakeRequirements.NO_KEY);
        } else {
            try {
                chain.doFilter(new Upgradable(request, unfinished, users), response);
            } catch (NoHandshakeException e) {
                refuse(request, response);
            }
        }
    }

    private static void refuse(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String reason = HandshakeRequirements.missing(request);
        if (HandshakeRequirements.isGet(request)) {
            response.sendError(HttpServletResponse.SC_BAD_REQUEST, reason);
        } else {
            response.setHeader("Allow", "GET");
            response.sendError(HttpServletResponse.SC_METHOD_NOT_ALLOWED, reason);
        }
    }

    /** The engine has found an endpoint for a request that is no handshake. Requests for which it finds none are ordinary ones. */
    private static final class NoHandshakeException extends ServletException {
        private static final long serialVersionUID = 1L;
    }

    /** A request whose connection might be upgraded to a WebSocket connection. */
    private static final class Upgradable extends HttpServletRequestWrapper {
        private final UnfinishedMessages unfinished;
        private final UserConnections users;

        Upgradable(HttpServletRequest request, UnfinishedMessages unfinished, UserConnections users) {
            super(request);
            this.unfinished = unfinished;
            this.users = users;
        }

        @Override
        public <T extends HttpUpgradeHandler> T upgrade(Class<T> type) throws IOException, ServletException {
            if (type != TyrusHttpUpgradeHandler.class) {
                return super.upgrade(type);
            }
            if (!HandshakeRequirements.isGet(this) || !HandshakeRequirements.isHttp11(this)) {
                throw new NoHandshakeException();
            }
            EndpointConnection connection = super.upgrade(EndpointConnection.class);
            connection.shareIn(unfinished);
            users.add(this, connection);
            return type.cast(connection);
        }
    }
}
