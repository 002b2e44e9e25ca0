package io.penstock.exchange;

import io.penstock.reactor.ConnectionClosed;
import io.penstock.reactor.Link;
import io.penstock.reactor.Reactor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntConsumer;

/**
 * A simulated socket. The test sets how many more bytes the socket accepts ({@link #room}). If {@link #record} is not 0, this object also
 * simulates a link over the socket, such as TLS. This link divides the bytes into records, and keeps the bytes that the socket does not
 * accept.
 */
public final class SimulatedLink implements Link {
    public final ByteArrayOutputStream taken = new ByteArrayOutputStream();
    public volatile long room;
    public volatile int signals;
    public int mostOffered;

    /** For each write and each transfer of a file, the number of bytes that the socket accepted. */
    public final List<Long> writes = new ArrayList<>();

    /** The largest size of a record in bytes; 0 to simulate only the socket. */
    public int record;

    /** Bytes that the simulated link creates, in addition to the bytes of the caller. A TLS handshake message is an example. */
    public volatile byte[] linkBytes = {};

    /** Whether the output has ended. A link over the socket ends its output only on the reactor. */
    public volatile boolean ended;

    private volatile byte[] held = {};
    private volatile boolean keepsUp;

    public volatile IOException broken;

    /** The failures that would have closed the link ({@link #contain}). */
    public final List<Throwable> uncontained = new CopyOnWriteArrayList<>();

    /** The reactor of the connection, for a test that has a reactor. */
    public Reactor reactor;

    public Random random;
    public IntConsumer onSignal = bit -> {};

    /** Runs once, at the end of the next write. Used only if {@link #record} is not 0. */
    public Runnable onWrite = () -> {};

    public int count() {
        synchronized (taken) {
            return taken.size();
        }
    }

    public synchronized int takeSignals() {
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
        if (record > 0) {
            return writeRecords(sources, offset, length);
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

    private long writeRecords(ByteBuffer[] sources, int offset, int length) {
        long count = 0;
        for (int i = offset; i < offset + length; i++) {
            while (sources[i].hasRemaining() && flush()) {
                held = new byte[Math.min(record, sources[i].remaining())];
                sources[i].get(held);
                count += held.length;
            }
        }
        flush();
        Runnable then = onWrite;
        onWrite = () -> {};
        then.run();
        return count;
    }

    @Override
    public boolean flush() {
        if (held.length == 0) {
            held = linkBytes;
            linkBytes = new byte[0];
        }
        int count = (int) Math.min(room, held.length);
        synchronized (taken) {
            taken.write(held, 0, count);
        }
        room -= count;
        held = Arrays.copyOfRange(held, count, held.length);
        return isFlushed();
    }

    @Override
    public boolean isFlushed() {
        return held.length == 0 && linkBytes.length == 0;
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
        keepsUp = read == count;
        return read;
    }

    @Override
    public boolean keepsUp() {
        return keepsUp;
    }

    @Override
    public void reset(ConnectionClosed cause) {
        throw new UnsupportedOperationException("this link has no conversation");
    }

    @Override
    public void contain(Part part) {
        try {
            part.run();
        } catch (IOException e) {
            uncontained.add(e);
            throw new AssertionError(e);
        } catch (RuntimeException | Error e) {
            uncontained.add(e);
            throw e;
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
    public void signalLater(int bit) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean endOutput() {
        ended = record == 0;
        return ended;
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
    public boolean isOpen() {
        return true;
    }

    @Override
    public SocketAddress remote() {
        return InetSocketAddress.createUnresolved("client", 1);
    }

    @Override
    public SocketAddress local() {
        return InetSocketAddress.createUnresolved("server", 2);
    }

    @Override
    public Reactor reactor() {
        return reactor;
    }
}
