package io.penstock.http2;

import io.penstock.exchange.AcceptedConnection;
import io.penstock.exchange.Conversation;
import io.penstock.exchange.SimulatedLink;
import io.penstock.reactor.ConnectionClosed;
import io.penstock.reactor.ForwardingLink;
import io.penstock.reactor.Reactor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP/2 connection without a socket. A test feeds its input in parts, says how many bytes the client takes ({@link
 * SimulatedLink#room}), and reads what the server has sent.
 *
 * <p>Thread: the reactor.
 */
final class FedConnection extends ForwardingLink {
    private final SimulatedLink socket;
    private final Conversation conversation;
    private ByteBuffer arrived = ByteBuffer.allocate(0);
    private boolean wantsWritable;
    private @Nullable ConnectionClosed closed;
    private @Nullable IOException escaped;
    private boolean calledAfterClose;

    FedConnection(Http2Protocol protocol, Reactor reactor, AcceptedConnection accepted) {
        this(protocol, reactor, accepted, new SimulatedLink());
    }

    private FedConnection(Http2Protocol protocol, Reactor reactor, AcceptedConnection accepted, SimulatedLink socket) {
        super(socket);
        this.socket = socket;
        socket.reactor = reactor;
        conversation = protocol.open(this, accepted);
    }

    SimulatedLink socket() {
        return socket;
    }

    /** The failure that has ended the connection, though its client has not; null if there was none. */
    @Nullable
    IOException escaped() {
        return escaped;
    }

    /** Whether something has called the connection after its end and since the last call, such as a deadline that has not been removed. */
    boolean takeCalledAfterClose() {
        boolean called = calledAfterClose;
        calledAfterClose = false;
        return called;
    }

    // ---- the link

    @Override
    public int read(ByteBuffer target) {
        int count = Math.min(target.remaining(), arrived.remaining());
        target.put(arrived.slice(arrived.position(), count));
        arrived.position(arrived.position() + count);
        return count;
    }

    @Override
    public void wantReadable(boolean wanted) {}

    @Override
    public void wantWritable(boolean wanted) {
        wantsWritable = wanted;
    }

    @Override
    public void shutdownOutput() {}

    @Override
    public boolean isOpen() {
        return closed == null;
    }

    @Override
    public void close(ConnectionClosed cause) {
        if (closed == null) {
            closed = cause;
            conversation.onClosed(cause);
        }
    }

    @Override
    public void contain(Part part) {
        calledAfterClose |= !isOpen();
        if (isOpen()) {
            try {
                part.run();
            } catch (IOException e) {
                escaped = e;
                close(ConnectionClosed.of(e));
            }
        }
    }

    // ---- the test

    /** The reactor does what other threads have asked for. Returns whether there was something to do. */
    boolean attend() {
        boolean some = false;
        for (int bits = socket.takeSignals(); bits != 0 && isOpen(); bits = socket.takeSignals()) {
            int all = bits;
            contain(() -> conversation.onSignals(all));
            some = true;
        }
        return some;
    }

    /** The client takes bytes, as many as the socket has room for. */
    void takeBytes() {
        if (wantsWritable && socket.room > 0 && isOpen()) {
            contain(conversation::onWritable);
        }
    }

    void arrive(byte[] bytes, int from, int to) {
        ByteBuffer more = ByteBuffer.wrap(bytes, from, to - from);
        arrived = arrived.hasRemaining() // the connection does not read now
                ? ByteBuffer.allocate(arrived.remaining() + to - from)
                        .put(arrived)
                        .put(more)
                        .flip()
                : more;
        readRest();
    }

    /** Reads what has arrived, as far as the connection reads it now. */
    void readRest() {
        attend();
        int before = -1;
        while (isOpen() && arrived.hasRemaining() && arrived.remaining() != before) {
            before = arrived.remaining();
            contain(conversation::onReadable);
            attend();
        }
    }

    /** The whole frames that the server has sent. */
    List<Http2Client.Received> sent() {
        ByteBuffer all = ByteBuffer.wrap(socket.taken.toByteArray());
        List<Http2Client.Received> frames = new ArrayList<>();
        while (all.remaining() >= Frame.HEADER && all.remaining() - Frame.HEADER >= all.getInt(all.position()) >>> 8) {
            int first = all.getInt();
            byte[] payload = new byte[first >>> 8];
            int flags = all.get();
            int stream = all.getInt();
            all.get(payload);
            frames.add(new Http2Client.Received(first & 0xFF, flags, stream, payload));
        }
        return frames;
    }
}
