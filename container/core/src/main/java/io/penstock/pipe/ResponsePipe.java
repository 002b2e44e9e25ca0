package io.penstock.pipe;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The queue of response data of one connection: bytes in memory and parts of files (regions) that the connection's {@link PipeOutlet} has
 * not taken yet. The pipe also counts the bytes that the outlet has sent.
 *
 * <p>Thread: one producer at a time, which is a worker, or the reactor for prepared answers. One drainer at a time, which is the holder of
 * the connection's write token. Only {@link #awaitRoom} blocks, and the reactor never calls this method. Any thread can end the wait with
 * {@link #refuse} or {@link #fail}. The waiting thread does not hold the lock of the pipe, and other threads hold the lock only for short
 * operations. The pipe owns its segments and regions. Most connections are idle, so a pipe uses little memory after all its bytes have been
 * sent.
 *
 * <p>After {@link #refuse}, {@link #replace} or {@link #fail} the pipe refuses further bytes. From this time on the producer cannot add
 * bytes, take bytes out, or send further bytes with {@link #drainTo}. Each of these operations checks for the refusal under the lock. A
 * call of {@link #checkOpen} before such an operation is not sufficient, because another thread can refuse bytes after this call.
 */
public final class ResponsePipe {
    /** An empty buffer. It is the second argument of {@link #drainTo} if the caller has no further bytes to send. */
    public static final ByteBuffer NOTHING = ByteBuffer.allocate(0).asReadOnlyBuffer();

    private static final long FOR_EVER = Long.MAX_VALUE;

    /** The maximum number of file bytes in one drain. The number is limited because the reactor must also serve other clients. */
    private static final long MAX_FILE_BYTES = 256 * 1024;

    private static final ByteBuffer[] NONE = new ByteBuffer[0];

    private final PipeMemory memory;

    // The bytes that have not been sent; EMPTY if all bytes have been sent.
    @GuardedBy("this")
    private PipeContent content = PipeContent.EMPTY;

    // The number of bytes that the connection sent before the first byte of the present content. Reserved bytes are
    // included.
    @GuardedBy("this")
    private long earlier;

    // Whether the producer sends bytes now without adding them to the pipe; see reserve(). Their number is not kept,
    // since an idle
    // connection would need eight bytes more.
    @GuardedBy("this")
    private boolean reserved;

    // The failure that has ended the connection. The drainer then sends no more bytes.
    @GuardedBy("this")
    private @Nullable IOException failure;

    // The reason why the pipe refuses further bytes: the response was aborted, or the connection has ended. Written
    // under the lock.
    private volatile @Nullable IOException refusal;

    // The thread of the producer while the producer waits for room.
    @GuardedBy("this")
    private @Nullable Thread waiting;

    @GuardedBy("this")
    private @Nullable Runnable whenRoom;

    // These fields are written under the lock, and read without the lock. A pipe is not empty while its outlet holds
    // bytes that the outlet has taken and not sent.
    private volatile boolean empty = true;
    private volatile boolean failed;

    /** Makes a pipe with a fixed capacity. */
    public ResponsePipe(SegmentPool pool, int capacity) {
        this(pool, PipeBounds.fixed(capacity));
    }

    public ResponsePipe(SegmentPool pool, PipeBounds bounds) {
        this(new PipeMemory(pool, bounds));
    }

    public ResponsePipe(PipeMemory memory) {
        this.memory = memory;
    }

    /** The pool of the pipe's segments. */
    public SegmentPool pool() {
        return memory.pool();
    }

    /**
     * The number of bytes that this pipe may always hold in memory, even if the other pipes are full. Response heads and framing bytes may
     * exceed this number.
     */
    public int assured() {
        return memory.assured();
    }

    /**
     * The number of bytes that a writer may collect in segments before it appends the segments. This is the size of one segment, and up to
     * {@link #assured} bytes while the server has enough memory. The number is limited because the application may be slow, and other
     * responses need memory too.
     */
    public int mayHoldBack() {
        return memory.heldBack();
    }

    /**
     * The maximum number of bytes that this pipe may now hold in memory. The pipe can grow up to this size, so that its writer need not
     * wait.
     */
    private int limit() {
        return memory.limit();
    }

    /** Whether the pipe and its outlet hold no unsent bytes. */
    public boolean isEmpty() {
        return empty;
    }

    /** Whether the pipe refuses further bytes. If it is empty afterwards, it remains so. Any thread, without the lock. */
    public boolean refuses() {
        return refusal != null;
    }

    @GuardedBy("this")
    private boolean isEmptyLocked() {
        return content.isEmpty() && content.isFlushed();
    }

    /**
     * Whether all bytes that were added have been sent. The pipe must be empty, and the producer must not have segments from {@link
     * #takeOut}. The output of the connection may end only if this method returns true.
     */
    public synchronized boolean isAllSent() {
        return !reserved && content.isAllSent();
    }

    /** Whether the connection has ended. If so, appended bytes are not sent. */
    public boolean hasFailed() {
        return failed;
    }

    /** The failure that has ended the connection; null if the connection has not ended. */
    public synchronized @Nullable IOException failure() {
        return failure;
    }

    /** The number of bytes in memory. Parts of files, and the bytes of {@link #reserve}, are not counted. */
    public synchronized int size() {
        return content.bytes();
    }

    /** The number of bytes in parts of files. The number can include bytes that the drainer is sending now. */
    public synchronized long inFiles() {
        return content.inFiles();
    }

    /**
     * The number of bytes that producers have added since the beginning of the connection. This number is also the position of the next
     * byte in the output of the connection.
     */
    public synchronized long handedOver() {
        return earlier + content.handedOver();
    }

    /** The number of bytes that the outlet has sent since the beginning of the connection. */
    public synchronized long sent() {
        return earlier + content.sent();
    }

    /** Returns a content object to which bytes can be added. */
    @GuardedBy("this")
    private PipeContent filled() {
        if (content == PipeContent.EMPTY) {
            content = new PipeContent();
        }
        return content;
    }

    /** Drops the content if all of its bytes have been sent. */
    @GuardedBy("this")
    private void forgetSent() {
        if (content.isAllSent()) {
            earlier += content.handedOver();
            content = PipeContent.EMPTY;
        }
    }

    // ---- producer

    /**
     * Appends the bytes between the position and the limit of the segment's buffer. From this call on the pipe owns the segment, even if
     * the method throws an exception.
     *
     * @return the position of the first appended byte in the output of the connection
     */
    public synchronized long append(Segment segment) throws IOException {
        long begins = earlier + content.handedOver();
        boolean added = false;
        try {
            throwRefusal();
            if (segment.buffer().hasRemaining()) {
                PipeContent to = filled();
                // From this line on the content releases the segment.
                added = true;
                to.add(segment);
                empty = false;
            }
        } finally {
            if (!added) {
                segment.release();
            }
        }
        return begins;
    }

    /**
     * Reserves the output for {@code count} bytes of the producer, which are sent past the empty pipe. Afterwards the producer must call
     * {@link #sendReserved}. The caller holds the write token, and has found the pipe empty and the outlet flushed.
     *
     * @return the position of the first of these bytes in the output of the connection
     */
    public synchronized long reserve(int count) throws IOException {
        throwRefusal();
        long begins = earlier + content.handedOver();
        earlier += count;
        reserved = true;
        empty = false;
        return begins;
    }

    /**
     * Sends the bytes of {@link #reserve}, which lie between the position and the limit of the segment's buffer. The pipe keeps the bytes
     * that the outlet does not take. From this call on the pipe owns the segment, even if the method throws an exception.
     *
     * @return whether the outlet has sent all bytes
     */
    public boolean sendReserved(PipeOutlet outlet, Segment segment) throws IOException {
        ByteBuffer bytes = segment.buffer();
        int count = bytes.remaining();
        boolean flushed = false;
        try {
            outlet.write(bytes);
        } finally {
            flushed = endReserved(segment, count, bytes.remaining(), outlet.isFlushed());
        }
        return flushed;
    }

    private boolean endReserved(Segment segment, int count, int left, boolean flushed) {
        boolean kept = false;
        try {
            synchronized (this) {
                reserved = false;
                if (left > 0 || !flushed) {
                    earlier -= count;
                    PipeContent to = filled();
                    if (left > 0) {
                        // From this line on the content releases the segment.
                        kept = true;
                        to.add(segment);
                    }
                    to.passed(count - left, flushed);
                }
                if (failure != null) {
                    // The connection ended during the write.
                    dropAll();
                } else {
                    empty = isEmptyLocked();
                }
            }
        } finally {
            if (!kept) {
                segment.release();
            }
        }
        return left == 0 && flushed;
    }

    /** Appends a copy of as many bytes as the pipe has room for in memory. The remaining bytes stay in {@code source}. */
    public void appendCopy(ByteBuffer source) throws IOException {
        while (source.hasRemaining()) {
            int room = roomInMemory();
            if (room <= 0) {
                return;
            }
            copyOne(source, room);
        }
    }

    /**
     * Appends a copy of all bytes, regardless of the capacity. Callers use this method for response heads and framing bytes, which are
     * small and must not be split.
     */
    public void appendWhole(ByteBuffer source) throws IOException {
        while (source.hasRemaining()) {
            copyOne(source, Integer.MAX_VALUE);
        }
    }

    private void copyOne(ByteBuffer source, int most) throws IOException {
        Segment segment = memory.pool().acquireForOutput();
        ByteBuffer buffer = segment.buffer();
        int count = Math.min(most, Math.min(source.remaining(), buffer.capacity()));
        buffer.put(0, source, source.position(), count);
        buffer.limit(count);
        source.position(source.position() + count);
        append(segment);
    }

    /**
     * Appends a part of a file. From this call on the pipe owns the channel, even if the method throws an exception.
     *
     * @param whenClosed runs when the channel has been closed, on any thread. It must not block
     */
    public void append(FileChannel file, long position, long count, Runnable whenClosed) throws IOException {
        FileRegion region = new FileRegion(file, position, count, whenClosed);
        boolean added = false;
        synchronized (this) {
            try {
                throwRefusal();
                if (count > 0) {
                    PipeContent to = filled();
                    // From this line on the content closes the file.
                    added = true;
                    to.add(region);
                    empty = false;
                }
            } finally {
                if (!added) {
                    region.close();
                }
            }
        }
    }

    /**
     * Appends bytes of a spool file (a file for bytes that have no room in memory). The bytes must already be written to the file. If the
     * last part in the pipe is the preceding part of the same file, the two parts are merged. If the caller holds segments from {@link
     * #takeOut}, the appended bytes must include the bytes of these segments.
     *
     * @throws IOException if the pipe refuses further bytes
     */
    public synchronized void append(SharedFile file, long position, long count) throws IOException {
        throwRefusal();
        filled().add(file, position, count);
        empty = false;
    }

    /**
     * Removes the last segments from the pipe and returns them in their order. The list is empty while the drainer sends bytes. The caller
     * owns the segments until it calls {@link #putBack} or appends a file with the bytes of the segments. Until one of these calls {@link
     * #isAllSent} is false.
     *
     * @param begins the position of the caller's first byte, which {@link #append(Segment)} has returned. A segment with earlier bytes
     *     stays in the pipe
     * @param begun returns how many of the first bytes must stay in the pipe, since the client has got the beginning of their frame. Called
     *     under the lock, and only if no thread drains the pipe
     * @throws IOException if the pipe refuses further bytes. The pipe then possibly holds an answer that replaces the response of the
     *     caller
     */
    public synchronized List<Segment> takeOut(long begins, IntSupplier begun) throws IOException {
        throwRefusal();
        List<Segment> taken = content.takeOut(begins - earlier, begun);
        empty = isEmptyLocked();
        return taken;
    }

    /**
     * Appends the segments that {@link #takeOut} returned. If the pipe refuses further bytes, the segments are released instead. After this
     * call the caller must drain the pipe, or must ask the reactor to drain the pipe.
     */
    public synchronized void putBack(List<Segment> taken) {
        if (taken.isEmpty()) {
            return;
        }
        if (refusal != null) {
            content.endTakingOut();
            taken.forEach(Segment::release);
            return;
        }
        content.putBack(taken);
        empty = isEmptyLocked();
    }

    /** Whether the pipe contains parts of files. */
    public synchronized boolean hasRegions() {
        return content.hasRegions();
    }

    /** Whether the pipe holds no part of a file, and at most this number of bytes in memory. */
    public synchronized boolean holdsAtMost(int bytes) {
        return !content.hasRegions() && content.bytes() <= bytes;
    }

    /**
     * Whether the pipe has room for bytes in memory. Parts of files are not counted. The result is also true if the pipe refuses further
     * bytes.
     */
    public synchronized boolean hasMemory() {
        return content.bytes() < limit() || refusal != null;
    }

    /** Whether further bytes may stay in memory: this pipe has room, and so has the pool of all pipes. */
    public boolean mayKeepMore() {
        return hasMemory() && memory.pool().hasRoomForOutput();
    }

    /** Whether the pipe contains bytes, and memory has no room for more bytes. */
    public boolean isMemoryFull() {
        return !empty && !mayKeepMore();
    }

    /**
     * Whether a writer that must not block may write now. The pipe has room if it holds no part of a file and fewer bytes than {@link
     * #assured}. The pipe does not grow for such a writer. The result is also true if the pipe refuses further bytes.
     */
    public synchronized boolean hasRoom() {
        return roomLocked(memory.assured()) > 0 || refusal != null;
    }

    /** Waits until the client has received so many bytes that the pipe has room again. */
    public void awaitRoom() throws IOException {
        awaitRoom(FOR_EVER);
    }

    /** Waits at most {@code nanos} nanoseconds until the pipe has room. Returns whether the pipe has room. */
    public boolean awaitRoom(long nanos) throws IOException {
        long began = System.nanoTime();
        Thread producer = Thread.currentThread();
        memory.pool().waits().begin(ClientWaits.For.ROOM);
        try {
            while (!isRoomFor(producer)) {
                long left = nanos - (System.nanoTime() - began);
                if (left <= 0) {
                    return false;
                }
                // The thread waits until the drainer makes room, or until the connection or the response ends.
                if (nanos == FOR_EVER) {
                    LockSupport.park(this);
                } else {
                    LockSupport.parkNanos(this, left);
                }
                if (producer.isInterrupted()) {
                    throw new IOException(
                            "Interrupted while waiting for the client to read", new InterruptedException());
                }
            }
            return true;
        } finally {
            endWait();
            memory.pool().waits().end();
        }
    }

    /** Returns whether the pipe has room. If not, the pipe will wake the producer as soon as it has room. */
    private synchronized boolean isRoomFor(Thread producer) throws IOException {
        throwRefusal();
        // This field is set under the same lock as the check below. So a thread that later makes room wakes the
        // producer.
        waiting = producer;
        return roomLocked(limit()) > 0;
    }

    private synchronized void endWait() {
        waiting = null;
    }

    /**
     * Runs {@code action} once, as soon as {@link #hasRoom} returns true. If {@link #hasRoom} already returns true, the action runs in this
     * call. Several actions can wait at the same time. So the action of an ended response and the action of the next response do not
     * replace each other.
     */
    public void whenRoom(Runnable action) {
        synchronized (this) {
            if (roomLocked(memory.assured()) <= 0 && refusal == null) {
                whenRoom = whenRoom == null ? action : inOrder(whenRoom, action);
                return;
            }
        }
        action.run();
    }

    private static Runnable inOrder(Runnable first, Runnable second) {
        return () -> {
            first.run();
            second.run();
        };
    }

    /** Throws the cause of the refusal if the pipe refuses further bytes. */
    public synchronized void checkOpen() throws IOException {
        throwRefusal();
    }

    /**
     * Refuses further bytes, because the response is aborted and the connection ends after the response. The pipe sends the bytes that it
     * already holds. A thread that waits for room gets an exception with the cause. If the pipe already refuses bytes, this call has no
     * effect. Any thread may call this method.
     */
    public void refuse(IOException cause) {
        Runnable action;
        synchronized (this) {
            action = refuseLocked(cause);
        }
        run(action);
    }

    /**
     * Replaces all bytes from the position {@code begins} on by an answer. This is possible only if none of these bytes has been sent and
     * the drainer is not sending. After a replacement the pipe refuses further bytes. Any thread may call this method.
     *
     * @param begins the position of the first replaced byte, which {@link #append(Segment)} has returned
     * @param answer the bytes of the answer. The pipe owns this segment if the result is true; otherwise the caller owns the segment
     * @return whether the bytes were replaced
     */
    public boolean replace(long begins, Segment answer, IOException cause) {
        Runnable action;
        synchronized (this) {
            if (refusal != null || reserved || !content.cutBack(begins - earlier)) {
                return false;
            }
            content.add(answer);
            empty = false;
            action = refuseLocked(cause);
        }
        run(action);
        return true;
    }

    /**
     * Refuses further bytes. Returns the actions that waited for room. The caller must run these actions after it has released the lock.
     */
    @GuardedBy("this")
    private @Nullable Runnable refuseLocked(IOException cause) {
        if (refusal != null) {
            return null;
        }
        refusal = cause;
        // The producer wakes and throws the cause.
        LockSupport.unpark(waiting);
        Runnable action = whenRoom;
        whenRoom = null;
        return action;
    }

    // ---- drainer

    /**
     * Moves bytes from the pipe to {@code outlet}, as many as the outlet takes, but at most {@link #MAX_FILE_BYTES} of files. Each write
     * takes the first items, and does not hold the lock.
     *
     * @param behind further bytes of the producer, which follow the bytes of the pipe in the same write. The bytes that the outlet takes
     *     are consumed. If the pipe refuses further bytes, no byte is consumed
     * @return true if the pipe is empty and the outlet has sent all bytes. False if the outlet takes or sends no more bytes at present, or
     *     if the limit for file bytes in one drain was reached
     */
    public boolean drainTo(PipeOutlet outlet, ByteBuffer behind) throws IOException {
        long fileBytes = MAX_FILE_BYTES;
        boolean more = true;
        while (more) {
            FileRegion region;
            ByteBuffer[] gathered = NONE;
            synchronized (this) {
                // The writer of a replaced response can call this method once more before it notices the refusal. The
                // bytes of this writer are not sent.
                ByteBuffer follows = refusal == null ? behind : NOTHING;
                if (content.isEmpty() && !follows.hasRemaining()) {
                    break;
                }
                PipeContent from = filled();
                region = from.firstRegion();
                // Either call reserves the items. From then on endDrain() must be called.
                if (region == null) {
                    gathered = from.gather(follows);
                } else {
                    from.drainsRegion();
                }
            }
            int unsentBehind = behind.remaining();
            long taken = 0;
            boolean all = false;
            try {
                if (region == null) {
                    taken = outlet.write(gathered, 0, gathered.length);
                } else {
                    taken = region.sendTo(outlet, fileBytes);
                    fileBytes -= taken;
                }
                all = region == null ? isTaken(gathered) : region.remaining() == 0;
            } finally {
                boolean emptied = endDrain(region, taken, unsentBehind - behind.remaining(), outlet.isFlushed());
                // If another thread adds bytes now, the holder of the write token finds these bytes when it releases
                // the token.
                more = !emptied || behind.hasRemaining();
            }
            if (!all) {
                return false;
            }
        }
        return flush(outlet);
    }

    private static boolean isTaken(ByteBuffer[] buffers) {
        for (ByteBuffer buffer : buffers) {
            if (buffer.hasRemaining()) {
                return false;
            }
        }
        return true;
    }

    /**
     * Removes the bytes that the outlet has taken from the pipe, and ends the reservation of the other bytes. Returns whether the pipe is
     * empty.
     *
     * @param region the part of a file that was sent; null if segments were sent
     * @param taken the number of bytes that the outlet has taken
     * @param behind how many of these bytes came from the producer's own buffer
     */
    private boolean endDrain(@Nullable FileRegion region, long taken, int behind, boolean flushed) {
        boolean emptied;
        Runnable action = null;
        synchronized (this) {
            boolean fewerInMemory = false;
            if (region == null) {
                fewerInMemory = content.wrote(taken, behind, flushed);
            } else {
                content.transferred(region, taken, flushed);
            }
            if (failure != null) {
                // The connection ended during the drain.
                dropAll();
            } else {
                empty = isEmptyLocked();
                action = fewerInMemory || !content.hasRegions() ? signalRoom() : null;
                forgetSent();
            }
            emptied = empty;
        }
        run(action);
        return emptied;
    }

    /** Flushes the outlet, which can hold unsent bytes even if the pipe is empty. Returns whether the outlet has sent all its bytes. */
    private boolean flush(PipeOutlet outlet) throws IOException {
        boolean all = outlet.flush();
        // With a plain socket the pipe is empty here, because the socket sends all bytes that it takes.
        if (all && !empty) {
            synchronized (this) {
                content.flushed();
                empty = failure != null || isEmptyLocked();
                forgetSent();
            }
        }
        return all;
    }

    /**
     * Called when the connection has ended. The pipe drops its content and refuses further bytes. A thread that waits for room gets an
     * exception with the cause. If the connection had already ended, this call has no effect.
     */
    public void fail(IOException cause) {
        Runnable action;
        synchronized (this) {
            if (failure != null) {
                return;
            }
            failure = cause;
            failed = true;
            // If a thread is sending bytes now, that thread drops the content at the end of its write.
            if (!reserved && !content.isDraining()) {
                dropAll();
            }
            action = refuseLocked(cause);
        }
        run(action);
    }

    @GuardedBy("this")
    private void dropAll() {
        if (content != PipeContent.EMPTY) {
            content.dropAll();
        }
        empty = true;
    }

    private static void run(@Nullable Runnable action) {
        if (action != null) {
            action.run();
        }
    }

    @GuardedBy("this")
    private @Nullable Runnable signalRoom() {
        if (waiting != null && isHalfFree(limit())) {
            // The producer wakes, because the pipe has room.
            LockSupport.unpark(waiting);
        }
        if (whenRoom == null || !isHalfFree(memory.assured())) {
            return null;
        }
        Runnable action = whenRoom;
        whenRoom = null;
        return action;
    }

    /** Whether at least half of the limit is free. With less room, the producer would soon have to wait again. */
    @GuardedBy("this")
    private boolean isHalfFree(int limit) {
        return roomLocked(limit) >= limit / 2;
    }

    private synchronized int roomInMemory() throws IOException {
        throwRefusal();
        return limit() - content.bytes();
    }

    @GuardedBy("this")
    private int roomLocked(int limit) {
        return content.hasRegions() ? 0 : limit - content.bytes();
    }

    @GuardedBy("this")
    private void throwRefusal() throws IOException {
        IOException cause = refusal;
        if (cause == null) {
            return;
        }
        throw cause == failure ? new ConnectionEnded(cause) : new IOException(cause.getMessage(), cause);
    }
}
