package io.penstock.websocket;

import io.penstock.websocket.frame.DeflateParameters;
import jakarta.websocket.ClientEndpointConfig;
import jakarta.websocket.ContainerProvider;
import jakarta.websocket.DeploymentException;
import jakarta.websocket.Endpoint;
import jakarta.websocket.Extension;
import jakarta.websocket.Session;
import jakarta.websocket.WebSocketContainer;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Connects endpoints of clients to servers (WebSocket 2.2 section 2.3), and holds the settings of sessions that begin later. Applications
 * get it from {@link ContainerProvider}, on the server and elsewhere.
 *
 * <p>Thread: any.
 */
class ClientContainer implements WebSocketContainer {
    private final Set<WebSocketSession> connected = ConcurrentHashMap.newKeySet();
    private volatile long sendTimeout;
    private volatile long idleTimeout;
    private volatile int maxText;
    private volatile int maxBinary;

    /** @param maxMessage the most bytes of a whole message, until the application sets other limits */
    ClientContainer(int maxMessage) {
        maxText = maxMessage;
        maxBinary = maxMessage;
    }

    /** The service that the API looks for. */
    public static final class Provider extends ContainerProvider {
        @Override
        protected WebSocketContainer getContainer() {
            return new ClientContainer(MessageBounds.DEFAULT_MESSAGE);
        }
    }

    // ---- connections

    @Override
    public Session connectToServer(Object annotatedEndpointInstance, URI path) throws DeploymentException, IOException {
        if (annotatedEndpointInstance instanceof Endpoint) {
            throw new DeploymentException("An Endpoint needs a ClientEndpointConfig");
        }
        Class<?> type = annotatedEndpointInstance.getClass();
        return connect(annotatedEndpointInstance, type, EndpointDefinition.clientConfig(type), path);
    }

    @Override
    public Session connectToServer(Class<?> annotatedEndpointClass, URI path) throws DeploymentException, IOException {
        ClientEndpointConfig config = EndpointDefinition.clientConfig(annotatedEndpointClass);
        return connect(EndpointDefinition.create(annotatedEndpointClass), annotatedEndpointClass, config, path);
    }

    @Override
    public Session connectToServer(Endpoint endpointInstance, ClientEndpointConfig cec, URI path)
            throws DeploymentException, IOException {
        return connect(endpointInstance, endpointInstance.getClass(), cec, path);
    }

    @Override
    public Session connectToServer(Class<? extends Endpoint> endpointClass, ClientEndpointConfig cec, URI path)
            throws DeploymentException, IOException {
        return connect(EndpointDefinition.create(endpointClass), endpointClass, cec, path);
    }

    private Session connect(Object endpoint, Class<?> type, ClientEndpointConfig config, URI path)
            throws DeploymentException, IOException {
        EndpointDefinition definition = EndpointDefinition.of(config, type);
        return ClientConnection.open(this, definition, definition.callbacks(endpoint), config, path);
    }

    /** The open sessions of this container as a client. The set can be changed. */
    Set<WebSocketSession> connected() {
        return connected;
    }

    // ---- settings

    @Override
    public long getDefaultAsyncSendTimeout() {
        return sendTimeout;
    }

    @Override
    public void setAsyncSendTimeout(long timeoutmillis) {
        sendTimeout = timeoutmillis;
    }

    @Override
    public long getDefaultMaxSessionIdleTimeout() {
        return idleTimeout;
    }

    @Override
    public void setDefaultMaxSessionIdleTimeout(long timeout) {
        idleTimeout = timeout;
    }

    @Override
    public int getDefaultMaxBinaryMessageBufferSize() {
        return maxBinary;
    }

    @Override
    public void setDefaultMaxBinaryMessageBufferSize(int max) {
        maxBinary = max;
    }

    @Override
    public int getDefaultMaxTextMessageBufferSize() {
        return maxText;
    }

    @Override
    public void setDefaultMaxTextMessageBufferSize(int max) {
        maxText = max;
    }

    @Override
    public Set<Extension> getInstalledExtensions() {
        return Set.copyOf(Headers.extensions(List.of(DeflateParameters.NAME)));
    }
}
