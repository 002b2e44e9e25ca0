package io.penstock.request;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.exchange.ResponseSink;
import io.penstock.pipe.Segment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that the application has written without blocking and that the sink has not taken yet.
 *
 * <p>Thread: the application thread that writes, and jobs of the exchange.
 *
 * <p>Owns: the pending segments, until the sink takes them. A buffer of the caller is kept until the sink has room for its bytes (Servlet
 * 6.1, {@code ServletOutputStream.write(ByteBuffer)}). The bytes of the buffer are then copied into segments. If the sink has room, the
 * write of one segment never waits.
 */
final class PendingWrites {
    private final ResponseSink sink;

    @GuardedBy("this")
    private final Deque<Piece> pieces = new ArrayDeque<>();

    @GuardedBy("this")
    private Flush flush = Flush.NONE;

    private enum Flush {
        NONE,
        WANTED
    }

    /** Pending bytes: a segment, or a buffer of the caller. */
    private record Piece(@Nullable Segment segment, ByteBuffer bytes) {}

    PendingWrites(ResponseSink sink) {
        this.sink = sink;
    }

    void add(Segment segment) throws IOException {
        synchronized (this) {
            pieces.addLast(new Piece(segment, segment.buffer()));
        }
        handOver();
    }

    void add(ByteBuffer bytes) throws IOException {
        synchronized (this) {
            pieces.addLast(new Piece(null, bytes));
        }
        handOver();
    }

    void flush() throws IOException {
        synchronized (this) {
            flush = Flush.WANTED;
        }
        handOver();
    }

    /** Whether no bytes are pending. */
    synchronized boolean isEmpty() {
        return pieces.isEmpty();
    }

    /** Hands over the bytes that the sink can take without waiting. Returns whether no bytes are pending any more. */
    synchronized boolean handOver() throws IOException {
        Piece first = pieces.peekFirst();
        while (first != null && sink.isReady()) {
            handOver(first);
            first = pieces.peekFirst();
        }
        if (first == null && flush == Flush.WANTED) {
            flush = Flush.NONE;
            sink.flush();
        }
        return first == null;
    }

    /** Drops the pending bytes, since the response has been aborted. */
    synchronized void drop() {
        Piece first = pieces.pollFirst();
        while (first != null) {
            if (first.segment() != null) {
                first.segment().release();
            }
            first = pieces.pollFirst();
        }
    }

    @GuardedBy("this")
    private void handOver(Piece first) throws IOException {
        if (first.segment() != null) {
            pieces.pollFirst();
            sink.write(first.segment(), false);
            return;
        }
        ByteBuffer bytes = first.bytes();
        Segment segment = sink.segment();
        ByteBuffer room = segment.buffer().clear();
        int n = Math.min(bytes.remaining(), room.remaining());
        room.put(bytes.slice(bytes.position(), n)).flip();
        bytes.position(bytes.position() + n);
        if (!bytes.hasRemaining()) {
            pieces.pollFirst();
        }
        sink.write(segment, false);
    }
}
