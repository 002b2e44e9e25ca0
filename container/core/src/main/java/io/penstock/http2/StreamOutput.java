package io.penstock.http2;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.exchange.HeadBudget;
import io.penstock.exchange.RequestObserver;
import io.penstock.exchange.ResponseWriter;
import io.penstock.http.Violation;
import io.penstock.memory.HeapSize;
import io.penstock.pipe.FileFailed;
import io.penstock.pipe.PipeOutlet;
import io.penstock.pipe.ResponsePipe;
import io.penstock.pipe.Segment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The output of one stream: its pipe with the bytes of the body, its head, its end, and its window. It frames what the pipe drains into it
 * ({@link Http2Output#send}). The head is not in the pipe, so that it needs no window. A head or trailers that cannot be sent at once count in
 * the {@link HeadBudget} until they are sent. If it has no room, the stream ends.
 *
 * <p>Thread: methods of {@link ResponseWriter}: see there. Methods of {@link PipeOutlet}: the holder of the connection's token. The package's
 * fields are guarded by the monitor of the {@link Http2Output}.
 */
final class StreamOutput implements ResponseWriter, PipeOutlet {
    private static final byte[] NOTHING = {};
    private static final ByteBuffer[] NO_SOURCES = {};

    /** The most turns of a stream without one of another stream between them, if its client can use the response only as a whole. */
    private static final int MAX_TURNS = 5;

    /** The size 0 of the dynamic table (RFC 7541 section 6.3). */
    private static final byte TABLE_SIZE_0 = 0x20;

    /** What {@link Http2Output#send} writes of a stream beside the bytes of its body. */
    static final class Part {
        static final Part NONE = new Part(NOTHING, NOTHING, false, false, false);

        final byte[] head;
        final byte[] trailers;

        /** Whether the last DATA frame ends the stream. */
        final boolean endsWithData;

        /** Whether an empty DATA frame ends the stream. */
        final boolean emptyEnd;

        /** Whether the stream ends with this write. */
        final boolean ends;

        Part(byte[] head, byte[] trailers, boolean endsWithData, boolean emptyEnd, boolean ends) {
            this.head = head;
            this.trailers = trailers;
            this.endsWithData = endsWithData;
            this.emptyEnd = emptyEnd;
            this.ends = ends;
        }

        /** The same part; its first field block begins with the size 0 of the dynamic table. */
        Part withTableSize() {
            return head.length > 0
                    ? new Part(resized(head), trailers, endsWithData, emptyEnd, ends)
                    : new Part(head, resized(trailers), endsWithData, emptyEnd, ends);
        }

        /** Whether a field block has been sent. Trailers are sent only with the end. */
        boolean hasSentBlock(boolean ended) {
            return head.length > 0 || ended && trailers.length > 0;
        }

        /** {@link Http2Heads} leaves room for the octet. */
        private static byte[] resized(byte[] frames) {
            if (frames.length == 0) {
                return frames;
            }
            byte[] more = new byte[frames.length + 1];
            System.arraycopy(frames, 0, more, 0, Frame.HEADER);
            more[Frame.HEADER] = TABLE_SIZE_0;
            System.arraycopy(frames, Frame.HEADER, more, Frame.HEADER + 1, frames.length - Frame.HEADER);
            int length = ((frames[1] & 0xFF) << 8 | frames[2] & 0xFF) + 1;
            more[1] = (byte) (length >>> 8);
            more[2] = (byte) length;
            return more;
        }
    }

    private final int id;
    private final Http2Output output;
    private final Runnable whenEnded;
    private final Runnable whenFrameCompletes;
    private final Consumer<Exception> whenCut;
    private final ResponsePipe pipe;

    // ---- guarded by the monitor of the output

    /** Whether the stream is in a queue of the output. */
    boolean queued;

    /** How many bytes the client permits now. Negative after the client has made its initial windows smaller. */
    long window;

    private Priority priority = Priority.USUAL;
    private int turns; // of this stream without one of another stream between them
    private byte[] head = NOTHING; // waits to be sent: informational heads, and the final one
    private byte[] trailers = NOTHING;
    private int held; // the reservation of the head and the trailers that wait
    private boolean refused; // they have no room: nothing is sent until the reactor resets the stream
    private long endAt = -1; // the length of the body; -1 while it is unknown
    private long sent;
    private boolean endBegun; // whether the holder of the token is writing the end
    private boolean endSent;
    private boolean reset;
    private boolean switched;

    // Set when a file of the response cannot be read, so that a frame that has begun cannot be completed from it.
    private volatile boolean broken;

    // Whether the writer has just left the end to be sent behind its next job. Only the writer uses it.
    private boolean left;

    // Set once, by the thread that has put the last byte into the pipe. Read by the thread that sends the end.
    private volatile @Nullable RequestObserver observer;

    /**
     * @param id the number of the stream
     * @param window how many bytes the client permits at the beginning
     * @param whenEnded runs when the end of the response has been handed over to the link, on the thread that has the token
     * @param whenFrameCompletes runs when a frame is complete that the socket had taken only in part, on the same thread
     * @param whenCut runs if the stream cannot go on: a file of the response cannot be read ({@link FileFailed}), or no memory is left for its
     *     head or its trailers ({@link Violation}). On the thread that has found it
     */
    StreamOutput(
            int id,
            Http2Output output,
            ResponsePipe pipe,
            int window,
            Runnable whenEnded,
            Runnable whenFrameCompletes,
            Consumer<Exception> whenCut) {
        this.id = id;
        this.output = output;
        this.whenEnded = whenEnded;
        this.whenFrameCompletes = whenFrameCompletes;
        this.whenCut = whenCut;
        this.pipe = pipe;
        this.window = window;
    }

    int id() {
        return id;
    }

    Priority priority() {
        return priority;
    }

    void priority(Priority given) {
        synchronized (output) {
            priority = given;
        }
    }

    /**
     * Whether the next turn belongs to this stream again, after one of its turns. A response that its client can use only as a whole is sent
     * as a whole, but lets others go after {@link #MAX_TURNS}, since it may be endless. Guarded by the monitor of the output.
     */
    boolean goesOn() {
        turns++;
        boolean more = !priority.incremental() && turns < MAX_TURNS;
        turns = more ? turns : 0;
        return more;
    }

    // ---- the head and the end

    /** Adds a head, in whole frames. Has no effect after a reset. */
    void head(byte[] frames) {
        synchronized (output) {
            if (isReset()) {
                return;
            }
            head = head.length == 0 ? frames : FrameReader.copy(head, frames, 0, frames.length);
        }
    }

    /** Whether the length of the body is known, so that the end is or will be sent. */
    boolean hasEnd() {
        synchronized (output) {
            return endAt >= 0;
        }
    }

    /**
     * The stream ends behind this number of bytes.
     *
     * @param trailerFrames the trailers, in whole frames; empty for none
     */
    void endAt(long length, byte[] trailerFrames) {
        synchronized (output) {
            endAt = length;
            trailers = isReset() ? NOTHING : trailerFrames;
        }
    }

    void endAt(long length) {
        endAt(length, NOTHING);
    }

    /** Hands over the head and the end of an answer without a worker. */
    void whole(byte[] frames, int length) {
        head(frames);
        endAt(length);
    }

    /** The response ends with its head, and the stream goes on in another protocol. */
    void switches() {
        synchronized (output) {
            switched = true;
        }
    }

    /** Whether the end of the response, or a reset, has been handed over to the link. */
    boolean hasEnded() {
        synchronized (output) {
            return endSent || reset;
        }
    }

    /** Whether the whole response has been handed over to the link, so that the client may begin another stream in place of this one. */
    boolean isAnswered() {
        synchronized (output) {
            return (endSent || endBegun) && !reset;
        }
    }

    /**
     * Resets the stream, unless it has ended. Nothing of it is sent any more.
     *
     * @return whether this call has reset it
     */
    boolean reset() {
        synchronized (output) {
            boolean first = !reset && !endSent;
            reset = true;
            drop();
            return first;
        }
    }

    /** Nothing of the stream is sent any more. */
    @GuardedBy("output")
    private void drop() {
        output.forget(this);
        head = NOTHING;
        trailers = NOTHING;
        giveBack();
    }

    // ---- memory

    /**
     * Counts the head and the trailers that wait. A thread that has added them calls this method after it has tried to send them. If there
     * is no memory for them, they are dropped, and the stream ends. While half of the budget is used, they count as unusual: clients that do
     * not read must not use up what requests need. Any thread.
     */
    void hold() {
        Violation none = null;
        synchronized (output) {
            if (isReset()) {
                return;
            }
            HeadBudget budget = output.heads();
            try {
                held = budget.reserve(held, waiting(), budget.isHalfUsed());
            } catch (Violation full) {
                none = full;
                refused = true;
                drop();
            }
        }
        if (none != null) {
            whenCut.accept(none);
        }
    }

    /** The memory of the head and the trailers that wait. */
    private int waiting() {
        return (head.length == 0 ? 0 : HeapSize.array(head.length))
                + (trailers.length == 0 ? 0 : HeapSize.array(trailers.length));
    }

    /** The head or the trailers do not wait any more. Guarded by the monitor of the output. */
    private void giveBack() {
        int waiting = waiting();
        if (Math.abs(held) > waiting) {
            int left = held < 0 ? -waiting : waiting;
            output.heads().giveBack(held - left);
            held = left;
        }
    }

    /** Whether something waits to be sent that is not in the pipe. Guarded by the monitor of the output. */
    private boolean hasFraming() {
        return !isReset() && (head.length > 0 || endAt >= 0 && !endSent && !endBegun && sent == endAt);
    }

    /** Whether what waits needs a window. Guarded by the monitor of the output. */
    boolean needsWindow() {
        return !hasFraming();
    }

    /** Whether nothing is sent any more. Guarded by the monitor of the output. */
    boolean isReset() {
        return reset || refused;
    }

    /** Whether the rest of a frame that has begun will not come. */
    boolean isCut() {
        synchronized (output) {
            return isReset() || broken || pipe.refuses() && pipe.isEmpty();
        }
    }

    /** Whether the bytes of the response have been lost: the client has not reset the stream, and believes a frame that ends it. */
    boolean isBroken() {
        synchronized (output) {
            return broken || !isReset();
        }
    }

    /** Whether a frame that has begun can go on, or must be filled. Guarded by the monitor of the output. */
    boolean canGoOn() {
        return isReset() || broken || pipe.refuses() || !pipe.isEmpty();
    }

    /** A frame that the socket had taken only in part is complete. Thread: the holder of the token. */
    void frameComplete() {
        whenFrameCompletes.run();
    }

    /** Begins to send. Guarded by the monitor of the output. */
    Part begin(int granted) {
        if (isReset()) {
            return Part.NONE;
        }
        boolean ends = endAt >= 0 && !endSent && sent + granted == endAt;
        endBegun = ends;
        byte[] now = head;
        head = NOTHING;
        giveBack();
        boolean withTrailers = ends && trailers.length > 0;
        boolean endsWithHead = ends && granted == 0 && !withTrailers && now.length > 0;
        if (endsWithHead) {
            now = now.clone();
            now[lastHead(now) + Frame.FLAGS_AT] |= Frame.END_STREAM;
        }
        boolean endsWithData = ends && !withTrailers && !endsWithHead;
        return new Part(now, withTrailers ? trailers : NOTHING, endsWithData, endsWithData && granted == 0, ends);
    }

    /** The index of the last HEADERS frame. */
    private static int lastHead(byte[] frames) {
        int last = 0;
        for (int at = 0; at < frames.length; ) {
            if (frames[at + 3] == Frame.HEADERS) {
                last = at;
            }
            at += Frame.HEADER + ((frames[at] & 0xFF) << 16 | (frames[at + 1] & 0xFF) << 8 | frames[at + 2] & 0xFF);
        }
        return last;
    }

    /** How many bytes of the body have been sent. */
    long sent() {
        synchronized (output) {
            return sent;
        }
    }

    /** Guarded by the monitor of the output. */
    void wrote(int bytes, boolean ended, boolean ends) {
        sent += bytes;
        endSent |= ended;
        endBegun = ends && !ended;
        if (ended) {
            trailers = NOTHING;
            giveBack();
        }
    }

    /** The end has been handed over to the link. Thread: the holder of the token. */
    void ended() {
        whenEnded.run();
    }

    // ---- PipeOutlet

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        return output.isBlocked() ? 0 : output.send(this, sources, offset, length);
    }

    @Override
    public long transferFrom(FileChannel file, long position, long count) throws IOException {
        if (output.isBlocked()) {
            return 0;
        }
        int most = (int) Math.min(Math.min(count, output.fileTurn()), mayTake());
        if (most <= 0) {
            return output.send(this, NO_SOURCES, 0, 0); // the head needs no window
        }
        int size = pipe.pool().segmentSize();
        Segment[] segments = new Segment[(most + size - 1) / size];
        ByteBuffer[] sources = new ByteBuffer[segments.length];
        int acquired = 0;
        int filled = 0;
        try {
            for (boolean full = true; full && filled < segments.length; ) {
                Segment segment = pipe.pool().acquireForOutput();
                segments[acquired++] = segment;
                int at = filled * size;
                ByteBuffer buffer = segment.buffer().limit(Math.min(size, most - at));
                int come = file.read(buffer, position + at);
                full = !buffer.hasRemaining();
                if (come > 0) {
                    sources[filled++] = buffer.flip();
                }
            }
            if (filled == 0) {
                return 0; // the file has become shorter
            }
            long taken = output.send(this, sources, 0, filled);
            output.hasTakenOfFile(taken, most);
            return taken;
        } finally {
            for (int i = 0; i < acquired; i++) {
                segments[i].release();
            }
        }
    }

    private long mayTake() {
        if (output.isWithinFrame(this)) {
            return output.leftOfFrame();
        }
        return output.mayTake(this);
    }

    /** Whether bytes wait until the client enlarges the window of the stream. */
    boolean isBlocked() {
        return !pipe.isEmpty() && isWindowClosed();
    }

    /** Whether the client permits no byte of this stream now. */
    boolean isWindowClosed() {
        synchronized (output) {
            return window <= 0;
        }
    }

    @Override
    public boolean flush() throws IOException {
        boolean waits;
        synchronized (output) {
            waits = hasFraming();
        }
        if (waits && !output.isBlocked()) {
            output.send(this, NO_SOURCES, 0, 0);
        }
        return true;
    }

    /** Sends one turn. Thread: the holder of the token. */
    void takeTurn() throws IOException {
        try {
            drain(ResponsePipe.NOTHING);
        } catch (FileFailed e) {
            broken = true;
            whenCut.accept(e); // the connection is not to blame
        }
    }

    /**
     * Puts the rest of a frame that has begun into the pipe. Otherwise, a writer that waits for memory or for the disk would hold up all
     * streams, whose bytes may be what takes the memory. Thread: the holder of the token, which is the writer.
     */
    private void completeFrame(ByteBuffer source) throws IOException {
        boolean isOurs = output.isWithinFrame(this) && !pipe.hasRegions();
        int missing = isOurs ? output.leftOfFrame() - pipe.size() : 0;
        if (missing > 0) {
            int end = source.limit();
            pipe.appendWhole(source.limit(source.position() + Math.min(missing, source.remaining())));
            source.limit(end);
        }
    }

    private void drain(ByteBuffer behind) throws IOException {
        pipe.drainTo(this, behind);
        boolean more;
        synchronized (output) {
            more = hasFraming();
        }
        if (more || !pipe.isEmpty()) {
            output.again(this);
        }
    }

    // ---- ResponseWriter

    @Override
    public ResponsePipe pipe() {
        return pipe;
    }

    @Override
    public boolean isEmpty() {
        if (!pipe.isEmpty()) {
            return false;
        }
        synchronized (output) {
            return !hasFraming();
        }
    }

    @Override
    public long progress() {
        return isWindowClosed() ? -1 : output.progress();
    }

    @Override
    public @Nullable Runnable holdFile() {
        return output.holdFile();
    }

    /** Only a thread that drains the pipe changes the frame, unless the stream has been cut: then nothing of it is sent any more. */
    @Override
    public int begunBytes() {
        return output.isWithinFrame(this) ? output.leftOfFrame() : 0;
    }

    @Override
    public void responseComplete(RequestObserver of) {
        of.responseComplete();
        boolean switches;
        synchronized (output) {
            switches = switched;
        }
        if (switches) {
            of.sent(pipe.sent()); // the end of the stream is no part of the response
            return;
        }
        observer = of;
        boolean isSent;
        long bytes;
        synchronized (output) {
            isSent = endSent;
            bytes = sent;
        }
        IOException ended = pipe.failure();
        // Whoever has sent the end, or has reset the stream, before `observer` was set has informed nobody.
        if (isSent) {
            of.sent(bytes);
        } else if (ended != null) {
            of.lost(String.valueOf(ended.getMessage()));
        }
    }

    /** The observer of the response, if its last byte is in the pipe; otherwise {@code NONE}. */
    RequestObserver observer() {
        RequestObserver known = observer;
        return known == null ? RequestObserver.NONE : known;
    }

    @Override
    public void workerFlush() throws IOException {
        boolean wasLeft = left;
        left = false;
        if (!isEmpty()) {
            output.ready(this);
        } else if (wasLeft) {
            return;
        }
        // While memory is short, nothing is left that can be sent.
        if (!hasEnd() || output.heads().isHalfUsed() || !output.leave()) {
            output.endLeaving();
            output.flushAsWorker();
        }
        hold();
    }

    @Override
    public void workerFlushPutBack() throws IOException {
        workerFlush();
    }

    @Override
    public long workerReserve(int count) throws IOException {
        if (!pipe.isEmpty() || !output.tryReserve(this, count)) {
            return -1;
        }
        boolean reserved = false;
        try {
            long begins = pipe.reserve(count);
            reserved = true;
            return begins;
        } finally {
            if (!reserved) {
                output.endTurn();
                output.flushAsWorker(); // what another thread has added meanwhile
            }
        }
    }

    @Override
    public void workerSend(Segment segment) throws IOException {
        boolean written = false;
        try {
            pipe.sendReserved(this, segment);
            written = true;
        } finally {
            if (written) {
                left = hasEnd() && output.leave();
                output.endTurn();
            } else {
                output.failed();
            }
        }
        if (!isEmpty()) {
            output.ready(this);
        }
    }

    @Override
    public void workerTry(ByteBuffer source) throws IOException {
        if (pipe.hasRegions() && !output.maySendFiles()) {
            output.sendLater(this);
            return;
        }
        if (output.tryTurn(this)) {
            takeTurn(source);
        }
        if (source.hasRemaining()) {
            output.flushAsWorker(); // what other threads have added meanwhile: the caller may wait before it flushes
        }
    }

    private void takeTurn(ByteBuffer source) throws IOException {
        boolean written = false;
        try {
            drain(source);
            written = true; // as far as it goes
            if (source.hasRemaining()) {
                output.writeJoined(); // the caller may wait before it flushes
                completeFrame(source);
            }
        } catch (FileFailed e) {
            written = true;
            broken = true;
            whenCut.accept(e);
            throw e;
        } finally {
            if (written) {
                output.endTurn();
            } else {
                output.failed();
            }
        }
    }
}
