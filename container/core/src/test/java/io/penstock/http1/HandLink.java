package io.penstock.http1;

import io.penstock.reactor.Link;
import io.penstock.reactor.Reactor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntConsumer;

/** A socket whose buffer has as much room as the test says. */
final class HandLink implements Link {
    final ByteArrayOutputStream taken = new ByteArrayOutputStream();
    volatile long room;
    volatile int signals;
    int mostOffered;

    /** What each call took, in order: bytes written, or of a file. */
    final List<Long> writes = new ArrayList<>();

    volatile IOException broken;

    /** Where the connection lives, for a test that has one. */
    Reactor reactor;

    Random random;
    IntConsumer onSignal = bit -> {};

    int count() {
        synchronized (taken) {
            return taken.size();
        }
    }

    synchronized int takeSignals() {
        int bits = signals;
        signals = 0;
        return bits;
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        if (broken != null) {
            throw broken;
        }
        if (random != null) {
            room = random.nextInt(3000);
        }
        long count = 0;
        mostOffered = Math.max(mostOffered, sources[offset].remaining());
        synchronized (taken) {
            for (int i = offset; i < offset + length; i++) {
                while (sources[i].hasRemaining() && room > 0) {
                    taken.write(sources[i].get());
                    room--;
                    count++;
                }
            }
        }
        writes.add(count);
        return count;
    }

    @Override
    public long transferFrom(FileChannel file, long position, long count) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(room, count));
        long read = Math.max(0, file.read(bytes, position));
        synchronized (taken) {
            taken.write(bytes.array(), 0, (int) read);
        }
        room -= read;
        writes.add(read);
        return read;
    }

    @Override
    public void reset(IOException cause) {
        throw new UnsupportedOperationException("no conversation here");
    }

    @Override
    public void contain(Part part) {
        try {
            part.run();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void signal(int bit) {
        synchronized (this) {
            signals |= bit;
        }
        onSignal.accept(bit);
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
    public void shutdownOutput() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close(IOException cause) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public InetSocketAddress remote() {
        return InetSocketAddress.createUnresolved("client", 1);
    }

    @Override
    public InetSocketAddress local() {
        return InetSocketAddress.createUnresolved("server", 2);
    }

    @Override
    public Reactor reactor() {
        return reactor;
    }
}
