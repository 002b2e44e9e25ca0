package io.penstock.websocket;

import jakarta.websocket.Decoder;
import jakarta.websocket.DeploymentException;
import jakarta.websocket.Encoder;
import jakarta.websocket.Endpoint;
import jakarta.websocket.Extension;
import jakarta.websocket.server.ServerEndpoint;
import jakarta.websocket.server.ServerEndpointConfig;
import java.util.List;
import java.util.Map;
import org.glassfish.tyrus.core.AnnotatedEndpoint;
import org.glassfish.tyrus.core.ComponentProviderService;
import org.glassfish.tyrus.core.ErrorCollector;
import org.glassfish.tyrus.core.monitoring.EndpointEventListener;

/**
 * The configuration that the engine gets for an endpoint that is not deployed. During the registration at the engine, {@link #getPath}
 * returns a path that matches all requests with the same number of path segments. During this time, an annotated endpoint class is replaced
 * by an {@link Endpoint}. Otherwise, the engine would use the configuration in the annotation. After the registration, this object returns
 * the application's configuration.
 *
 * <p>Thread: any.
 */
final class UndeployedConfig extends ServerEndpointConfig.Configurator implements ServerEndpointConfig {
    /** The name of the path parameter for each segment. */
    static final String SEGMENT = "";

    private static final String ANY_SEGMENT = "/{" + SEGMENT + "}";

    private final ServerEndpointConfig given;
    private final String path;
    private final int frame;
    private volatile Stage stage = Stage.REGISTERING;

    private enum Stage {
        REGISTERING,
        REGISTERED
    }

    /**
     * @param segments the number of segments in the path of a request
     * @param frame the most bytes of a client's frame
     * @throws DeploymentException if the class is not an endpoint: it must have {@link ServerEndpoint} or extend {@link Endpoint}
     */
    UndeployedConfig(ServerEndpointConfig given, int segments, int frame) throws DeploymentException {
        this.given = given;
        this.path = ANY_SEGMENT.repeat(segments);
        this.frame = frame;
        if (isAnnotated()) {
            if (!given.getEndpointClass().isAnnotationPresent(ServerEndpoint.class)) {
                throw new DeploymentException(given.getEndpointClass().getName()
                        + " is not an endpoint: it neither has @ServerEndpoint nor extends Endpoint");
            }
            ErrorCollector errors = new ErrorCollector();
            AnnotatedEndpoint.fromClass(
                    given.getEndpointClass(),
                    ComponentProviderService.create(),
                    true,
                    frame,
                    errors,
                    EndpointEventListener.NO_OP);
            if (!errors.isEmpty()) {
                throw errors.composeComprehensiveException();
            }
        }
    }

    /** Ends the registration: the engine has read the configuration. */
    void registered() {
        stage = Stage.REGISTERED;
    }

    private boolean isRegistering() {
        return stage == Stage.REGISTERING;
    }

    private boolean isAnnotated() {
        return !Endpoint.class.isAssignableFrom(given.getEndpointClass());
    }

    @Override
    public Class<?> getEndpointClass() {
        return isRegistering() && isAnnotated() ? AnnotatedEndpoint.class : given.getEndpointClass();
    }

    @Override
    public String getPath() {
        return isRegistering() ? path : given.getPath();
    }

    @Override
    public List<String> getSubprotocols() {
        return given.getSubprotocols();
    }

    @Override
    public List<Extension> getExtensions() {
        return given.getExtensions();
    }

    @Override
    public ServerEndpointConfig.Configurator getConfigurator() {
        return isRegistering() ? this : given.getConfigurator();
    }

    @Override
    public List<Class<? extends Encoder>> getEncoders() {
        return given.getEncoders();
    }

    @Override
    public List<Class<? extends Decoder>> getDecoders() {
        return given.getDecoders();
    }

    @Override
    public Map<String, Object> getUserProperties() {
        return given.getUserProperties();
    }

    @Override
    public String getNegotiatedSubprotocol(List<String> supported, List<String> requested) {
        return given.getConfigurator().getNegotiatedSubprotocol(supported, requested);
    }

    @Override
    public List<Extension> getNegotiatedExtensions(List<Extension> installed, List<Extension> requested) {
        return given.getConfigurator().getNegotiatedExtensions(installed, requested);
    }

    @Override
    public boolean checkOrigin(String origin) {
        return given.getConfigurator().checkOrigin(origin);
    }

    /** Creates the endpoint of a session. The engine calls this method once for each session. */
    @Override
    public <T> T getEndpointInstance(Class<T> type) throws InstantiationException {
        if (!isAnnotated()) {
            return given.getConfigurator().getEndpointInstance(type);
        }
        Object annotated = given.getConfigurator().getEndpointInstance(given.getEndpointClass());
        return type.cast(AnnotatedEndpoint.fromInstance(
                annotated, ComponentProviderService.create(), true, frame, new ErrorCollector()));
    }
}
