package io.penstock.exchange;

import io.penstock.reactor.ConnectionClosed;
import io.penstock.reactor.Link;
import io.penstock.reactor.Reactor;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A link that takes a few bytes a write and remembers the signals to its reactor. It may hold some of the bytes that it has taken, and may
 * have bytes of its own to send, as a link of TLS records does. It has only the operations that a writer needs.
 */
final class SlowLink implements Link {
    private static final int MOST = 5;

    private final AtomicInteger signals = new AtomicInteger();
    private final int mostHeld;
    private volatile int taken;
    private volatile int held;
    private volatile int own;
    private int ownSent;

    SlowLink() {
        this(0);
    }

    /** @param mostHeld how many bytes of a write it takes and holds at first */
    SlowLink(int mostHeld) {
        this.mostHeld = mostHeld;
    }

    /** Bytes that it has taken and sent. */
    int taken() {
        return taken - held;
    }

    int ownSent() {
        return ownSent;
    }

    /** It has bytes of its own to send. Thread: the reactor. */
    void addOwn() {
        own = 1;
    }

    /** Sends one of the bytes that it holds, or its own. */
    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // called by the holder of the write token, one at a time
    public boolean flush() {
        if (held > 0) {
            held--;
        } else if (own > 0) {
            own = 0;
            ownSent++;
        }
        return isFlushed();
    }

    @Override
    public boolean isFlushed() {
        return held == 0 && own == 0;
    }

    boolean isSignalled() {
        return signals.get() != 0;
    }

    /** Called by the holder of the write token, one at a time. */
    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate")
    public long write(ByteBuffer[] sources, int offset, int length) {
        if (!isFlushed() && !flush()) {
            return 0;
        }
        int count = 0;
        for (int i = offset; i < offset + length; i++) {
            while (sources[i].hasRemaining() && count < MOST) {
                sources[i].get();
                count++;
            }
        }
        held = Math.min(mostHeld, count);
        taken += count;
        return count;
    }

    @Override
    public void signal(int bit) {
        signals.getAndUpdate(bits -> bits | bit);
    }

    @Override
    public long transferFrom(FileChannel file, long position, long count) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int read(ByteBuffer target) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void readAgain() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void wantReadable(boolean wanted) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void wantWritable(boolean wanted) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void contain(Part part) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void shutdownOutput() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close(ConnectionClosed cause) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void reset(ConnectionClosed cause) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public SocketAddress remote() {
        throw new UnsupportedOperationException();
    }

    @Override
    public SocketAddress local() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Reactor reactor() {
        throw new UnsupportedOperationException();
    }
}
