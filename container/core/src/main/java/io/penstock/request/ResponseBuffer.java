package io.penstock.request;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.exchange.ResponseSink;
import io.penstock.http.Fields;
import io.penstock.http.ResponseHead;
import io.penstock.pipe.Segment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a response that have not yet been handed over, and the rules for handing them over: a body that fits leaves as
 * one write with its length known; a larger one commits the head when the buffer is full.
 *
 * <p>Thread: any thread of the application, one at a time by the Servlet contract; the monitor keeps a stray one from touching a
 * segment that has moved on.
 *
 * <p>Owns: the segments between {@link ResponseSink#segment()} and the hand-over. Every path, failures included, hands each on or
 * releases it, once.
 *
 * <pre>
 *   OPEN ──sendError, sendRedirect──▶ SUSPENDED ──error page──▶ OPEN
 *    ├──declared length written──▶ FILLED ─┐
 *    ├──close()──▶ CLOSED ─────────────────┼──▶ ENDED
 *    └──a hand-over throws──▶ FAILED ──────┘
 * </pre>
 */
final class ResponseBuffer {

    /** Makes the head when it is needed, and the trailers at the end. */
    interface HeadSource {
        /** The final head; the response is committed from here on. {@code length} is -1 if the body may go on. */
        ResponseHead commit(long length);

        boolean hasTrailers();

        Fields trailers();

        /** Whether the protocol drops the body, so that a declared length says nothing about the bytes written. */
        boolean isBodiless();
    }

    enum State {
        OPEN,
        SUSPENDED,
        FILLED,
        CLOSED,
        FAILED,
        ENDED
    }

    /** What the sink has been told. */
    private enum Wire {
        UNCOMMITTED,
        COMMITTED,
        ENDED
    }

    /** When the end of a body that the application has closed goes out. */
    private enum Ending {
        AT_CLOSE,
        AT_COMPLETION
    }

    private final ResponseSink sink;
    private final HeadSource head;

    @GuardedBy("this")
    private final Deque<Segment> held = new ArrayDeque<>(1);

    @GuardedBy("this")
    private int capacity;

    @GuardedBy("this")
    private int heldBytes;

    @GuardedBy("this")
    private long written;

    @GuardedBy("this")
    private long declared = -1;

    @GuardedBy("this")
    private State state = State.OPEN;

    @GuardedBy("this")
    private Wire wire = Wire.UNCOMMITTED;

    @GuardedBy("this")
    private Ending ending = Ending.AT_CLOSE;

    @GuardedBy("this")
    private @Nullable PendingWrites pending;

    @GuardedBy("this")
    private @Nullable Exception failure;

    ResponseBuffer(ResponseSink sink, HeadSource head, int capacity) {
        this.sink = sink;
        this.head = head;
        this.capacity = capacity;
    }

    synchronized void write(byte[] source, int offset, int length) throws IOException {
        int from = offset;
        int left = accept(length);
        try {
            while (left > 0) {
                Segment segment = roomy();
                if (segment == null) {
                    handOver();
                    if (left >= capacity) {
                        written += left;
                        handOverUnheld(source, from, left);
                        break;
                    }
                    continue;
                }
                int n = Math.min(left, segment.buffer().remaining());
                segment.buffer().put(source, from, n);
                held(n);
                from += n;
                left -= n;
            }
            endIfFilled();
        } catch (IOException | RuntimeException e) {
            fail(e);
            throw e;
        }
    }

    /** A direct hand-over of the caller's buffer, behind what is held, if that makes fewer copies. */
    synchronized void write(ByteBuffer source) throws IOException {
        int accepted = accept(source.remaining());
        int end = source.limit();
        int dropped = source.remaining() - accepted;
        source.limit(end - dropped);
        try {
            while (source.hasRemaining()) {
                if (heldBytes + source.remaining() > capacity) {
                    written += source.remaining();
                    handOver();
                    if (pending == null) {
                        sink.write(source, false);
                    } else {
                        pending.add(source);
                    }
                    break;
                }
                Segment segment = roomy();
                if (segment == null) {
                    handOver();
                    continue;
                }
                ByteBuffer room = segment.buffer();
                int n = Math.min(source.remaining(), room.remaining());
                ByteBuffer piece = source.slice(source.position(), n);
                room.put(piece);
                source.position(source.position() + n);
                held(n);
            }
            endIfFilled();
        } catch (IOException | RuntimeException e) {
            fail(e);
            throw e;
        } finally {
            if (dropped > 0) {
                source.limit(end);
                source.position(end);
            }
        }
    }

    synchronized void write(int b) throws IOException {
        if (accept(1) == 0) {
            return;
        }
        try {
            Segment segment = roomy();
            while (segment == null) {
                handOver();
                segment = roomy();
            }
            segment.buffer().put((byte) b);
            held(1);
            endIfFilled();
        } catch (IOException | RuntimeException e) {
            fail(e);
            throw e;
        }
    }

    /** Part of a file, by the sink's shortest way. Only while nothing has been written. The sink closes the channel. */
    synchronized void write(FileChannel file, long position, long count) throws IOException {
        if (state != State.OPEN || written > 0 || pending != null) {
            throw new IllegalStateException("A file is sent only into an untouched response");
        }
        try {
            written = count;
            boolean last = !head.hasTrailers() && ending == Ending.AT_CLOSE;
            state = State.FILLED;
            commit(count);
            wire = last ? Wire.ENDED : wire;
            sink.write(file, position, count, last);
            if (!last) {
                sink.flush();
            }
        } catch (IOException | RuntimeException e) {
            fail(e);
            throw e;
        }
    }

    /** Commits and makes everything visible to the client. */
    synchronized void flush() throws IOException {
        if (state != State.OPEN) {
            return;
        }
        try {
            handOver();
            if (pending == null) {
                sink.flush();
            } else {
                pending.flush();
            }
        } catch (IOException | RuntimeException e) {
            fail(e);
            throw e;
        }
    }

    /** The application closes the body: nothing more may be written. */
    synchronized void close() throws IOException {
        if (state != State.OPEN) {
            return;
        }
        try {
            closeAs(State.CLOSED);
        } catch (IOException | RuntimeException e) {
            fail(e);
            throw e;
        }
    }

    /** As {@link #close()}, but what the application writes afterwards is ignored rather than refused. */
    synchronized void end() throws IOException {
        if (state != State.OPEN) {
            return;
        }
        try {
            closeAs(State.FILLED);
        } catch (IOException | RuntimeException e) {
            fail(e);
            throw e;
        }
    }

    /** The container ends the response; what is held leaves with the end. Nothing may be pending. */
    synchronized void complete() throws IOException {
        if (state == State.ENDED) {
            return;
        }
        try {
            if (wire != Wire.ENDED) {
                sendEnd();
            }
            state = state == State.FAILED ? State.FAILED : State.ENDED;
        } catch (IOException | RuntimeException e) {
            fail(e);
            throw e;
        } finally {
            releaseHeld();
        }
    }

    /** The container gives the response up: the client sees that it is incomplete. */
    void abort(Throwable cause) {
        sink.abort(cause);
        synchronized (this) {
            state = State.ENDED;
            releaseHeld();
            if (pending != null) {
                pending.drop();
            }
        }
    }

    /** Forgets what is held. The caller has checked that nothing is committed. */
    synchronized void reset() {
        releaseHeld();
        written = 0;
        if (state != State.ENDED && state != State.FAILED) {
            state = State.OPEN;
        }
    }

    /** From here on writes are ignored: {@code sendError} has decided on the response. */
    synchronized void suspend() {
        if (state == State.OPEN) {
            state = State.SUSPENDED;
        }
    }

    /** From here on the end of the body waits for {@link #complete()}, also if the application closes the body before. */
    synchronized void deferEnd() {
        ending = Ending.AT_COMPLETION;
    }

    /** From here on no write waits for the client: what the sink cannot take is kept. */
    synchronized PendingWrites nonBlocking() {
        if (pending == null) {
            pending = new PendingWrites(sink);
        }
        return pending;
    }

    synchronized void declare(long length) throws IOException {
        declared = length;
        try {
            endIfFilled();
        } catch (IOException | RuntimeException e) {
            fail(e);
            throw e;
        }
    }

    synchronized void undeclare() {
        declared = -1;
    }

    synchronized boolean isNonBlocking() {
        return pending != null;
    }

    synchronized void resize(int size) {
        if (written > 0 || wire != Wire.UNCOMMITTED) {
            throw new IllegalStateException("The buffer size cannot change after content has been written");
        }
        if (size > capacity) {
            capacity = size;
        }
    }

    synchronized int capacity() {
        return capacity;
    }

    synchronized long written() {
        return written;
    }

    synchronized boolean isCommitted() {
        return wire != Wire.UNCOMMITTED || state == State.SUSPENDED;
    }

    /** Whether a head has gone to the sink, so that no other can. */
    synchronized boolean isOnTheWire() {
        return wire != Wire.UNCOMMITTED;
    }

    /** Whether a hand-over has failed, which is not the application's doing. */
    synchronized boolean hasFailed() {
        return failure instanceof IOException;
    }

    synchronized boolean isEnded() {
        return wire == Wire.ENDED || state == State.ENDED;
    }

    synchronized boolean isOpen() {
        return state == State.OPEN;
    }

    /** How many of {@code length} bytes count; bytes beyond the declared length, or after sendError, are dropped. */
    @GuardedBy("this")
    private int accept(int length) throws IOException {
        return switch (state) {
            case OPEN -> declared < 0 ? length : (int) Math.min(length, declared - written);
            case SUSPENDED, FILLED -> 0;
            case CLOSED -> throw new IOException("The response's stream is closed");
            case FAILED -> throw new IOException("The response has failed before");
            case ENDED -> throw new IOException("The response has ended");
        };
    }

    /** A held segment with room, or null if the buffer is full. */
    @GuardedBy("this")
    private @Nullable Segment roomy() {
        Segment tail = held.peekLast();
        if (tail != null && tail.buffer().hasRemaining()) {
            return tail;
        }
        if (heldBytes >= capacity) {
            return null;
        }
        Segment fresh = sink.segment();
        fresh.buffer().clear();
        held.addLast(fresh);
        return fresh;
    }

    @GuardedBy("this")
    private void held(int n) {
        heldBytes += n;
        written += n;
    }

    @GuardedBy("this")
    private void commit(long length) {
        if (wire == Wire.UNCOMMITTED) {
            wire = Wire.COMMITTED;
            sink.head(head.commit(length));
        }
    }

    /** Head, if it has not gone yet, and what is held. */
    @GuardedBy("this")
    private void handOver() throws IOException {
        commit(-1);
        Segment segment = held.pollFirst();
        while (segment != null) {
            heldBytes -= segment.buffer().position();
            segment.buffer().flip();
            if (pending == null) {
                sink.write(segment, false);
            } else {
                pending.add(segment);
            }
            segment = held.pollFirst();
        }
    }

    /** A large rest of an array: at once if the sink may wait, else a copy, since the array is the caller's again on return. */
    @GuardedBy("this")
    private void handOverUnheld(byte[] source, int from, int length) throws IOException {
        if (pending == null) {
            sink.write(ByteBuffer.wrap(source, from, length), false);
        } else {
            pending.add(ByteBuffer.wrap(Arrays.copyOfRange(source, from, from + length)));
        }
    }

    @GuardedBy("this")
    private void endIfFilled() throws IOException {
        if (declared > 0 && written >= declared && state == State.OPEN) {
            closeAs(State.FILLED);
        }
    }

    @GuardedBy("this")
    private void closeAs(State closed) throws IOException {
        state = closed;
        if (ending == Ending.AT_CLOSE && pending == null) {
            sendEnd();
            return;
        }
        if (wire == Wire.UNCOMMITTED && !head.hasTrailers()) {
            commit(written);
        }
        handOver();
        if (pending == null) {
            sink.flush();
        } else {
            pending.flush();
        }
    }

    /** What is held and the end; one write where the whole body is held. */
    @GuardedBy("this")
    private void sendEnd() throws IOException {
        boolean trailers = head.hasTrailers();
        commit(trailers ? -1 : written);
        wire = Wire.ENDED;
        boolean complete = declared < 0 || written >= declared || head.isBodiless();
        boolean last = complete && !trailers && !held.isEmpty();
        boolean sent = false;
        try {
            sendEnd(complete, last);
            sent = true;
        } finally {
            if (!sent) { // by whatever was thrown, also by the application's trailers: no other end will come
                sink.abort(new IOException("The end of the response could not be sent"));
            }
        }
    }

    @GuardedBy("this")
    private void sendEnd(boolean complete, boolean last) throws IOException {
        Segment segment = held.pollFirst();
        while (segment != null) {
            segment.buffer().flip();
            sink.write(segment, last && held.isEmpty());
            segment = held.pollFirst();
        }
        heldBytes = 0;
        if (!complete) {
            sink.abort(new IOException("The application declared " + declared + " bytes and wrote " + written));
        } else if (!last) {
            sink.finish(head.trailers());
        }
    }

    /** A hand-over failed: nothing more can follow it, and nobody else will end the response. A mere misuse changes nothing. */
    @GuardedBy("this")
    private void fail(Exception cause) {
        if (state != State.ENDED && !(cause instanceof IllegalStateException)) {
            state = State.FAILED;
            wire = Wire.ENDED;
            failure = failure == null ? cause : failure;
            releaseHeld();
            sink.abort(cause);
        }
    }

    @GuardedBy("this")
    private void releaseHeld() {
        Segment segment = held.pollFirst();
        while (segment != null) {
            segment.release();
            segment = held.pollFirst();
        }
        heldBytes = 0;
    }
}
