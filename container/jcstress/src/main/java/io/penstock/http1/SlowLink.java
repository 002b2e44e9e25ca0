package io.penstock.http1;

import io.penstock.reactor.Link;
import io.penstock.reactor.Reactor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.concurrent.atomic.AtomicInteger;

/** A client who takes a few bytes a write; it remembers what signals its reactor has got. Only what a writer needs is there. */
final class SlowLink implements Link {
    private static final int MOST = 5;

    private final AtomicInteger signals = new AtomicInteger();
    private volatile int taken;

    int taken() {
        return taken;
    }

    boolean isSignalled() {
        return signals.get() != 0;
    }

    /** Called by the holder of the write token, one at a time. */
    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate")
    public long write(ByteBuffer[] sources, int offset, int length) {
        int count = 0;
        for (int i = offset; i < offset + length; i++) {
            while (sources[i].hasRemaining() && count < MOST) {
                sources[i].get();
                count++;
            }
        }
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
    public void close(IOException cause) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void reset(IOException cause) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public InetSocketAddress remote() {
        throw new UnsupportedOperationException();
    }

    @Override
    public InetSocketAddress local() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Reactor reactor() {
        throw new UnsupportedOperationException();
    }
}
