package io.penstock.pipe;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Response bytes and file regions of one connection that its link has not taken yet, and the count of bytes that the link has sent.
 *
 * <p>Thread: one producer at a time (a worker, or the reactor for canned answers) and one drainer at a time (the holder of the
 * connection's write token). Only {@link #awaitRoom} blocks, and only a producer that is no reactor calls it; {@link #refuse} and
 * {@link #fail} end its wait from any thread. The waiting thread does not hold the monitor; other threads hold the monitor for moments
 * only. Owns its segments and regions. Most connections are idle, so a pipe whose bytes have all been sent has no content and no object
 * for its lock.
 *
 * <p>Once the pipe refuses ({@link #refuse}, {@link #replace}, {@link #fail}) a producer adds nothing, sends nothing past the pipe, and
 * takes nothing out. Each of these operations checks this under the lock: when the producer adds, the result of an earlier {@link
 * #checkOpen} may be outdated.
 */
public final class ResponsePipe {
    /** For a caller without bytes of its own behind those of the pipe. */
    public static final ByteBuffer NOTHING = ByteBuffer.allocate(0).asReadOnlyBuffer();

    private static final long FOR_EVER = Long.MAX_VALUE;

    private final PipeMemory memory;

    // Holds the bytes that have not been sent, if there are any.
    @GuardedBy("this")
    private PipeContent content = PipeContent.EMPTY;

    // How many bytes of the connection were handed over, and sent, before the present content.
    @GuardedBy("this")
    private long earlier;

    // The end of the connection: the drainer sends no more.
    @GuardedBy("this")
    private @Nullable IOException failure;

    // The reason that the producer adds no more: its response was aborted, or the connection has ended.
    @GuardedBy("this")
    private @Nullable IOException refusal;

    // The producer while it waits for room.
    @GuardedBy("this")
    private @Nullable Thread waiting;

    @GuardedBy("this")
    private @Nullable Runnable whenRoom;

    // Written under the lock; read without it by the fast path before it tries the socket. False also while the outlet
    // has not sent the bytes that it has taken.
    private volatile boolean empty = true;
    private volatile boolean failed;

    /** A pipe that does not grow. */
    public ResponsePipe(SegmentPool pool, int capacity) {
        this(pool, PipeBounds.fixed(capacity));
    }

    public ResponsePipe(SegmentPool pool, PipeBounds bounds) {
        this(new PipeMemory(pool, bounds));
    }

    public ResponsePipe(PipeMemory memory) {
        this.memory = memory;
    }

    /** The bytes that this pipe may always hold in memory, even if the other pipes are full. Heads and framing may exceed it. */
    public int assured() {
        return memory.assured();
    }

    /**
     * How many bytes a writer may hold in segments before it appends them: a segment, and up to the assured size while memory is plentiful. A
     * response that waits for its application must not use up the memory of the others.
     */
    public int mayHoldBack() {
        return memory.heldBack();
    }

    /** The most bytes in memory now. A pipe grows if its writer would have to wait otherwise. */
    private int limit() {
        return memory.limit();
    }

    /** Whether no bytes wait to be sent, neither here nor in the outlet. */
    public boolean isEmpty() {
        return empty;
    }

    @GuardedBy("this")
    private boolean isEmptyLocked() {
        return content.isEmpty() && content.isFlushed();
    }

    /**
     * Whether all bytes that were handed over have been sent: the pipe is empty, and its producer has taken nothing out
     * ({@link #takeOut}). Only then may the connection's output end.
     */
    public synchronized boolean isAllSent() {
        return content.isAllSent();
    }

    /** Whether the connection has ended: no appended bytes will be sent. */
    public boolean hasFailed() {
        return failed;
    }

    /** The failure that has ended the connection; null if it has not ended. */
    public synchronized @Nullable IOException failure() {
        return failure;
    }

    /** Bytes in memory, file regions not counted. */
    public synchronized int size() {
        return content.bytes();
    }

    /** Bytes in parts of files. The count may include bytes that are being sent. */
    public synchronized long inFiles() {
        return content.inFiles();
    }

    /** How many bytes were handed over so far. This is the position of the next byte among all bytes of the connection. */
    public synchronized long handedOver() {
        return earlier + content.handedOver();
    }

    /** How many of the bytes handed over have been sent by the outlet. */
    public synchronized long sent() {
        return earlier + content.sent();
    }

    /** The content, for new bytes. */
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
     * Appends the bytes between position and limit; the segment is the pipe's from here on, even if the call throws.
     *
     * @return where the bytes begin among all bytes of the connection
     */
    public synchronized long append(Segment segment) throws IOException {
        long begins = earlier + content.handedOver();
        boolean added = false;
        try {
            throwRefusal();
            if (segment.buffer().hasRemaining()) {
                PipeContent to = filled();
                added = true; // from here on the content releases the segment
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

    /** Copies as many bytes as memory has room for; the rest stays in {@code source}. */
    public void appendCopy(ByteBuffer source) throws IOException {
        while (source.hasRemaining()) {
            int room = roomInMemory();
            if (room <= 0) {
                return;
            }
            copyOne(source, room);
        }
    }

    /** Copies all bytes, regardless of the capacity. This is for heads and framing, which are small and must be whole. */
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

    /** Appends part of a file; the channel is the pipe's from here on, even if the call throws. */
    public void append(FileChannel file, long position, long count) throws IOException {
        FileRegion region = new FileRegion(file, position, count);
        boolean added = false;
        synchronized (this) {
            try {
                throwRefusal();
                if (count > 0) {
                    PipeContent to = filled();
                    added = true; // from here on the content closes the file
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
     * Appends bytes of a spool file that have been written, merged with an adjacent part of the same file before them. They include the
     * bytes that {@link #takeOut} returned, if it returned any.
     *
     * @throws IOException if nothing more may be added
     */
    public synchronized void append(SharedFile file, long position, long count) throws IOException {
        throwRefusal();
        filled().add(file, position, count);
        empty = false;
    }

    /**
     * Takes the last segments out again, in order, unless bytes are being sent at this moment. The caller owns them from here on, until it
     * puts them back or appends a file that has their bytes; {@link #isAllSent} is false until then.
     *
     * @param begins where the caller's bytes begin, as {@link #append(Segment)} has returned it: a segment with earlier bytes stays
     * @throws IOException if nothing more may be added: the pipe may hold an answer that replaces the writer's response
     */
    public synchronized List<Segment> takeOut(long begins) throws IOException {
        throwRefusal();
        List<Segment> taken = content.takeOut(begins - earlier);
        empty = isEmptyLocked();
        return taken;
    }

    /**
     * Appends the segments that {@link #takeOut} returned, or drops them if nothing more may be added. The caller sends them next, or has
     * the reactor do so.
     */
    public synchronized void putBack(List<Segment> taken) {
        if (taken.isEmpty()) {
            return;
        }
        if (refusal != null) {
            content.backAgain();
            taken.forEach(Segment::release);
            return;
        }
        content.putBack(taken);
        empty = isEmptyLocked();
    }

    /** Whether the pipe has parts of files. */
    public synchronized boolean hasRegions() {
        return content.hasRegions();
    }

    /** Whether at most so many bytes wait to be sent, all of them in memory. */
    public synchronized boolean holdsAtMost(int bytes) {
        return !content.hasRegions() && content.bytes() <= bytes;
    }

    /** Whether memory has room. Parts of files do not count here, although bytes behind a part wait for it. */
    public synchronized boolean hasMemory() {
        return content.bytes() < limit() || refusal != null;
    }

    /**
     * Whether appended bytes stay within the assured size and are sent soon. A pipe with a part of a file counts as full. This is for a writer
     * that asks before each write and never waits: the pipe does not grow for it.
     */
    public synchronized boolean hasRoom() {
        return roomLocked(memory.assured()) > 0 || refusal != null;
    }

    /** Waits until the client has taken so many bytes that the pipe has room again. */
    public void awaitRoom() throws IOException {
        awaitRoom(FOR_EVER);
    }

    /** Waits for room for at most {@code nanos} nanoseconds; returns whether there is room. */
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
                // The wait lasts until the drainer makes room, or until the connection or the response ends.
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

    /** Whether there is room; otherwise the producer is woken when there is. */
    private synchronized boolean isRoomFor(Thread producer) throws IOException {
        throwRefusal();
        // Set under the same lock as the check, so that a thread that makes room from here on wakes the producer.
        waiting = producer;
        return roomLocked(limit()) > 0;
    }

    private synchronized void endWait() {
        waiting = null;
    }

    /**
     * Runs {@code action} once as soon as {@link #hasRoom} holds; at once if it does already. Several actions may wait, so that the action of an
     * ended response does not replace that of the next response.
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

    /** Throws the cause of the refusal if nothing more may be added. */
    public synchronized void checkOpen() throws IOException {
        throwRefusal();
    }

    /**
     * Refuses further bytes, since the response is aborted and the connection ends with it. The content of the pipe is still sent. A thread
     * that waits for room gets the cause. Later causes are ignored. Any thread.
     */
    public void refuse(IOException cause) {
        Runnable action;
        synchronized (this) {
            action = refuseLocked(cause);
        }
        run(action);
    }

    /**
     * Replaces all bytes that were handed over from {@code begins} on by an answer, unless some of them have been sent or are being sent.
     * As after {@link #refuse} nothing more is added. Any thread.
     *
     * @param begins position of the first replaced byte, as {@link #append(Segment)} has returned it
     * @param answer owned by the pipe if the method returns true, else by the caller
     * @return whether the bytes were replaced
     */
    public boolean replace(long begins, Segment answer, IOException cause) {
        Runnable action;
        synchronized (this) {
            if (refusal != null || !content.cutBack(begins - earlier)) {
                return false;
            }
            content.add(answer);
            empty = false;
            action = refuseLocked(cause);
        }
        run(action);
        return true;
    }

    /** Refuses from here on; returns the actions that waited for room, for the caller to run without the lock. */
    @GuardedBy("this")
    private @Nullable Runnable refuseLocked(IOException cause) {
        if (refusal != null) {
            return null;
        }
        refusal = cause;
        LockSupport.unpark(waiting); // wakes the producer, whose wait has failed
        Runnable action = whenRoom;
        whenRoom = null;
        return action;
    }

    // ---- drainer

    /**
     * Moves the content to {@code outlet}, as many bytes as it takes.
     *
     * @param behind further bytes of the producer, to follow in the same write; consumed as far as the outlet takes them, not at all
     *     if the pipe refuses
     * @return whether the pipe is empty and the outlet has nothing to send; otherwise the outlet takes or sends no more at present, or a
     * file has had its share of this drain
     */
    public boolean drainTo(PipeOutlet outlet, ByteBuffer behind) throws IOException {
        return new PipeDrain(this).drainTo(outlet, behind);
    }

    /** Reserves the first items for the drainer until {@link #endDrain}; false if there is nothing to send. */
    synchronized boolean beginDrain(PipeDrain drain, ByteBuffer behind) {
        // The writer of a replaced response may still call this method for a moment. Its bytes are not sent.
        ByteBuffer follows = refusal == null ? behind : NOTHING;
        if (content.isEmpty() && !follows.hasRemaining()) {
            return false;
        }
        drain.take(filled(), follows);
        return true;
    }

    /** Removes the bytes that the outlet has taken; the rest is first again. Returns whether there is nothing more to send. */
    boolean endDrain(PipeDrain drain) {
        boolean emptied;
        Runnable action = null;
        synchronized (this) {
            boolean fewerInMemory = drain.giveBack(content);
            if (failure != null) {
                dropAll(); // the connection ended during the drain
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

    /** The outlet has sent all bytes that it has taken. */
    void flushed() {
        if (empty) {
            return; // always so for a plain socket
        }
        synchronized (this) {
            content.flushed();
            empty = failure != null || isEmptyLocked();
            forgetSent();
        }
    }

    /** The connection has ended: drops the content of the pipe; a waiting thread gets the cause. Later causes are ignored. */
    public void fail(IOException cause) {
        Runnable action;
        synchronized (this) {
            if (failure != null) {
                return;
            }
            failure = cause;
            failed = true;
            // If a thread drains, that thread drops the content at the end of its drain.
            if (!content.isDraining()) {
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
            LockSupport.unpark(waiting); // wakes the producer, since there is room
        }
        if (whenRoom == null || !isHalfFree(memory.assured())) {
            return null;
        }
        Runnable action = whenRoom;
        whenRoom = null;
        return action;
    }

    /** Whether so much room is free that a wake-up is worthwhile. */
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
        if (refusal == null) {
            return;
        }
        throw failure == refusal ? new ConnectionEnded(failure) : new IOException(refusal.getMessage(), refusal);
    }
}
