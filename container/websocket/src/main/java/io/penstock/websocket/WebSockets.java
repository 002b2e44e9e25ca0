package io.penstock.websocket;

import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.ServletException;
import jakarta.websocket.DeploymentException;
import jakarta.websocket.Endpoint;
import jakarta.websocket.server.ServerApplicationConfig;
import jakarta.websocket.server.ServerContainer;
import jakarta.websocket.server.ServerEndpointConfig;
import java.util.List;
import java.util.Set;

/**
 * WebSocket endpoints of a context that is made in code:
 *
 * <pre>{@code
 * Penstock.builder().context("/", context -> context.initializer(WebSockets.endpoints(Chat.class)))
 * }</pre>
 *
 * <p>Applications from the disk do not need this class: their endpoints are found.
 */
public final class WebSockets {
    private WebSockets() {}

    /** Endpoints with the annotation {@link jakarta.websocket.server.ServerEndpoint}. */
    public static ServletContainerInitializer endpoints(Class<?>... annotated) {
        Set<Class<?>> types = Set.of(annotated);
        return (none, context) -> EndpointInitializer.start(types, context);
    }

    /** Endpoints that are configured in code. */
    public static ServletContainerInitializer endpoints(ServerEndpointConfig... configured) {
        List<ServerEndpointConfig> all = List.of(configured);
        return (none, context) -> {
            ServerContainer container = EndpointInitializer.start(Set.of(InCode.class), context);
            for (ServerEndpointConfig config : all) {
                add(container, config);
            }
        };
    }

    private static void add(ServerContainer container, ServerEndpointConfig config) throws ServletException {
        try {
            container.addEndpoint(config);
        } catch (DeploymentException e) {
            throw new ServletException("WebSocket endpoint " + config.getPath() + ": " + e.getMessage(), e);
        }
    }

    /** Makes the engine start although no class has the annotation of an endpoint. */
    public static final class InCode implements ServerApplicationConfig {
        @Override
        public Set<ServerEndpointConfig> getEndpointConfigs(Set<Class<? extends Endpoint>> scanned) {
            return Set.of();
        }

        @Override
        public Set<Class<?>> getAnnotatedEndpointClasses(Set<Class<?>> scanned) {
            return scanned;
        }
    }
}
