package io.penstock.websocket;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.websocket.frame.FrameConnection;
import io.penstock.websocket.frame.FrameListener;
import jakarta.websocket.CloseReason;
import jakarta.websocket.CloseReason.CloseCode;
import jakarta.websocket.CloseReason.CloseCodes;
import jakarta.websocket.EndpointConfig;
import jakarta.websocket.Extension;
import jakarta.websocket.MessageHandler;
import jakarta.websocket.PongMessage;
import jakarta.websocket.RemoteEndpoint;
import jakarta.websocket.Session;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.security.Principal;
import java.security.SecureRandom;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One session of an endpoint, on the server or as a client (WebSocket 2.2 section 2.1.2). It gives the messages of its {@link
 * FrameConnection} to the endpoint.
 *
 * <p>Thread: any may use the methods of {@link Session}. The endpoint is called by one thread at a time: by the one that feeds the
 * connection, or by a job of its transport. If the application closes the session inside a call of the endpoint other than {@code onOpen},
 * {@code onClose} is called inside {@link #close}; otherwise it is called by a job.
 *
 * <p>Owns: the encoders and decoders of the session, until {@link State#ENDED}.
 *
 * <pre>
 *   NEW --handshake done--> OPEN --close frame sent or received, end of the stream--> CLOSING --onClose has returned--> ENDED
 *     +--closed before, e.g. by a logout--------------------------------------------------------------------------------^
 * </pre>
 */
final class WebSocketSession implements Session, FrameListener {
    private static final Logger LOG = LoggerFactory.getLogger(WebSocketSession.class);
    private static final String PROTOCOL_VERSION = "13";

    /** Makes the ids of sessions differ from those of other servers, and from those before a restart. */
    private static final String ID_PREFIX = HexFormat.of().toHexDigits(new SecureRandom().nextLong()) + '-';

    private static final AtomicLong COUNTER = new AtomicLong();

    private enum State {
        NEW,
        OPEN,
        CLOSING,
        ENDED
    }

    /**
     * What the handshake has determined.
     *
     * @param uri the complete URI of the request, with the scheme {@code ws} or {@code wss}
     * @param query the query string; null for none
     * @param user the user of the request; null for none
     * @param extensions the values of {@code Sec-WebSocket-Extensions}. They need less memory than the parsed ones, and few applications ask
     * @param config the configuration that the endpoint gets
     * @param userProperties gives the session's own properties, always the same map
     */
    record Handshake(
            String uri,
            @Nullable String query,
            Map<String, String> pathParameters,
            boolean secure,
            @Nullable Principal user,
            String subprotocol,
            List<String> extensions,
            EndpointConfig config,
            Supplier<Map<String, Object>> userProperties) {}

    /**
     * A handler with the type of its messages.
     *
     * @param partial whether it gets messages in parts
     */
    private record Handler(MessageHandler handler, Class<?> type, boolean partial) {

        void deliver(Object message, boolean last) throws Throwable {
            if (handler instanceof EndpointMethods.MethodHandler method) {
                method.call(message, last);
            } else if (partial) {
                partialOf(handler).onMessage(message, last);
            } else {
                wholeOf(handler).onMessage(message);
            }
        }

        @SuppressWarnings("unchecked") // the type was given with the handler
        private static MessageHandler.Partial<Object> partialOf(MessageHandler handler) {
            return (MessageHandler.Partial<Object>) handler;
        }

        @SuppressWarnings("unchecked")
        private static MessageHandler.Whole<Object> wholeOf(MessageHandler handler) {
            return (MessageHandler.Whole<Object>) handler;
        }
    }

    private final ClientContainer container;
    private final EndpointDefinition endpoint;
    private final EndpointCallbacks callbacks;
    private final Handshake handshake;
    private final long number = COUNTER.incrementAndGet();

    /** Changed with the lock of this session. */
    private volatile State state = State.NEW;

    /** Called once at the end of the connection. */
    private volatile Runnable whenEnded = () -> {};

    private volatile @Nullable FrameConnection frames;
    private volatile Coders.@Nullable Instances coders;
    private volatile @Nullable Remotes remotes;
    private volatile @Nullable Handler text;
    private volatile @Nullable Handler binary;
    private volatile @Nullable Handler pong;

    /** The handler of a text message whose last part has not arrived. */
    private @Nullable Handler unfinishedText;

    private @Nullable Handler unfinishedBinary;

    /** The thread that is inside the endpoint. */
    private volatile @Nullable Thread caller;

    /** Why this side has closed, until the endpoint has been told. */
    @GuardedBy("this")
    private @Nullable CloseReason untold;

    private volatile long idleTimeout;
    private volatile int maxText;
    private volatile int maxBinary;

    WebSocketSession(
            ClientContainer container, EndpointDefinition endpoint, EndpointCallbacks callbacks, Handshake handshake) {
        this.container = container;
        this.endpoint = endpoint;
        this.callbacks = callbacks;
        this.handshake = handshake;
    }

    /** @param ended called once, at the end of the connection */
    void whenEnded(Runnable ended) {
        whenEnded = ended;
    }

    /**
     * Opens the session: the handshake is done. If the session has been closed before, the connection is closed, and the endpoint is not
     * called.
     *
     * <p>Thread: the one that feeds the connection, before it does so.
     */
    void open(FrameConnection connection) {
        frames = connection;
        setMaxTextMessageBufferSize(container.getDefaultMaxTextMessageBufferSize());
        setMaxBinaryMessageBufferSize(container.getDefaultMaxBinaryMessageBufferSize());
        setMaxIdleTimeout(container.getDefaultMaxSessionIdleTimeout());
        remotes = new Remotes(this, connection, container.getDefaultAsyncSendTimeout());
        CloseReason before = opened();
        if (before != null) {
            close(connection, before);
            return;
        }
        // The endpoint gets no onClose before its onOpen has returned (WebSocket 2.2 section 5.1).
        attempt(() -> {
            coders = endpoint.coders().instances(handshake.config);
            endpoint.open().add(this); // other sessions can now send objects by this one
            callbacks.open(this, handshake.config);
        });
        if (coders == null) { // a coder has failed, and the endpoint is not open
            close(new CloseReason(CloseCodes.UNEXPECTED_CONDITION, "The endpoint cannot be opened"));
        }
    }

    /** Makes the session open. Returns a reason if it has been closed before. */
    private synchronized @Nullable CloseReason opened() {
        CloseReason before = untold;
        untold = null;
        state = before == null ? State.OPEN : State.ENDED;
        return before;
    }

    // ---- calls of the endpoint

    /** A call of the application. */
    @FunctionalInterface
    private interface EndpointCall {
        void run() throws Throwable;
    }

    private void call(EndpointCall call) {
        Thread outer = caller;
        caller = Thread.currentThread();
        try {
            attempt(call);
        } finally {
            caller = outer;
        }
    }

    /** As {@link #call}, but if the endpoint closes the session, it is told of that after this call. */
    private void attempt(EndpointCall call) {
        try {
            call.run();
        } catch (Throwable t) {
            failed(t);
        }
    }

    /** Tells the endpoint of a failure, or logs it if the endpoint does not handle failures (WebSocket 2.2 section 5.2.2). */
    private void failed(Throwable failure) {
        if (!tell(failure)) {
            log(failure);
        }
    }

    /** Returns whether the endpoint has handled a failure. */
    private boolean tell(Throwable failure) {
        try {
            return callbacks.error(this, failure);
        } catch (Throwable t) {
            log(t);
            return false;
        }
    }

    private void log(Throwable failure) {
        if (failure instanceof IOException || (failure instanceof IllegalStateException && !isOpen())) {
            LOG.debug("A session of the WebSocket endpoint {} has failed", callbacks, failure);
        } else {
            LOG.error("The WebSocket endpoint {} has failed", callbacks, failure);
        }
    }

    @Override
    public void onText(String message, boolean last) {
        Handler handler = unfinishedText == null ? text : unfinishedText;
        unfinishedText = last ? null : handler;
        if (handler != null && isOpen()) {
            call(() -> {
                Object decoded = handler.partial ? message : openCoders().decode(message, handler.type);
                if (decoded != null) {
                    handler.deliver(decoded, last);
                }
            });
        }
    }

    @Override
    public void onBinary(ByteBuffer message, boolean last) {
        Handler handler = unfinishedBinary == null ? binary : unfinishedBinary;
        unfinishedBinary = last ? null : handler;
        if (handler != null && isOpen()) {
            call(() -> {
                Object decoded = !handler.partial
                        ? openCoders().decode(message, handler.type)
                        : handler.type == byte[].class ? Coders.array(message) : message;
                if (decoded != null) {
                    handler.deliver(decoded, last);
                }
            });
        }
    }

    @Override
    public void onPong(ByteBuffer payload) {
        Handler handler = pong;
        if (handler != null && isOpen()) {
            PongMessage message = () -> payload;
            call(() -> handler.deliver(message, true));
        }
    }

    @Override
    public void onError(Throwable violation) {
        call(() -> {
            if (!tell(violation)) {
                LOG.debug("The peer of a session of {} has violated the protocol", callbacks, violation);
            }
        });
    }

    @Override
    public void onClose(int code, String reason) {
        if (beginClose(State.OPEN, null)) {
            notifyClosed(new CloseReason(closeCode(code), reason));
        }
    }

    /** @param toTell the reason that the endpoint is told later; null if it is told at once */
    private synchronized boolean beginClose(State expected, @Nullable CloseReason toTell) {
        if (state != expected) {
            return false;
        }
        state = State.CLOSING;
        untold = toTell;
        return true;
    }

    private static CloseCode closeCode(int code) {
        for (CloseCodes known : CloseCodes.values()) {
            if (known.getCode() == code) {
                return known;
            }
        }
        return () -> code;
    }

    private void notifyClosed(CloseReason reason) {
        endpoint.open().remove(this);
        call(() -> callbacks.close(this, reason));
        end();
        Coders.Instances used = coders;
        if (used != null) {
            used.destroy();
        }
    }

    private synchronized void end() {
        state = State.ENDED;
    }

    @Override
    public void onEnd() {
        onClose(CloseCodes.CLOSED_ABNORMALLY.getCode(), "");
        notifyUntold();
        whenEnded.run();
    }

    /** Calls the endpoint's {@code onClose} for a close of this side, unless that has been done. */
    private void notifyUntold() {
        CloseReason reason;
        synchronized (this) {
            reason = untold;
            untold = null;
        }
        if (reason != null) {
            notifyClosed(reason);
        }
    }

    // ---- close

    @Override
    public void close() {
        close(new CloseReason(CloseCodes.NORMAL_CLOSURE, ""));
    }

    @Override
    public void close(CloseReason closeReason) {
        if (closeReason == null) {
            throw new IllegalArgumentException("The reason must not be null");
        }
        if (beginClose(State.NEW, closeReason) || isConnectionClosing() || !beginClose(State.OPEN, closeReason)) {
            return; // if the connection is closing, onClose follows
        }
        FrameConnection connection = Objects.requireNonNull(frames); // known before the session was open
        endpoint.open().remove(this);
        close(connection, closeReason);
        if (caller == Thread.currentThread()) {
            notifyUntold();
        } else {
            connection.transport().execute(this::notifyUntold);
        }
    }

    private static void close(FrameConnection connection, CloseReason reason) {
        connection.close(reason.getCloseCode().getCode(), reason.getReasonPhrase());
    }

    @Override
    public boolean isOpen() {
        return state == State.OPEN && !isConnectionClosing();
    }

    /** Whether a side has closed the connection. The endpoint may not know that yet. */
    private boolean isConnectionClosing() {
        FrameConnection connection = frames;
        return connection != null && !connection.isOpen();
    }

    /** @throws IllegalStateException after the end of the session, as {@link Session} says */
    private void checkNotEnded() {
        if (state == State.ENDED) {
            throw new IllegalStateException("The WebSocket session " + getId() + " has been closed");
        }
    }

    private FrameConnection frames() {
        checkNotEnded();
        FrameConnection connection = frames;
        if (connection == null) {
            throw new IllegalStateException("The WebSocket session " + getId() + " has not been opened");
        }
        return connection;
    }

    /** @throws IllegalStateException before the session is open, and after its end */
    Remotes remotes() {
        checkNotEnded();
        Remotes made = remotes;
        if (made == null) {
            throw new IllegalStateException("The WebSocket session " + getId() + " has not been opened");
        }
        return made;
    }

    Coders.Instances openCoders() {
        Coders.Instances created = coders;
        if (created == null) {
            throw new IllegalStateException("The WebSocket session " + getId() + " has not been opened");
        }
        return created;
    }

    // ---- message handlers

    @Override
    public void addMessageHandler(MessageHandler handler) {
        boolean partial = handler instanceof MessageHandler.Partial;
        Class<?> type = TypeArguments.of(
                handler.getClass(), partial ? MessageHandler.Partial.class : MessageHandler.Whole.class);
        if (type == null) {
            throw new IllegalStateException("The type of the messages of "
                    + handler.getClass().getName() + " is not known: call the method that takes the type, too");
        }
        add(handler, type, partial);
    }

    @Override
    public <T> void addMessageHandler(Class<T> clazz, MessageHandler.Whole<T> handler) {
        add(handler, clazz, false);
    }

    @Override
    public <T> void addMessageHandler(Class<T> clazz, MessageHandler.Partial<T> handler) {
        add(handler, clazz, true);
    }

    /** @throws IllegalStateException if there is a handler of this kind already, or no decoder for the type */
    synchronized void add(MessageHandler handler, Class<?> type, boolean partial) {
        FrameConnection connection = frames();
        Handler added = new Handler(handler, type, partial);
        boolean ofPong = type == PongMessage.class;
        boolean ofText =
                partial ? type == String.class : !ofPong && endpoint.coders().decodesText(type);
        boolean ofBinary = partial
                ? type == ByteBuffer.class || type == byte[].class
                : !ofPong && endpoint.coders().decodesBinary(type);
        if ((!ofPong && !ofText && !ofBinary) || (ofPong && partial)) {
            throw new IllegalStateException("There is no decoder for messages of the type " + type.getName());
        }
        if ((ofPong && pong != null) || (ofText && text != null) || (ofBinary && binary != null)) {
            throw new IllegalStateException("There is a handler for messages of this kind already");
        }
        if (ofPong) {
            pong = added;
        }
        if (ofText) {
            text = added;
            connection.textInParts(partial);
        }
        if (ofBinary) {
            binary = added;
            connection.binaryInParts(partial);
        }
    }

    @Override
    public synchronized void removeMessageHandler(MessageHandler handler) {
        FrameConnection connection = frames();
        if (isOf(pong, handler)) {
            pong = null;
        }
        if (isOf(text, handler)) {
            text = null;
            connection.textInParts(false);
        }
        if (isOf(binary, handler)) {
            binary = null;
            connection.binaryInParts(false);
        }
    }

    private static boolean isOf(@Nullable Handler known, MessageHandler handler) {
        return known != null && known.handler == handler;
    }

    @Override
    public synchronized Set<MessageHandler> getMessageHandlers() {
        checkNotEnded();
        Set<MessageHandler> handlers = new LinkedHashSet<>();
        for (Handler known : new Handler[] {text, binary, pong}) {
            if (known != null) {
                handlers.add(known.handler);
            }
        }
        return Collections.unmodifiableSet(handlers);
    }

    // ---- settings

    @Override
    public long getMaxIdleTimeout() {
        checkNotEnded();
        return idleTimeout;
    }

    @Override
    public void setMaxIdleTimeout(long milliseconds) {
        idleTimeout = milliseconds;
        frames().idleTimeout(Math.max(0, milliseconds));
    }

    @Override
    public void setMaxBinaryMessageBufferSize(int length) {
        maxBinary = length;
        frames().maxBinary(length);
    }

    @Override
    public int getMaxBinaryMessageBufferSize() {
        checkNotEnded();
        return maxBinary;
    }

    @Override
    public void setMaxTextMessageBufferSize(int length) {
        maxText = length;
        frames().maxText(length);
    }

    @Override
    public int getMaxTextMessageBufferSize() {
        checkNotEnded();
        return maxText;
    }

    @Override
    public RemoteEndpoint.Async getAsyncRemote() {
        return remotes().async();
    }

    @Override
    public RemoteEndpoint.Basic getBasicRemote() {
        return remotes().basic();
    }

    // ---- facts

    @Override
    public ClientContainer getContainer() {
        checkNotEnded();
        return container;
    }

    @Override
    public String getProtocolVersion() {
        checkNotEnded();
        return PROTOCOL_VERSION;
    }

    @Override
    public String getNegotiatedSubprotocol() {
        checkNotEnded();
        return handshake.subprotocol;
    }

    @Override
    public List<Extension> getNegotiatedExtensions() {
        checkNotEnded();
        return Headers.extensions(handshake.extensions);
    }

    @Override
    public boolean isSecure() {
        checkNotEnded();
        return handshake.secure;
    }

    @Override
    public String getId() {
        return ID_PREFIX + number;
    }

    @Override
    public URI getRequestURI() {
        checkNotEnded();
        return Headers.uri(handshake.uri);
    }

    @Override
    public Map<String, List<String>> getRequestParameterMap() {
        checkNotEnded();
        return Headers.parameters(handshake.query);
    }

    @Override
    public @Nullable String getQueryString() {
        checkNotEnded();
        return handshake.query;
    }

    @Override
    public Map<String, String> getPathParameters() {
        checkNotEnded();
        return Collections.unmodifiableMap(pathParameters());
    }

    Map<String, String> pathParameters() {
        return handshake.pathParameters;
    }

    @Override
    public Map<String, Object> getUserProperties() {
        checkNotEnded();
        return handshake.userProperties.get();
    }

    @Override
    public @Nullable Principal getUserPrincipal() {
        checkNotEnded();
        return handshake.user;
    }

    @Override
    public Set<Session> getOpenSessions() {
        checkNotEnded();
        return Set.copyOf(endpoint.open());
    }

    @Override
    public String toString() {
        return "WebSocketSession " + getId() + " of " + endpoint + ", " + state;
    }
}
