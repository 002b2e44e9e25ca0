package io.penstock.request;

import io.penstock.events.CloseCause;
import io.penstock.exchange.Response;
import io.penstock.exchange.ResponsePhase;
import io.penstock.exchange.ResponseSink;
import io.penstock.http.Fields;
import io.penstock.pipe.Segment;
import io.penstock.reactor.ConnectionClosed;
import io.penstock.session.SessionNotSavedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayDeque;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a response's body that are not handed over to the {@link ResponseSink} yet. If the whole body fits into the buffer, the body
 * is sent in one write when the exchange ends, and the head has the body's length. If the body is larger, the head is sent when the buffer
 * is full. A flush or a close sends the held bytes at once. What becomes of written bytes is the {@link ResponsePhase} of the response.
 *
 * <p>The buffer has the size that {@code getBufferSize} returns. While the server has enough memory, the buffer may hold more bytes: as
 * many as {@link ResponseSink#mayHold} allows.
 *
 * <p>Thread: any. A thread that writes has the {@link WriteTurn}. Every field without another comment belongs to the thread that has the
 * turn. During a hand-over, listeners and suppliers of the application may run. They may call this object again on the same thread.
 *
 * <p>Owns: each segment from {@link ResponseSink#segment()} to the hand-over. Each segment is handed over or released exactly once, even
 * after a failure.
 */
final class ResponseBuffer implements ByteTarget, Response.Holder {

    /** The time at which the end is sent if the application closes the body. */
    private enum EndOfBody {
        AT_CLOSE,
        AT_COMPLETION
    }

    /** The calls that may end the body. */
    private enum Call {
        FLUSH,
        CLOSE,
        END,
        COMPLETE
    }

    private final Response response;

    /** The response, or what compresses its body. */
    private final ResponseSink sink;

    private final ResponseState head;
    private final WriteTurn turn = new WriteTurn();

    // Written by the thread that has the turn, read by any thread.
    private volatile @Nullable Exception failure;
    private volatile long declared = -1; // the length that the application has declared
    private volatile int capacity;

    // Written by any thread.
    private volatile EndOfBody endOfBody = EndOfBody.AT_CLOSE;

    // The held bytes: the last segment, and the full segments before it. Most responses fit into one segment, so most
    // responses need no queue.
    private @Nullable Segment last;
    private @Nullable ArrayDeque<Segment> full;
    private int held;
    private long written;

    /** Bytes that the sink cannot take at once; null while writes are blocking. */
    private @Nullable PendingWrites pending;

    /** @param sink the response, or what compresses its body */
    ResponseBuffer(Response response, ResponseSink sink, ResponseState head, int capacity) {
        this.response = response;
        this.sink = sink;
        this.head = head;
        this.capacity = capacity;
        response.holdIn(this);
    }

    // ---- the state; any thread

    private ResponsePhase phase() {
        return response.phase();
    }

    /** From now on a close does not send the end. The end is sent when the exchange is completed. */
    void deferEnd() {
        endOfBody = EndOfBody.AT_COMPLETION;
    }

    private boolean isEndDeferred() {
        return endOfBody == EndOfBody.AT_COMPLETION;
    }

    /** Whether the application can no longer write, and can no longer begin asynchronous processing. */
    boolean isClosed() {
        ResponsePhase now = phase();
        return now.isDecided() || (now.isFull() && !isEndDeferred());
    }

    /** Whether a hand-over failed because of the client or the connection, and not because of the application. */
    boolean hasFailed() {
        return failure instanceof IOException;
    }

    // ---- the turn

    /**
     * Whether written bytes are accepted. If the result is false, the bytes are ignored.
     *
     * @throws RefusedWriteException if written bytes are refused
     */
    private boolean takesBytes() throws IOException {
        return switch (phase()) {
            case OPEN, HELD, STREAMING -> true;
            case SUSPENDED -> false;
            case FULL, HELD_FULL, STREAMING_FULL, ENDING_FULL, ENDED_FULL -> {
                if (declared > 0 && written >= declared) {
                    // The client gets the complete body, whatever the application does after the exception.
                    sendFilled();
                    throw new RefusedWriteException("The response has its declared length already: " + declared, null);
                }
                yield false;
            }
            case HELD_CLOSED, STREAMING_CLOSED ->
                throw new RefusedWriteException("The response's stream is closed", null);
            case ENDING, ENDED -> throw new RefusedWriteException("The response has ended", null);
            case ABORTING, ABORTED -> throw afterAbort();
            case REPLACED -> throw new IOException("The server has answered in place of the application");
        };
    }

    /** What a write throws after an abort. If the connection has ended, this counts as a failed hand-over. */
    private IOException afterAbort() {
        if (failure != null) {
            return new RefusedWriteException("The response has already failed", failure);
        }
        ConnectionClosed closing = response.closing();
        return closing == null || closing.reason() == CloseCause.APPLICATION_FAILED
                ? new RefusedWriteException(
                        "The response has been aborted", closing == null ? null : closing.getCause())
                : closing;
    }

    /** Carries out {@code call} in the turn of the caller, and ends the turn. */
    private void runAndEnd(Call call) throws IOException {
        try {
            switch (call) {
                case FLUSH -> sendHeld();
                case CLOSE -> closeBody();
                case END -> fillIfOpen();
                case COMPLETE -> sendAll();
            }
        } catch (IOException | RuntimeException e) {
            failed(e);
            throw e;
        } finally {
            endTurn();
        }
    }

    /**
     * Takes the turn for the container and returns true, if no thread is writing. If a thread is writing, returns false, and {@code
     * whenFree} runs as a job of the exchange when that thread has ended its turn.
     */
    boolean take(Runnable whenFree) {
        return switch (turn.take(whenFree)) {
            case NOW -> true;
            case LATER -> false;
            case BY_ACTION -> {
                endTurn();
                yield false;
            }
        };
    }

    /** Whether no thread is writing. If a thread is writing, {@code whenFree} runs later, as in {@link #take(Runnable)}. */
    boolean isIdle(Runnable whenFree) {
        if (turn.isFree()) {
            return true;
        }
        if (!take(whenFree)) {
            return false;
        }
        endTurn();
        return true;
    }

    /** Takes the turn for the container, if no thread is writing. */
    boolean take() {
        return turn.take();
    }

    /** Ends the turn after {@link #take}. */
    void giveBack() {
        endTurn();
    }

    /** Called before the application is called again for this response. All threads of the application may write again. */
    void admitWriters() {
        turn.admitWriters();
    }

    /** Ends the turn. If the container waits for this, its action runs as a job of the exchange. */
    private void endTurn() {
        Runnable then = turn.end();
        if (response.isAborted()) {
            dropAll();
        }
        resume(then);
    }

    private void resume(@Nullable Runnable then) {
        if (then != null) {
            head.resume(then);
        }
    }

    /**
     * Aborts the response for the container. The client notices that the response is incomplete. If a thread waits for the client in a
     * write, this thread is woken.
     */
    void abort(Throwable cause) {
        sink.abort(cause);
        dropAll();
    }

    /** Bytes of non-blocking writes are dropped when their hand-over fails, so that the application's listener is told. */
    @Override
    public void aborted() {
        if (turn.tryBegin()) {
            releaseHeld();
            resume(turn.end());
        }
    }

    /** Called after an abort. If another thread has the turn, that thread calls this method when it has ended its turn. */
    void dropAll() {
        if (turn.tryBegin()) {
            releaseHeld();
            if (pending != null) {
                pending.drop();
            }
            resume(turn.end());
        }
    }

    // ---- the application's calls

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
        turn.begin();
        try {
            turn.check();
            put(source, offset, length);
        } catch (IOException | RuntimeException e) {
            failed(e);
            throw e;
        } finally {
            endTurn();
        }
    }

    @Override
    public void write(int b) throws IOException {
        turn.begin();
        try {
            turn.check();
            put(b);
        } catch (IOException | RuntimeException e) {
            failed(e);
            throw e;
        } finally {
            endTurn();
        }
    }

    @Override
    public void write(ByteBuffer source) throws IOException {
        turn.begin();
        try {
            turn.check();
            put(source);
        } catch (IOException | RuntimeException e) {
            failed(e);
            throw e;
        } finally {
            endTurn();
        }
    }

    /**
     * Writes part of a file without copying its bytes into the buffer. Allowed only before any other write. The sink closes the channel.
     */
    void write(FileChannel file, long position, long count) throws IOException {
        turn.begin();
        try {
            send(file, position, count);
        } catch (IOException | RuntimeException e) {
            failed(e);
            throw e;
        } finally {
            endTurn();
        }
    }

    /**
     * Declares the length of the body; -1 withdraws the declaration. Has no effect if more than {@code length} bytes have been written
     * already, since a late declaration must not cut off held bytes.
     */
    void declare(long length) throws IOException {
        turn.begin();
        try {
            if (length < 0 || length >= written) {
                declared = length;
                fillIfComplete();
            }
        } catch (IOException | RuntimeException e) {
            failed(e);
            throw e;
        } finally {
            endTurn();
        }
    }

    /** The declared length, or -1. */
    long declared() {
        return declared;
    }

    /** Commits the response, and sends all bytes that have been written so far. */
    @Override
    public void flush() throws IOException {
        turn.begin();
        runAndEnd(Call.FLUSH);
    }

    /** Sends fields ahead of the response, if the client can take them at once. */
    void earlyHints(Fields fields) {
        turn.begin();
        try {
            turn.check();
            response.earlyHints(fields);
        } catch (IOException e) {
            failed(e); // the next write throws the cause
        } finally {
            endTurn();
        }
    }

    /** Closes the body for the application. The whole body is sent, and further writes are refused. */
    @Override
    public void close() throws IOException {
        turn.begin();
        runAndEnd(Call.CLOSE);
    }

    /** Completes the body with the bytes that have been written; further bytes are ignored. The body is sent when the exchange ends. */
    void end() throws IOException {
        turn.begin();
        runAndEnd(Call.END);
    }

    /**
     * Ends the response, sends the held bytes, and releases the lock that the caller has taken. Must not be called while a non-blocking
     * write is pending.
     */
    void complete() throws IOException {
        runAndEnd(Call.COMPLETE);
    }

    /**
     * Drops the held bytes and the declared length.
     *
     * @throws IllegalStateException if the head has been handed over
     */
    void reset() {
        startOver(-1);
    }

    /** As {@link #reset}, but keeps the declared length. */
    void resetBytes() {
        startOver(declared);
    }

    /** As {@link #resetBytes}, but further bytes are ignored. Used by {@code sendError}. */
    void suspend() {
        turn.begin();
        try {
            drop(declared);
            response.suspend();
        } finally {
            endTurn();
        }
    }

    private void startOver(long length) {
        turn.begin();
        try {
            drop(length);
            response.startOver();
        } finally {
            endTurn();
        }
    }

    private void drop(long length) {
        if (response.hasHead()) {
            throw new IllegalStateException("The response is committed");
        }
        releaseHeld();
        written = 0;
        declared = length;
    }

    /** Makes writes non-blocking. Bytes that the sink cannot take at once are kept in the returned object. */
    @Override
    public PendingWrites nonBlocking() {
        turn.begin();
        try {
            PendingWrites kept = pending == null ? new PendingWrites(sink) : pending;
            pending = kept;
            sink.nonBlocking();
            return kept;
        } finally {
            endTurn();
        }
    }

    void resize(int size) {
        turn.begin();
        try {
            if (written > 0 || response.hasHead()) {
                throw new IllegalStateException("The buffer size cannot change after content has been written");
            }
            capacity = Math.max(size, capacity);
        } finally {
            endTurn();
        }
    }

    int capacity() {
        return capacity;
    }

    // ---- bytes

    private void put(byte[] source, int offset, int length) throws IOException {
        int from = offset;
        int left = accept(length);
        while (left > 0) {
            ByteBuffer room = room();
            int n = Math.min(left, room.remaining());
            room.put(source, from, n);
            count(n);
            from += n;
            left -= n;
            if (n == 0) {
                handOver();
                // If the remaining bytes would fill the buffer, copying them has no advantage.
                if (!fits(left + 1)) {
                    written += left;
                    handOverUnheld(source, from, left);
                    break;
                }
            }
        }
        fillIfComplete();
    }

    /**
     * Writes the bytes of {@code source}. If they do not fit, the held bytes are handed over first, and then {@code source} itself, without
     * a copy.
     */
    private void put(ByteBuffer source) throws IOException {
        int accepted = accept(source.remaining());
        int end = source.limit();
        int ignored = source.remaining() - accepted;
        source.limit(end - ignored);
        try {
            while (source.hasRemaining()) {
                if (!fits(source.remaining())) {
                    written += source.remaining();
                    handOver();
                    if (pending == null) {
                        sink.write(source, false);
                    } else {
                        pending.add(source);
                    }
                    break;
                }
                ByteBuffer room = room();
                int n = Math.min(source.remaining(), room.remaining());
                room.put(source.slice(source.position(), n));
                source.position(source.position() + n);
                count(n);
                if (n == 0) {
                    handOver();
                }
            }
            fillIfComplete();
        } finally {
            if (ignored > 0) {
                source.limit(end);
                source.position(end);
            }
        }
    }

    private void put(int b) throws IOException {
        if (accept(1) == 0) {
            return;
        }
        ByteBuffer room = room();
        while (!room.hasRemaining()) {
            handOver();
            room = room();
        }
        room.put((byte) b);
        count(1);
        fillIfComplete();
    }

    private void send(FileChannel file, long position, long count) throws IOException {
        if (!response.isAccepting() || written > 0 || pending != null) {
            throw new IllegalStateException("A file can be sent only if the response is not committed and has no body");
        }
        written = count;
        boolean whole = !head.hasTrailers() && !isEndDeferred();
        response.full();
        commit(count);
        sink.write(file, position, count, whole);
        if (!whole) {
            sink.flush();
        }
    }

    /**
     * Returns how many of {@code length} bytes are accepted. Bytes after sendError are ignored, and so are the bytes beyond the declared
     * length of the write that reaches it. Later writes are refused, since the response is closed (Servlet 6.1, section 5.7).
     */
    private int accept(int length) throws IOException {
        if (length == 0 || !takesBytes()) {
            return 0;
        }
        return declared < 0 ? length : (int) Math.min(length, declared - written);
    }

    private void count(int bytes) {
        held += bytes;
        written += bytes;
    }

    // ---- held bytes

    /** Whether {@code more} bytes may be held in addition to the present bytes. */
    private boolean fits(int more) {
        long all = (long) held + more;
        return all <= capacity || all <= sink.mayHold();
    }

    /**
     * Returns the buffer of the last segment if this buffer has room, otherwise a new buffer. If no more bytes may be held, the returned
     * buffer has no room.
     */
    private ByteBuffer room() {
        Segment former = last;
        if (former != null) {
            ByteBuffer buffer = former.buffer();
            if (buffer.hasRemaining() || !fits(1)) {
                return buffer;
            }
        }
        Segment fresh = sink.segment();
        if (former != null) {
            if (full == null) {
                full = new ArrayDeque<>();
            }
            full.addLast(former);
        }
        last = fresh;
        return fresh.buffer().clear();
    }

    /** Removes and returns the first held segment, ready to be read; null if there is none. From then on the caller owns the segment. */
    private @Nullable Segment poll() {
        Segment first = full == null ? null : full.pollFirst();
        if (first == null) {
            first = last;
            last = null;
        }
        if (first != null) {
            held -= first.buffer().flip().remaining();
        }
        return first;
    }

    private void releaseHeld() {
        for (Segment segment = poll(); segment != null; segment = poll()) {
            segment.release();
        }
    }

    // ---- operations

    private void sendHeld() throws IOException {
        if (response.isAccepting()) {
            handOver();
            flushSink();
        } else {
            sendFilled();
        }
    }

    private void closeBody() throws IOException {
        if (!response.isAccepting()) {
            sendFilled();
        } else if (pending == null && !isEndDeferred()) {
            beforeTheEnd();
            sendEnd();
            // The end is sent now, since the application may run for a long time after the close.
            sink.flush();
        } else if (pending != null && written == 0 && !head.hasTrailers()) {
            // Nothing is to be sent but the head. It is sent together with the end, when the exchange is completed:
            // clients
            // of gRPC need both in one frame of HTTP/2.
            beforeTheEnd();
            commit(0);
            response.closed();
        } else {
            sendAllButTheEnd();
            response.closed();
        }
    }

    /** Sends a complete body before the end of the exchange, since the application has flushed or closed the response. */
    private void sendFilled() throws IOException {
        if (!phase().isFull() || pending != null) {
            return;
        }
        if (isEndDeferred()) {
            sendAllButTheEnd();
        } else {
            beforeTheEnd();
            sendEnd();
            sink.flush();
        }
    }

    private void sendAll() throws IOException {
        try {
            if (!phase().isDecided()) {
                sendEnd();
            }
            response.refuseBytes();
        } finally {
            releaseHeld();
        }
    }

    /**
     * Called when an operation has thrown {@code thrown}. After a failed hand-over no more bytes can be sent, so the response is aborted.
     * If the application's call was illegal, or if the head must not be sent, nothing changes.
     */
    private void failed(Exception thrown) {
        boolean misuse = thrown instanceof IllegalStateException || thrown instanceof RefusedWriteException;
        boolean heldBack = thrown instanceof SessionNotSavedException && !response.hasHead();
        if (misuse || heldBack || failure != null) {
            return;
        }
        failure = thrown;
        releaseHeld();
        sink.abort(thrown);
    }

    private void fillIfOpen() throws IOException {
        if (response.isAccepting()) {
            fill();
        }
    }

    private void fillIfComplete() throws IOException {
        if (declared > 0 && written >= declared && response.isAccepting()) {
            fill();
        }
    }

    /**
     * Marks the body as complete. The body is not sent yet: filters, listeners and the session store run after the servlet, and must have
     * run before the client sends its next request.
     */
    private void fill() throws IOException {
        response.full();
        // In non-blocking mode bytes are sent as soon as the client can receive them, so the body is not held back.
        if (pending != null) {
            sendAllButTheEnd();
        }
    }

    // ---- hand-over

    private void commit(long length) {
        if (!response.hasHead()) {
            head.beforeSending();
            sink.head(head.commit(declared < 0 ? shown(length) : declared));
        }
    }

    /**
     * Returns the length for the head. If the protocol sends no body and the application has written none, the head has no length.
     * Otherwise a response to HEAD could have the length 0, although the response to GET has another length.
     */
    private long shown(long length) {
        return length == 0 && head.isBodiless() ? -1 : length;
    }

    /** Hands over the head, if it has not been handed over yet, and the held bytes. */
    private void handOver() throws IOException {
        commit(-1);
        for (Segment segment = poll(); segment != null; segment = poll()) {
            if (pending == null) {
                handOver(segment, false);
            } else {
                pending.add(segment);
            }
        }
    }

    /** @param end whether the response ends with the held bytes */
    private void handOver(Segment segment, boolean end) throws IOException {
        if (last == null) {
            sink.write(segment, end);
        } else {
            sink.gather(segment);
        }
    }

    /**
     * Hands over the remaining bytes of a large array. In blocking mode the sink gets the array itself. In non-blocking mode the bytes are
     * copied, since the caller may reuse the array after this call.
     */
    private void handOverUnheld(byte[] source, int from, int length) throws IOException {
        if (pending == null) {
            sink.write(ByteBuffer.wrap(source, from, length), false);
        } else {
            pending.add(ByteBuffer.wrap(Arrays.copyOfRange(source, from, from + length)));
        }
    }

    private void flushSink() throws IOException {
        if (pending == null) {
            sink.flush();
        } else {
            pending.flush();
        }
    }

    private void beforeTheEnd() {
        // If the head has not been sent yet, commit() calls beforeSending().
        if (response.hasHead()) {
            head.beforeSending();
        }
    }

    private void sendAllButTheEnd() throws IOException {
        beforeTheEnd();
        if (!head.hasTrailers()) {
            commit(written);
        }
        handOver();
        flushSink();
    }

    /** Sends the held bytes and the end, in one write if the whole body is held. */
    private void sendEnd() throws IOException {
        boolean trailers = head.hasTrailers();
        commit(trailers ? -1 : written);
        response.closed();
        boolean complete = declared < 0 || written >= declared || head.isBodiless();
        boolean withBytes = complete && !trailers && last != null;
        boolean sent = false;
        try {
            sendEnd(complete, withBytes);
            sent = true;
        } finally {
            // After an exception, for example from the application's supplier of trailers, the end is not sent any
            // more.
            if (!sent) {
                sink.abort(new IOException("The end of the response could not be sent"));
            }
        }
    }

    private void sendEnd(boolean complete, boolean withBytes) throws IOException {
        for (Segment segment = poll(); segment != null; segment = poll()) {
            handOver(segment, withBytes);
        }
        if (!complete) {
            sink.abort(new IOException("The application declared " + declared + " bytes and wrote " + written));
        } else if (!withBytes) {
            sink.finish(head.trailers());
        }
    }
}
