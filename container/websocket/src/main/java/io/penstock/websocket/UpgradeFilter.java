package io.penstock.websocket;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.websocket.DeploymentException;
import jakarta.websocket.server.HandshakeRequest;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes the handshakes of an application to its endpoints. A request for a path without an endpoint, or without {@code Upgrade:
 * websocket}, is an ordinary request. Thread: any.
 */
final class UpgradeFilter extends HttpFilter {
    private static final long serialVersionUID = 1L;
    private static final int UPGRADE_REQUIRED = 426;
    private static final Logger LOG = LoggerFactory.getLogger(UpgradeFilter.class);

    private final transient EndpointContainer container;

    UpgradeFilter(EndpointContainer container) {
        this.container = container;
    }

    /** The container has called the listeners of the application before. */
    @Override
    public void init() {
        container.deployed();
    }

    @Override
    public void destroy() {
        container.closeClients();
    }

    @Override
    protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        ServerHandshake handshake = HandshakeRequirements.asksForUpgrade(request)
                ? container.handshake(path(request), request, response)
                : null;
        if (handshake == null) {
            chain.doFilter(request, response);
            return;
        }
        String missing = HandshakeRequirements.missing(request);
        if (missing != null) {
            refuse(request, response, missing);
        } else {
            try {
                handshake.accept();
            } catch (DeploymentException e) {
                refused(request, e);
            }
        }
    }

    /** The path inside the application, as the rules for security see it. */
    private static String path(HttpServletRequest request) {
        String info = request.getPathInfo();
        return info == null ? request.getServletPath() : request.getServletPath() + info;
    }

    private static void refuse(HttpServletRequest request, HttpServletResponse response, String reason)
            throws IOException {
        if (!HandshakeRequirements.isGet(request)) {
            response.setHeader("Allow", "GET");
            response.sendError(HttpServletResponse.SC_METHOD_NOT_ALLOWED, reason);
        } else if (!HandshakeRequirements.hasVersion(request)) {
            response.setHeader(HandshakeRequest.SEC_WEBSOCKET_VERSION, HandshakeRequirements.VERSION);
            response.sendError(UPGRADE_REQUIRED, reason);
        } else {
            response.sendError(HttpServletResponse.SC_BAD_REQUEST, reason);
        }
    }

    /** The response has its status already. A refused origin is no failure. */
    private static void refused(HttpServletRequest request, DeploymentException why) {
        if (why.getCause() == null) {
            LOG.debug("{}: {}", request.getRequestURI(), why.getMessage());
        } else {
            LOG.error("No WebSocket endpoint can be created for {}", request.getRequestURI(), why.getCause());
        }
    }
}
