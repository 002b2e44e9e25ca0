package io.penstock.websocket;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpUpgradeHandler;
import jakarta.websocket.server.HandshakeRequest;
import java.io.IOException;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import org.glassfish.tyrus.servlet.TyrusHttpUpgradeHandler;

/**
 * Gives the engine, where it asks for a handler of its own, one of ours, and refuses a handshake whose key is none, which the engine would
 * answer. Before the engine's filter. Thread: any.
 */
final class UpgradeFilter extends HttpFilter {
    private static final long serialVersionUID = 1L;

    /** RFC 6455 section 4.2.1: sixteen octets in Base64. */
    private static final int KEY_OCTETS = 16;

    private static final int KEY_CHARS = 24;
    private static final String NO_KEY =
            "A WebSocket handshake needs one Sec-WebSocket-Key of sixteen octets in Base64";

    private final transient UnfinishedMessages unfinished;

    UpgradeFilter(UnfinishedMessages unfinished) {
        this.unfinished = unfinished;
    }

    @Override
    protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        String protocol = request.getHeader("Upgrade");
        if (protocol == null) {
            chain.doFilter(request, response);
        } else if (protocol.equalsIgnoreCase("websocket") && !hasKey(request)) {
            response.sendError(HttpServletResponse.SC_BAD_REQUEST, NO_KEY);
        } else {
            chain.doFilter(new Upgradable(request, unfinished), response);
        }
    }

    /** One: the field must not appear twice (RFC 6455 section 11.3.1). */
    private static boolean hasKey(HttpServletRequest request) {
        List<String> keys = Collections.list(request.getHeaders(HandshakeRequest.SEC_WEBSOCKET_KEY));
        return keys.size() == 1 && isKey(keys.get(0));
    }

    private static boolean isKey(String key) {
        try {
            return key.length() == KEY_CHARS && Base64.getDecoder().decode(key).length == KEY_OCTETS;
        } catch (IllegalArgumentException e) {
            return false; // not Base64
        }
    }

    /** A request that may become an endpoint's connection. */
    private static final class Upgradable extends HttpServletRequestWrapper {
        private final UnfinishedMessages unfinished;

        Upgradable(HttpServletRequest request, UnfinishedMessages unfinished) {
            super(request);
            this.unfinished = unfinished;
        }

        @Override
        public <T extends HttpUpgradeHandler> T upgrade(Class<T> type) throws IOException, ServletException {
            if (type != TyrusHttpUpgradeHandler.class) {
                return super.upgrade(type);
            }
            EndpointConnection connection = super.upgrade(EndpointConnection.class);
            connection.shareIn(unfinished);
            return type.cast(connection);
        }
    }
}
