package io.penstock.websocket;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.websocket.ClientEndpointConfig;
import jakarta.websocket.DeploymentException;
import jakarta.websocket.Endpoint;
import jakarta.websocket.Extension;
import jakarta.websocket.Session;
import jakarta.websocket.server.ServerEndpointConfig;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.Set;
import org.glassfish.tyrus.server.TyrusServerContainer;
import org.glassfish.tyrus.spi.WebSocketEngine;

/**
 * The {@link jakarta.websocket.server.ServerContainer} that applications get. This container adds upgrades to endpoints that are not
 * deployed. The container of the engine does not support these upgrades.
 *
 * <p>Thread: any.
 */
final class EndpointContainer extends TyrusServerContainer {
    private final TyrusServerContainer engines;
    private final UndeployedEndpoints undeployed;

    EndpointContainer(TyrusServerContainer engines, UndeployedEndpoints undeployed) {
        super(Set.of());
        this.engines = engines;
        this.undeployed = undeployed;
    }

    @Override
    public void upgradeHttpToWebSocket(
            Object httpServletRequest,
            Object httpServletResponse,
            ServerEndpointConfig endpoint,
            Map<String, String> pathParameters)
            throws IOException, DeploymentException {
        undeployed.upgrade(
                (HttpServletRequest) httpServletRequest,
                (HttpServletResponse) httpServletResponse,
                endpoint,
                pathParameters);
    }

    // ---- the other methods call the engine's container

    @Override
    public void start(String rootPath, int port) throws IOException, DeploymentException {
        engines.start(rootPath, port);
    }

    @Override
    public void doneDeployment() {
        engines.doneDeployment();
    }

    @Override
    public void stop() {
        engines.stop();
    }

    @Override
    public WebSocketEngine getWebSocketEngine() {
        return engines.getWebSocketEngine();
    }

    @Override
    public void register(Class<?> endpoint) throws DeploymentException {
        engines.register(endpoint);
    }

    @Override
    public void register(ServerEndpointConfig endpoint) throws DeploymentException {
        engines.register(endpoint);
    }

    @Override
    public void addEndpoint(Class<?> endpoint) throws DeploymentException {
        engines.addEndpoint(endpoint);
    }

    @Override
    public void addEndpoint(ServerEndpointConfig endpoint) throws DeploymentException {
        engines.addEndpoint(endpoint);
    }

    @Override
    public int getPort() {
        return engines.getPort();
    }

    @Override
    @SuppressWarnings("rawtypes") // the superclass declares the raw type
    public Session connectToServer(Class endpoint, URI path) throws DeploymentException, IOException {
        return engines.connectToServer(endpoint, path);
    }

    @Override
    public Session connectToServer(Object endpoint, URI path) throws DeploymentException, IOException {
        return engines.connectToServer(endpoint, path);
    }

    @Override
    public Session connectToServer(Class<? extends Endpoint> endpoint, ClientEndpointConfig config, URI path)
            throws DeploymentException, IOException {
        return engines.connectToServer(endpoint, config, path);
    }

    @Override
    public Session connectToServer(Endpoint endpoint, ClientEndpointConfig config, URI path)
            throws DeploymentException, IOException {
        return engines.connectToServer(endpoint, config, path);
    }

    @Override
    public int getDefaultMaxBinaryMessageBufferSize() {
        return engines.getDefaultMaxBinaryMessageBufferSize();
    }

    @Override
    public void setDefaultMaxBinaryMessageBufferSize(int bytes) {
        engines.setDefaultMaxBinaryMessageBufferSize(bytes);
    }

    @Override
    public int getDefaultMaxTextMessageBufferSize() {
        return engines.getDefaultMaxTextMessageBufferSize();
    }

    @Override
    public void setDefaultMaxTextMessageBufferSize(int characters) {
        engines.setDefaultMaxTextMessageBufferSize(characters);
    }

    @Override
    public Set<Extension> getInstalledExtensions() {
        return engines.getInstalledExtensions();
    }

    @Override
    public long getDefaultAsyncSendTimeout() {
        return engines.getDefaultAsyncSendTimeout();
    }

    @Override
    public void setAsyncSendTimeout(long millis) {
        engines.setAsyncSendTimeout(millis);
    }

    @Override
    public long getDefaultMaxSessionIdleTimeout() {
        return engines.getDefaultMaxSessionIdleTimeout();
    }

    @Override
    public void setDefaultMaxSessionIdleTimeout(long millis) {
        engines.setDefaultMaxSessionIdleTimeout(millis);
    }
}
