package io.penstock.exchange;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.events.CloseCause;
import io.penstock.events.Side;
import io.penstock.limits.Counter;
import io.penstock.limits.Key;
import io.penstock.pipe.ResponsePipe;
import io.penstock.pipe.Segment;
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
 * Puts the body of one response into the connection's {@link ResponsePipe}. If the client is too slow, writes the body to a file on disk
 * instead. So the thread that writes the response does not have to wait for the client.
 *
 * <p>The writer waits for room in a full pipe for at most {@link #PATIENCE} in total. When the client accepts bytes, part of this time is
 * restored. A wait ends early if the client accepts no bytes for {@link #QUIET_NANOS}, or if a request needs a worker. If the pipe has no
 * room after the wait, further bytes go to a file on disk (the spool file). The pipe sends these bytes from the file. When the client has
 * accepted all bytes of the file, further bytes go to the memory of the pipe. If the file reaches its limit, or the disk fails, the writer
 * waits for the client. During this wait, the writer counts as a streaming worker ({@link io.penstock.work.RequestQueue}). If too many
 * workers are streaming already, the response is aborted.
 *
 * <p>A caller of {@link #offer} never waits for the client when memory and disk are full: the bytes stay with the caller.
 *
 * <p>Thread: the response's writer, except {@link #close}. The writer waits while spool threads write to disk. Owns: the file until {@link
 * #close} is called. The file stays open while the pipe contains parts of it.
 *
 * <pre>
 *   MEMORY --pipe stays full--> DISK --the client has accepted all of it--> MEMORY
 *                                 \
 *                                  +--limit, or the disk fails--> the writer waits for the client --> MEMORY
 * </pre>
 */
public final class ResponseSpill {
    /** The total time that a writer waits for its client. After this time, the bytes of the response go to disk. */
    private static final long PATIENCE = Saturated.nanos(Duration.ofMillis(20));

    /**
     * The part of {@link #PATIENCE} that is restored each time the client has accepted half of the pipe's assured size ({@link
     * ResponsePipe#assured}). With an assured size of 64 KB, a response never goes to disk if its client accepts 32 MB per second.
     */
    private static final long EARNED_NANOS = Saturated.nanos(Duration.ofMillis(1));

    /**
     * If the client accepts no bytes for this time, the writer stops waiting. Even on a busy system, a client that reads usually gets a
     * processor within this time.
     */
    private static final long QUIET_NANOS = Saturated.nanos(Duration.ofMillis(4));

    /**
     * During a wait, the writer checks at this interval whether a request waits for a worker, and whether the client has accepted bytes.
     */
    private static final long CHECK_NANOS = Saturated.nanos(Duration.ofMillis(2));

    // When a heap buffer is written, the JDK copies the whole buffer to direct memory. The thread keeps this memory
    // after the write. So a large buffer is written in parts of this size.
    private static final int HEAP_WINDOW = 128 * 1024;

    // The initial size of the buffer that collects bytes for the disk. Smaller writes would be too slow, since the
    // writer waits for a spool thread at each write.
    private static final int GATHERED = 16 * 1024;

    private enum Target {
        MEMORY,
        DISK
    }

    private final ServerResources server;
    private final @Nullable SpoolShare share;
    private final ResponseWriter out;
    private final ResponsePipe pipe;
    private final BooleanSupplier streams;
    private final SpoolHistory history;
    private final RequestObserver observer;
    private long patience = PATIENCE;
    private long diskPatience = PATIENCE;
    private Target target = Target.MEMORY;
    private boolean nonBlocking;
    private long begins;

    // The buffer that collects small writes and framing for the file, and the size of the next such buffer.
    private @Nullable ByteBuffer gathered;
    private int gatherSize = GATHERED;

    // Whether the disk has refused collected bytes. They have gone to memory, so no further ones are collected: for a
    // client that reads slowly, they would never end.
    private boolean refused;

    @GuardedBy("this")
    private @Nullable Behind behind;

    // Written by the writer. Read by the thread that calls close().
    private volatile boolean waitedForDisk;

    /** Whether the queue counts the writer as a worker that waits for the disk. Used by the writer only. */
    private boolean countedAsSpooling;

    @GuardedBy("this")
    private boolean closed;

    /** The spool file of this response, and the reference counter that keeps the file open. */
    private record Behind(SpoolFile file, SharedFile shared) {}

    /**
     * @param share the bulkhead's share of the writes to disk; null if no bulkhead limits them
     * @param streams returns whether the exchange already counts as streaming
     * @param history the history of earlier responses of the same servlet
     */
    public ResponseSpill(
            ServerResources server,
            @Nullable SpoolShare share,
            ResponseWriter out,
            BooleanSupplier streams,
            SpoolHistory history,
            RequestObserver observer) {
        this.server = server;
        this.share = share;
        this.history = history;
        this.observer = observer;
        this.out = out;
        this.pipe = out.pipe();
        this.streams = streams;
    }

    /** Sets the position of the response's first byte among all bytes of its pipe. Bytes of earlier responses never go to disk. */
    public void begin(long at) {
        begins = at;
    }

    /** From now on, the writer checks for room before each write. So no bytes go to disk, and no write waits. */
    public void nonBlocking() {
        nonBlocking = true;
    }

    /**
     * Decides whether a segment and its framing go to memory or to disk. Must be called before the segment and the framing are added.
     *
     * @throws IOException if the connection or the response has ended
     */
    public void prepare() throws IOException {
        if (!catchUp() || nonBlocking || !pipe.isMemoryFull()) {
            return;
        }
        // Framing may have filled the pipe since the last write to the socket.
        out.workerFlush();
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

    /** Adds a segment of the body. This object owns the segment from now on, even if the call throws. */
    public void add(Segment segment) throws IOException {
        boolean done = true;
        try {
            done = !catchUp() && toDisk(segment.buffer());
        } finally {
            if (done) {
                // The bytes were copied to the buffer or written to disk, or the call has failed.
                segment.release();
            }
        }
        if (!done) {
            pipe.append(segment);
        }
    }

    /** Sends bytes of the caller until the socket accepts no more. Copies the remaining bytes to memory, or writes them to disk. */
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
            // If the pipe refuses bytes, this call throws the cause before any byte is sent.
            pipe.checkOpen();
            boolean triesDisk = !catchUp();
            if (triesDisk && toDisk(source)) {
                return;
            }
            out.workerTry(source);
            // If the disk has just refused the bytes, the bytes go to memory without a new decision.
            if (source.hasRemaining() && !triesDisk) {
                decide();
            }
            if (source.hasRemaining() && target == Target.MEMORY) {
                pipe.appendCopy(source);
                out.workerFlush();
            }
        }
    }

    /**
     * Takes bytes without waiting for the client, except for the remaining time ({@link #patience}) before the first byte goes to disk. The
     * positions of the buffers show how many bytes have been taken. Bytes that are collected for the disk need a call of {@link
     * #writeGatheredAtOnce}.
     *
     * @param head bytes that go before {@code payload}, in one write if possible
     * @param mayUseDisk whether bytes may go to disk. Otherwise only the socket and memory take bytes
     */
    public void offer(ByteBuffer head, ByteBuffer payload, boolean mayUseDisk) throws IOException {
        if (head.hasRemaining() && payload.hasRemaining() && catchUp() && pipe.isEmpty()) {
            pipe.appendWhole(head);
        }
        offer(head, mayUseDisk);
        if (!head.hasRemaining()) {
            offer(payload, mayUseDisk);
        }
    }

    private void offer(ByteBuffer source, boolean mayUseDisk) throws IOException {
        int end = source.limit();
        try {
            boolean room = true;
            while (room && source.position() < end) {
                source.limit(source.isDirect() ? end : Math.min(end, source.position() + HEAP_WINDOW));
                room = offerWindow(source, mayUseDisk);
            }
        } finally {
            source.limit(end);
        }
    }

    /** Returns whether all bytes have been taken. */
    private boolean offerWindow(ByteBuffer source, boolean mayUseDisk) throws IOException {
        while (source.hasRemaining()) {
            pipe.checkOpen();
            if (!catchUp()) {
                return mayUseDisk && offerToDisk(source);
            }
            out.workerTry(source);
            if (source.hasRemaining()) {
                pipe.appendCopy(source);
                out.workerFlush();
            }
            if (source.hasRemaining()) {
                if (!mayUseDisk) {
                    return false;
                }
                decide();
            }
        }
        return true;
    }

    private boolean offerToDisk(ByteBuffer source) throws IOException {
        boolean taken = !refused && tryDisk(source);
        if (!taken && !hasWritten()) {
            backToMemory(); // nothing is on disk, so that the next bytes must not wait for the end of a file
        }
        return taken;
    }

    /**
     * Writes the collected bytes to disk, without waiting for the client. If the disk does not accept them, they go to memory, although it
     * is full: they are few, and nothing is collected after them until the client has accepted all bytes on disk.
     */
    public void writeGatheredAtOnce() throws IOException {
        if (!catchUp() && gathered != null && gathered.position() > 0) {
            ByteBuffer waiting = gathered;
            if (!write(ResponsePipe.NOTHING)) {
                refused = true;
                pipe.appendWhole(waiting.flip());
                out.workerFlush();
            }
            resetGathered();
        }
    }

    /**
     * Waits until the client has accepted all bytes on disk, and memory has room, but at most {@code nanos}. Meanwhile the worker counts as
     * streaming.
     *
     * @return whether memory has room
     */
    public boolean awaitRoom(long nanos) throws IOException {
        writeGatheredAtOnce();
        return awaitAsStreaming(nanos);
    }

    /**
     * Adds part of a file of the caller to the body. The pipe owns the channel from now on, even if the call throws.
     *
     * @param whenClosed runs when the pipe has closed the channel
     */
    public void send(FileChannel other, long position, long count, Runnable whenClosed) throws IOException {
        try {
            writeGathered();
        } catch (IOException | RuntimeException | Error e) {
            try {
                other.close();
            } finally {
                whenClosed.run();
            }
            throw e;
        }
        pipe.append(other, position, count, whenClosed);
    }

    /**
     * Releases the file if the client has accepted all bytes that were on disk. After that, further bytes go to memory. Every write calls
     * this method first. An upgraded connection can be without writes for a long time, so the code of the upgraded connection also calls
     * this method to release the file. Thread: the writer.
     *
     * @return whether the next bytes go to memory; otherwise they go to disk, after the earlier bytes
     */
    public boolean catchUp() throws IOException {
        // If the disk has refused even the first bytes, there is no file whose end could be awaited.
        if (target == Target.DISK && !pipe.hasRegions() && (hasWritten() || refused && pipe.hasRoom())) {
            backToMemory();
        }
        return target == Target.MEMORY;
    }

    /** Writes the collected bytes to disk. After this call, all bytes that this object has received are in the pipe or in the file. */
    public void writeGathered() throws IOException {
        if (!catchUp() && gathered != null && gathered.position() > 0) {
            if (write(ResponsePipe.NOTHING)) {
                resetGathered();
            } else {
                waitAsStreaming();
            }
        }
    }

    /** The response has ended or was aborted. The file is removed when the client has accepted the file's bytes. Idempotent. Any thread. */
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

    /** Called if the socket accepts no more bytes. Decides whether the next bytes go to memory or to disk. */
    private void decide() throws IOException {
        if (!pipe.mayKeepMore() && !clientKeepsUp()) {
            target = Target.DISK;
        }
    }

    /** Called when the client has accepted all bytes that were on disk. From now on, bytes go to memory. */
    private void backToMemory() throws IOException {
        target = Target.MEMORY;
        refused = false;
        ByteBuffer waiting = gathered;
        resetGathered();
        if (waiting != null) {
            pipe.appendWhole(waiting.flip());
        }
        releaseFile();
    }

    /**
     * Releases the file. Later bytes go to a new file, so the bytes of the old file are never overwritten. The bytes must not be
     * overwritten, because sendfile(2) does not copy the pages of a file: the kernel can read a page after sendfile(2) has returned. The
     * pages of a deleted file do not change.
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

    /**
     * Waits for the client, at most for the remaining time ({@link #patience}). Returns whether the pipe has room. The wait ends early if a
     * request needs a worker, or if the client accepts no bytes for {@link #QUIET_NANOS}, also of other responses that go first.
     */
    private boolean clientKeepsUp() throws IOException {
        long taken = pipe.sent();
        long ofAll = out.progress();
        long quiet = 0;
        while (patience > 0 && quiet < QUIET_NANOS && !server.queue().wantsWorkers()) {
            long began = System.nanoTime();
            // This short wait is not reported to the observer.
            boolean room = pipe.awaitRoom(Math.min(patience, CHECK_NANOS));
            long waited = System.nanoTime() - began;
            long ofAllNow = out.progress();
            long takenNow = pipe.sent();
            long took = ofAll < 0 || ofAllNow < 0 ? takenNow - taken : ofAllNow - ofAll;
            ofAll = ofAllNow;
            taken = takenNow;
            patience = Math.min(PATIENCE, patience - waited + earned(took));
            quiet = took > 0 ? 0 : quiet + waited;
            if (room) {
                break;
            }
        }
        return pipe.mayKeepMore();
    }

    private long earned(long bytes) {
        return (long) ((double) bytes / pipe.assured() * 2 * EARNED_NANOS);
    }

    /**
     * Called if no more bytes of this response can go to disk. Waits until the client has accepted the bytes on disk. After that, memory
     * has room.
     */
    private void waitAsStreaming() throws IOException {
        awaitAsStreaming(Long.MAX_VALUE);
        backToMemory();
    }

    private boolean awaitAsStreaming(long nanos) throws IOException {
        server.reached(Key.RESPONSE_SPOOL_LIMIT);
        boolean streaming = streams.getAsBoolean() || !Workers.isCurrent();
        if (!streaming && !server.queue().beginStreaming()) {
            server.count(Counter.RESPONSES_CUT);
            throw new ConnectionClosed(
                    CloseCause.RESPONSE_CUT,
                    "the client reads too slowly, and too many workers wait for clients already");
        }
        // From now on, this worker waits for its client, not for the disk. So another worker may wait for the disk.
        if (countedAsSpooling) {
            countedAsSpooling = false;
            server.queue().endSpooling();
        }
        observer.waits(Side.RESPONSE);
        try {
            out.workerFlush();
            return pipe.awaitRoom(nanos);
        } finally {
            observer.resumed(Side.RESPONSE);
            if (!streaming) {
                server.queue().endStreaming();
            }
        }
    }

    // ---- disk

    /**
     * Writes all bytes to disk, or adds them to the buffer for the next write to disk. If the disk accepts no bytes, waits until the client
     * has accepted all bytes of the file. Returns false in this case: the bytes must go to memory.
     */
    private boolean toDisk(ByteBuffer source) throws IOException {
        if (tryDisk(source)) {
            return true;
        }
        waitAsStreaming();
        return false;
    }

    /** As {@link #toDisk}, but does not wait if the disk accepts no bytes. */
    private boolean tryDisk(ByteBuffer source) throws IOException {
        ByteBuffer into = gathered;
        if (into == null) {
            into = ByteBuffer.allocate(gatherSize);
            gathered = into;
        }
        if (source.remaining() <= into.remaining()) {
            into.put(source);
            return true;
        }
        if (write(source)) {
            growGathered();
            return true;
        }
        return false;
    }

    /**
     * Doubles the size of the next buffer, so that a long response has fewer writes. A full buffer must fit into the pipe, since its bytes
     * go to memory if the disk refuses them.
     */
    private void growGathered() {
        if (gatherSize * 2 <= pipe.assured()) {
            gatherSize *= 2;
            gathered = null;
        }
    }

    /** Drops the buffer, so that a writer uses little memory during a long pause. The next buffer has the initial size. */
    private void resetGathered() {
        gatherSize = GATHERED;
        gathered = null;
    }

    /**
     * Writes to disk, in this order: the bytes of this response in the pipe, the collected bytes, and the bytes of {@code source}. Returns
     * false if the disk accepts no more bytes of this response. In this case, no bytes have been moved. Bytes of earlier responses stay in
     * the pipe.
     */
    private boolean write(ByteBuffer source) throws IOException {
        Behind made = behind();
        if (made == null) {
            return false;
        }
        // takeOut() throws an exception if the response has been replaced.
        List<Segment> held = pipe.takeOut(begins, out::begunBytes);
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
                // The reactor may have found the pipe empty during the write to disk. In this case, the reactor does
                // not send the bytes that are in the pipe now, so this thread must send them.
                out.workerFlush();
            } else {
                out.workerFlushPutBack();
            }
        }
        return moved;
    }

    /**
     * Writes the bytes of the buffers to disk, and adds this part of the file to the pipe. Returns whether the disk has accepted the bytes.
     * The positions of the buffers do not change.
     */
    private boolean move(Stream<ByteBuffer> buffers, Behind to) throws IOException {
        long count = write(to.file(), buffers.map(ByteBuffer::duplicate).toArray(ByteBuffer[]::new));
        if (count < 0) {
            return false;
        }
        observer.spilled(Side.RESPONSE, count);
        // append() must be the last step. If append() throws, the pipe contains no part of the file, and the caller
        // puts the segments back into the pipe.
        pipe.append(to.shared(), to.file().length() - count, count);
        return true;
    }

    /** Returns the file, which is made at the first call; null if this response must not have one now. */
    private synchronized @Nullable Behind behind() throws IOException {
        if (closed) {
            throw new IOException("The response has ended");
        }
        if (behind == null) {
            Runnable counted = out.holdFile();
            if (counted == null) {
                return null;
            }
            SpoolFile file = server.spool().create(share);
            behind = new Behind(file, new SharedFile(file::channel, () -> {
                file.close();
                counted.run();
            }));
        }
        return behind;
    }

    private synchronized boolean hasWritten() {
        return behind != null && behind.file().length() > 0;
    }

    /** Waits until the bytes are written. Returns the number of bytes, or -1 if the disk has no room for them or has failed. */
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

    /**
     * Waits until the spool thread has finished the write. If the waits of this response have used up {@link #diskPatience}, informs the
     * history and the queue. Returns whether the write succeeded.
     */
    private boolean await(Outcome outcome) {
        boolean succeeded;
        try {
            if (!countedAsSpooling) {
                countWait(outcome);
            }
        } finally {
            // Always wait for the result, since the spool thread uses the segments.
            succeeded = outcome.await();
        }
        return succeeded;
    }

    private void countWait(Outcome outcome) {
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
        countedAsSpooling = true;
        server.queue().waitsForDisk();
    }

    /** The result of a spool thread's write. The writer always waits for it, since the spool thread uses the buffers. */
    private static final class Outcome {
        private final CountDownLatch done = new CountDownLatch(1);
        private boolean succeeded;

        void done(@Nullable IOException why) {
            // If the write has failed, the spool has logged the failure.
            succeeded = why == null;
            done.countDown();
        }

        /** Waits for the result. Returns whether the write succeeded. */
        boolean await() {
            awaitFor(Long.MAX_VALUE);
            return succeeded;
        }

        /** Waits at most {@code nanos} until the spool thread has written the bytes or has failed. */
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
