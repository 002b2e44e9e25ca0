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
 * Adds WebSocket endpoints to a context that a program creates:
 *
 * <pre>{@code
 * Penstock.builder().context("/", context -> context.initializer(WebSockets.endpoints(Chat.class)))
 * }</pre>
 *
 * <p>WAR files and exploded applications do not need this class, because the server finds their endpoints.
 */
public final class WebSockets {
    private WebSockets() {}

    /** Adds endpoints with the annotation {@link jakarta.websocket.server.ServerEndpoint}. */
    public static ServletContainerInitializer endpoints(Class<?>... annotated) {
        Set<Class<?>> types = Set.of(annotated);
        return (none, context) -> EndpointInitializer.start(types, context);
    }

    /** Adds endpoints that a program has configured. */
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

    /** Makes the engine start without annotated endpoints. */
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
