package io.penstock.loadtest.client;

import io.penstock.time.TimerWheel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One connection to a server. A {@link Conversation} receives the bytes and events of the connection.
 *
 * <pre>
 * CONNECTING ──────────────────────> OPEN ──> CLOSED     (every other state can also change to CLOSED directly)
 *        └──with TLS──> SHAKING_HANDS ───^
 * </pre>
 *
 * With TLS, the conversation sends and receives plain text; {@link #readAtMost} counts the encrypted bytes of the socket.
 *
 * The {@link ClientLoop} reports failures to the conversation. It never does this while the conversation is calling a method of this class.
 * Bytes that the conversation sends within a callback are written after the callback, in one write.
 *
 * <p>Thread: the thread of its loop. Owns: the channel, and the bytes that are not sent yet.
 */
public final class Wire {
    private static final int MOST_GATHERED = 16;
    // The empty read buffer for a connection that is not yet open.
    private static final ByteBuffer NOTHING_READ = ByteBuffer.allocate(0);

    private enum State {
        CONNECTING,
        SHAKING_HANDS,
        OPEN,
        CLOSED
    }

    private final ClientLoop loop;
    private final Conversation conversation;
    private final SocketChannel channel;
    private final SelectionKey key;
    private final @Nullable TlsRecords tls;
    // The bytes to send. With TLS, these are only the bytes that are not encrypted yet.
    private final Deque<ByteBuffer> unsent = new ArrayDeque<>();
    private final TimerWheel.Timer connectTimer = new ConnectTimer();
    private State state = State.CONNECTING;
    private int interest = SelectionKey.OP_CONNECT;
    private int mayRead = Integer.MAX_VALUE;
    private boolean telling;

    private Wire(
            ClientLoop loop,
            Conversation conversation,
            SocketChannel channel,
            Selector selector,
            TlsRecords.@Nullable ClientTls layer)
            throws IOException {
        this.loop = loop;
        this.conversation = conversation;
        this.tls = layer == null ? null : new TlsRecords(layer, loop::onSent);
        this.channel = channel;
        this.key = channel.register(selector, interest);
    }

    static Wire connect(
            ClientLoop loop,
            Selector selector,
            InetSocketAddress to,
            Conversation conversation,
            TlsRecords.@Nullable ClientTls layer)
            throws CallException {
        try {
            SocketChannel channel = SocketChannel.open();
            try {
                configure(channel, loop.settings());
                Wire wire = new Wire(loop, conversation, channel, selector, layer);
                wire.key.attach(wire);
                wire.connect(to);
                return wire;
            } catch (IOException | UnresolvedAddressException failed) {
                channel.close();
                throw failed;
            }
        } catch (UnresolvedAddressException unknown) {
            throw new CallException(Failure.CONNECT_FAILED, "Unknown host: " + to.getHostString(), unknown);
        } catch (IOException failed) {
            throw CallException.ofConnecting(failed);
        }
    }

    private static void configure(SocketChannel channel, ClientSettings settings) throws IOException {
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        if (settings.receiveBuffer() > 0) {
            channel.setOption(StandardSocketOptions.SO_RCVBUF, settings.receiveBuffer());
        }
        if (settings.sendBuffer() > 0) {
            channel.setOption(StandardSocketOptions.SO_SNDBUF, settings.sendBuffer());
        }
    }

    private void connect(InetSocketAddress to) {
        loop.watch(connectTimer, loop.now() + loop.settings().connectTimeout().toNanos());
        try {
            // The call may make the connection at once. Even in this case the key becomes connectable, so no special
            // handling is needed.
            channel.connect(to);
        } catch (IOException failed) {
            endLater(CallException.ofConnecting(failed));
        }
    }

    /** Sends the bytes, now or when the socket can take them. The buffers belong to the wire until their bytes are sent. */
    public void send(ByteBuffer... bytes) {
        assert loop.onLoop();
        if (state == State.CLOSED) {
            return;
        }
        Collections.addAll(unsent, bytes);
        if (state != State.OPEN || telling) {
            // The bytes are written later: when the connection is open, or after the callback.
            return;
        }
        try {
            flush();
        } catch (IOException failed) {
            endLater(CallException.ofUsing(failed));
        } catch (RuntimeException failed) {
            endLater(CallException.ofHandler(failed));
        }
    }

    /**
     * Sets the number of bytes that may be read from now on. After these bytes, nothing is read until this method is called again. Further
     * bytes from the server stay in the socket's buffers, and the loop does not notice if the connection ends. If this method is never
     * called, there is no limit.
     */
    public void readAtMost(int bytes) {
        assert loop.onLoop();
        mayRead = bytes;
        if (state == State.OPEN) {
            listen();
        }
    }

    public boolean isClosed() {
        return state == State.CLOSED;
    }

    /** Whether the connection uses TLS. If so, the conversation gets bytes only when a TLS record is complete. */
    public boolean isEncrypted() {
        return tls != null;
    }

    /**
     * Closes the connection without a {@code close_notify} of TLS, like a client that has disappeared. The conversation is not called after
     * this.
     */
    public void close() {
        assert loop.onLoop();
        if (state == State.CLOSED) {
            return;
        }
        state = State.CLOSED;
        unsent.clear();
        loop.forget(connectTimer);
        loop.onClosed();
        try {
            channel.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Closes the connection with a reset, so that neither side waits for data or a close. The conversation is not called after this. */
    public void abort() {
        if (state == State.CLOSED) {
            return;
        }
        try {
            channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } finally {
            close();
        }
    }

    void onReady(ByteBuffer buffer) {
        if (state == State.CLOSED) {
            // Another connection's handler has closed this connection in the same round.
            return;
        }
        proceed(buffer);
    }

    private void proceed(ByteBuffer buffer) {
        try {
            if (state == State.CONNECTING) {
                finishConnecting();
            } else if (key.isReadable()) {
                read(buffer);
            }
            if (state == State.SHAKING_HANDS) {
                shakeHands();
            }
            if (state == State.OPEN && hasUnsent()) {
                flush();
            }
        } catch (IOException failed) {
            end(isBeingMade() ? CallException.ofConnecting(failed) : CallException.ofUsing(failed));
        } catch (RuntimeException failed) {
            onHandlerFailed(failed);
        }
    }

    /** Ends the connection and reports the cause to the conversation. If the connection is already closed, nothing is reported. */
    void end(CallException cause) {
        if (state == State.CLOSED) {
            return;
        }
        close();
        try {
            conversation.onEnd(this, cause);
        } catch (RuntimeException failed) {
            loop.report(failed);
        }
    }

    private void onHandlerFailed(RuntimeException failed) {
        if (state == State.CLOSED) {
            // The conversation is over and gets no more calls, so the loop reports the exception.
            loop.report(failed);
        } else {
            end(CallException.ofHandler(failed));
        }
    }

    /**
     * Ends the connection in a later round. The conversation is calling a method of this class now, and must not be called back within this
     * call.
     */
    private void endLater(CallException cause) {
        loop.execute(() -> end(cause));
    }

    private void finishConnecting() throws IOException {
        if (!channel.finishConnect()) {
            return;
        }
        if (tls == null) {
            open();
        } else {
            state = State.SHAKING_HANDS;
            listen();
        }
    }

    private void open() {
        state = State.OPEN;
        loop.forget(connectTimer);
        listen();
        telling = true;
        conversation.onOpen(this);
        telling = false;
    }

    private boolean isBeingMade() {
        return state == State.CONNECTING || state == State.SHAKING_HANDS;
    }

    private void shakeHands() throws IOException {
        TlsRecords records = Objects.requireNonNull(tls);
        if (records.shakeHands(channel)) {
            open();
            // The server may have sent records directly after the handshake. They may have arrived together with the
            // last bytes of the handshake.
            decrypt(records);
        } else {
            listen();
        }
    }

    private void read(ByteBuffer buffer) throws IOException {
        buffer.clear().limit(Math.min(mayRead, buffer.capacity()));
        int n = channel.read(buffer);
        if (n < 0) {
            throw new CallException(Failure.CLOSED_EARLY, "The server has closed the connection");
        }
        loop.onReceived(n);
        if (mayRead != Integer.MAX_VALUE) {
            mayRead -= n;
            listen();
        }
        buffer.flip();
        if (tls == null) {
            pass(buffer);
            return;
        }
        tls.take(buffer);
        if (state == State.OPEN) {
            decrypt(tls);
        }
    }

    private void decrypt(TlsRecords records) throws IOException {
        ByteBuffer content = records.next();
        while (content != null && state == State.OPEN) {
            pass(content);
            content = records.next();
        }
    }

    private void pass(ByteBuffer bytes) throws IOException {
        telling = true;
        conversation.onBytes(this, bytes);
        telling = false;
    }

    private void flush() throws IOException {
        // If the socket's send buffer is full, the loop calls this method again when the buffer has room.
        if (hasUnsent() && write()) {
            telling = true;
            conversation.onSent(this);
            telling = false;
        }
        if (state == State.OPEN) {
            listen();
        }
    }

    private boolean hasUnsent() {
        return !unsent.isEmpty() || (tls != null && !tls.isFlushed());
    }

    /** Writes the first buffers, in one gathering write if there are several. Returns whether the socket has taken all bytes. */
    private boolean write() throws IOException {
        if (tls != null) {
            return writeRecords(tls);
        }
        loop.onSent(unsent.size() == 1 ? channel.write(unsent.element()) : channel.write(firstInLine()));
        dropSent();
        return unsent.isEmpty();
    }

    /**
     * Writes one record at a time. A record is encrypted only when the socket has taken the previous record, so a long queue of buffers
     * needs no second copy.
     */
    private boolean writeRecords(TlsRecords records) throws IOException {
        while (records.flush(channel)) {
            if (unsent.isEmpty()) {
                return true;
            }
            records.encrypt(firstInLine());
            dropSent();
        }
        return false;
    }

    private void dropSent() {
        while (!unsent.isEmpty() && !unsent.element().hasRemaining()) {
            unsent.remove();
        }
    }

    private ByteBuffer[] firstInLine() {
        ByteBuffer[] buffers = new ByteBuffer[Math.min(unsent.size(), MOST_GATHERED)];
        Iterator<ByteBuffer> line = unsent.iterator();
        for (int i = 0; i < buffers.length; i++) {
            buffers[i] = line.next();
        }
        return buffers;
    }

    /** Sets the operations that the selector watches: reading if bytes may be read, and writing if bytes are not sent yet. */
    private void listen() {
        int read = mayRead > 0 ? SelectionKey.OP_READ : 0;
        // Until the handshake is complete, only bytes of the handshake are written.
        boolean writes = state == State.SHAKING_HANDS ? tls != null && !tls.isFlushed() : hasUnsent();
        int write = writes ? SelectionKey.OP_WRITE : 0;
        if (interest != (read | write)) {
            interest = read | write;
            key.interestOps(interest);
        }
    }

    private final class ConnectTimer extends TimerWheel.Timer {
        @Override
        protected void expired() {
            proceed(NOTHING_READ);
            if (!isBeingMade()) {
                // Since the loop's last check, the connection was made or has failed.
                return;
            }
            end(new CallException(
                    Failure.CONNECT_TIMED_OUT,
                    "No connection within " + loop.settings().connectTimeout().toMillis() + " ms"));
        }
    }
}
