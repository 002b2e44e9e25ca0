package io.penstock.websocket;

import jakarta.websocket.ClientEndpoint;
import jakarta.websocket.ClientEndpointConfig;
import jakarta.websocket.Decoder;
import jakarta.websocket.DeploymentException;
import jakarta.websocket.Encoder;
import jakarta.websocket.Endpoint;
import jakarta.websocket.EndpointConfig;
import jakarta.websocket.Extension;
import jakarta.websocket.server.ServerEndpoint;
import jakarta.websocket.server.ServerEndpointConfig;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * An endpoint that can have sessions: its configuration, its checked methods and coders, and its open sessions.
 *
 * <p>Thread: any.
 */
final class EndpointDefinition {
    private final EndpointConfig config;
    private final Class<?> type;
    private final Coders coders;
    private final String shown;

    /** The methods of an annotated endpoint; null for a programmatic one. */
    private final @Nullable EndpointMethods methods;

    private final Set<WebSocketSession> open = ConcurrentHashMap.newKeySet();

    /** @throws DeploymentException if the class is no endpoint, or a malformed one */
    private EndpointDefinition(EndpointConfig config, Class<?> type, boolean isAnnotated, String shown)
            throws DeploymentException {
        this.config = config;
        this.type = type;
        this.coders = new Coders(config);
        this.shown = shown;
        if (!Endpoint.class.isAssignableFrom(type) && !isAnnotated) {
            throw new DeploymentException(
                    type.getName() + " is not an endpoint: it has no annotation and does not extend Endpoint");
        }
        this.methods = Endpoint.class.isAssignableFrom(type) ? null : new EndpointMethods(type, coders);
    }

    /**
     * A server's endpoint.
     *
     * @param shown the name for operators: the application, and the path of the endpoint or the name of its class
     */
    static EndpointDefinition of(ServerEndpointConfig config, String shown) throws DeploymentException {
        Class<?> type = config.getEndpointClass();
        if (!Modifier.isPublic(type.getModifiers()) || Modifier.isAbstract(type.getModifiers())) {
            throw new DeploymentException(
                    "The class of an endpoint must be public and not abstract: " + type.getName());
        }
        return new EndpointDefinition(config, type, type.isAnnotationPresent(ServerEndpoint.class), shown);
    }

    /** A client's endpoint. */
    static EndpointDefinition of(ClientEndpointConfig config, Class<?> type) throws DeploymentException {
        return new EndpointDefinition(config, type, type.isAnnotationPresent(ClientEndpoint.class), type.getName());
    }

    /** The configuration in the annotation of a class. */
    static ServerEndpointConfig serverConfig(Class<?> type) throws DeploymentException {
        ServerEndpoint annotation = type.getAnnotation(ServerEndpoint.class);
        if (annotation == null) {
            throw new DeploymentException(type.getName() + " has no annotation @ServerEndpoint");
        }
        if (!annotation.value().startsWith("/")) {
            throw new DeploymentException(
                    "The path '" + annotation.value() + "' of " + type.getName() + " must begin with a slash");
        }
        Class<? extends ServerEndpointConfig.Configurator> configurator = annotation.configurator();
        return ServerEndpointConfig.Builder.create(type, annotation.value())
                .subprotocols(List.of(annotation.subprotocols()))
                .encoders(List.of(annotation.encoders()))
                .decoders(List.of(annotation.decoders()))
                .configurator(
                        configurator == ServerEndpointConfig.Configurator.class
                                ? new DefaultConfigurator()
                                : create(configurator))
                .build();
    }

    /** The configuration in the annotation of a class. */
    static ClientEndpointConfig clientConfig(Class<?> type) throws DeploymentException {
        ClientEndpoint annotation = type.getAnnotation(ClientEndpoint.class);
        if (annotation == null) {
            throw new DeploymentException(type.getName() + " has no annotation @ClientEndpoint");
        }
        return ClientEndpointConfig.Builder.create()
                .preferredSubprotocols(List.of(annotation.subprotocols()))
                .encoders(List.of(annotation.encoders()))
                .decoders(List.of(annotation.decoders()))
                .configurator(create(annotation.configurator()))
                .build();
    }

    /** @throws DeploymentException if the class cannot be instantiated; the message gives the reason */
    static <T> T create(Class<T> type) throws DeploymentException {
        try {
            return DefaultConfigurator.instance(type);
        } catch (InstantiationException e) {
            throw new DeploymentException(String.valueOf(e.getMessage()), e);
        }
    }

    Class<?> type() {
        return type;
    }

    String shown() {
        return shown;
    }

    EndpointConfig config() {
        return config;
    }

    Coders coders() {
        return coders;
    }

    /** The open sessions of this endpoint. The set can be changed. */
    Set<WebSocketSession> open() {
        return open;
    }

    /** @param endpoint an object of {@link #type}, for one session */
    EndpointCallbacks callbacks(Object endpoint) {
        return methods == null ? EndpointCallbacks.of((Endpoint) endpoint) : methods.callbacks(endpoint);
    }

    @Override
    public String toString() {
        return type.getName();
    }

    /**
     * The configuration that a server's session sees: user properties of its own, and otherwise the configuration of its endpoint
     * (WebSocket 2.2 section 3.1.5).
     */
    static final class SessionConfig implements ServerEndpointConfig {
        private final ServerEndpointConfig shared;

        // Null until somebody asks, if the endpoint has none. Most sessions have no user properties.
        private @Nullable Map<String, Object> userProperties;

        SessionConfig(ServerEndpointConfig shared) {
            this.shared = shared;
            Map<String, Object> all = shared.getUserProperties();
            this.userProperties = all == null || all.isEmpty() ? null : copy(all);
        }

        @Override
        public synchronized Map<String, Object> getUserProperties() {
            Map<String, Object> own = userProperties;
            if (own == null) {
                own = new ConcurrentHashMap<>();
                userProperties = own;
            }
            return own;
        }

        static Map<String, Object> copy(@Nullable Map<String, Object> properties) {
            Map<String, Object> copy = new ConcurrentHashMap<>();
            if (properties != null) {
                properties.forEach((name, value) -> {
                    if (name != null && value != null) {
                        copy.put(name, value);
                    }
                });
            }
            return copy;
        }

        @Override
        public Class<?> getEndpointClass() {
            return shared.getEndpointClass();
        }

        @Override
        public String getPath() {
            return shared.getPath();
        }

        @Override
        public List<String> getSubprotocols() {
            return shared.getSubprotocols();
        }

        @Override
        public List<Extension> getExtensions() {
            return shared.getExtensions();
        }

        @Override
        public Configurator getConfigurator() {
            return shared.getConfigurator();
        }

        @Override
        public List<Class<? extends Encoder>> getEncoders() {
            return shared.getEncoders();
        }

        @Override
        public List<Class<? extends Decoder>> getDecoders() {
            return shared.getDecoders();
        }
    }
}
