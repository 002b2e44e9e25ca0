package io.penstock.websocket.frame;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.events.WebSocketEnd;
import io.penstock.part.UpgradedConnection.Figure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One WebSocket connection (RFC 6455): it reads the peer's frames for a {@link FrameListener}, and sends frames in the order of the calls.
 * Sends never wait for the peer, except {@link #sendAndWait}.
 *
 * <p>Thread: {@link #listen}, {@link #received} and {@link #inputEnded}: one at a time; all other methods: any.
 *
 * <pre>
 *   OPEN --close, peer's close frame, violation, idle, end of the input--> CLOSING --ended--> ENDED
 *     +------------------------------ended-------------------------------------^
 * </pre>
 *
 * <p>In CLOSING, the close frame of this side is the last one that is sent, and messages of the peer are dropped.
 */
public final class FrameConnection {
    /** The close frame has no code (RFC 6455 section 7.4.1). */
    public static final int NO_CODE = 1005;

    /** The connection has ended without a close frame. */
    public static final int ABNORMAL = 1006;

    private static final int NORMAL = 1000;
    private static final int LEAVING = 1001;
    private static final int FAILED = 1011;
    private static final int LARGEST_CODE_SENT = 4999;
    private static final int TLS_FAILED = 1015;
    private static final int DEFAULT_MESSAGE = 64 * 1024;

    /** How long the peer may take to answer a close frame, in milliseconds. */
    private static final long CLOSE_TIMEOUT = 10_000;

    private static final Logger LOG = LoggerFactory.getLogger(FrameConnection.class);

    /** Which side of the connection this is. A client masks its frames (section 5.3). */
    public enum Side {
        SERVER,
        CLIENT
    }

    private enum State {
        OPEN,
        CLOSING,
        ENDED
    }

    private static final AtomicReferenceFieldUpdater<FrameConnection, @Nullable WebSocketEnd> END =
            AtomicReferenceFieldUpdater.newUpdater(FrameConnection.class, WebSocketEnd.class, "end");

    private final Transport transport;
    private final @Nullable Compression compression;
    private final FrameReader reader;
    private final FrameWriter writer;
    private volatile @Nullable FrameListener listener;

    private volatile int maxText = DEFAULT_MESSAGE;
    private volatile int maxBinary = DEFAULT_MESSAGE;
    private volatile boolean textInParts;
    private volatile boolean binaryInParts;
    private volatile long lastReceived = System.nanoTime();

    private volatile State state = State.OPEN;
    private volatile boolean peerClosed;

    /** Why the connection ends, for the operator; null before that is known. Set once, with {@link #END}. */
    private volatile @Nullable WebSocketEnd end;

    @GuardedBy("this")
    private long idleMillis;

    @GuardedBy("this")
    private @Nullable Future<?> idleCheck;

    /** Whether the transport has taken the close frame of this side. */
    @GuardedBy("this")
    private boolean closeTaken;

    /** Whether the connection ends as soon as the transport has taken the close frame. */
    @GuardedBy("this")
    private boolean endsAfterClose;

    @GuardedBy("this")
    private @Nullable Future<?> closeTimeout;

    /** @param deflate the negotiated compression; null for none */
    public FrameConnection(Side side, Transport transport, @Nullable DeflateParameters deflate) {
        this.transport = transport;
        this.compression = deflate == null ? null : new Compression(deflate);
        this.reader = new FrameReader(this, side == Side.SERVER, compression);
        this.writer = new FrameWriter(side, transport, compression, this::closeFrameTaken, this::sendTimedOut);
    }

    /** Must be called once, before the first {@link #received}. */
    public void listen(FrameListener of) {
        listener = of;
    }

    private FrameListener listener() {
        return Objects.requireNonNull(listener);
    }

    public Transport transport() {
        return transport;
    }

    // ---- settings; each holds from the next message on

    /** The most characters of a whole text message; a longer one closes with 1009. */
    public void maxText(int characters) {
        maxText = characters;
    }

    /** The most bytes of a whole binary message; a longer one closes with 1009. */
    public void maxBinary(int bytes) {
        maxBinary = bytes;
    }

    /** Whether the listener gets text messages in parts, as they arrive. At first it gets whole messages. */
    public void textInParts(boolean parts) {
        textInParts = parts;
    }

    /** Whether the listener gets binary messages in parts. */
    public void binaryInParts(boolean parts) {
        binaryInParts = parts;
    }

    /** Closes the connection when no frame has arrived and none has been sent for this time; 0 for never. */
    public synchronized void idleTimeout(long millis) {
        idleMillis = millis;
        lastReceived = System.nanoTime();
        if (idleCheck != null) {
            idleCheck.cancel(false);
            idleCheck = null;
        }
        if (millis > 0 && state == State.OPEN) {
            idleCheck = transport.after(millis, () -> transport.execute(this::checkIdle));
        }
    }

    private void checkIdle() {
        synchronized (this) {
            long now = System.nanoTime();
            long idle = TimeUnit.NANOSECONDS.toMillis(Math.min(now - lastReceived, now - writer.lastSent()));
            if (idleMillis <= 0 || state != State.OPEN) {
                return;
            }
            if (idle < idleMillis) {
                cancel(idleCheck); // there is another one if the timeout was set while this one waited for its turn
                idleCheck = transport.after(idleMillis - idle, () -> transport.execute(this::checkIdle));
                return;
            }
        }
        String reason = "No message within the idle timeout";
        if (startClose(NORMAL, reason, false, WebSocketEnd.SESSION_IDLE)) {
            listener().onClose(ABNORMAL, reason);
        }
    }

    /** Whether messages wait for {@link #flush} while they are small together. */
    public void batching(boolean allowed) {
        writer.batching(allowed);
    }

    public boolean isBatching() {
        return writer.isBatching();
    }

    /** Whether neither side has closed. */
    public boolean isOpen() {
        return state == State.OPEN;
    }

    /** The bytes of frames that the transport has not taken. */
    public long queuedBytes() {
        return writer.queuedBytes();
    }

    /** The bytes of frames that the peer has not taken, as far as this side knows. Thread: any. */
    public long pendingBytes() {
        return writer.queuedBytes() + transport.pendingBytes();
    }

    /** Sets why the connection ends, for the operator. Only the first call has an effect. Thread: any. */
    void endsBy(WebSocketEnd cause) {
        END.compareAndSet(this, null, cause);
    }

    /** Why the connection has ended. */
    WebSocketEnd end() {
        WebSocketEnd known = end;
        return known == null ? WebSocketEnd.CLIENT_GONE : known;
    }

    private void sendTimedOut(IOException cause) {
        endsBy(WebSocketEnd.SEND_TIMEOUT);
        transport.abort(cause);
    }

    /** The bytes of the peer's unfinished message, with what inflates it. Thread: the one that feeds the connection. */
    public int bufferedBytes() {
        return reader.held() + (compression == null ? 0 : compression.inflatingBytes());
    }

    /** Whether a message of the peer has ended since the last call. Thread: the one that feeds the connection. */
    public boolean messageEnded() {
        return reader.takeEnded();
    }

    /** Drops the peer's unfinished message, and what follows it. Thread: the one that feeds the connection. */
    public void dropUnfinished() {
        peerClosed = true;
        reader.dropUnfinished();
        if (compression != null) {
            compression.dropUnfinished();
        }
    }

    // ---- incoming

    /** Takes all bytes of {@code bytes}, and calls the listener. The buffer has an array, in which the bytes are unmasked. */
    public void received(ByteBuffer bytes) {
        lastReceived = System.nanoTime();
        int from = bytes.arrayOffset() + bytes.position();
        int to = bytes.arrayOffset() + bytes.limit();
        bytes.position(bytes.limit());
        if (peerClosed) {
            return;
        }
        try {
            reader.take(bytes.array(), from, to);
        } catch (Violation e) {
            violated(e);
        } catch (RuntimeException | Error e) {
            LOG.error("The listener of a WebSocket connection failed", e);
            violated(new Violation(FAILED, "The endpoint has failed."));
        }
    }

    private static WebSocketEnd end(int code) {
        return switch (code) {
            case Violation.PROTOCOL_ERROR -> WebSocketEnd.PROTOCOL_ERROR;
            case Violation.NOT_CONSISTENT -> WebSocketEnd.INVALID_DATA;
            case Violation.TOO_BIG -> WebSocketEnd.MESSAGE_TOO_BIG;
            default -> WebSocketEnd.ENDPOINT_FAILED;
        };
    }

    private void violated(Violation violation) {
        peerClosed = true; // what follows the wrong bytes cannot be read
        String reason = String.valueOf(violation.getMessage());
        if (startClose(violation.code(), reason, true, end(violation.code()))) {
            listener().onError(violation);
            listener().onClose(violation.code(), reason);
        } else {
            endAfterClose();
        }
    }

    /**
     * The peer sends no more bytes.
     *
     * @param leaving whether the server or the application ends: the peer and the listener then get 1001
     */
    public void inputEnded(boolean leaving) {
        if (peerClosed) {
            return;
        }
        peerClosed = true;
        if (leaving) {
            if (startClose(LEAVING, "", true, WebSocketEnd.STOPPING)) {
                listener().onClose(LEAVING, "");
            } else {
                endAfterClose();
            }
        } else {
            endsBy(WebSocketEnd.CLIENT_GONE);
            boolean was = leaveOpen();
            transport.close();
            if (was) {
                listener().onClose(ABNORMAL, "The connection has ended without a close frame");
            }
        }
    }

    private synchronized boolean leaveOpen() {
        boolean was = state == State.OPEN;
        if (was) {
            state = State.CLOSING;
        }
        return was;
    }

    /** The transport has ended. Waiting sends fail. Must be called once, by the thread that feeds the connection or after its last call. */
    public void ended() {
        boolean was = state == State.OPEN;
        writer.end();
        synchronized (this) {
            state = State.ENDED;
            cancel(idleCheck);
            cancel(closeTimeout);
            idleCheck = null;
            closeTimeout = null;
        }
        if (compression != null) {
            compression.close();
        }
        if (was) {
            listener().onClose(ABNORMAL, "The connection has ended without a close frame");
        }
        listener().onEnd();
    }

    private static void cancel(@Nullable Future<?> task) {
        if (task != null) {
            task.cancel(false);
        }
    }

    // ---- called by the reader

    boolean isPeerClosed() {
        return peerClosed;
    }

    /** Whether the listener gets further messages. */
    boolean isDelivering() {
        return state == State.OPEN;
    }

    boolean takesParts(int kind) {
        return kind == FrameReader.TEXT ? textInParts : binaryInParts;
    }

    int largest(int kind) {
        return kind == FrameReader.TEXT ? maxText : maxBinary;
    }

    void onText(String text, boolean end) {
        countReceived(end);
        listener().onText(text, end);
    }

    void onBinary(ByteBuffer bytes, boolean end) {
        countReceived(end);
        listener().onBinary(bytes, end);
    }

    private void countReceived(boolean end) {
        if (end) {
            transport.count(Figure.MESSAGES_RECEIVED, 1);
        }
    }

    void onPong(ByteBuffer payload) {
        if (isDelivering()) {
            listener().onPong(payload);
        }
    }

    void onPing(ByteBuffer payload) {
        writer.answerPing(payload);
    }

    void onPeerClose(int code, String reason) {
        peerClosed = true;
        if (startClose(code, reason, true, WebSocketEnd.CLIENT_CLOSED)) {
            listener().onClose(code, reason);
        } else {
            endAfterClose();
        }
    }

    // ---- close

    /**
     * Sends a close frame behind all messages, and ends the connection when the peer has answered it, or after ten seconds. Messages that
     * arrive from now on are dropped. Only the first call has an effect.
     *
     * @param code 1005, 1006 or 1015 for a close frame without code
     * @param reason at most 123 bytes of UTF-8
     */
    public void close(int code, String reason) {
        startClose(code, reason, false, WebSocketEnd.ENDPOINT_CLOSED);
    }

    /** Returns whether the connection was open. */
    private boolean startClose(int code, String reason, boolean ends, WebSocketEnd cause) {
        ByteBuffer payload = closePayload(code, reason);
        synchronized (this) {
            if (state != State.OPEN) {
                return false;
            }
            state = State.CLOSING;
            endsBy(cause);
            endsAfterClose = ends;
            closeTimeout = transport.after(CLOSE_TIMEOUT, transport::close);
        }
        writer.close(payload);
        return true;
    }

    private static ByteBuffer closePayload(int code, String reason) {
        if (code == NO_CODE || code == ABNORMAL || code == TLS_FAILED || code > LARGEST_CODE_SENT) {
            return ByteBuffer.allocate(0);
        }
        byte[] bytes = reason.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > FrameReader.LARGEST_CONTROL - Short.BYTES) {
            throw new IllegalArgumentException("The reason has more than 123 bytes");
        }
        return ByteBuffer.allocate(Short.BYTES + bytes.length)
                .putShort((short) code)
                .put(bytes)
                .flip();
    }

    /** Both sides have closed. The server is the first to end the connection (section 7.1.1). */
    private void endAfterClose() {
        synchronized (this) {
            endsAfterClose = true;
            if (!closeTaken) {
                return;
            }
        }
        transport.close();
    }

    private void closeFrameTaken() {
        synchronized (this) {
            closeTaken = true;
            if (!endsAfterClose) {
                return;
            }
        }
        transport.close();
    }

    // ---- outgoing

    /**
     * Sends a message. Never waits for the peer. While its queue has too many bytes in memory, a sender waits for the disk.
     *
     * @param timeoutMillis how long the message may wait for the transport, then it fails; 0 for no limit. If a part of the message has been
     *     sent, the connection ends, too
     * @param result is called once
     * @throws IllegalStateException if another message is being sent in parts
     */
    public void send(EncodedMessage message, long timeoutMillis, SendResult result) {
        writer.send(message, timeoutMillis, result);
    }

    /**
     * Sends a message, and waits until the transport has taken it, but at most {@code timeoutMillis}; 0 for no limit. When the time has
     * passed and a part of the message has been sent, the connection ends.
     *
     * @throws IOException if the connection is closed or ends, or if the time has passed
     * @throws IllegalStateException as {@link #send}
     */
    public void sendAndWait(EncodedMessage message, long timeoutMillis) throws IOException {
        writer.sendAndWait(message, timeoutMillis);
    }

    /** Sends the messages that wait because of {@link #batching}. Does not wait for the peer. */
    public void flush() throws IOException {
        writer.flush();
    }

    /**
     * @param payload at most 125 bytes
     * @throws IOException if the connection is closed, or if the queue is full
     */
    public void ping(ByteBuffer payload) throws IOException {
        writer.sendControl(FrameReader.PING, payload);
    }

    /**
     * @param payload at most 125 bytes
     * @throws IOException if the connection is closed, or if the queue is full
     */
    public void pong(ByteBuffer payload) throws IOException {
        writer.sendControl(FrameReader.PONG, payload);
    }
}
