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
import java.util.Deque;
import java.util.Iterator;

/**
 * One connection, the attachment of its key.
 *
 * <pre>
 *   CONNECTING ──> OPEN ──> CLOSED
 *        └──────────────────^
 * </pre>
 *
 * Only the loop reports failures to the conversation, never while the conversation calls a method of the wire. Bytes that it
 * sends within a callback are written after the callback, in one write.
 *
 * <p>Thread: its loop. Owns: the channel, and the bytes that are not sent yet.
 */
public final class Wire {
    private static final int MOST_GATHERED = 16;
    // A limit for each round, so that a wire which always has more to send does not keep the others waiting.
    private static final int MOST_FILLS_A_ROUND = 16;

    // Nothing is read before the connection is made.
    private static final ByteBuffer NOTHING_READ = ByteBuffer.allocate(0);

    private enum State {
        CONNECTING,
        OPEN,
        CLOSED
    }

    private final ClientLoop loop;
    private final Conversation conversation;
    private final SocketChannel channel;
    private final SelectionKey key;
    private final Deque<ByteBuffer> unsent = new ArrayDeque<>();
    private final TimerWheel.Timer connectTimer = new ConnectTimer();
    private State state = State.CONNECTING;
    private int interest = SelectionKey.OP_CONNECT;
    private int mayRead = Integer.MAX_VALUE;
    private boolean telling;

    private Wire(ClientLoop loop, Conversation conversation, SocketChannel channel, Selector selector)
            throws IOException {
        this.loop = loop;
        this.conversation = conversation;
        this.channel = channel;
        this.key = channel.register(selector, interest);
    }

    static Wire connect(ClientLoop loop, Selector selector, InetSocketAddress to, Conversation conversation)
            throws CallException {
        try {
            SocketChannel channel = SocketChannel.open();
            try {
                configure(channel, loop.settings());
                Wire wire = new Wire(loop, conversation, channel, selector);
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
            // Even if it is made at once, the key becomes connectable, so both cases continue in the same way.
            channel.connect(to);
        } catch (IOException failed) {
            endLater(CallException.ofConnecting(failed));
        }
    }

    /** Sends the bytes, now or as the socket takes them. The buffer belongs to the wire until they are sent. */
    public void send(ByteBuffer bytes) {
        assert loop.onLoop();
        if (state == State.CLOSED) {
            return;
        }
        unsent.add(bytes);
        if (state == State.CONNECTING || telling) {
            return; // it is written when the connection is made, or after the callback
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
     * Reads at most so many bytes more, and then none until this is called again. Further bytes of the peer stay in the socket's
     * buffers, and its end is not noticed. Without a call there is no such limit.
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

    /** Closes the connection; its conversation is not called any more. */
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

    /** Closes the connection with a reset: neither side waits for anything. Its conversation is not called any more. */
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
            return; // by another connection's handler, in this round
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
            if (state == State.OPEN && !unsent.isEmpty()) {
                flush();
            }
        } catch (IOException failed) {
            end(state == State.CONNECTING ? CallException.ofConnecting(failed) : CallException.ofUsing(failed));
        } catch (RuntimeException failed) {
            onHandlerFailed(failed);
        }
    }

    /** The first cause wins; a wire that is closed already reports nothing. */
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
            loop.report(failed); // there is no conversation left to report it to
        } else {
            end(CallException.ofHandler(failed));
        }
    }

    /** The caller of a method of this wire gets the report after that method has returned. */
    private void endLater(CallException cause) {
        loop.execute(() -> end(cause));
    }

    private void finishConnecting() throws IOException {
        if (!channel.finishConnect()) {
            return;
        }
        state = State.OPEN;
        loop.forget(connectTimer);
        listen();
        telling = true;
        conversation.onOpen(this);
        telling = false;
    }

    private void read(ByteBuffer buffer) throws IOException {
        buffer.clear().limit(Math.min(mayRead, buffer.capacity()));
        int n = channel.read(buffer);
        if (n < 0) {
            throw new CallException(Failure.CLOSED_EARLY, "The server has closed the connection");
        }
        if (mayRead != Integer.MAX_VALUE) {
            mayRead -= n;
            listen();
        }
        telling = true;
        conversation.onBytes(this, buffer.flip());
        telling = false;
    }

    private void flush() throws IOException {
        int fills = 0;
        while (!unsent.isEmpty() && fills < MOST_FILLS_A_ROUND) {
            if (!write()) {
                break; // the socket is full; the loop calls again when it is not
            }
            if (unsent.isEmpty()) {
                fills++;
                telling = true;
                conversation.onSent(this);
                telling = false;
            }
        }
        if (state == State.OPEN) {
            listen();
        }
    }

    /** Writes the first buffers, in one gathering write if there are several; false if the socket did not take all of them. */
    private boolean write() throws IOException {
        if (unsent.size() == 1) {
            channel.write(unsent.element());
        } else {
            channel.write(firstInLine());
        }
        while (!unsent.isEmpty() && !unsent.element().hasRemaining()) {
            unsent.remove();
        }
        return unsent.isEmpty();
    }

    private ByteBuffer[] firstInLine() {
        ByteBuffer[] buffers = new ByteBuffer[Math.min(unsent.size(), MOST_GATHERED)];
        Iterator<ByteBuffer> line = unsent.iterator();
        for (int i = 0; i < buffers.length; i++) {
            buffers[i] = line.next();
        }
        return buffers;
    }

    /** Sets the interests: bytes that may be read, room for bytes that are not sent yet. */
    private void listen() {
        int read = mayRead > 0 ? SelectionKey.OP_READ : 0;
        int write = unsent.isEmpty() ? 0 : SelectionKey.OP_WRITE;
        if (interest != (read | write)) {
            interest = read | write;
            key.interestOps(interest);
        }
    }

    private final class ConnectTimer extends TimerWheel.Timer {
        @Override
        protected void expired() {
            proceed(NOTHING_READ);
            if (state != State.CONNECTING) {
                return; // it was made, or has failed, since the loop's last check
            }
            end(new CallException(
                    Failure.CONNECT_TIMED_OUT,
                    "No connection within " + loop.settings().connectTimeout().toMillis() + " ms"));
        }
    }
}
