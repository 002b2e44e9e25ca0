package io.penstock.websocket;

import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.ServletException;
import jakarta.websocket.DeploymentException;
import jakarta.websocket.server.ServerContainer;
import jakarta.websocket.server.ServerEndpointConfig;
import java.util.List;

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
        List<Class<?>> types = List.of(annotated);
        return (none, context) -> {
            ServerContainer container = EndpointInitializer.container(context);
            for (Class<?> type : types) {
                add(type.getName(), () -> container.addEndpoint(type));
            }
        };
    }

    /** Adds endpoints that a program has configured. */
    public static ServletContainerInitializer endpoints(ServerEndpointConfig... configured) {
        List<ServerEndpointConfig> all = List.of(configured);
        return (none, context) -> {
            ServerContainer container = EndpointInitializer.container(context);
            for (ServerEndpointConfig config : all) {
                add(config.getPath(), () -> container.addEndpoint(config));
            }
        };
    }

    @FunctionalInterface
    private interface Deployment {
        void run() throws DeploymentException;
    }

    private static void add(String endpoint, Deployment deployment) throws ServletException {
        try {
            deployment.run();
        } catch (DeploymentException e) {
            throw new ServletException("WebSocket endpoint " + endpoint + ": " + e.getMessage(), e);
        }
    }
}
