package io.penstock.http2;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.exchange.HeadBudget;
import io.penstock.exchange.LinkWriter;
import io.penstock.exchange.RunningExchange;
import io.penstock.memory.ByteAccount;
import io.penstock.memory.HeapSize;
import io.penstock.reactor.Link;
import io.penstock.reactor.WriteToken;
import io.penstock.work.Client;
import io.penstock.work.Workers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The output of one connection, which its streams share: the token ({@link WriteToken}), the window of the connection, the frames of the
 * connection itself, and the streams that have something to send. A thread that adds bytes to a stream tries to take the token. If another
 * thread has it, that thread finds the stream when it releases the token. The holder of the token sends in turns: one turn is at most {@link
 * #FRAMES_OF_TURN} frames of one stream, in one write. Streams with a lower urgency (RFC 9218) wait for those with a higher one. Within an
 * urgency, a response that its client can use in parts gets every turn in its order, and others get several turns at once.
 *
 * <p>Frames of several streams are joined, so that they leave in one write ({@link JoinedFrames}). A worker that has answered quickly leaves them to be
 * sent behind its next job, if that belongs to the same connection ({@link Workers#leave}).
 *
 * <p>A frame that has begun must be completed before any other byte. What the socket does not take of its header is kept here; the rest of
 * its payload stays in the pipe of its stream, which goes first until the frame is complete. If the client resets this stream meanwhile,
 * zeros complete the frame: the client ignores them. If a file fails within the last frame of its response, the connection fails: with zeros,
 * the response would look complete.
 *
 * <p>Thread: {@link #flushAsWorker}, {@link #control}, {@link #ready}: any. {@link #flushAsReactor}: the reactor. {@link #send}: the holder of
 * the token. No thread holds the monitor while it writes. Owns: the begun frame. What it keeps outside of the pool counts in the {@link
 * HeadBudget}.
 */
final class Http2Output extends WriteToken {
    /** The signal to the reactor that bytes wait, and that the reactor must send them. */
    static final int STALLED = 1;

    /** The signal to the reactor that a write has failed, so that the link is broken. */
    static final int FAILED = 2;

    /** The signal to the reactor that a worker has left what waits, and that nobody bounds the time for it. */
    static final int LEFT = 8;

    /** The most frames of a stream in one turn. */
    private static final int FRAMES_OF_TURN = 5;

    /** Under TLS a frame is exactly a record. */
    private static final int MAX_PAYLOAD_IN_RECORD = Frame.MAX_PAYLOAD - Frame.HEADER;

    /**
     * Up to this number of bytes of a body, a copy costs less than a further buffer in a gathering write. A copy of a frame costs less than a
     * write, so that larger bodies are copied, too, if other responses can leave with them.
     */
    private static final int MAX_JOINED = 4 << 10;

    /** The turns of other streams that a worker takes before it leaves them to the reactor. */
    private static final int MAX_WORKER_TURNS = 16;

    /** A buffer of control frames up to this size is not counted: few connections have one, and it belongs to their other objects. */
    private static final int SMALL_CONTROL = 1024;

    /** With more control frames than this waiting for the client to read, the client is not read either. */
    private static final int MAX_CONTROL = 16 << 10;

    private static final byte[] NOTHING = {};
    private static final ByteBuffer[] NO_SOURCES = {};
    private static final ByteBuffer ZEROS =
            ByteBuffer.allocateDirect(Frame.MAX_PAYLOAD).asReadOnlyBuffer();

    private final Link link;
    private final LinkWriter.Files files;
    private final ByteAccount streamFiles;
    private final HeadBudget heads;
    private final int maxPayload;

    // Whole frames that are sent together; null if there are none. Only the holder of the token uses them; others ask
    // whether there are any.
    private volatile @Nullable JoinedFrames joined;

    // Whether a worker has left what waits to be sent behind its next job, so that no other thread needs to send it for
    // its own sake. The worker will send it ({@link Client#send}). Any thread may set it to false before it flushes.
    private volatile boolean left;

    // Whether the reactor has a deadline for what is left. Only the reactor changes it.
    private volatile boolean boundsLeaving;

    private final Client client = new Client() {
        @Override
        protected void send() {
            try {
                endLeaving();
                flushAsWorker();
            } catch (IOException e) {
                // The reactor has been told, and closes the connection.
            }
        }
    };

    // How many responses hold a file until their client has taken it.
    private final AtomicInteger heldFiles = new AtomicInteger();

    // Whether the link has closed, so that nothing is kept any more.
    private volatile boolean closed;

    // The request that has been queued last.
    private volatile @Nullable RunningExchange lastQueued;

    // What the socket has not taken of control frames, heads and the header of a frame. Only the holder of the token
    // uses it; others ask whether there is any.
    private volatile @Nullable ByteBuffer begun;

    // The stream whose DATA frame has begun and is not complete; the bytes of its payload that are missing; and whether
    // the frame ends the stream. The holder of the token changes these fields.
    private volatile @Nullable StreamOutput open;
    private int openLeft;
    private boolean openEnds;

    // How many bytes the link has taken. Only the holder of the token changes it.
    private volatile long progress;

    // Whether the last write has filled the link. Only the holder of the token uses it.
    private boolean full;

    // The most bytes of a file that are read for the next turn. Only the holder of the token uses it.
    private int fileTurn;

    @GuardedBy("this")
    private byte[] control = NOTHING;

    @GuardedBy("this")
    private int controlLength;

    // The streams that have something to send, by urgency. Most connections have none.
    @GuardedBy("this")
    private final @Nullable ArrayDeque<StreamOutput>[] ready = queues();

    @GuardedBy("this")
    private int readyCount;

    /** The streams that wait for the window of the connection. */
    @GuardedBy("this")
    private final ArrayDeque<StreamOutput> starved = new ArrayDeque<>(0);

    /** Whether the next field block must begin with the size of the table, which is 0, since the client has made it smaller. */
    @GuardedBy("this")
    private boolean tableShrinks;

    @GuardedBy("this")
    private boolean tableShrank;

    @GuardedBy("this")
    private long window = Frame.FIRST_WINDOW;

    /**
     * @param streamFiles the files that responses of all connections may hold, beyond one of each connection
     * @param heads the budget for what waits for the client beside the bodies
     */
    Http2Output(Link link, LinkWriter.Files files, ByteAccount streamFiles, HeadBudget heads) {
        this.link = link;
        this.files = files;
        this.streamFiles = streamFiles;
        this.heads = heads;
        this.maxPayload = link.tls() == null ? Frame.MAX_PAYLOAD : MAX_PAYLOAD_IN_RECORD;
        this.fileTurn = turn();
    }

    @SuppressWarnings("unchecked")
    private static @Nullable ArrayDeque<StreamOutput>[] queues() {
        return (ArrayDeque<StreamOutput>[]) new ArrayDeque<?>[Priority.LEVELS];
    }

    // ---- any thread

    /** The client permits a smaller table than the usual one. This server has no entries in it (RFC 7541 section 4.2). */
    synchronized void shrinkTable() {
        tableShrinks |= !tableShrank;
        tableShrank = true;
    }

    /** Adds a frame of the connection itself, or one that belongs to no body. The caller then flushes. */
    synchronized void control(byte[] frame) {
        if (closed) {
            return;
        }
        if (control.length - controlLength < frame.length) {
            int before = counted(control);
            control = Arrays.copyOf(control, Math.max(controlLength + frame.length, 2 * control.length));
            if (control.length > SMALL_CONTROL) {
                heads.keep(counted(control) - before);
            }
        }
        System.arraycopy(frame, 0, control, controlLength, frame.length);
        controlLength += frame.length;
    }

    private static int counted(byte[] control) {
        return control.length > SMALL_CONTROL ? HeapSize.array(control.length) : 0;
    }

    /** Forgets the control frames, which have been taken out or will never be sent. */
    @GuardedBy("this")
    private void clearControl() {
        if (controlLength > SMALL_CONTROL && !closed) {
            link.signal(STALLED); // the reactor reads the client again
        }
        if (control.length > SMALL_CONTROL) {
            heads.giveBack(counted(control));
            control = NOTHING;
        }
        controlLength = 0;
    }

    /**
     * Whether so many control frames wait that the client must not be read. Otherwise, a client that makes the server write such frames, and
     * does not read, could use up the memory. While half of the budget is used, a few are enough.
     */
    synchronized boolean isControlFull() {
        return controlLength > SMALL_CONTROL && (controlLength > MAX_CONTROL || heads.isHalfUsed());
    }

    /** How many streams are in the queues. */
    synchronized int waiting() {
        return readyCount + starved.size();
    }

    /** Takes a stream that has been reset out of the queues. Otherwise a client could let them grow. The caller holds the monitor. */
    @GuardedBy("this")
    void forget(StreamOutput stream) {
        if (!stream.queued) {
            return;
        }
        stream.queued = false;
        if (starved.remove(stream)) {
            return;
        }
        for (ArrayDeque<StreamOutput> queue : ready) {
            if (queue != null && queue.remove(stream)) {
                readyCount--;
                return;
            }
        }
    }

    /** Only one thread at a time has the token. */
    private void took(long bytes) {
        long before = progress;
        progress = before + bytes;
    }

    /** Grows when the link takes bytes. Read by the reactor. */
    long progress() {
        return progress;
    }

    /** Adds a stream that has something to send. The caller then flushes. */
    synchronized void ready(StreamOutput stream) {
        add(stream, false);
    }

    @GuardedBy("this")
    private void add(StreamOutput stream, boolean first) {
        if (stream.queued || stream.isReset()) {
            return;
        }
        stream.queued = true;
        readyCount++;
        if (first) {
            queue(stream).addFirst(stream);
        } else {
            queue(stream).addLast(stream);
        }
    }

    /** Lets the reactor send what waits of a stream. Any thread. */
    void sendLater(StreamOutput stream) {
        ready(stream);
        link.signal(STALLED);
    }

    @GuardedBy("this")
    private ArrayDeque<StreamOutput> queue(StreamOutput stream) {
        int urgency = stream.priority().urgency();
        ArrayDeque<StreamOutput> queue = ready[urgency];
        if (queue == null) {
            queue = new ArrayDeque<>(4);
            ready[urgency] = queue;
        }
        return queue;
    }

    /**
     * The client has enlarged the window of the connection.
     *
     * @return false if the window would become too large (RFC 9113 section 6.9.1)
     */
    synchronized boolean enlarge(int increment) {
        window += increment;
        readyStarved();
        return window <= Frame.MAX_WINDOW;
    }

    @GuardedBy("this")
    private void readyStarved() {
        for (StreamOutput stream = starved.pollFirst(); stream != null; stream = starved.pollFirst()) {
            stream.queued = false;
            add(stream, false);
        }
    }

    /**
     * The client has changed the window of a stream, by a number that can be negative.
     *
     * @return false if the window would become too large
     */
    synchronized boolean enlarge(StreamOutput stream, int increment) {
        stream.window += increment;
        if (!stream.pipe().isEmpty()) {
            addIfPermitted(stream, false);
        }
        return stream.window <= Frame.MAX_WINDOW;
    }

    /** Whether bytes wait that could be sent now. */
    private synchronized boolean hasWork() {
        StreamOutput unfinished = open;
        boolean mayBegin = unfinished == null ? controlLength > 0 || readyCount > 0 && !left : unfinished.canGoOn();
        return mayBegin || begun != null || joined != null && !left || !link.isFlushed();
    }

    /** Whether a frame of this stream has begun and is not complete. Any thread. */
    boolean isWithinFrame(StreamOutput stream) {
        return open == stream;
    }

    /** Whether everything has been sent. Bytes that wait for a window do not count. */
    boolean isFlushed() {
        return joined == null && !hasWork();
    }

    /** As {@link io.penstock.exchange.ResponseWriter#holdFile}. The first file of a connection is always permitted, as in HTTP/1.1. */
    @Nullable
    Runnable holdFile() {
        boolean first = heldFiles.incrementAndGet() == 1;
        if (!first && !streamFiles.tryReserve(1)) {
            heldFiles.decrementAndGet();
            return null;
        }
        return () -> {
            heldFiles.decrementAndGet();
            if (!first) {
                streamFiles.giveBack(1);
            }
        };
    }

    /** The budget for what waits for the client beside the bodies. */
    HeadBudget heads() {
        return heads;
    }

    // ---- sending

    /** The most bytes of a body in one turn. Under TLS its frames are whole records. */
    int turn() {
        return FRAMES_OF_TURN * maxPayload;
    }

    /**
     * The most bytes of a file that are read for the next turn. What the link does not take of them must be read again, so a slow client
     * gets turns of one frame. Thread: the holder of the token.
     */
    int fileTurn() {
        return fileTurn;
    }

    /** The link has taken {@code taken} of {@code read} bytes of a file. Thread: the holder of the token. */
    void hasTakenOfFile(long taken, int read) {
        if (taken < read) {
            fileTurn = maxPayload * (int) Math.max(1, taken / maxPayload);
        } else if (read >= fileTurn) {
            fileTurn = Math.min(turn(), 2 * fileTurn);
        }
    }

    /** How many bytes of the stream the client permits now. */
    synchronized long mayTake(StreamOutput stream) {
        return Math.max(0, Math.min(window, stream.window));
    }

    /** How many bytes of the frame that has begun are missing. Thread: the holder of the token; see also {@link StreamOutput#begunBytes}. */
    int leftOfFrame() {
        return openLeft;
    }

    /** Sends what can be sent at once. */
    void flushAsWorker() throws IOException {
        while (hasWork() && tryWorker()) {
            if (!drain(MAX_WORKER_TURNS, maySendFiles())) {
                link.signal(STALLED); // the reactor must send the remaining bytes
                return;
            }
        }
    }

    /**
     * Sends what can be sent at once. Returns whether nothing remains; otherwise the caller continues when the link is writable.
     *
     * @param writable whether the link may have become writable. If it has been full and has not, nothing is tried: a client that sends
     *     frames and does not read would otherwise make the server read the same part of a file again and again
     */
    boolean flushAsReactor(boolean writable) throws IOException {
        do {
            if (!tryReactor()) {
                return !hasWork();
            }
            if (full && !writable) {
                stall();
                return false;
            }
            if (!drain(Integer.MAX_VALUE, true)) {
                return false;
            }
        } while (hasWork());
        return true;
    }

    /**
     * Ends the output, since the connection ends: nobody writes any more. Returns false if another thread has the token, which then asks the
     * reactor for attention or leaves it something to send. Thread: the reactor.
     */
    boolean endByReactor() {
        if (!tryReactor()) {
            link.signal(STALLED);
            return false;
        }
        if (joined != null) { // added meanwhile
            left = false;
            stall();
            link.signal(STALLED);
            return false;
        }
        end();
        return true;
    }

    /** The link has closed. If a worker has the token, it drops what it could not send ({@link #stall}). Thread: the reactor. */
    void onClosed() {
        closed = true;
        dropAtEnd();
        synchronized (this) {
            clearControl();
        }
    }

    private void dropAtEnd() {
        if (tryReactor()) {
            dropJoined();
            keepBegun(null);
            end();
        }
    }

    /** Gives the token up, since not all could be sent. If the link has closed meanwhile, its reactor has found the token taken. */
    private void stall() {
        stalled();
        if (closed) {
            dropAtEnd();
        }
    }

    /** Sends in turns, then gives the token up. Returns whether nothing remains. */
    private boolean drain(int turns, boolean withFiles) throws IOException {
        boolean all = false;
        try {
            all = drainInTurns(turns, withFiles);
        } catch (IOException | RuntimeException | Error e) {
            dropJoined();
            link.signal(FAILED); // the reactor must close the connection
            throw e;
        } finally {
            if (all) {
                release();
            } else {
                stall();
            }
        }
        return all;
    }

    private boolean drainInTurns(int turns, boolean withFiles) throws IOException {
        for (int left = turns; left > 0; left--) {
            if (!sendBegun()) {
                return false;
            }
            StreamOutput unfinished = open;
            if (unfinished != null && unfinished.isCut()) {
                if (!fill(unfinished)) {
                    return false;
                }
                continue;
            }
            if (unfinished != null && unfinished.pipe().isEmpty()) {
                return true; // its writer brings the rest of the frame
            }
            StreamOutput next = unfinished == null ? next() : unfinished;
            if (next == null) {
                send(null, NO_SOURCES, 0, 0); // the control frames, and those that are joined
                return !full && sendBegun();
            }
            if (!withFiles && next.pipe().hasRegions()) {
                ready(next);
                return false;
            }
            next.takeTurn();
            if (full) {
                return false;
            }
        }
        return false;
    }

    /** As in {@link LinkWriter.Files}: an interrupt of this thread must not close the file of another request. */
    boolean maySendFiles() {
        return files == LinkWriter.Files.AT_ONCE && !Thread.currentThread().isInterrupted();
    }

    /** Takes the next stream. It is not in a queue any more, so that a thread that adds bytes to it puts it there again. */
    private synchronized @Nullable StreamOutput next() {
        if (readyCount == 0) {
            return null;
        }
        for (ArrayDeque<StreamOutput> queue : ready) {
            StreamOutput next = queue == null ? null : queue.pollFirst();
            if (next != null) {
                readyCount--;
                next.queued = false;
                return next;
            }
        }
        throw new IllegalStateException("a stream is missing in its queue");
    }

    /** Called after a turn of a stream that has more to send. */
    synchronized void again(StreamOutput stream) {
        addIfPermitted(stream, stream.goesOn());
    }

    /** Adds a stream that has something to send, as soon as the windows permit it. */
    @GuardedBy("this")
    private void addIfPermitted(StreamOutput stream, boolean first) {
        if (stream.needsWindow() && window <= 0) {
            if (!stream.queued && !stream.isReset()) {
                stream.queued = true;
                starved.addLast(stream);
            }
        } else if (!stream.needsWindow() || stream.window > 0) {
            add(stream, first);
        }
    }

    /** Tries to take the token for bytes of {@code stream} past its pipe: nothing else waits, and the windows permit them. */
    boolean tryReserve(StreamOutput stream, int count) throws IOException {
        if (count > turn() || open != null || begun != null || !link.isFlushed() || !tryWorker()) {
            return false;
        }
        boolean may;
        synchronized (this) {
            may = open == null
                    && begun == null
                    && readyCount == 0
                    && window >= count
                    && stream.window >= count
                    && link.isFlushed();
        }
        full = false;
        if (!may) {
            release();
            flushAsWorker(); // what another thread has added meanwhile
        }
        return may;
    }

    /** Ends the turn that {@link #tryReserve} or {@link #tryTurn} has begun. */
    void endTurn() {
        if (!isBlocked()) {
            release();
        } else {
            stall();
            link.signal(STALLED); // the reactor must send the remaining bytes
        }
    }

    /** Takes the token for a turn of the caller's own stream. */
    boolean tryTurn(StreamOutput stream) throws IOException {
        if (!tryWorker()) {
            return false;
        }
        boolean free = false;
        try {
            free = sendBegun() && (open == null || open == stream);
        } finally {
            if (!free) {
                endTurn();
            }
        }
        return free;
    }

    /** Called if a write of the holder has failed. */
    void failed() {
        dropJoined();
        stall();
        link.signal(FAILED); // the reactor must close the connection
    }

    /** Whether no frame may begin now, since the link takes no bytes. */
    boolean isBlocked() {
        return full || begun != null || !link.isFlushed();
    }

    /** Sends what remains of the begun frame. Returns whether the link is free for other frames. */
    private boolean sendBegun() throws IOException {
        full = false;
        JoinedFrames frames = joined;
        if (frames != null && (frames.hasBegun() || begun != null) && !writeJoined()) {
            return false;
        }
        ByteBuffer rest = begun;
        if (rest != null) {
            took(link.write(rest));
            if (rest.hasRemaining()) {
                return false;
            }
            keepBegun(null);
        }
        return link.isFlushed() || link.flush();
    }

    /**
     * Writes the waiting control frames, and frames of one stream: its head, as many bytes of its body as the windows permit, and its end.
     *
     * @param stream the stream; null for control frames alone
     * @return how many bytes of the sources have been taken
     */
    long send(@Nullable StreamOutput stream, ByteBuffer[] sources, int offset, int length) throws IOException {
        if (open != null) {
            return stream == open ? goOn(stream, sources, offset, length) : 0;
        }
        byte[] before = NOTHING;
        int granted = 0;
        boolean others;
        StreamOutput.Part part = StreamOutput.Part.NONE;
        synchronized (this) {
            if (controlLength > 0) {
                before = Arrays.copyOf(control, controlLength);
                clearControl();
            }
            if (stream != null) {
                long most =
                        Math.min(Math.min(remaining(sources, offset, length), turn()), Math.min(window, stream.window));
                granted = stream.isReset() ? 0 : (int) Math.max(0, most);
                part = stream.begin(granted);
                if (tableShrinks) {
                    part = part.withTableSize();
                }
                window -= granted;
                stream.window -= granted;
            }
            others = readyCount > 0;
        }
        int frames = granted == 0 ? (part.emptyEnd ? 1 : 0) : (granted + maxPayload - 1) / maxPayload;
        byte[] trailers = part.trailers;
        int framed = before.length + part.head.length + frames * Frame.HEADER + trailers.length;
        if (framed == 0) {
            writeJoined();
            return 0;
        }
        if (stream != null
                && granted <= (others || followsAnother() ? Frame.MAX_PAYLOAD : MAX_JOINED)
                && join(stream, before, part, sources, offset, granted, framed, frames)) {
            sent(stream, part, granted, granted, granted, part.ends);
            return granted;
        }
        JoinedFrames earlier = joined;
        int waited = earlier == null ? 0 : earlier.size();
        ByteBuffer framing = ByteBuffer.allocate(framed);
        framing.put(before).put(part.head);
        int prefix = framing.position();
        ByteBuffer[] gathered = new ByteBuffer[frames * (1 + length) + 2 + (earlier == null ? 0 : earlier.buffers())];
        int first = earlier == null ? 0 : earlier.gather(gathered);
        int count = first;
        int source = offset;
        int sourceAt = length == 0 ? 0 : sources[offset].position();
        int framingFrom = 0;
        for (int i = 0; i < frames; i++) {
            int payload = Math.min(maxPayload, granted - i * maxPayload);
            boolean last = i == frames - 1;
            Frame.header(
                    framing,
                    payload,
                    Frame.DATA,
                    last && part.endsWithData ? Frame.END_STREAM : 0,
                    stream == null ? 0 : stream.id());
            gathered[count++] = slice(framing, framingFrom, framing.position());
            framingFrom = framing.position();
            for (int left = payload; left > 0; ) {
                ByteBuffer from = sources[source];
                int taken = Math.min(left, from.limit() - sourceAt);
                if (taken > 0) {
                    gathered[count++] = slice(from, sourceAt, sourceAt + taken);
                    left -= taken;
                    sourceAt += taken;
                }
                if (sourceAt == from.limit() && ++source < offset + length) {
                    sourceAt = sources[source].position();
                }
            }
        }
        framing.put(trailers);
        if (framing.position() > framingFrom) {
            gathered[count++] = slice(framing, framingFrom, framing.position());
        }
        long all = (long) framing.position() + granted;
        long written = link.write(gathered, 0, count);
        took(written);
        if (earlier != null) {
            earlier.sent((int) Math.min(written, waited));
        }
        written -= waited;
        if (written >= 0) {
            dropJoined();
        }
        int begins = granted; // the payload of the frames that have begun
        int taken = granted;
        boolean ended = part.ends;
        if (written < all) {
            full = true;
            long at = prefix;
            begins = 0;
            taken = 0;
            for (int i = 0; i < frames && written > at; i++) {
                int payload = Math.min(maxPayload, granted - i * maxPayload);
                int within = (int) Math.min(payload, Math.max(0, written - at - Frame.HEADER));
                begins += payload;
                taken += within;
                if (within < payload) {
                    open = stream;
                    openLeft = payload - within;
                    openEnds = i == frames - 1 && part.endsWithData;
                    at += Frame.HEADER;
                    break;
                }
                at += Frame.HEADER + payload;
            }
            boolean last = begins == granted && open == null && (frames == 0 || written > prefix);
            ended = part.ends && last;
            keep(gathered, first, count, last ? Long.MAX_VALUE : at - Math.max(0, written));
        }
        advance(sources, offset, taken);
        if (stream != null) {
            sent(stream, part, granted, begins, taken, ended);
        }
        return taken;
    }

    /**
     * Accounts for what has been sent, or kept, of a stream.
     *
     * @param granted the bytes that the windows were lowered by
     * @param begins the payload of the frames that have begun
     * @param taken the bytes that the link has taken
     */
    private void sent(StreamOutput stream, StreamOutput.Part part, int granted, int begins, int taken, boolean ended) {
        synchronized (this) {
            window += granted - begins;
            stream.window += granted - begins;
            if (granted > begins && window > 0) {
                readyStarved(); // those that found no window during the write
            }
            stream.wrote(taken, ended, open == stream && openEnds);
            if (part.hasSentBlock(ended)) {
                tableShrinks = false;
            }
        }
        if (ended) {
            stream.ended();
        }
    }

    // ---- joined frames

    /**
     * Adds the frames of a turn to those that are sent together. Takes the {@code granted} bytes of the sources.
     *
     * @param framed the length of all frames without these bytes
     * @param frames the number of DATA frames
     * @return false if they have no room
     */
    private boolean join(
            StreamOutput stream,
            byte[] before,
            StreamOutput.Part part,
            ByteBuffer[] sources,
            int offset,
            int granted,
            int framed,
            int frames) {
        JoinedFrames to = joined;
        if (to == null) {
            if (stream.pipe().pool().isUsedUp()) {
                return false; // they could lie there for long, outside of the budget
            }
            to = new JoinedFrames(stream.pipe().pool());
        }
        if (!to.hasRoomFor(framed + granted, granted > MAX_JOINED)) {
            return false;
        }
        joined = to;
        to.put(before);
        to.put(part.head);
        int source = offset;
        int left = granted;
        for (int i = 0; i < frames; i++) {
            int payload = Math.min(maxPayload, left);
            left -= payload;
            int flags = part.endsWithData && i == frames - 1 ? Frame.END_STREAM : 0;
            to.put(Frame.header(ByteBuffer.allocate(Frame.HEADER), payload, Frame.DATA, flags, stream.id())
                    .array());
            while (payload > 0) {
                ByteBuffer from = sources[source];
                int step = Math.min(payload, from.remaining());
                to.put(from, step);
                payload -= step;
                source += from.hasRemaining() ? 0 : 1;
            }
        }
        to.put(part.trailers);
        return true;
    }

    /** Sends the joined frames. Returns whether the link has taken all of them. Thread: the holder of the token. */
    boolean writeJoined() throws IOException {
        JoinedFrames frames = joined;
        if (frames == null) {
            return true;
        }
        ByteBuffer[] gathered = new ByteBuffer[frames.buffers()];
        long written = link.write(gathered, 0, frames.gather(gathered));
        took(written);
        frames.sent((int) written);
        if (frames.size() > 0) {
            full = true;
            return false;
        }
        dropJoined();
        return true;
    }

    private void dropJoined() {
        JoinedFrames frames = joined;
        if (frames != null) {
            joined = null;
            frames.release();
        }
    }

    /** Whether a further request waits for a worker, so that its response may leave together with this one. */
    private boolean followsAnother() {
        RunningExchange follows = lastQueued;
        return follows != null && !follows.isTaken();
    }

    /** The client, as the queue knows it. Any thread. */
    Client client() {
        return client;
    }

    /** A request has been queued, and its response will be sent, too. Thread: the reactor. */
    void queued(@Nullable RunningExchange request) {
        lastQueued = request;
    }

    /** Leaves what waits to be sent behind the next job of the calling worker. Returns false if it must be sent now. */
    boolean leave() {
        RunningExchange follows = lastQueued;
        if (!Workers.leave(client, follows != null && !follows.isTaken())) {
            return false;
        }
        left = true;
        if (!boundsLeaving) { // read last, since the reactor ends the leaving after it has changed it
            link.signal(LEFT);
        }
        return true;
    }

    /** Whether the reactor has a deadline for what workers leave. Thread: the reactor. */
    void boundsLeaving(boolean does) {
        boundsLeaving = does;
    }

    /** Nobody is to wait any more for what workers have left. The caller then flushes. Any thread. */
    void endLeaving() {
        left = false;
    }

    /** Goes on with the frame that has begun. Returns how many bytes of the sources have been taken. */
    private long goOn(StreamOutput stream, ByteBuffer[] sources, int offset, int length) throws IOException {
        ByteBuffer[] gathered = new ByteBuffer[length];
        int count = 0;
        int left = openLeft;
        for (int i = offset; i < offset + length && left > 0; i++) {
            int step = Math.min(left, sources[i].remaining());
            gathered[count++] = slice(sources[i], sources[i].position(), sources[i].position() + step);
            left -= step;
        }
        int most = openLeft - left;
        int written = (int) link.write(gathered, 0, count);
        took(written);
        full |= written < most;
        openLeft -= written;
        advance(sources, offset, written);
        boolean ended = openLeft == 0 && openEnds;
        synchronized (this) {
            stream.wrote(written, ended, openEnds);
        }
        if (openLeft == 0) {
            open = null;
            stream.frameComplete();
        }
        if (ended) {
            stream.ended();
        }
        return written;
    }

    /** Completes the frame of a stream whose bytes will not come. Returns whether it is complete. */
    private boolean fill(StreamOutput unfinished) throws IOException {
        if (openEnds && unfinished.isBroken()) {
            throw new IOException("The last frame of a response cannot be completed, and would look complete");
        }
        ByteBuffer zeros = ZEROS.duplicate().limit(Math.min(openLeft, ZEROS.capacity()));
        int written = (int) link.write(zeros);
        took(written);
        openLeft -= written;
        if (openLeft > 0) {
            full = true;
            return false;
        }
        open = null;
        unfinished.frameComplete(); // perhaps a reset waits for it
        return true;
    }

    /** Keeps the next bytes that the link has not taken. */
    private void keep(ByteBuffer[] gathered, int from, int count, long bytes) {
        ByteBuffer kept =
                ByteBuffer.allocate((int) Math.max(0, Math.min(bytes, remaining(gathered, from, count - from))));
        for (int i = from; i < count && kept.hasRemaining(); i++) {
            ByteBuffer part = gathered[i];
            part.limit(part.position() + Math.min(part.remaining(), kept.remaining()));
            kept.put(part);
        }
        keepBegun(kept.position() == 0 ? null : kept.flip());
    }

    /** Counts the bytes: those of one stream's head and trailers, and of control frames. */
    private void keepBegun(@Nullable ByteBuffer rest) {
        ByteBuffer before = begun;
        begun = rest;
        if (before != null) {
            heads.giveBack(HeapSize.array(before.capacity()));
        }
        if (rest != null) {
            heads.keep(HeapSize.array(rest.capacity()));
        }
    }

    private static ByteBuffer slice(ByteBuffer of, int from, int to) {
        return of.duplicate().limit(to).position(from);
    }

    private static long remaining(ByteBuffer[] buffers, int offset, int length) {
        long all = 0;
        for (int i = offset; i < offset + length; i++) {
            all += buffers[i].remaining();
        }
        return all;
    }

    private static void advance(ByteBuffer[] sources, int offset, int taken) {
        int left = taken;
        for (int i = offset; left > 0; i++) {
            int step = Math.min(left, sources[i].remaining());
            sources[i].position(sources[i].position() + step);
            left -= step;
        }
    }
}
