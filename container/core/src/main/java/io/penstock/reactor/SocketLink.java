package io.penstock.reactor;

import io.penstock.limits.Counter;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * A link without encryption: a non-blocking socket with its selection key and its handler. The link is the attachment of the key.
 *
 * <p>Thread: the reactor. Any thread may call {@link #signal}, {@link #signalLater}, {@link #reactor()}, {@link #remote} and {@link
 * #local}. The holder of the {@link WriteToken} calls {@link #write}, {@link #transferFrom} and {@link #endOutput}.
 *
 * <pre>
 *   OPEN --a part of the conversation throws an IOException--> FAILED --the reactor closes it--> CLOSED
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

    // The signals that the handler has not received yet. Any thread adds signals.
    private volatile int signals;

    // Set by the reactor, or by the worker that ends the output.
    private volatile boolean outputEnded;

    // Whether the socket took the last write from a file completely, and all later writes from memory too. Only the
    // holder of the write token uses this field.
    private boolean takesAll;

    // Only the reactor uses these fields.
    private @Nullable SelectionKey key;
    private @Nullable LinkHandler handler;
    private int interest = SelectionKey.OP_READ;
    private State state = State.OPEN;
    // Whether the reactor calls onReadAgain() of this link in the next round.
    private boolean readsAgain;
    // Null while the link is open.
    private @Nullable ConnectionClosed firstCause;

    private enum State {
        OPEN,
        /**
         * The link is in the reactor's queue of links to close, because thousands of links can fail in one round. The handler gets only one
         * more call: {@link LinkHandler#onClosed}.
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
     * Makes the handler. The opener may already use or close this link. Often the first bytes have already arrived, so the handler reads
     * before the socket is registered with the selector. A key is made only if the link then waits for an event. A client that sends only
     * one request often needs no key.
     */
    void open(Reactor.Opener opener) throws IOException {
        LinkHandler made = opener.open(this);
        handler = made;
        if (state == State.CLOSED) {
            // The opener closed the link before this link had a handler.
            made.onClosed(Objects.requireNonNull(firstCause));
            return;
        }
        if ((interest & SelectionKey.OP_READ) != 0) {
            made.onReadable();
        }
        if (interest != 0) {
            register();
            reactor.awaitFirstBytes();
        } else if (key == null && state == State.OPEN) {
            reactor.hasNoKey(this);
        }
    }

    /** Registers the socket with the selector, which makes the key. */
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
            // A link that reads again (readsAgain) reads later in this round.
            if ((ready & SelectionKey.OP_READ) != 0 && !readsAgain) {
                // The link reads before it writes. If the client has disconnected, a failed read costs less than a
                // failed write.
                to.onReadable();
            }
            if ((ready & SelectionKey.OP_WRITE) != 0 && state == State.OPEN) {
                to.onWritable();
            }
        } catch (Throwable t) {
            threw(t);
        }
    }

    /** Passes the signals to the handler. {@link #signal} put this command into the reactor's queue. */
    @Override
    void run() {
        int bits = SIGNALS.getAndSet(this, 0);
        LinkHandler to = handler;
        if (to == null || state != State.OPEN) {
            return;
        }
        try { // not contain(), since a lambda needs memory, and the signals would be lost without it
            to.onSignals(bits);
        } catch (Throwable t) {
            threw(t);
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

    /**
     * Marks the link as failed. The key is cancelled at once. Otherwise the selector would report the key in each round until the link is
     * closed.
     */
    private void fail(IOException cause) {
        // If the state is CLOSED, the handler closed the link before it threw the exception.
        if (state == State.OPEN) {
            state = State.FAILED;
            try {
                firstCause = ConnectionClosed.of(cause);
                if (key == null) {
                    reactor.noLongerWithoutKey(this);
                } else {
                    key.cancel();
                }
                reactor.queueForClose(this);
            } catch (OutOfMemoryError e) {
                // No memory was left for the cause or for an entry in the queue. So the link is closed now.
                reactor.failed(this, e);
            }
        }
    }

    /** Closes this failed link. The reactor calls this method for the links in its queue. */
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

    @Override
    public long write(ByteBuffer source) throws IOException {
        long count = channel.write(source);
        takesAll &= !source.hasRemaining();
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
     * Sends bytes of a file. For a fast client the bytes are first copied into a buffer, because sendfile sends page by page and makes a
     * fast client slower. For a slow client sendfile is used, because the socket takes only a small part of each copy.
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
            // The file has become shorter.
            return 0;
        }
        return channel.write(copy.flip());
    }

    /** The socket sends all bytes that it takes. */
    @Override
    public boolean isFlushed() {
        return true;
    }

    @Override
    public boolean flush() {
        return true;
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
            // The link is added first, because the addition can fail when no memory is left.
            reactor.readAgain(this);
            readsAgain = true;
        }
    }

    /** Calls the handler once more, because {@link #readAgain} was called. */
    void onReadAgain() {
        readsAgain = false;
        LinkHandler to = handler;
        if (to == null || state != State.OPEN) {
            return;
        }
        try { // not contain(), see run()
            to.onReadable();
        } catch (Throwable t) {
            threw(t);
        }
    }

    private void want(int operation, boolean wanted) {
        assert reactor.isCurrent();
        int next = wanted ? interest | operation : interest & ~operation;
        if (next == interest) {
            return;
        }
        interest = next;
        if (operation == SelectionKey.OP_READ) {
            noteProbes();
        }
        if (key != null && key.isValid()) {
            key.interestOps(next);
        } else if (key == null && handler != null && next != 0) {
            register();
        }
    }

    /**
     * Tells the reactor whether it probes this link for a reset. A link that is read needs no probe. Once the output has ended, a client
     * that has ended its input, too, would look like a reset, and so does each close of a Unix domain socket. Their bytes must still be
     * read.
     */
    private void noteProbes() {
        boolean isRead = (interest & SelectionKey.OP_READ) != 0;
        reactor.probes(this, !isRead && !outputEnded && state == State.OPEN && remote instanceof InetSocketAddress);
    }

    /**
     * Begins or ends a probe. During the probe, the selector reports the key as ready to connect if the connection has failed, and only
     * then, since an open connection is never ready to connect.
     */
    void probe(boolean begins) {
        register();
        if (key != null && key.isValid()) {
            key.interestOps(begins ? interest | SelectionKey.OP_CONNECT : interest);
        }
    }

    /**
     * Called if a probe has found that the connection has failed. If a worker has ended the output, both ends may simply have ended their
     * outputs (see {@link #noteProbes}). The reactor then closes the connection when it gets the signal of the worker.
     */
    void onProbed() {
        contain(() -> {
            if (!outputEnded) {
                throw new SocketException("Connection reset");
            }
        });
    }

    @Override
    public void signal(int bit) {
        if (addSignal(bit)) {
            reactor.commands().add(this);
        }
    }

    @Override
    public void signalLater(int bit) {
        if (addSignal(bit)) {
            reactor.commands().addForLater(this);
        }
    }

    /** Returns whether there were no signals before. Otherwise the link is in the queue already. */
    private boolean addSignal(int bit) {
        int before = signals;
        while (!SIGNALS.compareAndSet(this, before, before | bit)) {
            before = signals;
        }
        return before == 0;
    }

    @Override
    public boolean endOutput() {
        outputEnded = true; // set first, because the client may end its output at once, see onProbed()
        try {
            channel.shutdownOutput();
            return true;
        } catch (IOException e) {
            // The reactor has closed the channel, or closes it now.
            return false;
        }
    }

    @Override
    public void shutdownOutput() throws IOException {
        channel.shutdownOutput(); // does nothing if a worker has ended the output
        outputEnded = true;
        noteProbes();
    }

    @Override
    public void close(ConnectionClosed cause) {
        assert reactor.isCurrent();
        if (state == State.CLOSED) {
            return;
        }
        state = State.CLOSED;
        noteProbes();
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

    /**
     * Reports a failure during the close of this link. The link is already closed, so the failure has no further effect, and the reactor's
     * loop continues.
     */
    private void endFailed(Throwable cause) {
        reactor.report(this, "A connection did not close cleanly", cause);
    }

    @Override
    public void reset(ConnectionClosed cause) {
        try {
            channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        } catch (IOException | UnsupportedOperationException e) {
            // A Unix domain socket cannot be reset.
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
