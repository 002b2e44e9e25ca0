package io.penstock.loadtest.client;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * One connection, the attachment of its key.
 *
 * <pre>
 *   CONNECTING ──> OPEN ──> CLOSED
 *        └──────────────────^
 * </pre>
 *
 * Thread: its loop. Owns: the channel, and what is not sent yet.
 */
public final class Wire {
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
    private State state = State.CONNECTING;
    private int mayRead = Integer.MAX_VALUE;

    private Wire(ClientLoop loop, Conversation conversation, SocketChannel channel, Selector selector)
            throws IOException {
        this.loop = loop;
        this.conversation = conversation;
        this.channel = channel;
        this.key = channel.register(selector, SelectionKey.OP_CONNECT);
    }

    static Wire connect(ClientLoop loop, Selector selector, InetSocketAddress to, Conversation conversation)
            throws IOException {
        SocketChannel channel = SocketChannel.open();
        try {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            Wire wire = new Wire(loop, conversation, channel, selector);
            wire.key.attach(wire);
            // Even if it is made at once, the key becomes connectable, so there is one way on.
            channel.connect(to);
            return wire;
        } catch (IOException failed) {
            channel.close();
            throw failed;
        }
    }

    /** Sends the bytes, now or as the socket takes them. The buffer belongs to the wire from now on. */
    public void send(ByteBuffer bytes) {
        if (state == State.CLOSED) {
            return;
        }
        unsent.add(bytes);
        try {
            drain();
        } catch (IOException failed) {
            end(failed);
        }
    }

    /**
     * Reads at most so many bytes more, and then nothing until this is called again: what the peer sends meanwhile stays in
     * the socket's buffers, and its end is not noticed. Without a call there is no such bound.
     */
    public void readAtMost(int bytes) {
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
        if (state == State.CLOSED) {
            return;
        }
        state = State.CLOSED;
        unsent.clear();
        loop.close(channel);
    }

    void onReady(ByteBuffer buffer) {
        try {
            if (state == State.CONNECTING && key.isConnectable()) {
                finishConnecting();
            }
            if (state == State.OPEN && key.isWritable()) {
                drain();
            }
            if (state == State.OPEN && key.isReadable()) {
                read(buffer);
            }
        } catch (IOException failed) {
            end(failed);
        }
    }

    /** The first cause wins; a wire that is closed already stays silent. */
    void end(IOException cause) {
        if (state != State.CLOSED) {
            close();
            conversation.onEnd(this, cause);
        }
    }

    private void finishConnecting() throws IOException {
        channel.finishConnect();
        state = State.OPEN;
        listen();
        conversation.onOpen(this);
    }

    private void read(ByteBuffer buffer) throws IOException {
        buffer.clear().limit(Math.min(mayRead, buffer.capacity()));
        int n = channel.read(buffer);
        if (n < 0) {
            throw new EOFException("The server has closed the connection");
        }
        if (mayRead != Integer.MAX_VALUE) {
            mayRead -= n;
            listen();
        }
        conversation.onBytes(this, buffer.flip());
    }

    private void drain() throws IOException {
        if (state != State.OPEN) {
            return;
        }
        while (!unsent.isEmpty()) {
            channel.write(unsent.element());
            if (unsent.element().hasRemaining()) {
                // The socket is full; the loop comes back when it is not.
                break;
            }
            unsent.remove();
        }
        listen();
    }

    /** The loop comes back for what is missing: bytes that may be read, room for bytes that are not sent yet. */
    private void listen() {
        int read = mayRead > 0 ? SelectionKey.OP_READ : 0;
        int write = unsent.isEmpty() ? 0 : SelectionKey.OP_WRITE;
        key.interestOps(read | write);
    }
}
