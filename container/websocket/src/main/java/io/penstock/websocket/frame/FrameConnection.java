package io.penstock.websocket.frame;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.websocket.frame.EncodedMessage.Frame;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One WebSocket connection (RFC 6455): it reads the peer's frames for a {@link FrameListener}, and sends frames in the order of the calls.
 *
 * <p>Sends never wait for the peer, except {@link #sendAndWait}. Frames that the transport does not take at once wait in a queue. Its size
 * in memory is limited to about {@link #MAX_QUEUED}: beyond it, a sender waits for the disk, and when the disk takes no more, sends fail.
 * At most one thread at a time passes frames to the transport (the drainer). This is the sender that finds no other drainer, or a thread of
 * {@link Transport#work}. Results are called without the role of the drainer, so they can send.
 *
 * <p>Thread: {@link #listen}, {@link #received} and {@link #inputEnded}: one at a time; all other methods: any.
 *
 * <pre>
 *   OPEN --close, peer's close frame, violation, idle, end of the input--> CLOSING --ended--> ENDED
 *     +------------------------------ended-------------------------------------^
 * </pre>
 *
 * In CLOSING, the close frame of this side is the last one in the queue, and messages of the peer are dropped.
 */
public final class FrameConnection {
    /** The close frame has no code (RFC 6455 section 7.4.1). */
    public static final int NO_CODE = 1005;

    /** The connection has ended without a close frame. */
    public static final int ABNORMAL = 1006;

    /** The most bytes in memory that wait for the transport. One further message is taken below this size, however large. */
    static final int MAX_QUEUED = 256 * 1024;

    /** Small frames that wait are passed to the transport together, up to this size. */
    private static final int GATHERED = 16 * 1024;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
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

    /** What became of an attempt to pass a frame to the transport. */
    private enum Step {
        /** No frame waits. */
        EMPTY,
        /** Another thread is the drainer. */
        BUSY,
        TAKEN,
        /** The transport has not taken all of the frame. */
        NO_ROOM
    }

    /** Whether the frames in the queue are taken care of. */
    private enum Drain {
        /** The next sender is the drainer. */
        BY_SENDER,
        /** A job of {@link Transport#work} will drain. */
        BY_JOB,
        /** The transport, including its disk, has no room. A job will drain when it has, or the drainer waits for that. */
        WHEN_ROOM
    }

    /** A frame in the queue. */
    private static final class Waiting {
        final ByteBuffer head;
        final ByteBuffer payload;
        final boolean closes;
        SendResult result;

        /** Whether the transport has taken a part of the frame, so that the frame cannot be removed. */
        boolean begun;

        /** Whether the frame has left the queue. */
        boolean gone;

        @Nullable
        Waiting next;

        @Nullable
        Future<?> timeout;

        Waiting(Frame frame, SendResult result, boolean closes) {
            this.head = frame.head().duplicate();
            this.payload = frame.payload().duplicate();
            this.result = result;
            this.closes = closes;
        }

        int size() {
            return head.remaining() + payload.remaining();
        }

        /** Counts bytes as taken. Returns how many of them were not of this frame. */
        int advance(int taken) {
            int ofHead = Math.min(taken, head.remaining());
            head.position(head.position() + ofHead);
            int ofPayload = Math.min(taken - ofHead, payload.remaining());
            payload.position(payload.position() + ofPayload);
            return taken - ofHead - ofPayload;
        }
    }

    /** The result for a thread that waits for it. */
    private final class Awaited implements SendResult {
        private boolean done;
        private @Nullable Throwable failure;

        @Override
        public void done(@Nullable Throwable cause) {
            synchronized (FrameConnection.this) {
                done = true;
                failure = cause;
                FrameConnection.this.notifyAll(); // the sender
            }
        }

        boolean isDone() {
            synchronized (FrameConnection.this) {
                return done;
            }
        }

        void check() throws IOException {
            Throwable cause;
            synchronized (FrameConnection.this) {
                cause = failure;
            }
            if (cause != null) {
                throw new IOException(cause.getMessage(), cause);
            }
        }
    }

    private final Side side;
    private final Transport transport;
    private final @Nullable Compression compression;
    private final FrameReader reader;
    private volatile @Nullable FrameListener listener;

    private volatile int maxText = DEFAULT_MESSAGE;
    private volatile int maxBinary = DEFAULT_MESSAGE;
    private volatile boolean textInParts;
    private volatile boolean binaryInParts;
    private volatile boolean batching;
    private volatile long lastActive = System.nanoTime();

    private volatile State state = State.OPEN;
    private volatile boolean peerClosed;

    @GuardedBy("this")
    private long idleMillis;

    @GuardedBy("this")
    private @Nullable Future<?> idleCheck;

    @GuardedBy("this")
    private @Nullable Waiting first;

    @GuardedBy("this")
    private @Nullable Waiting last;

    @GuardedBy("this")
    private long queued;

    @GuardedBy("this")
    private boolean draining;

    /** Why the transport takes no more; null if it does. */
    @GuardedBy("this")
    private @Nullable IOException failure;

    @GuardedBy("this")
    private Drain drain = Drain.BY_SENDER;

    /** The kind of the message whose parts are being sent; CONTINUATION for none. */
    @GuardedBy("this")
    private int partsOf = FrameReader.CONTINUATION;

    /** The last pong in the queue that nothing has been sent of. */
    @GuardedBy("this")
    private @Nullable Waiting pong;

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
        this.side = side;
        this.transport = transport;
        this.compression = deflate == null ? null : new Compression(deflate);
        this.reader = new FrameReader(this, side == Side.SERVER, compression);
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
        lastActive = System.nanoTime();
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
            long idle = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - lastActive);
            if (idleMillis <= 0 || state != State.OPEN) {
                return;
            }
            if (idle < idleMillis) {
                idleCheck = transport.after(idleMillis - idle, () -> transport.execute(this::checkIdle));
                return;
            }
        }
        String reason = "No message within the idle timeout";
        if (startClose(NORMAL, reason, false)) {
            listener().onClose(ABNORMAL, reason);
        }
    }

    /** Whether messages wait for {@link #flush} while they are small together. */
    public void batching(boolean allowed) {
        batching = allowed;
    }

    public boolean isBatching() {
        return batching;
    }

    /** Whether neither side has closed. */
    public boolean isOpen() {
        return state == State.OPEN;
    }

    /** The bytes of frames that the transport has not taken. */
    public synchronized long queuedBytes() {
        return queued;
    }

    /** The heap bytes of the peer's unfinished message. Thread: the one that feeds the connection. */
    public int bufferedBytes() {
        return reader.held();
    }

    // ---- incoming

    /** Takes all bytes of {@code bytes}, and calls the listener. The buffer has an array, in which the bytes are unmasked. */
    public void received(ByteBuffer bytes) {
        lastActive = System.nanoTime();
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

    private void violated(Violation violation) {
        peerClosed = true; // what follows the wrong bytes cannot be read
        if (state == State.OPEN) {
            listener().onError(violation);
        }
        String reason = String.valueOf(violation.getMessage());
        if (startClose(violation.code(), reason, true)) {
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
            if (startClose(LEAVING, "", true)) {
                listener().onClose(LEAVING, "");
            } else {
                endAfterClose();
            }
        } else {
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
        fail(new IOException("The connection has ended"));
        synchronized (this) {
            state = State.ENDED;
            cancel(idleCheck);
            cancel(closeTimeout);
            idleCheck = null;
            closeTimeout = null;
            if (compression != null) {
                compression.close();
            }
        }
        if (was) {
            listener().onClose(ABNORMAL, "The connection has ended without a close frame");
        }
        listener().onEnd();
    }

    /** Refuses further frames, and fails those in the queue. */
    private void fail(IOException cause) {
        Waiting failed;
        synchronized (this) {
            failure = failure == null ? cause : failure;
            failed = first;
            for (Waiting at = failed; at != null; at = at.next) {
                at.gone = true;
                cancel(at.timeout);
            }
            first = null;
            last = null;
            pong = null;
            queued = 0;
            notifyAll(); // threads that wait for the drainer
        }
        for (Waiting at = failed; at != null; at = at.next) {
            at.result.done(cause);
        }
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
        listener().onText(text, end);
    }

    void onBinary(ByteBuffer bytes, boolean end) {
        listener().onBinary(bytes, end);
    }

    void onPong(ByteBuffer payload) {
        if (isDelivering()) {
            listener().onPong(payload);
        }
    }

    /**
     * Answers a ping. A pong that still waits is replaced, because only the last ping must be answered (section 5.5.3). So the pings of a
     * peer that reads no pongs need no memory.
     */
    void onPing(ByteBuffer payload) {
        synchronized (this) {
            if (state != State.OPEN) {
                return;
            }
            Waiting before = pong;
            if (before != null && isRemovable(before)) {
                remove(before);
            }
            pong = append(control(FrameReader.PONG, payload), SendResult.IGNORED, false);
        }
        pump();
    }

    void onPeerClose(int code, String reason) {
        peerClosed = true;
        if (startClose(code, reason, true)) {
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
        startClose(code, reason, false);
    }

    /** Returns whether the connection was open. */
    private boolean startClose(int code, String reason, boolean ends) {
        synchronized (this) {
            if (state != State.OPEN) {
                return false;
            }
            state = State.CLOSING;
            endsAfterClose = ends;
            append(control(FrameReader.CLOSE, closePayload(code, reason)), SendResult.IGNORED, true);
            closeTimeout = transport.after(CLOSE_TIMEOUT, transport::close);
        }
        pump();
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
     * Sends a message. Never waits for the peer.
     *
     * @param timeoutMillis how long the message may wait for the transport, then it fails; 0 for no limit. If a part of the message has been
     *     sent, the connection ends, too
     * @param result is called once
     * @throws IllegalStateException if the message is none of the message whose parts are being sent
     */
    public void send(EncodedMessage message, long timeoutMillis, SendResult result) {
        Waiting waiting;
        boolean held;
        try {
            synchronized (this) {
                waiting = append(message, result);
                held = batching && queued < GATHERED;
            }
        } catch (IOException e) {
            result.done(e);
            return;
        }
        if (held) {
            return;
        }
        pump();
        if (timeoutMillis > 0) {
            setTimeout(waiting, timeoutMillis);
        }
        helpDrain();
    }

    private synchronized void setTimeout(Waiting waiting, long millis) {
        if (!waiting.gone) {
            String reason = "The message was not sent in " + millis + " ms";
            waiting.timeout = transport.after(millis, () -> transport.work(() -> expire(waiting, reason)));
        }
    }

    private void expire(Waiting waiting, String reason) {
        boolean removed;
        synchronized (this) {
            if (waiting.gone) {
                return; // it has just been sent
            }
            removed = isRemovable(waiting);
            if (removed) {
                remove(waiting);
            }
        }
        IOException cause = new IOException(reason);
        if (removed) {
            waiting.result.done(cause);
        } else {
            fail(cause);
            transport.abort(cause);
        }
    }

    /** Whether no byte of the frame has been sent. Later messages depend on one that was compressed with context. */
    @GuardedBy("this")
    private boolean isRemovable(Waiting waiting) {
        return !waiting.gone && !waiting.begun && !draining && (compression == null || compression.isShareable());
    }

    /**
     * Sends a message, and waits until the transport has taken it, but at most {@code timeoutMillis}; 0 for no limit. When the time has
     * passed and a part of the message has been sent, the connection ends.
     *
     * @throws IOException if the connection is closed or ends, or if the time has passed
     * @throws IllegalStateException as {@link #send}
     */
    public void sendAndWait(EncodedMessage message, long timeoutMillis) throws IOException {
        Awaited awaited = new Awaited();
        Waiting waiting;
        synchronized (this) {
            waiting = append(message, awaited);
            if (batching && queued < GATHERED) {
                waiting.result = SendResult.IGNORED;
                return;
            }
        }
        long began = System.nanoTime();
        long most = timeoutMillis > 0 ? TimeUnit.MILLISECONDS.toNanos(timeoutMillis) : Long.MAX_VALUE;
        while (!awaited.isDone()) {
            long left = most - (System.nanoTime() - began);
            if (left <= 0) {
                expire(waiting, "The message was not sent in " + timeoutMillis + " ms");
                break;
            }
            switch (step(true)) {
                case TAKEN -> {
                    // Goes on until the own frame has been taken.
                }
                case EMPTY, BUSY -> awaitDrainer(awaited, left);
                case NO_ROOM -> awaitRoom(left);
            }
        }
        pump(); // the frames of other threads, behind the own one
        awaited.check();
    }

    /** Waits for another thread that is the drainer. */
    private synchronized void awaitDrainer(Awaited awaited, long nanos) throws IOException {
        if (!awaited.done && (draining || first == null)) {
            await(nanos);
        }
    }

    @GuardedBy("this")
    @SuppressWarnings("WaitNotInLoop") // the callers loop
    private void await(long nanos) throws IOException {
        try {
            wait(Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos))); // woken by the drainer, or by the result
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while waiting for the drainer", e);
        }
    }

    /** Waits until the transport has room. The thread keeps the role of the drainer, since only one can wait. */
    private void awaitRoom(long nanos) throws IOException {
        synchronized (this) {
            if (draining) {
                return;
            }
            draining = true;
            drain = Drain.WHEN_ROOM;
            notifyAll(); // senders that wait for the disk
        }
        try {
            transport.awaitRoom(nanos);
        } catch (IOException e) {
            fail(e);
        } finally {
            synchronized (this) {
                draining = false;
                drain = Drain.BY_SENDER;
                notifyAll(); // another thread can drain
            }
        }
    }

    /** Sends the messages that wait because of {@link #batching}. Does not wait for the peer. */
    public void flush() throws IOException {
        checkOpen();
        pump();
    }

    /**
     * @param payload at most 125 bytes
     * @throws IOException if the connection is closed
     */
    public void ping(ByteBuffer payload) throws IOException {
        sendControl(FrameReader.PING, payload);
    }

    /**
     * @param payload at most 125 bytes
     * @throws IOException if the connection is closed
     */
    public void pong(ByteBuffer payload) throws IOException {
        sendControl(FrameReader.PONG, payload);
    }

    private void sendControl(int opcode, ByteBuffer payload) throws IOException {
        if (payload.remaining() > FrameReader.LARGEST_CONTROL) {
            throw new IllegalArgumentException("The payload has more than 125 bytes");
        }
        synchronized (this) {
            checkRoom();
            append(control(opcode, payload), SendResult.IGNORED, false);
        }
        pump();
    }

    private synchronized void checkOpen() throws IOException {
        if (failure != null) {
            throw new IOException(failure.getMessage(), failure);
        }
        if (state != State.OPEN) {
            throw new IOException("The WebSocket connection is closed");
        }
    }

    // ---- the queue

    @GuardedBy("this")
    private void checkRoom() throws IOException {
        checkOpen();
        if (queued >= MAX_QUEUED && drain == Drain.WHEN_ROOM) {
            throw new IOException("The peer does not read, and its queue of messages is full");
        }
    }

    @GuardedBy("this")
    private Waiting append(EncodedMessage message, SendResult result) throws IOException {
        checkOpen();
        if (!(result instanceof Awaited)) {
            checkRoom();
        }
        return append(frame(message), result, false);
    }

    @GuardedBy("this")
    private Waiting append(Frame frame, SendResult result, boolean closes) {
        Waiting added = new Waiting(frame, result, closes);
        if (last == null) {
            first = added;
        } else {
            last.next = added;
        }
        last = added;
        queued += added.size();
        return added;
    }

    @GuardedBy("this")
    private void remove(Waiting waiting) {
        Waiting before = null;
        for (Waiting at = first; at != null; before = at, at = at.next) {
            if (at == waiting) {
                queued -= at.size();
                unlink(before, at);
                return;
            }
        }
    }

    @GuardedBy("this")
    private void unlink(@Nullable Waiting before, Waiting at) {
        if (before == null) {
            first = at.next;
        } else {
            before.next = at.next;
        }
        if (last == at) {
            last = before;
        }
        if (pong == at) {
            pong = null;
        }
        at.gone = true;
        at.next = null;
    }

    /** The frame of a message for this connection. */
    @GuardedBy("this")
    private Frame frame(EncodedMessage message) {
        EncodedMessage.Extent extent = message.extent();
        if (partsOf != FrameReader.CONTINUATION
                && (extent == EncodedMessage.Extent.WHOLE || partsOf != message.kind())) {
            throw new IllegalStateException("Another message is being sent in parts");
        }
        if (extent != EncodedMessage.Extent.WHOLE) {
            boolean end = extent == EncodedMessage.Extent.LAST_PART;
            int opcode = partsOf == FrameReader.CONTINUATION ? message.kind() : FrameReader.CONTINUATION;
            partsOf = end ? FrameReader.CONTINUATION : message.kind();
            return own(opcode | (end ? FrameReader.FIN : 0), message.payload());
        }
        if (compression == null || !message.isCompressible()) {
            return side == Side.SERVER ? message.plain() : own(FrameReader.FIN | message.kind(), message.payload());
        }
        if (side == Side.SERVER && compression.isShareable()) {
            return message.shortest();
        }
        ByteBuffer compressed = compression.isShareable()
                ? Compression.compressAlone(message.payload())
                : compression.compress(message.payload());
        return own(FrameReader.FIN | FrameReader.COMPRESSED | message.kind(), compressed);
    }

    private Frame control(int opcode, ByteBuffer payload) {
        return own(FrameReader.FIN | opcode, payload);
    }

    /** A frame that no other connection sends. */
    private Frame own(int octet, ByteBuffer payload) {
        return side == Side.SERVER
                ? Frame.of(octet, payload)
                : Frame.masked(octet, payload, ThreadLocalRandom.current().nextInt());
    }

    // ---- the drainer

    /** Passes frames to the transport without waiting for anything. If it takes no more, a job goes on. */
    private void pump() {
        Step step;
        do {
            step = isWaiting() ? Step.BUSY : step(false);
        } while (step == Step.TAKEN);
        if (step == Step.NO_ROOM) {
            requestJob();
        }
    }

    private synchronized boolean isWaiting() {
        return drain != Drain.BY_SENDER;
    }

    private void requestJob() {
        synchronized (this) {
            if (drain != Drain.BY_SENDER) {
                return;
            }
            drain = Drain.BY_JOB;
        }
        transport.work(this::drain);
    }

    /** Passes frames to the transport, and waits for the disk. */
    private void drain() {
        synchronized (this) {
            drain = Drain.BY_SENDER;
        }
        Step step;
        do {
            step = step(true);
        } while (step == Step.TAKEN);
        if (step == Step.NO_ROOM) {
            drainWhenRoom();
        }
    }

    private void drainWhenRoom() {
        synchronized (this) {
            if (drain == Drain.WHEN_ROOM || state == State.ENDED) {
                return;
            }
            drain = Drain.WHEN_ROOM;
            notifyAll(); // senders that wait for the disk
        }
        transport.whenRoom(this::drain);
    }

    /** A sender waits for the disk while too many bytes are in memory, but not for the peer. */
    private void helpDrain() {
        while (isOverfull()) {
            switch (step(true)) {
                case BUSY -> awaitDisk();
                case NO_ROOM -> drainWhenRoom();
                case TAKEN, EMPTY -> {
                    // Goes on until there is room.
                }
            }
        }
    }

    private synchronized boolean isOverfull() {
        return queued > MAX_QUEUED && drain != Drain.WHEN_ROOM && state != State.ENDED;
    }

    private synchronized void awaitDisk() {
        boolean interrupted = false;
        while (draining && isOverfull()) {
            try {
                wait(); // for the drainer, which waits for the disk
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Passes the first frame to the transport, together with small ones behind it. */
    private Step step(boolean mayWait) {
        ByteBuffer head;
        ByteBuffer payload;
        boolean more;
        synchronized (this) {
            Waiting front = first;
            if (front == null) {
                return Step.EMPTY;
            }
            if (draining) {
                return Step.BUSY;
            }
            draining = true;
            head = gather(front);
            payload = head == front.head ? front.payload : NOTHING;
            more = front.next != null && head == front.head;
        }
        int size = head.remaining() + payload.remaining();
        IOException failed = null;
        int ofHead = head.position();
        int ofPayload = payload.position();
        try {
            transport.write(head, payload, mayWait, more);
        } catch (IOException | RuntimeException e) {
            failed = e instanceof IOException io ? io : new IOException(e);
        }
        int left = head.remaining() + payload.remaining();
        head.position(ofHead);
        payload.position(ofPayload);
        Waiting sent = endStep(size - left);
        if (failed != null) {
            fail(failed);
            transport.abort(failed);
            return Step.EMPTY;
        }
        for (Waiting each = sent; each != null; each = each.next) {
            complete(each);
        }
        return left > 0 ? Step.NO_ROOM : Step.TAKEN;
    }

    /** Ends the role of the drainer. Removes the frames that have been taken, and returns the first of them. */
    private synchronized @Nullable Waiting endStep(int taken) {
        draining = false;
        queued -= first == null ? 0 : taken; // after a failure, the queue is empty
        Waiting sent = null;
        Waiting lastSent = null;
        int left = taken;
        for (Waiting front = first; front != null && left > 0; front = first) {
            left = front.advance(left);
            front.begun = true;
            if (front.size() > 0) {
                break;
            }
            unlink(null, front);
            cancel(front.timeout);
            if (lastSent == null) {
                sent = front;
            } else {
                lastSent.next = front;
            }
            lastSent = front;
        }
        notifyAll(); // threads that wait for the drainer
        return sent;
    }

    private void complete(Waiting sent) {
        lastActive = System.nanoTime();
        if (sent.closes) {
            closeFrameTaken();
        }
        sent.result.done(null);
    }

    /** The head of the first frame, or one buffer with the whole of it and of small ones behind it. */
    @GuardedBy("this")
    private static ByteBuffer gather(Waiting front) {
        int size = front.size();
        Waiting end = front.next;
        if (end == null || size + end.size() > GATHERED) {
            return front.head;
        }
        while (end != null && size + end.size() <= GATHERED) {
            size += end.size();
            end = end.next;
        }
        ByteBuffer together = ByteBuffer.allocate(size);
        for (Waiting next = front; next != null && next != end; next = next.next) {
            together.put(next.head.duplicate()).put(next.payload.duplicate());
        }
        return together.flip();
    }

    // ---- figures

    void countFrame() {}

    void countCompressed(int bytes) {}

    void countInflated(int bytes) {}
}
