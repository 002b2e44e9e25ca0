package io.penstock.websocket;

import io.penstock.websocket.frame.UnfinishedMessages;
import io.penstock.part.UpgradedConnection;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.WebConnection;
import jakarta.websocket.CloseReason;
import jakarta.websocket.CloseReason.CloseCodes;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.glassfish.tyrus.servlet.TyrusHttpUpgradeHandler;
import org.glassfish.tyrus.spi.CompletionHandler;
import org.glassfish.tyrus.spi.Connection;
import org.glassfish.tyrus.spi.WebSocketEngine;
import org.glassfish.tyrus.spi.Writer;
import org.glassfish.tyrus.spi.WriterInfo;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The upgrade handler of one WebSocket connection. If the stream ends without a close frame, this class adds the close code of RFC 6455
 * section 7.4.1. If the server or the application ends, the client and the endpoint get the code 1001. If the client has disconnected, the
 * endpoint gets the code 1006. The handler of the WebSocket engine (Tyrus) would report a normal end in these cases. {@link IncomingFrames}
 * passes the client's bytes to the engine.
 *
 * <p>Thread: workers, one at a time; any thread can call {@link #giveUp}. Owns: its share in {@link UnfinishedMessages}, until {@link
 * #destroy}.
 */
public final class EndpointConnection extends TyrusHttpUpgradeHandler {
    private static final Logger LOG = LoggerFactory.getLogger(EndpointConnection.class);

    private static final byte CLOSE_FRAME = (byte) 0x88;
    private static final int LENGTH_AND_MASK = 1 + Integer.BYTES;

    /**
     * Whether the connection can be closed when the user leaves: the user's HTTP session ends, or the user logs out. If the user has left
     * before {@link #init} was called, {@code init} closes the connection.
     */
    private enum User {
        AWAITED,
        SERVED,
        LEFT
    }

    /**
     * What happens to the client's frames. {@code IGNORED} begins with the close frame of the server. The engine sends this frame first, and
     * then notifies the endpoint. In between, the engine would take the client's answer for the cause of the close.
     */
    private enum Incoming {
        HANDLED,
        IGNORED
    }

    private final AtomicReference<User> user = new AtomicReference<>(User.AWAITED);
    private volatile Incoming incoming = Incoming.HANDLED;
    private volatile @Nullable WebConnection connection;
    private @Nullable Connection engine;
    private UnfinishedMessages.@Nullable Share share;
    private long held;
    private @Nullable IncomingFrames frames;
    private Runnable whenDestroyed = () -> {};
    private int mostPayload = MessageBounds.DEFAULT_MESSAGE;

    /** Registers the connection at {@code unfinished}. The caller must call this method before all other methods. */
    void shareIn(UnfinishedMessages unfinished) {
        share = unfinished.share(this::giveUp);
    }

    /** @param ended the code that is called once, at the end of the connection */
    void whenDestroyed(Runnable ended) {
        whenDestroyed = ended;
    }

    /** @throws IllegalStateException before the connection has been upgraded */
    WebConnection opened() {
        WebConnection begun = connection;
        if (begun == null) {
            throw new IllegalStateException("The connection has not been upgraded");
        }
        return begun;
    }

    @Override
    public void setIncomingBufferSize(int bytes) {
        super.setIncomingBufferSize(bytes);
        mostPayload = bytes;
    }

    @Override
    public void preInit(WebSocketEngine.UpgradeInfo info, Writer writer, boolean authenticated) {
        super.preInit(new Noted(info), writer, authenticated);
    }

    @Override
    public void init(WebConnection begun) {
        connection = begun;
        super.init(begun);
        if (user.getAndUpdate(was -> was == User.LEFT ? was : User.SERVED) == User.LEFT) {
            super.sessionDestroyed();
        }
    }

    /**
     * Closes the connection when the user leaves. If this happens before {@link #init}, the method {@link #init} closes the connection. A
     * second call has no effect.
     */
    @Override
    public void sessionDestroyed() {
        if (user.getAndSet(User.LEFT) == User.SERVED) {
            super.sessionDestroyed();
        }
    }

    @Override
    public void onDataAvailable() {
        Connection open = Objects.requireNonNull(engine);
        IncomingFrames arriving = frames;
        if (arriving == null) {
            arriving = new IncomingFrames(mostPayload, frame -> {
                if (incoming == Incoming.HANDLED) {
                    handle(open, frame);
                }
            });
            frames = arriving;
        }
        try {
            ServletInputStream in = Objects.requireNonNull(connection).getInputStream();
            byte[] chunk = new byte[Math.max(1, Math.min(IncomingFrames.FRAGMENT, in.available()))];
            while (in.isReady()) {
                int count = in.read(chunk);
                if (count < 0) {
                    // The method onAllDataRead notifies the engine.
                    break;
                }
                arriving.take(ByteBuffer.wrap(chunk, 0, count));
                hold(arriving.held());
            }
        } catch (RefusedFrameException e) {
            open.close(e.reason());
            giveUp();
        } catch (IOException e) {
            LOG.debug("A connection has ended while it was read: {}", e.toString());
        }
    }

    /**
     * Hands the client's frame to the engine. A client may close with 1012 or 1013, as a proxy does that passes on the code of the server
     * behind it. The engine would refuse these codes, so its connection is closed with the client's code here.
     */
    private static void handle(Connection open, ByteBuffer frame) {
        CloseReason given = closeOfServer(frame.duplicate());
        if (given == null) {
            open.getReadHandler().handle(frame);
        } else {
            open.close(given);
        }
    }

    private static @Nullable CloseReason closeOfServer(ByteBuffer frame) {
        if (frame.get() != CLOSE_FRAME || frame.remaining() <= LENGTH_AND_MASK) {
            return null;
        }
        frame.get(); // the length
        byte[] mask = new byte[Integer.BYTES];
        frame.get(mask);
        byte[] payload = new byte[frame.remaining()];
        frame.get(payload);
        for (int i = 0; i < payload.length; i++) {
            payload[i] ^= mask[i % mask.length];
        }
        int code = payload.length < Short.BYTES
                ? 0
                : Short.toUnsignedInt(ByteBuffer.wrap(payload).getShort());
        if (code != CloseCodes.SERVICE_RESTART.getCode() && code != CloseCodes.TRY_AGAIN_LATER.getCode()) {
            return null;
        }
        try {
            ByteBuffer reason = ByteBuffer.wrap(payload, Short.BYTES, payload.length - Short.BYTES);
            return new CloseReason(
                    CloseCodes.getCloseCode(code),
                    StandardCharsets.UTF_8.newDecoder().decode(reason).toString());
        } catch (CharacterCodingException e) {
            return null; // the engine refuses the reason
        }
    }

    private void hold(long bytes) {
        UnfinishedMessages.Share ours = share;
        if (ours != null && bytes != held) {
            held = bytes;
            ours.holds(bytes);
        }
    }

    /** Closes the connection. Bytes that were written before the call are sent. */
    void giveUp() {
        WebConnection begun = connection;
        if (begun == null) {
            return;
        }
        try {
            begun.close();
        } catch (Exception e) {
            LOG.debug("A connection was closed before its upgrade was complete: {}", e.toString());
        }
    }

    @Override
    public void destroy() {
        super.destroy();
        frames = null;
        hold(0);
        whenDestroyed.run();
    }

    @Override
    public void onAllDataRead() {
        Connection open = engine;
        if (open == null || !isLeaving()) {
            super.onError(new EOFException("The stream has ended without a close frame"));
        } else {
            open.close(new CloseReason(CloseCodes.GOING_AWAY, null)); // no effect on a closed connection
        }
    }

    private boolean isLeaving() {
        return connection instanceof UpgradedConnection ours && ours.isLeaving();
    }

    /** Stores the engine's object for the connection when the engine creates the object. */
    private final class Noted implements WebSocketEngine.UpgradeInfo {
        private final WebSocketEngine.UpgradeInfo info;

        Noted(WebSocketEngine.UpgradeInfo info) {
            this.info = info;
        }

        @Override
        public WebSocketEngine.UpgradeStatus getStatus() {
            return info.getStatus();
        }

        @Override
        public Connection createConnection(Writer writer, Connection.CloseListener listener) {
            Connection made = info.createConnection(new Outgoing(writer), listener);
            engine = made;
            return made;
        }
    }

    /** Passes the engine's frames to its writer. From the close frame on, the client's frames are ignored. Thread: any. */
    private final class Outgoing extends Writer {
        private final Writer writer;

        Outgoing(Writer writer) {
            this.writer = writer;
        }

        @Override
        public void write(ByteBuffer frame, CompletionHandler<ByteBuffer> listener) {
            writer.write(frame, listener);
        }

        @Override
        public void write(ByteBuffer frame, CompletionHandler<ByteBuffer> listener, WriterInfo info) {
            if (info.getMessageType() == WriterInfo.MessageType.CLOSE) {
                incoming = Incoming.IGNORED; // before the client can answer
            }
            writer.write(frame, listener, info);
        }

        @Override
        public void close() throws IOException {
            writer.close();
        }
    }
}
