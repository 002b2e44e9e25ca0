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
 * The conversation is told of failures by the loop only, never while it calls a method of the wire. What it sends while it
 * is told something goes out when it has been told, in one write.
 *
 * <p>Thread: its loop. Owns: the channel, and what is not sent yet.
 */
public final class Wire {
    private static final int MOST_GATHERED = 16;
    // One that always has more to send, to a peer that takes all, still lets the others have their turn.
    private static final int MOST_FILLS_A_ROUND = 16;

    // One that is being connected reads nothing.
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
            // Even if it is made at once, the key becomes connectable, so there is one way on.
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
            return; // it goes out when the connection is made, or when the conversation has been told
        }
        try {
            drain();
        } catch (IOException failed) {
            endLater(CallException.ofUsing(failed));
        } catch (RuntimeException failed) {
            endLater(CallException.ofHandler(failed));
        }
    }

    /**
     * Reads at most so many bytes more, and then nothing until this is called again: what the peer sends meanwhile stays in
     * the socket's buffers, and its end is not noticed. Without a call there is no such bound.
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

    /** Closes the connection; its conversation hears nothing more. */
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

    /** Closes the connection with a reset: nothing of it lingers on either side. Its conversation hears nothing more. */
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
                drain();
            }
        } catch (IOException failed) {
            end(state == State.CONNECTING ? CallException.ofConnecting(failed) : CallException.ofUsing(failed));
        } catch (RuntimeException failed) {
            onHandlerFailed(failed);
        }
    }

    /** The first cause wins; a wire that is closed already stays silent. */
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
            loop.report(failed); // there is nobody left who could be told
        } else {
            end(CallException.ofHandler(failed));
        }
    }

    /** Whoever has just called a method of this wire is not told before that method has returned. */
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

    private void drain() throws IOException {
        int fills = 0;
        while (!unsent.isEmpty() && fills < MOST_FILLS_A_ROUND) {
            if (!write()) {
                break; // the socket is full; the loop comes back when it is not
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

    /** Writes what is first in line, all in one if there is more than one; false if the socket did not take it all. */
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

    /** The loop comes back for what is missing: bytes that may be read, room for bytes that are not sent yet. */
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
                return; // it was made, or has failed, since the loop has looked
            }
            end(new CallException(
                    Failure.CONNECT_TIMED_OUT,
                    "No connection within " + loop.settings().connectTimeout().toMillis() + " ms"));
        }
    }
}
