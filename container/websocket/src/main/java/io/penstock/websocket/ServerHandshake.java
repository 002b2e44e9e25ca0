package io.penstock.websocket;

import io.penstock.events.WebSocketEnd;
import io.penstock.part.WebSocketSessions;
import io.penstock.websocket.frame.DeflateParameters;
import io.penstock.websocket.frame.UpgradedFrames;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.websocket.DeploymentException;
import jakarta.websocket.Extension;
import jakarta.websocket.HandshakeResponse;
import jakarta.websocket.server.HandshakeRequest;
import jakarta.websocket.server.ServerEndpointConfig;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.Principal;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One opening handshake for an endpoint (RFC 6455 section 4.2, WebSocket 2.2 section 3.1). The request must meet {@link
 * HandshakeRequirements}.
 *
 * <p>Thread: the worker of the request.
 */
final class ServerHandshake implements HandshakeRequest {
    private static final Logger LOG = LoggerFactory.getLogger(ServerHandshake.class);
    private static final String ACCEPT_SUFFIX = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

    private final EndpointContainer container;
    private final EndpointDefinition endpoint;
    private final Map<String, String> pathParameters;
    private final HttpServletRequest request;
    private final HttpServletResponse response;
    private final Map<String, List<String>> requestFields = Headers.fields();
    private final Answer answer = new Answer(Headers.fields());

    /** The answer that the application's configurator can change. */
    private record Answer(Map<String, List<String>> getHeaders) implements HandshakeResponse {}

    ServerHandshake(
            EndpointContainer container,
            EndpointDefinition endpoint,
            Map<String, String> pathParameters,
            HttpServletRequest request,
            HttpServletResponse response) {
        this.container = container;
        this.endpoint = endpoint;
        this.pathParameters = pathParameters;
        this.request = request;
        this.response = response;
    }

    /**
     * Answers with status 101, or with that of a limit on sessions.
     *
     * @throws DeploymentException if the endpoint refuses the handshake, or cannot be created; the response then has the status
     */
    void accept() throws IOException, DeploymentException {
        for (String name : Collections.list(request.getHeaderNames())) {
            requestFields.put(name, List.copyOf(Collections.list(request.getHeaders(name))));
        }
        EndpointDefinition.SessionConfig config =
                new EndpointDefinition.SessionConfig((ServerEndpointConfig) endpoint.config());
        ServerEndpointConfig.Configurator configurator = config.getConfigurator();
        if (!configurator.checkOrigin(request.getHeader("Origin"))) {
            throw refused(HttpServletResponse.SC_FORBIDDEN, null);
        }
        ListedSession listed = new ListedSession(endpoint.shown(), request);
        WebSocketSessions.Refusal refusal = container.sessions().enter(listed);
        if (refusal != null) {
            // No exception: the caller, such as a framework, would answer it with status 500, and log it.
            LOG.debug("A handshake for {} is refused: {}", listed.endpoint(), refusal.limit());
            response.sendError(refusal.status());
            return;
        }
        boolean upgraded = false;
        try {
            negotiate(config, configurator, listed);
            upgraded = true;
        } finally {
            if (!upgraded) {
                container.sessions().leave(listed, WebSocketEnd.NOT_OPENED);
            }
        }
    }

    private void negotiate(
            EndpointDefinition.SessionConfig config,
            ServerEndpointConfig.Configurator configurator,
            ListedSession listed)
            throws IOException, DeploymentException {
        String subprotocol = configurator.getNegotiatedSubprotocol(
                config.getSubprotocols(), Headers.elements(requestFields.get(SEC_WEBSOCKET_PROTOCOL), ','));
        List<Extension> chosen = configurator.getNegotiatedExtensions(
                installed(config), Headers.extensions(requestFields.get(SEC_WEBSOCKET_EXTENSIONS)));
        DeflateParameters deflate = DeflateParameters.accept(chosen.stream()
                .filter(ServerHandshake::isDeflate)
                .map(Headers::format)
                .toList());
        List<String> extensions = new ArrayList<>();
        if (deflate != null) {
            extensions.add(deflate.answer());
        }
        chosen.stream()
                .filter(extension -> !isDeflate(extension))
                .map(Headers::format)
                .forEach(extensions::add);
        fillAnswer(subprotocol, extensions);
        configurator.modifyHandshake(config, this, answer);
        Object instance;
        try {
            instance = configurator.getEndpointInstance(endpoint.type());
        } catch (InstantiationException e) {
            throw refused(HttpServletResponse.SC_INTERNAL_SERVER_ERROR, e);
        }
        WebSocketSession session = new WebSocketSession(
                container,
                endpoint,
                endpoint.callbacks(instance),
                new WebSocketSession.Handshake(
                        uri(),
                        request.getQueryString(),
                        pathParameters,
                        request.isSecure(),
                        request.getUserPrincipal(),
                        subprotocol == null ? "" : subprotocol,
                        List.copyOf(extensions),
                        config,
                        config::getUserProperties));
        upgrade(session, listed, deflate);
    }

    /** The extensions of the configuration come first, as the kit of the specification asks. */
    private List<Extension> installed(ServerEndpointConfig config) {
        List<Extension> installed = new ArrayList<>(config.getExtensions());
        installed.addAll(container.getInstalledExtensions());
        return installed;
    }

    private static boolean isDeflate(Extension extension) {
        return extension.getName().equals(DeflateParameters.NAME);
    }

    private void fillAnswer(@Nullable String subprotocol, List<String> extensions) {
        Map<String, List<String>> fields = answer.getHeaders();
        fields.put(Headers.UPGRADE, List.of(Headers.WEBSOCKET));
        fields.put(Headers.CONNECTION, List.of(Headers.UPGRADE));
        fields.put(HandshakeResponse.SEC_WEBSOCKET_ACCEPT, List.of(accept(request.getHeader(SEC_WEBSOCKET_KEY))));
        if (subprotocol != null && !subprotocol.isEmpty()) {
            fields.put(SEC_WEBSOCKET_PROTOCOL, List.of(subprotocol));
        }
        if (!extensions.isEmpty()) {
            fields.put(SEC_WEBSOCKET_EXTENSIONS, List.copyOf(extensions));
        }
    }

    /** The value of {@code Sec-WebSocket-Accept} for a key. */
    static String accept(String key) {
        try {
            MessageDigest sha1 = MessageDigest.getInstance("SHA-1");
            return Base64.getEncoder()
                    .encodeToString(sha1.digest((key + ACCEPT_SUFFIX).getBytes(StandardCharsets.ISO_8859_1)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-1", e);
        }
    }

    private void upgrade(WebSocketSession session, ListedSession listed, @Nullable DeflateParameters deflate)
            throws IOException, DeploymentException {
        UpgradedFrames frames;
        try {
            frames = request.upgrade(UpgradedFrames.class);
        } catch (ServletException e) {
            throw new DeploymentException("The connection cannot be upgraded: " + e.getMessage(), e);
        }
        container.users().add(request, session);
        // The functions below live as long as the connection. They refer to nothing of the handshake, so its fields are
        // free when it is over.
        EndpointContainer endpoints = container;
        frames.prepare(
                deflate,
                container.unfinished(),
                connection -> {
                    listed.open(connection);
                    session.open(connection);
                    return session;
                },
                end -> {
                    endpoints.users().remove(session);
                    endpoints.sessions().leave(listed, end);
                });
        response.setStatus(HttpServletResponse.SC_SWITCHING_PROTOCOLS);
        answer.getHeaders().forEach(this::addToResponse);
        response.flushBuffer();
    }

    /** The values of a field make one line, except those of {@code Set-Cookie}, which cannot be joined (RFC 9110 section 5.3). */
    private void addToResponse(String name, List<String> values) {
        List<String> lines = name.equalsIgnoreCase("Set-Cookie") ? values : List.of(String.join(", ", values));
        lines.forEach(line -> response.addHeader(name, line));
    }

    private DeploymentException refused(int status, @Nullable Exception cause) throws IOException {
        response.sendError(status);
        return new DeploymentException("The WebSocket handshake is refused with status " + status, cause);
    }

    /** The complete URI of the request. {@code http} becomes {@code ws}, and {@code https} becomes {@code wss}. */
    private String uri() {
        String url = "ws" + request.getRequestURL().substring("http".length());
        return request.getQueryString() == null ? url : url + '?' + request.getQueryString();
    }

    // ---- the request, as the application's configurator sees it

    @Override
    public Map<String, List<String>> getHeaders() {
        return Collections.unmodifiableMap(requestFields);
    }

    @Override
    public @Nullable Principal getUserPrincipal() {
        return request.getUserPrincipal();
    }

    @Override
    public URI getRequestURI() {
        return Headers.uri(uri());
    }

    @Override
    public boolean isUserInRole(String role) {
        return request.isUserInRole(role);
    }

    @Override
    public @Nullable Object getHttpSession() {
        return request.getSession(false);
    }

    /** The parameters of the query, and those of the path. */
    @Override
    public Map<String, List<String>> getParameterMap() {
        Map<String, List<String>> parameters = new LinkedHashMap<>(Headers.parameters(request.getQueryString()));
        pathParameters.forEach((name, value) -> parameters.putIfAbsent(name, List.of(value)));
        return Collections.unmodifiableMap(parameters);
    }

    @Override
    public @Nullable String getQueryString() {
        return request.getQueryString();
    }
}
