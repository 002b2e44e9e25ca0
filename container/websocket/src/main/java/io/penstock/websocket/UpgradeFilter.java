package io.penstock.websocket;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpUpgradeHandler;
import java.io.IOException;
import org.glassfish.tyrus.servlet.TyrusHttpUpgradeHandler;

/** Gives the engine, where it asks for a handler of its own, one of ours. Before the engine's filter. Thread: any. */
final class UpgradeFilter extends HttpFilter {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        chain.doFilter(request.getHeader("Upgrade") == null ? request : new Upgradable(request), response);
    }

    /** A request that may become an endpoint's connection. */
    private static final class Upgradable extends HttpServletRequestWrapper {
        Upgradable(HttpServletRequest request) {
            super(request);
        }

        @Override
        public <T extends HttpUpgradeHandler> T upgrade(Class<T> type) throws IOException, ServletException {
            return type == TyrusHttpUpgradeHandler.class
                    ? type.cast(super.upgrade(EndpointConnection.class))
                    : super.upgrade(type);
        }
    }
}
