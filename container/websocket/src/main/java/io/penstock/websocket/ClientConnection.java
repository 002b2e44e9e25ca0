package io.penstock.websocket;

import io.penstock.websocket.frame.DeflateParameters;
import io.penstock.websocket.frame.FrameConnection;
import io.penstock.websocket.frame.Transport;
import jakarta.websocket.ClientEndpointConfig;
import jakarta.websocket.DeploymentException;
import jakarta.websocket.Extension;
import jakarta.websocket.HandshakeResponse;
import jakarta.websocket.server.HandshakeRequest;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The socket of one session of a client, from the handshake on (RFC 6455 section 4.1). Redirects and proxies are not followed.
 *
 * <p>Thread: one thread of a shared pool reads, as long as the connection is open. Others of the pool write, while there is something to
 * send. All have the context class loader of the thread that has connected.
 *
 * <p>Owns: the socket.
 */
final class ClientConnection implements Transport {
    private static final Logger LOG = LoggerFactory.getLogger(ClientConnection.class);
    private static final int CONNECT_TIMEOUT_MILLIS = 30_000;
    private static final int MOST_HEAD = 64 * 1024;
    private static final long END_OF_TLS_MILLIS = 10_000;
    private static final int READ_BUFFER = 8 * 1024;
    private static final int WRITE_BUFFER = 8 * 1024;
    private static final int KEY_OCTETS = 16;
    private static final int SWITCHING_PROTOCOLS = 101;
    private static final SecureRandom RANDOM = new SecureRandom();

    /** The threads of all clients. Created with the first connection. */
    private static final class Threads {
        private static final ExecutorService POOL = Executors.newCachedThreadPool(Threads::create);
        private static final ScheduledThreadPoolExecutor TIMER = new ScheduledThreadPoolExecutor(1, Threads::create);

        static {
            TIMER.setRemoveOnCancelPolicy(true);
        }

        /** Does not inherit the class loader of the application that happens to connect. */
        private static Thread create(Runnable job) {
            Thread thread = new Thread(null, job, "penstock-websocket-client", 0, false);
            thread.setDaemon(true);
            thread.setContextClassLoader(ClientConnection.class.getClassLoader());
            return thread;
        }
    }

    private record Answer(int status, Map<String, List<String>> getHeaders) implements HandshakeResponse {}

    /** The socket below TLS, or the same as {@link #socket}. */
    private final Socket raw;

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private final @Nullable ClassLoader loader = Thread.currentThread().getContextClassLoader();

    /** Held while the endpoint is called. */
    private final ReentrantLock turn = new ReentrantLock(true);

    private volatile boolean closed;

    private ClientConnection(Socket raw, Socket socket) throws IOException {
        this.raw = raw;
        this.socket = socket;
        this.in = new BufferedInputStream(socket.getInputStream(), READ_BUFFER);
        this.out = new BufferedOutputStream(socket.getOutputStream(), WRITE_BUFFER);
    }

    /**
     * Connects an endpoint to a server, and opens its session.
     *
     * @param uri with the scheme {@code ws} or {@code wss}
     * @throws DeploymentException if the server refuses the handshake, or if its answer is none
     * @throws IOException if the server cannot be reached, or if the connection ends before the answer
     */
    static WebSocketSession open(
            ClientContainer container,
            EndpointDefinition endpoint,
            EndpointCallbacks callbacks,
            ClientEndpointConfig config,
            URI uri)
            throws DeploymentException, IOException {
        boolean secure = "wss".equalsIgnoreCase(uri.getScheme());
        if ((!secure && !"ws".equalsIgnoreCase(uri.getScheme())) || uri.getHost() == null) {
            throw new DeploymentException(
                    "The address of a WebSocket begins with ws:// or wss:// and a host, unlike " + uri);
        }
        int port = uri.getPort() >= 0 ? uri.getPort() : secure ? 443 : 80;
        Socket socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(CONNECT_TIMEOUT_MILLIS);
            socket.connect(new InetSocketAddress(host(uri), port), CONNECT_TIMEOUT_MILLIS);
            Socket used = secure ? secured(socket, host(uri), port, config.getSSLContext()) : socket;
            ClientConnection connection = new ClientConnection(socket, used);
            return connection.shakeHands(container, endpoint, callbacks, config, uri, secure, port);
        } catch (DeploymentException | IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    private static String host(URI uri) {
        String host = uri.getHost();
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    private static Socket secured(Socket socket, String host, int port, @Nullable SSLContext given)
            throws IOException, DeploymentException {
        try {
            SSLContext context = given == null ? SSLContext.getDefault() : given;
            SSLSocket secured = (SSLSocket) context.getSocketFactory().createSocket(socket, host, port, true);
            SSLParameters parameters = secured.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            secured.setSSLParameters(parameters);
            secured.startHandshake();
            return secured;
        } catch (NoSuchAlgorithmException e) {
            throw new DeploymentException("There is no default context for TLS", e);
        }
    }

    // ---- handshake

    private WebSocketSession shakeHands(
            ClientContainer container,
            EndpointDefinition endpoint,
            EndpointCallbacks callbacks,
            ClientEndpointConfig config,
            URI uri,
            boolean secure,
            int port)
            throws DeploymentException, IOException {
        byte[] octets = new byte[KEY_OCTETS];
        RANDOM.nextBytes(octets);
        String key = Base64.getEncoder().encodeToString(octets);
        Map<String, List<String>> fields =
                request(config, key, uri.getHost() + (isDefault(port, secure) ? "" : ":" + port));
        config.getConfigurator().beforeRequest(fields);
        send(uri, fields);
        Answer answer = answer();
        config.getConfigurator().afterResponse(answer);
        Map<String, List<String>> got = answer.getHeaders;
        if (answer.status != SWITCHING_PROTOCOLS) {
            throw new DeploymentException("The server has answered the handshake with status " + answer.status);
        }
        if (!has(got, Headers.UPGRADE, Headers.WEBSOCKET)
                || !has(got, Headers.CONNECTION, Headers.UPGRADE)
                || !got.getOrDefault(HandshakeResponse.SEC_WEBSOCKET_ACCEPT, List.of())
                        .equals(List.of(ServerHandshake.accept(key)))) {
            throw new DeploymentException("The server has answered with status 101, but not for a WebSocket");
        }
        String subprotocol = String.join(",", got.getOrDefault(HandshakeRequest.SEC_WEBSOCKET_PROTOCOL, List.of()));
        if (!subprotocol.isEmpty() && !config.getPreferredSubprotocols().contains(subprotocol)) {
            throw new DeploymentException("The server has chosen a subprotocol that was not offered: " + subprotocol);
        }
        List<String> accepted = got.getOrDefault(HandshakeRequest.SEC_WEBSOCKET_EXTENSIONS, List.of());
        List<Extension> extensions = Headers.extensions(accepted);
        FrameConnection frames =
                new FrameConnection(FrameConnection.Side.CLIENT, this, deflate(fields, accepted, extensions));
        Map<String, Object> userProperties = EndpointDefinition.SessionConfig.copy(config.getUserProperties());
        WebSocketSession session = new WebSocketSession(
                container,
                endpoint,
                callbacks,
                new WebSocketSession.Handshake(
                        uri.toString(),
                        uri.getRawQuery(),
                        Map.of(),
                        secure,
                        null,
                        subprotocol,
                        accepted,
                        config,
                        () -> userProperties));
        container.connected().add(session);
        session.whenEnded(() -> container.connected().remove(session));
        frames.listen(session);
        socket.setSoTimeout(0);
        // The endpoint's onOpen is called by the caller, as long as nothing can be received.
        inTurn(() -> session.open(frames));
        run(() -> read(frames));
        return session;
    }

    private static boolean isDefault(int port, boolean secure) {
        return port == (secure ? 443 : 80);
    }

    private static Map<String, List<String>> request(ClientEndpointConfig config, String key, String host) {
        Map<String, List<String>> fields = Headers.fields();
        fields.put("Host", new ArrayList<>(List.of(host)));
        fields.put(Headers.UPGRADE, new ArrayList<>(List.of(Headers.WEBSOCKET)));
        fields.put(Headers.CONNECTION, new ArrayList<>(List.of(Headers.UPGRADE)));
        fields.put(HandshakeRequest.SEC_WEBSOCKET_KEY, new ArrayList<>(List.of(key)));
        fields.put(HandshakeRequest.SEC_WEBSOCKET_VERSION, new ArrayList<>(List.of(HandshakeRequirements.VERSION)));
        if (!config.getPreferredSubprotocols().isEmpty()) {
            fields.put(HandshakeRequest.SEC_WEBSOCKET_PROTOCOL, new ArrayList<>(config.getPreferredSubprotocols()));
        }
        List<String> extensions = new ArrayList<>();
        for (Extension extension : config.getExtensions()) {
            boolean isDeflate = extension.getName().equals(DeflateParameters.NAME);
            extensions.add(isDeflate ? DeflateParameters.offer() : Headers.format(extension));
        }
        if (!extensions.isEmpty()) {
            fields.put(HandshakeRequest.SEC_WEBSOCKET_EXTENSIONS, extensions);
        }
        return fields;
    }

    /** The client must fail the connection if an extension was not offered (RFC 6455 section 4.1). */
    private static @Nullable DeflateParameters deflate(
            Map<String, List<String>> offered, List<String> accepted, List<Extension> extensions)
            throws DeploymentException {
        List<String> names = Headers.extensions(offered.get(HandshakeRequest.SEC_WEBSOCKET_EXTENSIONS)).stream()
                .map(Extension::getName)
                .toList();
        for (Extension extension : extensions) {
            if (!names.contains(extension.getName())) {
                throw new DeploymentException(
                        "The server has chosen an extension that was not offered: " + extension.getName());
            }
        }
        try {
            return DeflateParameters.accepted(accepted);
        } catch (IllegalArgumentException e) {
            throw new DeploymentException(
                    "The server's answer does not fit the offered compression: " + e.getMessage(), e);
        }
    }

    private void send(URI uri, Map<String, List<String>> fields) throws IOException, DeploymentException {
        String path = uri.getRawPath() == null || uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
        StringBuilder head = new StringBuilder("GET ").append(path);
        if (uri.getRawQuery() != null) {
            head.append('?').append(uri.getRawQuery());
        }
        head.append(" HTTP/1.1\r\n");
        for (Map.Entry<String, List<String>> field : fields.entrySet()) {
            String line = field.getKey() + ": " + String.join(", ", field.getValue());
            if (line.indexOf('\r') >= 0 || line.indexOf('\n') >= 0) {
                throw new DeploymentException("A field of the handshake has a line break: " + field.getKey());
            }
            head.append(line).append("\r\n");
        }
        out.write(head.append("\r\n").toString().getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    private Answer answer() throws IOException, DeploymentException {
        int[] left = {MOST_HEAD};
        String[] status = line(left).split(" ", 3);
        Map<String, List<String>> fields = Headers.fields();
        for (String line = line(left); !line.isEmpty(); line = line(left)) {
            int colon = line.indexOf(':');
            if (colon <= 0) {
                throw new DeploymentException("The server's answer to the handshake is malformed");
            }
            fields.computeIfAbsent(line.substring(0, colon), none -> new ArrayList<>())
                    .add(line.substring(colon + 1).strip());
        }
        try {
            if (status.length > 1 && status[0].toUpperCase(Locale.ROOT).startsWith("HTTP/1.")) {
                return new Answer(Integer.parseInt(status[1]), fields);
            }
        } catch (NumberFormatException e) {
            LOG.debug("A status is no number: {}", e.getMessage());
        }
        throw new DeploymentException("The server's answer to the handshake is no answer of HTTP/1.1");
    }

    /** @param left the bytes that the rest of the head may have */
    private String line(int[] left) throws IOException, DeploymentException {
        StringBuilder line = new StringBuilder();
        while (true) {
            int b = in.read();
            if (b < 0) {
                throw new EOFException("The server has closed the connection before it has answered the handshake");
            }
            if (--left[0] < 0) {
                throw new DeploymentException("The head of the server's answer has more than " + MOST_HEAD + " bytes");
            }
            if (b == '\n') {
                int end = line.length() - 1;
                return end >= 0 && line.charAt(end) == '\r' ? line.substring(0, end) : line.toString();
            }
            line.append((char) b);
        }
    }

    private static boolean has(Map<String, List<String>> fields, String name, String token) {
        return Headers.elements(fields.get(name), ',').stream().anyMatch(token::equalsIgnoreCase);
    }

    // ---- incoming

    private void run(Runnable job) {
        Threads.POOL.execute(() -> {
            Thread thread = Thread.currentThread();
            ClassLoader before = thread.getContextClassLoader();
            thread.setContextClassLoader(loader);
            try {
                job.run();
            } finally {
                thread.setContextClassLoader(before);
            }
        });
    }

    private void inTurn(Runnable job) {
        turn.lock();
        try {
            job.run();
        } finally {
            turn.unlock();
        }
    }

    private void read(FrameConnection frames) {
        byte[] buffer = new byte[READ_BUFFER];
        try {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                ByteBuffer bytes = ByteBuffer.wrap(buffer, 0, count);
                inTurn(() -> frames.received(bytes));
            }
        } catch (IOException e) {
            LOG.debug("The connection of a client has ended: {}", e.toString());
        }
        inTurn(() -> frames.inputEnded(false));
        closeSocket();
        inTurn(frames::ended);
    }

    @Override
    public void execute(Runnable job) {
        run(() -> inTurn(job));
    }

    // ---- outgoing

    @Override
    public void write(ByteBuffer head, ByteBuffer payload, boolean mayWait) throws IOException {
        if (closed) {
            throw new IOException("The connection is closed");
        }
        if (!mayWait) {
            return; // a write to the socket can wait for the server
        }
        write(head);
        write(payload);
        out.flush();
    }

    private void write(ByteBuffer bytes) throws IOException {
        if (bytes.hasArray()) {
            out.write(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
        } else {
            out.write(Coders.array(bytes.duplicate()));
        }
        bytes.position(bytes.limit());
    }

    @Override
    public boolean writesWaitForPeer() {
        return true;
    }

    @Override
    public boolean awaitRoom(long nanos) {
        return true; // a write that may wait takes all bytes
    }

    @Override
    public void whenRoom(Runnable action) {
        run(action);
    }

    @Override
    public void work(Runnable action) {
        run(action);
    }

    @Override
    public Future<?> after(long millis, Runnable action) {
        return Threads.TIMER.schedule(action, millis, TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        closed = true;
        run(this::closeSocket);
    }

    @Override
    public void abort(Throwable cause) {
        LOG.debug("The connection of a client is aborted: {}", cause.toString());
        closed = true;
        close(raw); // without the end of TLS, for which a thread might wait
    }

    /** Ends TLS, too. That can wait for the server, or for a write that waits for it, but not for ever. */
    private void closeSocket() {
        if (socket != raw) {
            Future<?> unused = after(END_OF_TLS_MILLIS, () -> close(raw));
        }
        close(socket);
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            LOG.debug("A socket could not be closed: {}", e.toString());
        }
    }
}
