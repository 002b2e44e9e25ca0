package io.penstock.http1;

import io.penstock.reactor.ConnectionClosed;
import io.penstock.reactor.Link;
import io.penstock.reactor.Reactor;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A client who takes a few bytes a write; it remembers what signals its reactor has got. It may be a link that holds some bytes which it has
 * taken, and that has a word of its own to say. Only what a writer needs is there.
 */
final class SlowLink implements Link {
    private static final int MOST = 5;

    private final AtomicInteger signals = new AtomicInteger();
    private final int mostHeld;
    private volatile int taken;
    private volatile int held;
    private volatile int words;
    private int wordsSent;

    SlowLink() {
        this(0);
    }

    /** @param mostHeld how many bytes of a write it may take and not send */
    SlowLink(int mostHeld) {
        this.mostHeld = mostHeld;
    }

    /** Bytes that it has taken and sent. */
    int taken() {
        return taken - held;
    }

    int wordsSent() {
        return wordsSent;
    }

    /** It has something to say itself. Thread: the reactor. */
    void say() {
        words = 1;
    }

    /** Sends what it holds, a byte a call at most, and what it has to say itself. */
    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // called by the holder of the write token, one at a time
    public boolean flush() {
        if (held > 0) {
            held--;
        } else if (words > 0) {
            words = 0;
            wordsSent++;
        }
        return isFlushed();
    }

    @Override
    public boolean isFlushed() {
        return held == 0 && words == 0;
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
