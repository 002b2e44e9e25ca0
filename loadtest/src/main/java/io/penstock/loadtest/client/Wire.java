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
        key.interestOps(SelectionKey.OP_READ);
        conversation.onOpen(this);
    }

    private void read(ByteBuffer buffer) throws IOException {
        buffer.clear();
        int n = channel.read(buffer);
        if (n < 0) {
            throw new EOFException("The server has closed the connection");
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
                key.interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
                return;
            }
            unsent.remove();
        }
        key.interestOps(SelectionKey.OP_READ);
    }
}
