package io.penstock.request;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.exchange.ResponseSink;
import io.penstock.http.Fields;
import io.penstock.http.ResponseHead;
import io.penstock.pipe.Segment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a response that have not yet been handed over, and the rules for handing them over: a body that fits leaves as
 * one write with its length known, when the exchange ends; a larger one commits the head when the buffer is full. What the
 * application flushes or closes leaves at once.
 *
 * <p>Thread: any. Whoever writes has the pen, and may keep it while he waits for the client; a second writer waits for the pen, which
 * is the application's affair. The container waits for neither: what it asks is volatile, what it ends it ends with {@link #abort}, and
 * before it writes it tries to {@link #take} the pen, or has a job of the exchange go on when the pen is put down.
 *
 * <p>Owns: the segments between {@link ResponseSink#segment()} and the hand-over. Every path, failures included, hands each on or
 * releases it, once.
 *
 * <pre>
 *   OPEN ──sendError──▶ SUSPENDED ──error page──▶ OPEN
 *    ├──sendRedirect, declared length written──▶ FILLED ─┐
 *    ├──close()──▶ CLOSED ───────────────────────────────┼──▶ ENDED
 *    └──a hand-over throws──▶ FAILED ────────────────────┘
 * </pre>
 */
final class ResponseBuffer implements ByteTarget {

    /** Makes the head when it is needed, and the trailers at the end. */
    interface HeadSource {
        /** The head, or the end, leaves now: the client may ask again at once. */
        void beforeLeaving();

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
        /** Whole, and on its way with the exchange's end, if nobody flushes or closes before. What is written is ignored. */
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

    /** Which threads may begin to write. */
    private enum Writers {
        ALL,
        /** The container goes on with the response: only its own thread may, in which listeners run. */
        CONTAINER
    }

    private final ResponseSink sink;
    private final HeadSource head;
    private final ReentrantLock pen = new ReentrantLock();

    // The container's: what goes on when the pen is put down, and why the response has been given up.
    private final AtomicReference<@Nullable Runnable> whenDown = new AtomicReference<>();
    private volatile Writers writers = Writers.ALL;
    private volatile @Nullable Thread container;
    private volatile @Nullable Throwable aborted;

    @GuardedBy("pen")
    private final HeldSegments held;

    // Written by whoever has the pen, asked by all.
    private volatile int capacity;

    @GuardedBy("pen")
    private long written;

    @GuardedBy("pen")
    private long declared = -1;

    private volatile State state = State.OPEN;

    private volatile Wire wire = Wire.UNCOMMITTED;

    private volatile Ending ending = Ending.AT_CLOSE;

    private volatile @Nullable PendingWrites pending;

    private volatile @Nullable Exception failure;

    ResponseBuffer(ResponseSink sink, HeadSource head, int capacity) {
        this.sink = sink;
        this.held = new HeldSegments(sink);
        this.head = head;
        this.capacity = capacity;
    }

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
        pen.lock();
        try {
            put(source, offset, length);
        } finally {
            pen.unlock();
            putDown();
        }
    }

    /** A direct hand-over of the caller's buffer, behind what is held, if that makes fewer copies. */
    @Override
    public void write(ByteBuffer source) throws IOException {
        pen.lock();
        try {
            put(source);
        } finally {
            pen.unlock();
            putDown();
        }
    }

    @Override
    public void write(int b) throws IOException {
        pen.lock();
        try {
            put(b);
        } finally {
            pen.unlock();
            putDown();
        }
    }

    /** Part of a file, by the sink's shortest way. Only while nothing has been written. The sink closes the channel. */
    void write(FileChannel file, long position, long count) throws IOException {
        pen.lock();
        try {
            put(file, position, count);
        } finally {
            pen.unlock();
            putDown();
        }
    }

    /** Commits and makes everything visible to the client. */
    @Override
    public void flush() throws IOException {
        pen.lock();
        try {
            flushHeld();
        } finally {
            pen.unlock();
            putDown();
        }
    }

    /** The application closes the body: nothing more may be written, and all of it leaves. */
    @Override
    public void close() throws IOException {
        pen.lock();
        try {
            if (isOpen()) {
                closeOrFail(State.CLOSED);
            } else {
                letGo();
            }
        } finally {
            pen.unlock();
            putDown();
        }
    }

    /** Nothing more is to come, and what is written is ignored. All of it leaves with the end of the exchange. */
    void end() throws IOException {
        pen.lock();
        try {
            if (isOpen()) {
                fill();
            }
        } finally {
            pen.unlock();
            putDown();
        }
    }

    /**
     * Takes the pen for the container, if nobody writes. Otherwise {@code otherwise} runs as soon as the pen is put down, on the thread that
     * does so; it must not wait. No other thread begins to write from then on, until {@link #admitWriters}: a thread that writes on and on
     * would otherwise begin again before the container has come to take the pen.
     */
    boolean take(Runnable otherwise) {
        if (!take()) {
            writers = Writers.CONTAINER;
            whenDown.set(otherwise);
            if (!take()) {
                return false; // the thread that puts it down will look
            }
            if (!whenDown.compareAndSet(otherwise, null)) {
                pen.unlock(); // put down in between, and told
                return false;
            }
        }
        return true;
    }

    /** Takes the pen for the container, if nobody writes. */
    boolean take() {
        if (!pen.tryLock()) {
            return false;
        }
        container = Thread.currentThread();
        return true;
    }

    /** The application is called again for this response: its threads may write. */
    void admitWriters() {
        writers = Writers.ALL;
    }

    /** After {@link #take}. */
    void giveBack() {
        pen.unlock();
        putDown();
    }

    /** Whoever has put the pen down looks what the container, which does not wait, has left to be done. */
    private void putDown() {
        if (pen.isHeldByCurrentThread()) {
            return;
        }
        dropIfAborted();
        // Looked at before it is taken: a servlet that writes byte by byte comes here for each.
        Runnable action = whenDown.get() == null ? null : whenDown.getAndSet(null);
        if (action != null) {
            action.run();
        }
    }

    private void dropIfAborted() {
        if (aborted == null || !pen.tryLock()) {
            return; // whoever has the pen will look
        }
        try {
            state = State.ENDED;
            held.release();
            if (pending != null) {
                pending.drop();
            }
        } finally {
            pen.unlock();
        }
    }

    @GuardedBy("pen")
    private void put(byte[] source, int offset, int length) throws IOException {
        int from = offset;
        int left = accept(length);
        try {
            while (left > 0) {
                Segment segment = held.roomy(capacity);
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

    @GuardedBy("pen")
    private void put(ByteBuffer source) throws IOException {
        int accepted = accept(source.remaining());
        int end = source.limit();
        int dropped = source.remaining() - accepted;
        source.limit(end - dropped);
        try {
            while (source.hasRemaining()) {
                if (held.bytes() + source.remaining() > capacity) {
                    written += source.remaining();
                    handOver();
                    if (pending == null) {
                        sink.write(source, false);
                    } else {
                        pending.add(source);
                    }
                    break;
                }
                Segment segment = held.roomy(capacity);
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

    @GuardedBy("pen")
    private void put(int b) throws IOException {
        if (accept(1) == 0) {
            return;
        }
        try {
            Segment segment = held.roomy(capacity);
            while (segment == null) {
                handOver();
                segment = held.roomy(capacity);
            }
            segment.buffer().put((byte) b);
            held(1);
            endIfFilled();
        } catch (IOException | RuntimeException e) {
            fail(e);
            throw e;
        }
    }

    @GuardedBy("pen")
    private void put(FileChannel file, long position, long count) throws IOException {
        if (!isOpen() || written > 0 || pending != null) {
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

    @GuardedBy("pen")
    private void flushHeld() throws IOException {
        if (!isOpen()) {
            letGo();
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

    /** A whole body waits for the exchange's end no longer. */
    @GuardedBy("pen")
    private void letGo() throws IOException {
        if (state == State.FILLED && pending == null && wire != Wire.ENDED && aborted == null) {
            closeOrFail(State.FILLED);
        }
    }

    @GuardedBy("pen")
    private void closeOrFail(State closed) throws IOException {
        try {
            closeAs(closed);
        } catch (IOException | RuntimeException e) {
            fail(e);
            throw e;
        }
    }

    /** The container, which has the pen, ends the response; what is held leaves with the end. Nothing may be pending. */
    void complete() throws IOException {
        pen.lock();
        try {
            completeOrFail();
        } finally {
            pen.unlock();
            putDown();
        }
    }

    @GuardedBy("pen")
    private void completeOrFail() throws IOException {
        if (state == State.ENDED || aborted != null) {
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
            held.release();
        }
    }

    /** The container gives the response up: the client sees that it is incomplete, and a writer who waits for him is woken. */
    void abort(Throwable cause) {
        aborted = cause;
        sink.abort(cause);
        dropIfAborted();
    }

    /** Forgets what is held. The caller has checked that nothing is committed. */
    void reset() {
        pen.lock();
        try {
            held.release();
            written = 0;
            if (state != State.ENDED && state != State.FAILED) {
                state = State.OPEN;
            }
        } finally {
            pen.unlock();
            putDown();
        }
    }

    /** From here on writes are ignored: {@code sendError} has decided on the response. */
    void suspend() {
        pen.lock();
        try {
            if (isOpen()) {
                state = State.SUSPENDED;
            }
        } finally {
            pen.unlock();
            putDown();
        }
    }

    /** From here on the end of the body waits for {@link #complete()}, also if the application closes the body before. */
    void deferEnd() {
        ending = Ending.AT_COMPLETION;
    }

    /** From here on no write waits for the client: what the sink cannot take is kept. */
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
            putDown();
        }
    }

    void declare(long length) throws IOException {
        pen.lock();
        try {
            declared = length;
            endIfFilled();
        } catch (IOException | RuntimeException e) {
            fail(e);
            throw e;
        } finally {
            pen.unlock();
            putDown();
        }
    }

    void undeclare() {
        pen.lock();
        try {
            declared = -1;
        } finally {
            pen.unlock();
            putDown();
        }
    }

    void resize(int size) {
        pen.lock();
        try {
            if (written > 0 || isOnTheWire()) {
                throw new IllegalStateException("The buffer size cannot change after content has been written");
            }
            capacity = Math.max(size, capacity);
        } finally {
            pen.unlock();
            putDown();
        }
    }

    long written() {
        pen.lock();
        try {
            return written;
        } finally {
            pen.unlock();
            putDown();
        }
    }

    // ---- questions, which wait for nobody

    boolean isNonBlocking() {
        return pending != null;
    }

    int capacity() {
        return capacity;
    }

    boolean isCommitted() {
        return wire != Wire.UNCOMMITTED || state == State.SUSPENDED || state == State.FILLED;
    }

    /** Whether a head has gone to the sink, so that no other can. */
    boolean isOnTheWire() {
        return wire != Wire.UNCOMMITTED;
    }

    /** Whether a hand-over has failed, which is not the application's doing. */
    boolean hasFailed() {
        return failure instanceof IOException;
    }

    boolean isEnded() {
        return wire == Wire.ENDED || state == State.ENDED || isAborted();
    }

    /** Whether the application can neither write any more nor keep the end open by something asynchronous. */
    boolean isClosed() {
        return isEnded() || (state == State.FILLED && ending == Ending.AT_CLOSE);
    }

    boolean isAborted() {
        return aborted != null;
    }

    boolean isOpen() {
        return state == State.OPEN && !isAborted();
    }

    /** How many of {@code length} bytes count; bytes beyond the declared length, or after sendError, are dropped. */
    @GuardedBy("pen")
    private int accept(int length) throws IOException {
        if (aborted != null) {
            throw new IOException("The response has been aborted", aborted);
        }
        if (writers == Writers.CONTAINER && Thread.currentThread() != container) {
            throw new IOException("The container goes on with the response: complete() or dispatch() has been called");
        }
        return switch (state) {
            case OPEN -> declared < 0 ? length : (int) Math.min(length, declared - written);
            case SUSPENDED, FILLED -> 0;
            case CLOSED -> throw new IOException("The response's stream is closed");
            case FAILED -> throw new IOException("The response has failed before");
            case ENDED -> throw new IOException("The response has ended");
        };
    }

    @GuardedBy("pen")
    private void held(int n) {
        held.added(n);
        written += n;
    }

    @GuardedBy("pen")
    private void commit(long length) {
        if (wire == Wire.UNCOMMITTED) {
            head.beforeLeaving();
            wire = Wire.COMMITTED;
            sink.head(head.commit(length));
        }
    }

    /** Head, if it has not gone yet, and what is held. */
    @GuardedBy("pen")
    private void handOver() throws IOException {
        commit(-1);
        for (Segment segment = held.poll(); segment != null; segment = held.poll()) {
            if (pending == null) {
                sink.write(segment, false);
            } else {
                pending.add(segment);
            }
        }
    }

    /** A large rest of an array: at once if the sink may wait, else a copy, since the array is the caller's again on return. */
    @GuardedBy("pen")
    private void handOverUnheld(byte[] source, int from, int length) throws IOException {
        if (pending == null) {
            sink.write(ByteBuffer.wrap(source, from, length), false);
        } else {
            pending.add(ByteBuffer.wrap(Arrays.copyOfRange(source, from, from + length)));
        }
    }

    @GuardedBy("pen")
    private void endIfFilled() throws IOException {
        if (declared > 0 && written >= declared && isOpen()) {
            fill();
        }
    }

    /** What follows the servlet (filters that commit, listeners, the session's store) comes before the client's next request. */
    @GuardedBy("pen")
    private void fill() throws IOException {
        state = State.FILLED;
        if (pending != null) { // which is drained as the client takes it, and never at once
            closeAs(State.FILLED);
        }
    }

    @GuardedBy("pen")
    private void closeAs(State closed) throws IOException {
        state = closed;
        head.beforeLeaving();
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
    @GuardedBy("pen")
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

    @GuardedBy("pen")
    private void sendEnd(boolean complete, boolean last) throws IOException {
        for (Segment segment = held.poll(); segment != null; segment = held.poll()) {
            sink.write(segment, last && held.isEmpty());
        }
        if (!complete) {
            sink.abort(new IOException("The application declared " + declared + " bytes and wrote " + written));
        } else if (!last) {
            sink.finish(head.trailers());
        }
    }

    /** A hand-over failed: nothing more can follow it, and nobody else will end the response. A mere misuse changes nothing. */
    @GuardedBy("pen")
    private void fail(Exception cause) {
        if (state != State.ENDED && aborted == null && !(cause instanceof IllegalStateException)) {
            state = State.FAILED;
            wire = Wire.ENDED;
            failure = failure == null ? cause : failure;
            held.release();
            sink.abort(cause);
        }
    }
}
