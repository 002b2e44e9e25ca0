package io.penstock.http2;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.exchange.LinkWriter;
import io.penstock.reactor.Link;
import io.penstock.reactor.WriteToken;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The output of one connection, which its streams share: the token ({@link WriteToken}), the window of the connection, the frames of the
 * connection itself, and the streams that have something to send. A thread that adds bytes to a stream tries to take the token. If another
 * thread has it, that thread finds the stream when it releases the token. The holder of the token sends in turns: one turn is at most {@link
 * #TURN} bytes of one stream, in one write. Streams with a lower urgency (RFC 9218) wait for those with a higher one.
 *
 * <p>A frame that has begun must be completed before any other byte. So what the socket does not take of such a frame is kept here, and
 * counts as sent for its stream.
 *
 * <p>Thread: {@link #flushAsWorker}, {@link #control}, {@link #ready}: any. {@link #flushAsReactor}: the reactor. {@link #send}: the holder of
 * the token. No thread holds the monitor while it writes. Owns: the begun frame.
 */
final class Http2Output extends WriteToken {
    /** The signal to the reactor that bytes wait, and that the reactor must send them. */
    static final int STALLED = 1;

    /** The signal to the reactor that a write has failed, so that the link is broken. */
    static final int FAILED = 2;

    /** The most bytes of a stream in one turn: five frames. */
    static final int TURN = 5 * Frame.MAX_PAYLOAD;

    /** Under TLS a frame is exactly a record. */
    private static final int MAX_PAYLOAD_IN_RECORD = Frame.MAX_PAYLOAD - Frame.HEADER;

    /** The turns of other streams that a worker takes before it leaves them to the reactor. */
    private static final int MAX_WORKER_TURNS = 16;

    private static final byte[] NOTHING = {};
    private static final ByteBuffer[] NO_SOURCES = {};

    private final Link link;
    private final LinkWriter.Files files;
    private final int maxPayload;

    // What the socket has not taken of the begun frame. Only the holder of the token uses it; others ask whether there
    // is
    // any.
    private volatile @Nullable ByteBuffer begun;

    // Whether the last write has filled the link. Only the holder of the token uses it.
    private boolean full;

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

    @GuardedBy("this")
    private long window = Frame.FIRST_WINDOW;

    Http2Output(Link link, LinkWriter.Files files) {
        this.link = link;
        this.files = files;
        this.maxPayload = link.tls() == null ? Frame.MAX_PAYLOAD : MAX_PAYLOAD_IN_RECORD;
    }

    @SuppressWarnings("unchecked")
    private static @Nullable ArrayDeque<StreamOutput>[] queues() {
        return (ArrayDeque<StreamOutput>[]) new ArrayDeque<?>[Urgency.LEVELS];
    }

    // ---- any thread

    /** Adds a frame of the connection itself, or one that belongs to no body. The caller then flushes. */
    synchronized void control(byte[] frame) {
        if (control.length - controlLength < frame.length) {
            control = Arrays.copyOf(control, Math.max(controlLength + frame.length, 2 * control.length));
        }
        System.arraycopy(frame, 0, control, controlLength, frame.length);
        controlLength += frame.length;
    }

    /** The bytes of control frames that wait. A client that makes the server write such frames, and does not read, must not be read. */
    synchronized int controlBytes() {
        return controlLength;
    }

    /** Adds a stream that has something to send. The caller then flushes. */
    synchronized void ready(StreamOutput stream) {
        if (!stream.queued) {
            stream.queued = true;
            queue(stream).addLast(stream);
            readyCount++;
        }
    }

    /** Lets the reactor send what waits of a stream. Any thread. */
    void sendLater(StreamOutput stream) {
        ready(stream);
        link.signal(STALLED);
    }

    @GuardedBy("this")
    private ArrayDeque<StreamOutput> queue(StreamOutput stream) {
        int urgency = stream.urgency();
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
        for (StreamOutput stream = starved.pollFirst(); stream != null; stream = starved.pollFirst()) {
            stream.queued = false;
            ready(stream);
        }
        return window <= Frame.MAX_WINDOW;
    }

    /**
     * The client has changed the window of a stream, by a number that can be negative.
     *
     * @return false if the window would become too large
     */
    synchronized boolean enlarge(StreamOutput stream, int increment) {
        stream.window += increment;
        if (!stream.pipe().isEmpty()) {
            again(stream);
        }
        return stream.window <= Frame.MAX_WINDOW;
    }

    /** Whether bytes wait that could be sent now. */
    private synchronized boolean hasWork() {
        return controlLength > 0 || readyCount > 0 || begun != null || !link.isFlushed();
    }

    /** Whether everything has been sent. Bytes that wait for a window do not count. */
    boolean isFlushed() {
        return !hasWork();
    }

    // ---- sending

    /** Sends what can be sent at once. */
    void flushAsWorker() throws IOException {
        while (hasWork() && tryWorker()) {
            if (!drain(MAX_WORKER_TURNS, maySendFiles())) {
                link.signal(STALLED); // the reactor must send the remaining bytes
                return;
            }
        }
    }

    /** Sends what can be sent at once. Returns whether nothing remains; otherwise the caller continues when the link is writable. */
    boolean flushAsReactor() throws IOException {
        do {
            if (!tryReactor()) {
                return !hasWork();
            }
            if (!drain(Integer.MAX_VALUE, true)) {
                return false;
            }
        } while (hasWork());
        return true;
    }

    /** Sends in turns, then gives the token up. Returns whether nothing remains. */
    private boolean drain(int turns, boolean withFiles) throws IOException {
        boolean all = false;
        try {
            all = drainInTurns(turns, withFiles);
        } catch (IOException e) {
            link.signal(FAILED); // the reactor must close the connection
            throw e;
        } finally {
            if (all) {
                release();
            } else {
                stalled();
            }
        }
        return all;
    }

    private boolean drainInTurns(int turns, boolean withFiles) throws IOException {
        for (int left = turns; left > 0; left--) {
            if (!sendBegun()) {
                return false;
            }
            StreamOutput next = next();
            if (next == null) {
                send(null, NO_SOURCES, 0, 0); // the control frames
                return sendBegun();
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
    private boolean maySendFiles() {
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
        if (stream.needsWindow() && window <= 0) {
            if (!stream.queued) {
                stream.queued = true;
                starved.addLast(stream);
            }
        } else if (!stream.needsWindow() || stream.window > 0) {
            ready(stream);
        }
    }

    /** Tries to take the token for bytes of {@code stream} past its pipe: nothing else waits, and the windows permit them. */
    boolean tryReserve(StreamOutput stream, int count) throws IOException {
        if (count > TURN || begun != null || !link.isFlushed() || !tryWorker()) {
            return false;
        }
        boolean may;
        synchronized (this) {
            may = begun == null && readyCount == 0 && window >= count && stream.window >= count && link.isFlushed();
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
            stalled();
            link.signal(STALLED); // the reactor must send the remaining bytes
        }
    }

    /** Takes the token for a turn of the caller's own stream. */
    boolean tryTurn() throws IOException {
        if (!tryWorker()) {
            return false;
        }
        boolean free = false;
        try {
            free = sendBegun();
        } finally {
            if (!free) {
                endTurn();
            }
        }
        return free;
    }

    /** Called if a write of the holder has failed. */
    void failed() {
        stalled();
        link.signal(FAILED); // the reactor must close the connection
    }

    /** Whether no frame may begin now, since the link takes no bytes. */
    boolean isBlocked() {
        return full || begun != null || !link.isFlushed();
    }

    /** Sends what remains of the begun frame. Returns whether the link is free for other frames. */
    private boolean sendBegun() throws IOException {
        full = false;
        ByteBuffer rest = begun;
        if (rest != null) {
            link.write(rest);
            if (rest.hasRemaining()) {
                return false;
            }
            begun = null;
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
        byte[] before;
        int granted = 0;
        StreamOutput.Part part = StreamOutput.Part.NONE;
        synchronized (this) {
            before = Arrays.copyOf(control, controlLength);
            control = control.length > 1024 ? NOTHING : control;
            controlLength = 0;
            if (stream != null) {
                long most =
                        Math.min(Math.min(remaining(sources, offset, length), TURN), Math.min(window, stream.window));
                granted = stream.isReset() ? 0 : (int) Math.max(0, most);
                part = stream.begin(granted);
                window -= granted;
                stream.window -= granted;
            }
        }
        int frames = granted == 0 ? (part.emptyEnd ? 1 : 0) : (granted + maxPayload - 1) / maxPayload;
        byte[] trailers = part.trailers;
        ByteBuffer framing =
                ByteBuffer.allocate(before.length + part.head.length + frames * Frame.HEADER + trailers.length);
        framing.put(before).put(part.head);
        if (framing.position() == 0 && frames == 0 && trailers.length == 0) {
            return 0;
        }
        int prefix = framing.position();
        ByteBuffer[] gathered = new ByteBuffer[frames * (1 + length) + 2];
        int count = 0;
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
        int taken = granted;
        boolean ended = part.ends;
        if (written < all) {
            full = true;
            int whole = keepBegun(gathered, count, written, prefix, frames, granted);
            if (whole < frames) {
                taken = Math.min(granted, whole * maxPayload);
                ended = false;
            }
        }
        advance(sources, offset, taken);
        if (stream != null) {
            synchronized (this) {
                window += granted - taken;
                stream.window += granted - taken;
                stream.wrote(taken, ended);
            }
            if (ended) {
                stream.ended();
            }
        }
        return taken;
    }

    /**
     * Keeps what the link has not taken, up to the end of the frame that has begun. Returns how many of the DATA frames have been sent or
     * kept. The control frames, the head and, behind the last DATA frame, the trailers are always kept.
     */
    private int keepBegun(ByteBuffer[] gathered, int count, long written, int prefix, int frames, int granted) {
        long end = prefix;
        int whole = 0;
        while (whole < frames && end < written) {
            end += Frame.HEADER + Math.min(maxPayload, granted - whole * maxPayload);
            whole++;
        }
        if (frames == 0 || whole == frames) {
            end = Long.MAX_VALUE; // with the trailers
        } else if (written < prefix) {
            end = prefix;
            whole = 0;
        }
        ByteBuffer kept = ByteBuffer.allocate((int) Math.min(end - written, remaining(gathered, 0, count)));
        for (int i = 0; i < count && kept.hasRemaining(); i++) {
            ByteBuffer from = gathered[i];
            from.limit(from.position() + Math.min(from.remaining(), kept.remaining()));
            kept.put(from);
        }
        begun = kept.position() == 0 ? null : kept.flip();
        return whole;
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
