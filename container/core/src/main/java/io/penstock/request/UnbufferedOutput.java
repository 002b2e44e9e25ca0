package io.penstock.request;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.exchange.ResponseSink;
import io.penstock.pipe.Segment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Writes the application's bytes to an upgraded connection. The bytes of each write are sent at once, since the peer may be waiting for
 * them.
 *
 * <p>Thread: any. A thread that writes holds the write lock while it waits for the client.
 */
final class UnbufferedOutput implements ByteTarget {
    private final ResponseSink sink;
    private final Runnable whenClosed;
    private final ReentrantLock writeLock = new ReentrantLock();

    @GuardedBy("writeLock")
    private @Nullable PendingWrites pending;

    private volatile State state = State.OPEN;

    private enum State {
        OPEN,
        CLOSED
    }

    /** @param whenClosed runs once, when the application closes the stream; bytes of earlier writes may be pending at this time */
    UnbufferedOutput(ResponseSink sink, Runnable whenClosed) {
        this.sink = sink;
        this.whenClosed = whenClosed;
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
        writeLock.lock();
        try {
            checkOpen();
            ByteBuffer bytes = ByteBuffer.wrap(source, offset, length);
            if (pending == null) {
                sink.write(bytes, false);
            } else {
                // The bytes are copied, since the caller may reuse the array after this call.
                copy(bytes, pending);
            }
        } finally {
            writeLock.unlock();
        }
    }

    @Override
    public void write(ByteBuffer source) throws IOException {
        writeLock.lock();
        try {
            checkOpen();
            if (pending == null) {
                sink.write(source, false);
            } else {
                pending.add(source);
            }
        } finally {
            writeLock.unlock();
        }
    }

    private void copy(ByteBuffer bytes, PendingWrites to) throws IOException {
        while (bytes.hasRemaining()) {
            Segment segment = sink.segment();
            ByteBuffer room = segment.buffer().clear();
            int count = Math.min(bytes.remaining(), room.remaining());
            room.put(bytes.slice(bytes.position(), count)).flip();
            bytes.position(bytes.position() + count);
            to.add(segment);
        }
    }

    @Override
    public void flush() throws IOException {
        writeLock.lock();
        try {
            checkOpen();
            if (pending == null) {
                sink.flush();
            } else {
                pending.flush();
            }
        } finally {
            writeLock.unlock();
        }
    }

    /** Closes the stream. Does not wait for another thread that is writing. */
    @Override
    public void close() {
        if (shut()) {
            whenClosed.run();
        }
    }

    /** Refuses further writes. Returns whether the stream was open. */
    synchronized boolean shut() {
        boolean open = state == State.OPEN;
        state = State.CLOSED;
        return open;
    }

    @Override
    public PendingWrites nonBlocking() {
        writeLock.lock();
        try {
            PendingWrites writes = pending == null ? new PendingWrites(sink) : pending;
            pending = writes;
            sink.nonBlocking();
            return writes;
        } finally {
            writeLock.unlock();
        }
    }

    private void checkOpen() throws IOException {
        if (state == State.CLOSED) {
            throw new IOException("The connection's stream is closed");
        }
    }
}
