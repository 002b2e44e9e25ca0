package io.penstock.request;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.exchange.ResponseSink;
import io.penstock.pipe.Segment;
import io.penstock.session.SessionNotSavedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The body of a response: its state, and the bytes that are not handed over to the {@link ResponseSink} yet. If the whole body fits into
 * the buffer, the body is sent in one write when the exchange ends, and the head has the body's length. If the body is larger, the head is
 * sent when the buffer is full. A flush or a close sends the held bytes at once.
 *
 * <p>The buffer has the size that {@code getBufferSize} returns. While the server has enough memory, the buffer may hold more bytes: as
 * many as {@link ResponseSink#mayHold} allows.
 *
 * <p>Thread: any. A thread that writes holds the write lock, even while it waits for the client. Other threads of the application wait for
 * the lock before they write. The container never waits for the lock. The container reads the volatile fields and calls {@link #abort}
 * without the lock. Before a write, the container tries to {@link #take} the lock. If another thread holds the lock, the container
 * continues in a job of the exchange when the lock is released. During a hand-over, listeners and suppliers of the application may run.
 * They may call this object again on the same thread.
 *
 * <p>Owns: each segment from {@link ResponseSink#segment()} to the hand-over. Each segment is handed over or released exactly once, even
 * after a failure.
 */
final class ResponseBuffer implements ByteTarget {

    /** The time at which the end is sent if the application closes the body. */
    private enum EndOfBody {
        AT_CLOSE,
        AT_COMPLETION
    }

    /** The threads that may begin to write. */
    private enum Writers {
        ALL,
        /**
         * The container continues the response. Only the container's current thread may write: this thread can call listeners of the
         * application, and the listeners can write.
         */
        CONTAINER
    }

    /** The calls that may end the body. */
    private enum Call {
        FLUSH,
        CLOSE,
        END,
        COMPLETE
    }

    private static final AtomicReferenceFieldUpdater<ResponseBuffer, @Nullable Runnable> ON_RELEASE =
            AtomicReferenceFieldUpdater.newUpdater(ResponseBuffer.class, Runnable.class, "onRelease");

    private final ResponseSink sink;
    private final ResponseState head;
    private final ReentrantLock writeLock = new ReentrantLock();

    // Written under the write lock, read by any thread.
    private volatile BodyPhase phase = BodyPhase.OPEN;
    private volatile @Nullable Exception failure;
    private volatile long declared = -1; // the length that the application has declared
    private volatile int capacity;

    // Written by any thread.
    private volatile @Nullable Throwable aborted;
    private volatile EndOfBody endOfBody = EndOfBody.AT_CLOSE;
    private volatile @Nullable Runnable onRelease;
    private volatile Writers writers = Writers.ALL;
    private volatile @Nullable Thread container;

    // The held bytes: the last segment, and the full segments before it. Most responses fit into one segment, so most
    // responses need no queue.
    @GuardedBy("writeLock")
    private @Nullable Segment last;

    @GuardedBy("writeLock")
    private @Nullable ArrayDeque<Segment> full;

    @GuardedBy("writeLock")
    private int held;

    @GuardedBy("writeLock")
    private long written;

    /** Bytes that the sink cannot take at once; null while writes are blocking. */
    @GuardedBy("writeLock")
    private @Nullable PendingWrites pending;

    ResponseBuffer(ResponseSink sink, ResponseState head, int capacity) {
        this.sink = sink;
        this.head = head;
        this.capacity = capacity;
    }

    // ---- the state; any thread

    /** From now on a close does not send the end. The end is sent when the exchange is completed. */
    void deferEnd() {
        endOfBody = EndOfBody.AT_COMPLETION;
    }

    private boolean isEndDeferred() {
        return endOfBody == EndOfBody.AT_COMPLETION;
    }

    boolean isOpen() {
        return phase.isOpen() && !isAborted();
    }

    /** The result of {@code isCommitted}: status and header fields cannot change any more. */
    boolean isCommitted() {
        return phase != BodyPhase.OPEN;
    }

    /** Whether the head has been handed over, so that no other head can be sent. */
    boolean isOnTheWire() {
        return phase.isOnTheWire();
    }

    /** Whether the response has ended, so that no part of it remains to be sent. */
    boolean isEnded() {
        return phase.isOver() || isAborted();
    }

    /** Whether the application can no longer write, and can no longer begin asynchronous processing. */
    boolean isClosed() {
        return isEnded() || (phase.isFilled() && !isEndDeferred());
    }

    boolean isAborted() {
        return aborted != null;
    }

    /** Whether a hand-over failed because of the client or the connection, and not because of the application. */
    boolean hasFailed() {
        return failure instanceof IOException;
    }

    // ---- the state; under the write lock

    /**
     * Whether written bytes are accepted. If the result is false, the bytes are ignored.
     *
     * @throws RefusedWriteException if written bytes are refused
     */
    private boolean takesBytes() throws IOException {
        Throwable cause = aborted;
        if (cause != null) {
            throw new RefusedWriteException("The response has been aborted", cause);
        }
        return switch (phase) {
            case OPEN, COMMITTED -> true;
            case SUSPENDED, FILLED, FILLED_COMMITTED, SENT -> false;
            case CLOSED -> throw new RefusedWriteException("The response's stream is closed", null);
            case ENDED -> throw new RefusedWriteException("The response has ended", null);
            case FAILED -> throw new RefusedWriteException("The response has already failed", failure);
        };
    }

    // ---- the write lock

    /** Carries out {@code call} under the write lock that the caller has taken. Then releases the lock. */
    private void runAndRelease(Call call) throws IOException {
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
            writeLock.unlock();
            released();
        }
    }

    /**
     * Takes the write lock for the container and returns true, if no thread is writing. If a thread is writing, returns false, and {@code
     * whenReleased} runs as a job of the exchange when the lock is released. In this case no other thread may begin a write until {@link
     * #admitWriters}. Without this rule, a thread that writes without a pause could take the lock again before the container does.
     */
    boolean take(Runnable whenReleased) {
        if (!take()) {
            writers = Writers.CONTAINER;
            onRelease = whenReleased;
            if (!take()) {
                // The thread that releases the lock reads onRelease afterwards, so whenReleased will run.
                return false;
            }
            if (!ON_RELEASE.compareAndSet(this, whenReleased, null)) {
                // Between the two attempts another thread has released the lock and has enqueued whenReleased.
                writeLock.unlock();
                return false;
            }
        }
        return true;
    }

    /** Whether no thread is writing. If a thread is writing, {@code whenReleased} runs later, as in {@link #take(Runnable)}. */
    boolean isIdle(Runnable whenReleased) {
        if (writers == Writers.ALL && !writeLock.isLocked()) {
            return true;
        }
        if (!take(whenReleased)) {
            return false;
        }
        giveBack();
        return true;
    }

    /** Takes the write lock for the container, if no thread is writing. */
    boolean take() {
        if (!writeLock.tryLock()) {
            return false;
        }
        container = Thread.currentThread();
        return true;
    }

    /** Releases the write lock after {@link #take}. */
    void giveBack() {
        writeLock.unlock();
        released();
    }

    /** Called before the application is called again for this response. All threads of the application may write again. */
    void admitWriters() {
        writers = Writers.ALL;
    }

    private void checkWriter() throws IOException {
        if (writers == Writers.CONTAINER && Thread.currentThread() != container && !isAborted()) {
            throw new RefusedWriteException(
                    "The container continues with the response: complete() or dispatch() has been called", null);
        }
    }

    /** Called after each release of the lock. Enqueues the container's action that waits for this release, if there is one. */
    private void released() {
        if (writeLock.isHeldByCurrentThread()) {
            // This is a nested call, so the thread still holds the lock.
            return;
        }
        releaseIfAborted();
        // The plain read avoids an atomic write: a servlet that writes byte by byte calls this method for each byte.
        Runnable action = onRelease == null ? null : ON_RELEASE.getAndSet(this, null);
        if (action != null) {
            head.resume(action);
        }
    }

    /**
     * Aborts the response for the container. The client notices that the response is incomplete. If a thread waits for the client in a
     * write, this thread is woken.
     */
    void abort(Throwable cause) {
        aborted = cause;
        sink.abort(cause);
        releaseIfAborted();
    }

    private void releaseIfAborted() {
        if (!isAborted() || !writeLock.tryLock()) {
            // If another thread holds the lock, that thread makes the same check after it has released the lock.
            return;
        }
        try {
            releaseHeld();
            if (pending != null) {
                pending.drop();
            }
        } finally {
            writeLock.unlock();
        }
    }

    // ---- the application's calls

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
        writeLock.lock();
        try {
            checkWriter();
            put(source, offset, length);
        } catch (IOException | RuntimeException e) {
            failed(e);
            throw e;
        } finally {
            writeLock.unlock();
            released();
        }
    }

    @Override
    public void write(int b) throws IOException {
        writeLock.lock();
        try {
            checkWriter();
            put(b);
        } catch (IOException | RuntimeException e) {
            failed(e);
            throw e;
        } finally {
            writeLock.unlock();
            released();
        }
    }

    @Override
    public void write(ByteBuffer source) throws IOException {
        writeLock.lock();
        try {
            checkWriter();
            put(source);
        } catch (IOException | RuntimeException e) {
            failed(e);
            throw e;
        } finally {
            writeLock.unlock();
            released();
        }
    }

    /**
     * Writes part of a file without copying its bytes into the buffer. Allowed only before any other write. The sink closes the channel.
     */
    void write(FileChannel file, long position, long count) throws IOException {
        writeLock.lock();
        try {
            send(file, position, count);
        } catch (IOException | RuntimeException e) {
            failed(e);
            throw e;
        } finally {
            writeLock.unlock();
            released();
        }
    }

    /**
     * Declares the length of the body; -1 withdraws the declaration. Has no effect if more than {@code length} bytes have been written
     * already, since a late declaration must not cut off held bytes.
     */
    void declare(long length) throws IOException {
        writeLock.lock();
        try {
            if (length < 0 || length >= written) {
                declared = length;
                fillIfComplete();
            }
        } catch (IOException | RuntimeException e) {
            failed(e);
            throw e;
        } finally {
            writeLock.unlock();
            released();
        }
    }

    /** The declared length, or -1. */
    long declared() {
        return declared;
    }

    /** Commits the response, and sends all bytes that have been written so far. */
    @Override
    public void flush() throws IOException {
        writeLock.lock();
        runAndRelease(Call.FLUSH);
    }

    /** Closes the body for the application. The whole body is sent, and further writes are refused. */
    @Override
    public void close() throws IOException {
        writeLock.lock();
        runAndRelease(Call.CLOSE);
    }

    /** Completes the body with the bytes that have been written; further bytes are ignored. The body is sent when the exchange ends. */
    void end() throws IOException {
        writeLock.lock();
        runAndRelease(Call.END);
    }

    /**
     * Ends the response, sends the held bytes, and releases the lock that the caller has taken. Must not be called while a non-blocking
     * write is pending.
     */
    void complete() throws IOException {
        runAndRelease(Call.COMPLETE);
    }

    /**
     * Drops the held bytes and the declared length.
     *
     * @throws IllegalStateException if the head has been handed over
     */
    void reset() {
        startOver(BodyPhase.OPEN, -1);
    }

    /** As {@link #reset}, but keeps the declared length. */
    void resetBytes() {
        startOver(BodyPhase.OPEN, declared);
    }

    /** As {@link #resetBytes}, but further bytes are ignored. Used by {@code sendError}. */
    void suspend() {
        startOver(BodyPhase.SUSPENDED, declared);
    }

    private void startOver(BodyPhase next, long length) {
        writeLock.lock();
        try {
            if (isOnTheWire()) {
                throw new IllegalStateException("The response is committed");
            }
            releaseHeld();
            written = 0;
            declared = length;
            phase = phase.to(next);
        } finally {
            writeLock.unlock();
            released();
        }
    }

    /** Makes writes non-blocking. Bytes that the sink cannot take at once are kept in the returned object. */
    @Override
    public PendingWrites nonBlocking() {
        writeLock.lock();
        try {
            PendingWrites kept = pending == null ? new PendingWrites(sink) : pending;
            pending = kept;
            sink.nonBlocking();
            return kept;
        } finally {
            writeLock.unlock();
            released();
        }
    }

    void resize(int size) {
        writeLock.lock();
        try {
            if (written > 0 || isOnTheWire()) {
                throw new IllegalStateException("The buffer size cannot change after content has been written");
            }
            capacity = Math.max(size, capacity);
        } finally {
            writeLock.unlock();
            released();
        }
    }

    int capacity() {
        return capacity;
    }

    // ---- bytes

    @GuardedBy("writeLock")
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
    @GuardedBy("writeLock")
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

    @GuardedBy("writeLock")
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

    @GuardedBy("writeLock")
    private void send(FileChannel file, long position, long count) throws IOException {
        if (!isOpen() || written > 0 || pending != null) {
            throw new IllegalStateException("A file can be sent only if the response is not committed and has no body");
        }
        written = count;
        boolean whole = !head.hasTrailers() && !isEndDeferred();
        phase = phase.filled();
        commit(count);
        if (whole) {
            phase = phase.to(BodyPhase.SENT);
        }
        sink.write(file, position, count, whole);
        if (!whole) {
            sink.flush();
        }
    }

    /** Returns how many of {@code length} bytes are accepted. Bytes beyond the declared length, or after sendError, are ignored. */
    @GuardedBy("writeLock")
    private int accept(int length) throws IOException {
        if (!takesBytes()) {
            return 0;
        }
        return declared < 0 ? length : (int) Math.min(length, declared - written);
    }

    @GuardedBy("writeLock")
    private void count(int bytes) {
        held += bytes;
        written += bytes;
    }

    // ---- held bytes

    /** Whether {@code more} bytes may be held in addition to the present bytes. */
    @GuardedBy("writeLock")
    private boolean fits(int more) {
        long all = (long) held + more;
        return all <= capacity || all <= sink.mayHold();
    }

    /**
     * Returns the buffer of the last segment if this buffer has room, otherwise a new buffer. If no more bytes may be held, the returned
     * buffer has no room.
     */
    @GuardedBy("writeLock")
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
    @GuardedBy("writeLock")
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

    @GuardedBy("writeLock")
    private void releaseHeld() {
        for (Segment segment = poll(); segment != null; segment = poll()) {
            segment.release();
        }
    }

    // ---- operations

    @GuardedBy("writeLock")
    private void sendHeld() throws IOException {
        if (isOpen()) {
            handOver();
            flushSink();
        } else {
            sendFilled();
        }
    }

    @GuardedBy("writeLock")
    private void closeBody() throws IOException {
        if (!isOpen()) {
            sendFilled();
        } else if (pending == null && !isEndDeferred()) {
            beforeTheEnd();
            sendEnd(BodyPhase.ENDED);
            // The end is sent now, since the application may run for a long time after the close.
            sink.flush();
        } else {
            sendAllButTheEnd();
            phase = phase.to(BodyPhase.CLOSED);
        }
    }

    /** Sends a complete body before the end of the exchange, since the application has flushed or closed the response. */
    @GuardedBy("writeLock")
    private void sendFilled() throws IOException {
        if (!phase.isFilled() || pending != null || isAborted()) {
            return;
        }
        if (isEndDeferred()) {
            sendAllButTheEnd();
        } else {
            beforeTheEnd();
            sendEnd(BodyPhase.SENT);
            sink.flush();
        }
    }

    @GuardedBy("writeLock")
    private void sendAll() throws IOException {
        try {
            if (!isAborted()) {
                switch (phase) {
                    case OPEN, COMMITTED, SUSPENDED, FILLED, FILLED_COMMITTED, CLOSED -> sendEnd(BodyPhase.ENDED);
                    case SENT -> phase = phase.to(BodyPhase.ENDED);
                    case ENDED, FAILED -> {
                        // The end has been sent, or a hand-over has failed and the end cannot be sent.
                    }
                }
            }
        } finally {
            releaseHeld();
        }
    }

    /**
     * Called when an operation has thrown {@code thrown}. After a failed hand-over no more bytes can be sent, so the response is aborted.
     * If the application's call was illegal, or if the head must not be sent, nothing changes.
     */
    @GuardedBy("writeLock")
    private void failed(Exception thrown) {
        boolean misuse = thrown instanceof IllegalStateException || thrown instanceof RefusedWriteException;
        boolean heldBack = thrown instanceof SessionNotSavedException && !isOnTheWire();
        if (misuse || heldBack || phase == BodyPhase.FAILED || isAborted()) {
            return;
        }
        phase = phase.to(BodyPhase.FAILED);
        failure = thrown;
        releaseHeld();
        sink.abort(thrown);
    }

    @GuardedBy("writeLock")
    private void fillIfOpen() throws IOException {
        if (isOpen()) {
            fill();
        }
    }

    @GuardedBy("writeLock")
    private void fillIfComplete() throws IOException {
        if (declared > 0 && written >= declared && isOpen()) {
            fill();
        }
    }

    /**
     * Marks the body as complete. The body is not sent yet: filters, listeners and the session store run after the servlet, and must have
     * run before the client sends its next request.
     */
    @GuardedBy("writeLock")
    private void fill() throws IOException {
        phase = phase.filled();
        // In non-blocking mode bytes are sent as soon as the client can receive them, so the body is not held back.
        if (pending != null) {
            sendAllButTheEnd();
        }
    }

    // ---- hand-over

    @GuardedBy("writeLock")
    private void commit(long length) {
        if (!isOnTheWire()) {
            head.beforeSending();
            phase = phase.committed();
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
    @GuardedBy("writeLock")
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
    @GuardedBy("writeLock")
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
    @GuardedBy("writeLock")
    private void handOverUnheld(byte[] source, int from, int length) throws IOException {
        if (pending == null) {
            sink.write(ByteBuffer.wrap(source, from, length), false);
        } else {
            pending.add(ByteBuffer.wrap(Arrays.copyOfRange(source, from, from + length)));
        }
    }

    @GuardedBy("writeLock")
    private void flushSink() throws IOException {
        if (pending == null) {
            sink.flush();
        } else {
            pending.flush();
        }
    }

    private void beforeTheEnd() {
        // If the head has not been sent yet, commit() calls beforeSending().
        if (isOnTheWire()) {
            head.beforeSending();
        }
    }

    @GuardedBy("writeLock")
    private void sendAllButTheEnd() throws IOException {
        beforeTheEnd();
        if (!head.hasTrailers()) {
            commit(written);
        }
        handOver();
        flushSink();
    }

    /** Sends the held bytes and the end, in one write if the whole body is held. */
    @GuardedBy("writeLock")
    private void sendEnd(BodyPhase after) throws IOException {
        boolean trailers = head.hasTrailers();
        commit(trailers ? -1 : written);
        phase = phase.to(after);
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

    @GuardedBy("writeLock")
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
