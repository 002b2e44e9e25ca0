package io.penstock.reactor;

import io.penstock.limits.Counter;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * A plain link: a non-blocking socket, its selection key, and its handler. The link is the key's attachment.
 *
 * <p>Thread: the reactor. {@link #signal}, {@link #reactor()} and the addresses: any. {@link #write} and {@link #transferFrom}: the holder
 * of the write token.
 *
 * <pre>
 *   OPEN --a part of the conversation throws an IOException--> FAILED --its turn to be closed--> CLOSED
 *     \                                                                                          ^
 *      +--close, or a part throws anything else--------------------------------------------------+
 * </pre>
 */
final class SocketLink extends CommandQueue.Command implements Link, Reactor.Watch {
    private static final AtomicIntegerFieldUpdater<SocketLink> SIGNALS =
            AtomicIntegerFieldUpdater.newUpdater(SocketLink.class, "signals");

    private final Reactor reactor;
    private final SocketChannel channel;
    private final SocketAddress remote;
    private final SocketAddress local;
    private final Runnable whenClosed;

    // Signals that the handler has not received yet. Any thread adds.
    private volatile int signals;

    // Whether the socket took the last write from a file completely, and each write from memory since then. Used by
    // the holder of the write token.
    private boolean takesAll;

    // Used by the reactor only.
    private @Nullable SelectionKey key;
    private @Nullable LinkHandler handler;
    private int interest = SelectionKey.OP_READ;
    private State state = State.OPEN;
    private boolean readsAgain; // whether it is among the links with a turn in the next round
    private @Nullable ConnectionClosed firstCause; // set once it has failed or is closed

    private enum State {
        OPEN,
        /**
         * The handler gets one more call: {@link LinkHandler#onClosed}. The link waits for its turn to be closed, since thousands of links
         * may fail in one round.
         */
        FAILED,
        CLOSED
    }

    /** @param whenClosed runs once, when the channel is closed */
    SocketLink(Reactor reactor, SocketChannel channel, Runnable whenClosed) throws IOException {
        this.reactor = reactor;
        this.channel = channel;
        this.remote = channel.getRemoteAddress();
        this.local = channel.getLocalAddress();
        this.whenClosed = whenClosed;
    }

    /**
     * Makes the handler, which may already use this link, or close it. The first bytes have often come with the connection, so the handler
     * reads them before the selector knows the socket. A key is made only if the selector has something to wait for. A client's only
     * request may be answered without a key.
     */
    void open(Reactor.Opener opener) throws IOException {
        LinkHandler made = opener.open(this);
        handler = made;
        if (state == State.CLOSED) {
            made.onClosed(Objects.requireNonNull(firstCause)); // the link was closed before its handler was known
            return;
        }
        if ((interest & SelectionKey.OP_READ) != 0) {
            made.onReadable();
        }
        if (interest != 0) {
            register();
        } else if (key == null && state == State.OPEN) {
            reactor.hasNoKey(this);
        }
    }

    /** Makes the key. */
    private void register() {
        if (key == null && state == State.OPEN) {
            try {
                key = reactor.register(this, channel, interest);
                reactor.noLongerWithoutKey(this);
            } catch (IOException e) {
                fail(e);
            }
        }
    }

    void accept(Reactor.Visitor visitor) {
        LinkHandler to = handler;
        if (to == null || state != State.OPEN) {
            return;
        }
        try {
            visitor.visit(to.conversation());
        } catch (Throwable t) {
            threw(t);
        }
    }

    @Override
    public void onReady(int ready) {
        LinkHandler to = handler;
        if (to == null || state != State.OPEN) {
            return;
        }
        try {
            if ((ready & SelectionKey.OP_READ) != 0 && !readsAgain) { // otherwise the link reads later in the round
                // Reads first: if the client has disconnected, a failed read costs less than a failed write.
                to.onReadable();
            }
            if ((ready & SelectionKey.OP_WRITE) != 0 && state == State.OPEN) {
                to.onWritable();
            }
        } catch (Throwable t) {
            threw(t);
        }
    }

    /** The command that {@link #signal} put into the reactor's queue. */
    @Override
    void run() {
        int bits = SIGNALS.getAndSet(this, 0);
        LinkHandler to = handler;
        if (to != null) {
            contain(() -> to.onSignals(bits));
        }
    }

    @Override
    public void contain(Part part) {
        if (state != State.OPEN) {
            return;
        }
        try {
            part.run();
        } catch (Throwable t) {
            threw(t);
        }
    }

    private void threw(Throwable cause) {
        if (cause instanceof IOException e) {
            fail(e);
        } else {
            reactor.failed(this, cause);
        }
    }

    /** Cancels the key at once. Otherwise the selector would find it ready in each round until the link is closed. */
    private void fail(IOException cause) {
        if (state == State.OPEN) { // otherwise the handler closed the link before it threw
            state = State.FAILED;
            try {
                firstCause = ConnectionClosed.of(cause);
                if (key == null) {
                    reactor.noLongerWithoutKey(this);
                } else {
                    key.cancel();
                }
                reactor.closeInTurn(this);
            } catch (OutOfMemoryError e) {
                // There was no memory to make the cause or to put the link into the list. So the link is closed now.
                reactor.failed(this, e);
            }
        }
    }

    /** The turn of this link to be closed has come. */
    void closeFailed() {
        close(Objects.requireNonNull(firstCause));
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        assert reactor.isCurrent();
        int count = channel.read(target);
        received(count);
        return count;
    }

    @Override
    public long read(ByteBuffer[] targets, int count) throws IOException {
        assert reactor.isCurrent();
        long read = channel.read(targets, 0, count);
        received(read);
        return read;
    }

    private void received(long count) {
        if (count > 0) {
            reactor.counters().add(Counter.RECEIVED_BYTES, count);
        }
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        long count = length == 1 ? channel.write(sources[offset]) : channel.write(sources, offset, length);
        if (takesAll) {
            takesAll = isTaken(sources, offset, length);
        }
        return sent(count);
    }

    private static boolean isTaken(ByteBuffer[] sources, int offset, int length) {
        for (int i = offset; i < offset + length; i++) {
            if (sources[i].hasRemaining()) {
                return false;
            }
        }
        return true;
    }

    /**
     * Sends a copy of the bytes to a client that keeps up. Without a copy (sendfile) the system sends page by page. This costs a fast
     * receiver more than the copy costs the server. A slow client takes little at a time, so most of each copy would be wasted.
     */
    @Override
    public long transferFrom(FileChannel file, long position, long count) throws IOException {
        ByteBuffer copy = takesAll ? reactor.fileBuffers().borrow() : null;
        long sent;
        if (copy == null) {
            sent = file.transferTo(position, count, channel);
        } else {
            try {
                sent = writeCopy(file, position, count, copy);
            } finally {
                reactor.fileBuffers().giveBack(copy);
            }
        }
        takesAll = sent == count;
        return sent(sent);
    }

    private long writeCopy(FileChannel file, long position, long count, ByteBuffer copy) throws IOException {
        copy.limit((int) Math.min(count, copy.capacity()));
        if (file.read(copy, position) <= 0) {
            return 0; // the file has become shorter
        }
        return channel.write(copy.flip());
    }

    @Override
    public boolean keepsUp() {
        return takesAll;
    }

    private long sent(long count) {
        reactor.counters().add(Counter.SENT_BYTES, count);
        return count;
    }

    @Override
    public void wantReadable(boolean wanted) {
        want(SelectionKey.OP_READ, wanted);
    }

    @Override
    public void wantWritable(boolean wanted) {
        want(SelectionKey.OP_WRITE, wanted);
    }

    @Override
    public void readAgain() {
        assert reactor.isCurrent();
        if (state == State.OPEN && !readsAgain) {
            reactor.readAgain(this); // first: adding the link to the list may fail for lack of memory
            readsAgain = true;
        }
    }

    /** The turn of this link to read again has come. */
    void onReadAgain() {
        readsAgain = false;
        LinkHandler to = handler;
        if (to != null) {
            contain(to::onReadable);
        }
    }

    private void want(int operation, boolean wanted) {
        assert reactor.isCurrent();
        int next = wanted ? interest | operation : interest & ~operation;
        if (next == interest) {
            return;
        }
        interest = next;
        if (key != null && key.isValid()) {
            key.interestOps(next);
        } else if (key == null && handler != null && next != 0) {
            register();
        }
    }

    @Override
    public void signal(int bit) {
        int before = signals;
        while (!SIGNALS.compareAndSet(this, before, before | bit)) {
            before = signals;
        }
        if (before == 0) { // otherwise the link is in the queue already
            reactor.commands().add(this);
        }
    }

    @Override
    public void shutdownOutput() throws IOException {
        channel.shutdownOutput();
    }

    @Override
    public void close(ConnectionClosed cause) {
        assert reactor.isCurrent();
        if (state == State.CLOSED) {
            return;
        }
        state = State.CLOSED;
        if (key == null) {
            reactor.noLongerWithoutKey(this);
        }
        ConnectionClosed first = firstCause == null ? cause : firstCause;
        firstCause = first;
        try {
            channel.close();
        } catch (IOException e) {
            first.addSuppressed(e);
        } catch (Throwable t) {
            endFailed(t);
        }
        try {
            whenClosed.run();
        } catch (Throwable t) {
            endFailed(t);
        }
        try {
            LinkHandler to = handler;
            if (to != null) {
                to.onClosed(first);
            }
        } catch (Throwable t) {
            endFailed(t);
        }
    }

    /** The link has ended already, so a failure here ends nothing else. It is reported, and the loop continues. */
    private void endFailed(Throwable cause) {
        reactor.report(this, "A connection did not close cleanly", cause);
    }

    @Override
    public void reset(ConnectionClosed cause) {
        try {
            channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        } catch (IOException | UnsupportedOperationException e) { // a Unix domain socket has no reset
            cause.addSuppressed(e);
        }
        close(cause);
    }

    @Override
    public boolean isOpen() {
        return state == State.OPEN;
    }

    @Override
    public SocketAddress remote() {
        return remote;
    }

    @Override
    public SocketAddress local() {
        return local;
    }

    @Override
    public Reactor reactor() {
        return reactor;
    }
}
