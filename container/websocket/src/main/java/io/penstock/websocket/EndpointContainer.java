package io.penstock.websocket;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.part.WebSocketSessions;
import io.penstock.websocket.frame.UnfinishedMessages;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.websocket.CloseReason;
import jakarta.websocket.CloseReason.CloseCodes;
import jakarta.websocket.DeploymentException;
import jakarta.websocket.server.ServerContainer;
import jakarta.websocket.server.ServerEndpointConfig;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The endpoints of one application, as its {@link ServerContainer}.
 *
 * <p>If an endpoint is refused while the application is being deployed, all endpoints are removed, and no further one is accepted
 * (WebSocket 2.2 section 5.2.1).
 *
 * <p>Thread: any.
 */
final class EndpointContainer extends ClientContainer implements ServerContainer {
    private enum Stage {
        DEPLOYING,
        DEPLOYED,
        REFUSED
    }

    private final WebSocketSessions.Context context;
    private final UnfinishedMessages unfinished;
    private final UserConnections users;
    private final PathTemplate.Endpoints<EndpointDefinition> endpoints = new PathTemplate.Endpoints<>();

    @GuardedBy("this")
    private Stage stage = Stage.DEPLOYING;

    /** Annotated classes that have been deployed. A second deployment of the same class has no effect (section 6.4). */
    @GuardedBy("this")
    private final Set<Class<?>> annotated = new HashSet<>();

    /**
     * The endpoints that are not deployed, by their configurations. An entry exists at least as long as a session of its endpoint, because
     * the session refers to both.
     */
    @GuardedBy("this")
    private final Map<ServerEndpointConfig, WeakReference<EndpointDefinition>> undeployed = new WeakHashMap<>();

    EndpointContainer(WebSocketSessions.Context context, MessageBounds bounds, UserConnections users) {
        super(bounds.message());
        this.context = context;
        this.unfinished = new UnfinishedMessages(bounds.unfinished());
        this.users = users;
    }

    UnfinishedMessages unfinished() {
        return unfinished;
    }

    UserConnections users() {
        return users;
    }

    /** The open sessions of the server, for its operator. */
    WebSocketSessions sessions() {
        return context.webSockets();
    }

    /** The name of an endpoint of the application, for the operator. */
    private String shown(String endpoint) {
        String location = context.name();
        boolean twoSlashes = location.endsWith("/") && endpoint.startsWith("/");
        return (twoSlashes ? location.substring(0, location.length() - 1) : location) + endpoint;
    }

    /** The application has started. From now on, a refused endpoint does not remove others. */
    synchronized void deployed() {
        if (stage == Stage.DEPLOYING) {
            stage = Stage.DEPLOYED;
        }
    }

    /** Closes the sessions of the application's clients, because the application ends. Those of its server end with their connections. */
    void closeClients() {
        CloseReason reason = new CloseReason(CloseCodes.GOING_AWAY, "The application ends");
        List.copyOf(connected()).forEach(session -> session.close(reason));
    }

    @Override
    public void addEndpoint(Class<?> endpointClass) throws DeploymentException {
        synchronized (this) {
            if (annotated.contains(endpointClass)) {
                return;
            }
        }
        try {
            add(EndpointDefinition.serverConfig(endpointClass));
        } catch (DeploymentException e) {
            refuse();
            throw e;
        }
        synchronized (this) {
            annotated.add(endpointClass);
        }
    }

    @Override
    public void addEndpoint(ServerEndpointConfig serverConfig) throws DeploymentException {
        try {
            add(serverConfig);
        } catch (DeploymentException e) {
            refuse();
            throw e;
        }
    }

    private synchronized void add(ServerEndpointConfig config) throws DeploymentException {
        if (stage == Stage.REFUSED) {
            throw new DeploymentException("Another endpoint of the application has been refused, so "
                    + config.getEndpointClass().getName() + " is not deployed");
        }
        PathTemplate template = new PathTemplate(String.valueOf(config.getPath()));
        EndpointDefinition definition = EndpointDefinition.of(config, shown(template.toString()));
        EndpointDefinition other = endpoints.add(template, definition);
        if (other != null) {
            throw new DeploymentException(
                    "The endpoints " + other + " and " + definition + " have equivalent paths: " + template);
        }
    }

    private synchronized void refuse() {
        if (stage == Stage.DEPLOYING) {
            stage = Stage.REFUSED;
            endpoints.clear();
        }
    }

    /**
     * The handshake for the endpoint at a path.
     *
     * @param path the decoded path of the request inside the application
     * @return null if there is no endpoint
     */
    @Nullable
    ServerHandshake handshake(String path, HttpServletRequest request, HttpServletResponse response) {
        return endpoints.find(
                path, (endpoint, values) -> new ServerHandshake(this, endpoint, values, request, response));
    }

    @Override
    public void upgradeHttpToWebSocket(
            Object httpServletRequest,
            Object httpServletResponse,
            ServerEndpointConfig sec,
            Map<String, String> pathParameters)
            throws IOException, DeploymentException {
        HttpServletRequest request = (HttpServletRequest) httpServletRequest;
        HttpServletResponse response = (HttpServletResponse) httpServletResponse;
        String missing = HandshakeRequirements.missing(request);
        if (missing != null) {
            throw new IllegalStateException(missing);
        }
        if (response.isCommitted()) {
            throw new IllegalStateException("Cannot upgrade: the response is committed");
        }
        new ServerHandshake(this, undeployed(sec), Map.copyOf(pathParameters), request, response).accept();
    }

    private synchronized EndpointDefinition undeployed(ServerEndpointConfig config) throws DeploymentException {
        WeakReference<EndpointDefinition> reference = undeployed.get(config);
        EndpointDefinition known = reference == null ? null : reference.get();
        if (known == null) {
            // Its path may be that of one request, so the class is the name.
            known = EndpointDefinition.of(
                    config, shown(" (" + config.getEndpointClass().getSimpleName() + ')'));
            undeployed.put(config, new WeakReference<>(known));
        }
        return known;
    }
}
