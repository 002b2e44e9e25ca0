package io.penstock.request;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.exchange.ResponseSink;
import io.penstock.pipe.Segment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of an upgraded connection on their way out: each write leaves at once, since only the other protocol knows whether somebody
 * waits for it.
 *
 * <p>Thread: any. Whoever writes has the pen, and may keep it while he waits for the client.
 */
final class RawBuffer implements ByteTarget {
    private final ResponseSink sink;
    private final Runnable whenClosed;
    private final ReentrantLock pen = new ReentrantLock();

    @GuardedBy("pen")
    private @Nullable PendingWrites pending;

    private volatile State state = State.OPEN;

    private enum State {
        OPEN,
        CLOSED
    }

    /** @param whenClosed runs once, when the application closes the stream; what is pending may still wait then */
    RawBuffer(ResponseSink sink, Runnable whenClosed) {
        this.sink = sink;
        this.whenClosed = whenClosed;
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
        pen.lock();
        try {
            checkOpen();
            ByteBuffer bytes = ByteBuffer.wrap(source, offset, length);
            if (pending == null) {
                sink.write(bytes, false);
            } else {
                copy(bytes, pending); // the array is the caller's again on return
            }
        } finally {
            pen.unlock();
        }
    }

    @Override
    public void write(ByteBuffer source) throws IOException {
        pen.lock();
        try {
            checkOpen();
            if (pending == null) {
                sink.write(source, false);
            } else {
                pending.add(source);
            }
        } finally {
            pen.unlock();
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
        pen.lock();
        try {
            checkOpen();
            if (pending == null) {
                sink.flush();
            } else {
                pending.flush();
            }
        } finally {
            pen.unlock();
        }
    }

    /** Waits for nobody, also where another thread writes. */
    @Override
    public void close() {
        if (shut()) {
            whenClosed.run();
        }
    }

    /** Nothing more may be written. Returns whether that is new. */
    synchronized boolean shut() {
        boolean open = state == State.OPEN;
        state = State.CLOSED;
        return open;
    }

    @Override
    public PendingWrites nonBlocking() {
        pen.lock();
        try {
            PendingWrites kept = pending == null ? new PendingWrites(sink) : pending;
            pending = kept;
            sink.nonBlocking();
            return kept;
        } finally {
            pen.unlock();
        }
    }

    private void checkOpen() throws IOException {
        if (state == State.CLOSED) {
            throw new IOException("The connection's stream is closed");
        }
    }
}
