package io.penstock.exchange;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.events.CloseCause;
import io.penstock.events.Side;
import io.penstock.limits.Counter;
import io.penstock.limits.Key;
import io.penstock.pipe.ResponsePipe;
import io.penstock.pipe.Segment;
import io.penstock.pipe.SegmentPool;
import io.penstock.pipe.SharedFile;
import io.penstock.reactor.ConnectionClosed;
import io.penstock.spool.SpoolFile;
import io.penstock.spool.SpoolShare;
import io.penstock.time.Saturated;
import io.penstock.work.Workers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Puts the body of one response into its pipe, or on disk if the client does not keep up. So the writer need not wait for the client.
 *
 * <p>The writer waits for room in a full pipe for at most {@link #PATIENCE} in total. A client that takes bytes quickly restores this time.
 * A wait ends early if the client takes nothing for a while, or if a request needs a worker. After that all bytes go to a spool file behind
 * the pipe, until the client has taken all of them. If the file has reached its limit, or the disk fails, the writer waits for the client.
 * Such a worker counts as streaming; if too many stream already, the response is aborted.
 *
 * <p>Thread: the response's writer, but for {@link #close}. It waits for spool threads, which write. Owns the file until
 * {@link #close}; each part of it in the pipe keeps it open.
 *
 * <pre>
 *   MEMORY --pipe stays full--> DISK --the client has taken all of it--> MEMORY
 *                                 \
 *                                  +--limit, or the disk fails--> the writer waits until the client has --> MEMORY
 * </pre>
 */
public final class ResponseSpill {
    /** The time that a writer waits for its client before its bytes go to disk. */
    private static final long PATIENCE = Saturated.nanos(Duration.ofMillis(20));

    /**
     * The time that is restored when a client takes half of the assured size of a pipe. With an assured size of 64 KB, a response never
     * goes to disk if its client takes 32 MB a second.
     */
    private static final long EARNED_NANOS = Saturated.nanos(Duration.ofMillis(1));

    /** For how long a client may take nothing at all. On a busy system, a reading client mostly waits less than this for a processor. */
    private static final long QUIET_NANOS = Saturated.nanos(Duration.ofMillis(4));

    /** The longest time between two checks whether a request waits for a worker, and whether the client takes bytes. */
    private static final long LOOK_NANOS = Saturated.nanos(Duration.ofMillis(2));

    // At each attempt to write a heap buffer, the JDK copies the whole buffer into direct memory, which the thread
    // keeps. So the buffer is offered in parts.
    private static final int HEAP_WINDOW = 128 * 1024;

    // The bytes of one write to disk, at first. The writer waits for another thread at each write.
    private static final int GATHERED = 16 * 1024;

    private enum Place {
        MEMORY,
        DISK
    }

    private final ServerResources server;
    private final @Nullable SpoolShare share;
    private final LinkWriter out;
    private final ResponsePipe pipe;
    private final SegmentPool pool;
    private final BooleanSupplier streams;
    private final SpoolHistory history;
    private final RequestObserver observer;
    private long patience = PATIENCE;
    private long diskPatience = PATIENCE;
    private Place place = Place.MEMORY;
    private boolean nonBlocking;
    private long begins;

    // The buffer that gathers small writes and framing on their way to the file; and the size of the next such buffer.
    private @Nullable ByteBuffer gathered;
    private int gathers = GATHERED;

    @GuardedBy("this")
    private @Nullable Behind behind;

    // Written by the writer; read by the thread that closes.
    private volatile boolean waitedForDisk;

    /** Whether the queue counts the writer as spooling; used by the writer. */
    private boolean counted;

    @GuardedBy("this")
    private boolean closed;

    /** The file behind the pipe, and the holder that keeps it open. */
    private record Behind(SpoolFile file, SharedFile shared) {}

    /**
     * @param share of the bulkhead of the request; null if its writes to disk are not limited there
     * @param streams whether the exchange counts as a streaming one already
     * @param history of the responses of the same servlet
     */
    public ResponseSpill(
            ServerResources server,
            @Nullable SpoolShare share,
            LinkWriter out,
            BooleanSupplier streams,
            SpoolHistory history,
            RequestObserver observer) {
        this.server = server;
        this.share = share;
        this.history = history;
        this.observer = observer;
        this.out = out;
        this.pipe = out.pipe();
        this.pool = server.pool();
        this.streams = streams;
    }

    /**
     * Sets the position at which the response begins among the bytes of its pipe. The bytes of earlier responses never go to disk with it.
     */
    public void begin(long at) {
        begins = at;
    }

    /** The writer asks for room before each write from here on: no bytes go to disk, and no write waits. */
    public void nonBlocking() {
        nonBlocking = true;
    }

    /**
     * Decides whether a segment and its framing go into memory or to disk, before either is added.
     *
     * @throws IOException if the connection or the response has ended
     */
    public void prepare() throws IOException {
        if (!catchUp() || nonBlocking || !isMemoryFull(pipe, pool)) {
            return;
        }
        out.workerFlush(); // framing may have filled the pipe since the last write to the socket
        if (!pipe.isEmpty()) {
            decide();
        }
    }

    /** Adds framing, such as chunk lines. */
    public void frame(ByteBuffer bytes) throws IOException {
        if (catchUp() || !toDisk(bytes)) {
            pipe.appendWhole(bytes);
        }
    }

    /** Adds a segment of body bytes. This object owns it from here on, also if the call throws. */
    public void add(Segment segment) throws IOException {
        boolean done = true;
        try {
            done = !catchUp() && toDisk(segment.buffer());
        } finally {
            if (done) {
                segment.release(); // copied, or no longer needed
            }
        }
        if (!done) {
            pipe.append(segment);
        }
    }

    /** Sends the caller's bytes as far as the socket takes them; copies the rest, or writes it to disk. */
    public void send(ByteBuffer source) throws IOException {
        int end = source.limit();
        try {
            while (source.position() < end) {
                source.limit(source.isDirect() ? end : Math.min(end, source.position() + HEAP_WINDOW));
                sendWindow(source);
            }
        } finally {
            source.limit(end);
        }
    }

    private void sendWindow(ByteBuffer source) throws IOException {
        while (source.hasRemaining()) {
            pipe.checkOpen(); // throws the cause if the pipe refuses and so has sent none of the bytes
            boolean triesDisk = !catchUp();
            if (triesDisk && toDisk(source)) {
                return;
            }
            out.workerTry(source);
            if (source.hasRemaining() && !triesDisk) {
                decide(); // otherwise the disk has just refused the bytes, and they belong in memory
            }
            if (source.hasRemaining() && place == Place.MEMORY) {
                pipe.appendCopy(source);
                out.workerFlush();
            }
        }
    }

    /** Adds part of a file. The pipe owns the channel from here on, also if the call throws. */
    public void send(FileChannel other, long position, long count) throws IOException {
        try {
            writeGathered();
        } catch (IOException e) {
            other.close();
            throw e;
        }
        pipe.append(other, position, count);
    }

    /**
     * Goes back to memory and releases the file if the client has taken all bytes that were on disk. Every write calls this first. An
     * upgraded connection may write nothing for a long time; it calls this, too, so that it keeps no file. Thread: the writer.
     *
     * @return whether the next bytes belong in memory; otherwise they belong behind those on disk
     */
    public boolean catchUp() throws IOException {
        if (place == Place.DISK && hasWritten() && !pipe.hasRegions()) {
            backToMemory();
        }
        return place == Place.MEMORY;
    }

    /** Writes the gathered bytes, so that everything that was handed over is in the pipe or in the file behind it. */
    public void writeGathered() throws IOException {
        if (!catchUp() && gathered != null && gathered.position() > 0) {
            if (write(ResponsePipe.NOTHING)) {
                gatherLittle();
            } else {
                waitAsStreaming();
            }
        }
    }

    /** The response has ended or was aborted: the file is removed as soon as the client has its bytes. Idempotent. Any thread. */
    public void close() {
        boolean first;
        Behind made;
        synchronized (this) {
            first = !closed;
            closed = true;
            made = takeBehind();
        }
        release(made);
        if (first && !waitedForDisk) {
            history.didNotWait();
        }
    }

    // ---- where to

    /** The socket takes no more: decides whether the next bytes wait in memory or on disk. */
    private void decide() throws IOException {
        if (!fits() && !clientKeepsUp()) {
            place = Place.DISK;
        }
    }

    /** The client has taken all that was on disk. */
    private void backToMemory() throws IOException {
        place = Place.MEMORY;
        ByteBuffer waiting = gathered;
        gatherLittle();
        if (waiting != null) {
            pipe.appendWhole(waiting.flip());
        }
        releaseFile();
    }

    /**
     * Releases the file. The next bytes go to another file and never overwrite these. The system sends a file's pages without copying them
     * (sendfile(2)), so it may still read bytes that the pipe has already passed on. Pages of a deleted file stay as they are.
     */
    private void releaseFile() {
        Behind made;
        synchronized (this) {
            made = takeBehind();
        }
        release(made);
    }

    @GuardedBy("this")
    private @Nullable Behind takeBehind() {
        Behind made = behind;
        behind = null;
        return made;
    }

    private static void release(@Nullable Behind made) {
        if (made != null) {
            made.shared().release();
        }
    }

    // ---- waiting

    private boolean fits() {
        return fits(pipe, pool);
    }

    private static boolean fits(ResponsePipe pipe, SegmentPool pool) {
        return pipe.hasMemory() && pool.hasRoomForOutput();
    }

    /** Whether bytes wait in the pipe, and memory has no room for more. */
    static boolean isMemoryFull(ResponsePipe pipe, SegmentPool pool) {
        return !pipe.isEmpty() && !fits(pipe, pool);
    }

    /**
     * Waits a little for the client; returns whether the pipe has room. The wait ends early if a request waits for this thread, or if the
     * client takes nothing for a while: a client that keeps up has taken bytes by then.
     */
    private boolean clientKeepsUp() throws IOException {
        long taken = pipe.sent();
        long quiet = 0;
        while (patience > 0 && quiet < QUIET_NANOS && !server.queue().wantsWorkers()) {
            long began = System.nanoTime();
            boolean room = pipe.awaitRoom(Math.min(patience, LOOK_NANOS)); // too short to be reported
            long waited = System.nanoTime() - began;
            long took = pipe.sent() - taken;
            taken += took;
            patience = Math.min(PATIENCE, patience - waited + earned(took));
            quiet = took > 0 ? 0 : quiet + waited;
            if (room) {
                break;
            }
        }
        return fits();
    }

    private long earned(long bytes) {
        return (long) ((double) bytes / pipe.assured() * 2 * EARNED_NANOS);
    }

    /** The disk takes no more of this response. The writer waits until the client has taken the bytes on disk; then memory has room. */
    private void waitAsStreaming() throws IOException {
        server.reached(Key.RESPONSE_SPOOL_LIMIT);
        boolean streaming = streams.getAsBoolean() || !Workers.isCurrent();
        if (!streaming && !server.queue().beginStreaming()) {
            server.count(Counter.RESPONSES_CUT);
            throw new ConnectionClosed(
                    CloseCause.RESPONSE_CUT,
                    "the client reads too slowly, and too many workers wait for clients already");
        }
        if (counted) { // while this worker waits for its client, another worker may wait for the disk
            counted = false;
            server.queue().endSpooling();
        }
        try {
            out.workerFlush();
            awaitRoom();
        } finally {
            if (!streaming) {
                server.queue().endStreaming();
            }
        }
        backToMemory();
    }

    private void awaitRoom() throws IOException {
        observer.waits(Side.RESPONSE);
        try {
            pipe.awaitRoom();
        } finally {
            observer.goesOn(Side.RESPONSE);
        }
    }

    // ---- disk

    /**
     * Puts all bytes on disk, or into the buffer for the next write there. If the disk takes none, waits until the client has taken the
     * file, and returns false: these bytes belong in memory.
     */
    private boolean toDisk(ByteBuffer source) throws IOException {
        ByteBuffer into = gathered;
        if (into == null) {
            into = ByteBuffer.allocate(gathers);
            gathered = into;
        }
        if (source.remaining() <= into.remaining()) {
            into.put(source);
            return true;
        }
        if (write(source)) {
            gatherMore();
            return true;
        }
        waitAsStreaming();
        return false;
    }

    /**
     * Doubles the size of the next buffer: the longer the response, the larger its writes. A full buffer still fits into the pipe, in case
     * memory has room again.
     */
    private void gatherMore() {
        if (gathers * 2 <= pipe.assured()) {
            gathers *= 2;
            gathered = null;
        }
    }

    /** Drops the empty buffer, so that a writer that pauses for long holds as little memory as possible. */
    private void gatherLittle() {
        gathers = GATHERED;
        gathered = null;
    }

    /**
     * Writes to disk, in order: the bytes of this response that the pipe holds, those that are gathered, and those of {@code source}.
     * Returns false if the disk takes no more of this response; then no bytes have moved. An earlier response stays in the pipe.
     */
    private boolean write(ByteBuffer source) throws IOException {
        Behind made = behind();
        List<Segment> held = pipe.takeOut(begins); // throws if the response has been replaced
        ByteBuffer waiting = Objects.requireNonNull(gathered).flip();
        boolean moved = false;
        try {
            moved = move(Stream.concat(held.stream().map(Segment::buffer), Stream.of(waiting, source)), made);
        } finally {
            if (moved) {
                held.forEach(Segment::release);
                waiting.position(waiting.limit());
                source.position(source.limit());
            } else {
                pipe.putBack(held);
            }
            waiting.compact();
            if (moved || held.isEmpty()) {
                out.workerFlush(); // the reactor may have found the pipe empty meanwhile
            } else {
                out.workerFlushPutBack();
            }
        }
        return moved;
    }

    /**
     * Writes the buffers' bytes to disk and that part of the file into the pipe; returns whether it could. The buffers stay as they are.
     */
    private boolean move(Stream<ByteBuffer> buffers, Behind to) throws IOException {
        long count = write(to.file(), buffers.map(ByteBuffer::duplicate).toArray(ByteBuffer[]::new));
        if (count < 0) {
            return false;
        }
        observer.spilled(Side.RESPONSE, count);
        // Last: if this throws, the pipe has no part of the file.
        pipe.append(to.shared(), to.file().length() - count, count);
        return true;
    }

    private synchronized Behind behind() throws IOException {
        if (closed) {
            throw new IOException("The response has ended");
        }
        if (behind == null) {
            SpoolFile file = server.spool().create(share);
            behind = new Behind(file, new SharedFile(file::channel, file::close));
        }
        return behind;
    }

    private synchronized boolean hasWritten() {
        return behind != null && behind.file().length() > 0;
    }

    /** Returns how many bytes were written, or -1 if the disk has no room for them or failed. */
    private long write(SpoolFile to, ByteBuffer[] sources) throws IOException {
        long count = SpoolFile.bytes(sources);
        if (to.length() + count > server.config().spool().responseLimit()) {
            return -1;
        }
        while (true) {
            Outcome outcome = new Outcome();
            switch (to.append(sources, outcome::done)) {
                case YES -> {
                    return await(outcome) ? count : -1;
                }
                case BUSY -> {
                    Outcome room = new Outcome();
                    to.whenRoom(() -> room.done(null));
                    await(room);
                }
                case OVER_LIMIT -> {
                    return -1;
                }
                case CLOSED -> throw new IOException("The response has ended");
            }
        }
    }

    /** Waits for a spool thread. If the waits become long in total, informs the history and the queue, once. */
    private boolean await(Outcome outcome) {
        boolean well;
        try {
            if (!counted) {
                noticeWait(outcome);
            }
        } finally {
            well = outcome.await(); // always, since the spool thread uses the segments
        }
        return well;
    }

    private void noticeWait(Outcome outcome) {
        long began = System.nanoTime();
        outcome.awaitFor(diskPatience);
        diskPatience -= System.nanoTime() - began;
        if (diskPatience > 0) {
            return;
        }
        if (!waitedForDisk) {
            waitedForDisk = true;
            history.waited();
        }
        counted = true;
        server.queue().waitsForDisk();
    }

    /** The result of a spool thread's write. The writer always waits for it, since the spool thread uses the buffers. */
    private static final class Outcome {
        private final CountDownLatch done = new CountDownLatch(1);
        private boolean well;

        void done(@Nullable IOException why) {
            well = why == null; // otherwise the spool has logged the failure
            done.countDown();
        }

        /** Waits for the result; returns whether the write succeeded. */
        boolean await() {
            awaitFor(Long.MAX_VALUE);
            return well;
        }

        /** Waits until the spool thread has written the bytes or has failed, but not longer than {@code nanos}. */
        void awaitFor(long nanos) {
            boolean interrupted = false;
            long began = System.nanoTime();
            for (boolean waits = true; waits; ) {
                try {
                    done.await(nanos - (System.nanoTime() - began), TimeUnit.NANOSECONDS);
                    waits = false;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
