package io.penstock.websocket;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpUpgradeHandler;
import java.io.IOException;
import java.util.Base64;
import org.glassfish.tyrus.servlet.TyrusHttpUpgradeHandler;
import org.jspecify.annotations.Nullable;

/**
 * Gives the engine, where it asks for a handler of its own, one of ours, and refuses a handshake whose key is none, which the engine would
 * answer. Before the engine's filter. Thread: any.
 */
final class UpgradeFilter extends HttpFilter {
    private static final long serialVersionUID = 1L;

    /** RFC 6455 section 4.2.1: sixteen octets in Base64. */
    private static final int KEY_OCTETS = 16;

    private static final int KEY_CHARS = 24;

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
        } else if (protocol.equalsIgnoreCase("websocket") && !isKey(request.getHeader("Sec-WebSocket-Key"))) {
            response.sendError(HttpServletResponse.SC_BAD_REQUEST, "Sec-WebSocket-Key is none");
        } else {
            chain.doFilter(new Upgradable(request, unfinished), response);
        }
    }

    private static boolean isKey(@Nullable String key) {
        try {
            return key != null
                    && key.length() == KEY_CHARS
                    && Base64.getDecoder().decode(key).length == KEY_OCTETS;
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
