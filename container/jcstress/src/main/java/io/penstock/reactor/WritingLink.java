package io.penstock.reactor;

import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** The base class of links for tests. A subclass implements the methods that a writer calls. The other methods must not be called. */
public abstract class WritingLink implements Link {

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
    public void signalLater(int bit) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean endOutput() {
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
