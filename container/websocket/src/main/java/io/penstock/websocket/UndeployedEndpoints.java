package io.penstock.websocket;

import io.penstock.websocket.frame.UnfinishedMessages;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.websocket.DeploymentException;
import jakarta.websocket.server.ServerContainer;
import jakarta.websocket.server.ServerEndpointConfig;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.URI;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import org.glassfish.tyrus.core.RequestContext;
import org.glassfish.tyrus.core.TyrusUpgradeResponse;
import org.glassfish.tyrus.core.TyrusWebSocketEngine;
import org.glassfish.tyrus.core.Utils;
import org.glassfish.tyrus.spi.Connection;
import org.glassfish.tyrus.spi.WebSocketEngine;
import org.glassfish.tyrus.spi.Writer;
import org.jspecify.annotations.Nullable;

/**
 * Endpoints that are not deployed. An application, for example a framework with its own mapping, passes requests directly to such an
 * endpoint (WebSocket 2.2, {@link ServerContainer#upgradeHttpToWebSocket}). An engine finds endpoints by their paths, and cannot remove an
 * endpoint. So each configuration of an endpoint has its own engine. The engine exists until the end of its last connection. After that,
 * the engine and the configuration can be garbage-collected. The connections of one engine share the engine's list of open sessions.
 *
 * <p>Thread: any.
 */
final class UndeployedEndpoints {
    private final ServerContainer container;
    private final int frame;
    private final UnfinishedMessages unfinished;

    /**
     * The engines by configuration, and by the number of segments in the path of the request. The engines of one configuration differ only
     * in the number of segments in their path.
     */
    @GuardedBy("engines")
    private final Map<ServerEndpointConfig, Map<Integer, WeakReference<WebSocketEngine>>> engines = new WeakHashMap<>();

    private final UserConnections users;

    /**
     * @param container the container that the method {@code getContainer} of a session returns
     * @param frame the most bytes of a client's frame
     */
    UndeployedEndpoints(ServerContainer container, int frame, UnfinishedMessages unfinished, UserConnections users) {
        this.container = container;
        this.users = users;
        this.frame = frame;
        this.unfinished = unfinished;
    }

    /**
     * Answers the handshake with status 101.
     *
     * @throws IllegalStateException if the request is not a handshake, or if its response is committed
     * @throws DeploymentException if the class is not an endpoint, or if the endpoint refuses the handshake; after a refusal, the response
     *     has the status of the refusal
     */
    void upgrade(
            HttpServletRequest request,
            HttpServletResponse response,
            ServerEndpointConfig endpoint,
            Map<String, String> pathParameters)
            throws IOException, DeploymentException {
        String missing = HandshakeRequirements.missing(request);
        if (missing != null) {
            throw new IllegalStateException(missing);
        }
        if (response.isCommitted()) {
            throw new IllegalStateException("Cannot upgrade: the response is committed");
        }
        WebSocketEngine engine = engine(endpoint, segments(request.getRequestURI()));
        RequestContext handshake = handshake(request);
        Map<String, List<String>> parameters = handshake.getParameterMap(); // a later call returns an unmodifiable map
        pathParameters.forEach((name, value) -> parameters.put(name, List.of(value)));
        TyrusUpgradeResponse answer = new TyrusUpgradeResponse();
        WebSocketEngine.UpgradeInfo info = engine.upgrade(handshake, answer);
        parameters.remove(UndeployedConfig.SEGMENT);
        if (answer.getStatus() != HttpServletResponse.SC_SWITCHING_PROTOCOLS) {
            copyFields(answer, response);
            response.sendError(answer.getStatus());
            throw new DeploymentException("The WebSocket handshake is refused with status " + answer.getStatus());
        }
        begin(connection(request), request, new Kept(engine, info));
        response.setStatus(HttpServletResponse.SC_SWITCHING_PROTOCOLS);
        copyFields(answer, response);
        response.flushBuffer();
    }

    private static int segments(String path) {
        return (int) path.chars().filter(c -> c == '/').count();
    }

    private WebSocketEngine engine(ServerEndpointConfig endpoint, int segments) throws DeploymentException {
        synchronized (engines) {
            Map<Integer, WeakReference<WebSocketEngine>> known =
                    engines.computeIfAbsent(endpoint, none -> new HashMap<>());
            WeakReference<WebSocketEngine> reference = known.get(segments);
            WebSocketEngine engine = reference == null ? null : reference.get();
            if (engine == null) {
                engine = TyrusWebSocketEngine.builder(container)
                        .incomingBufferSize(frame)
                        .build();
                UndeployedConfig config = new UndeployedConfig(endpoint, segments, frame);
                engine.register(config, "");
                config.registered();
                known.put(segments, new WeakReference<>(engine));
            }
            return engine;
        }
    }

    private static RequestContext handshake(HttpServletRequest request) {
        Map<String, Object> parameters = new HashMap<>();
        for (String name : Collections.list(request.getServletContext().getInitParameterNames())) {
            parameters.put(name, request.getServletContext().getInitParameter(name));
        }
        RequestContext handshake = RequestContext.Builder.create()
                .requestURI(URI.create(request.getRequestURI()))
                .queryString(request.getQueryString())
                .httpSession(request.getSession(false))
                .secure(request.isSecure())
                .userPrincipal(request.getUserPrincipal())
                .isUserInRoleDelegate(request::isUserInRole)
                .parameterMap(request.getParameterMap())
                .remoteAddr(request.getRemoteAddr())
                .serverAddr(request.getLocalName())
                .serverPort(request.getLocalPort())
                .tyrusProperties(parameters)
                .build();
        for (String name : Collections.list(request.getHeaderNames())) {
            List<String> values = Collections.list(request.getHeaders(name)).stream()
                    .flatMap(value -> Utils.parseHeaderValue(value.trim()).stream())
                    .toList();
            handshake.getHeaders().put(name, values);
        }
        return handshake;
    }

    private EndpointConnection connection(HttpServletRequest request) throws IOException, DeploymentException {
        try {
            return request.upgrade(EndpointConnection.class);
        } catch (ServletException e) {
            throw new DeploymentException("The connection cannot be upgraded: " + e.getMessage(), e);
        }
    }

    private void begin(EndpointConnection connection, HttpServletRequest request, Kept info) {
        connection.shareIn(unfinished);
        connection.setIncomingBufferSize(frame);
        connection.preInit(info, new FrameWriter(connection), request.getUserPrincipal() != null);
        users.add(request, connection);
    }

    private static void copyFields(TyrusUpgradeResponse answer, HttpServletResponse response) {
        answer.getHeaders().forEach((name, values) -> response.addHeader(name, Utils.getHeaderFromList(values)));
    }

    /** Keeps a reference to the engine. So the engine exists until the end of its last connection. */
    private record Kept(WebSocketEngine engine, WebSocketEngine.UpgradeInfo info)
            implements WebSocketEngine.UpgradeInfo {

        @Override
        public WebSocketEngine.UpgradeStatus getStatus() {
            return info.getStatus();
        }

        @Override
        public @Nullable Connection createConnection(Writer writer, Connection.CloseListener listener) {
            return info.createConnection(writer, listener);
        }
    }
}
