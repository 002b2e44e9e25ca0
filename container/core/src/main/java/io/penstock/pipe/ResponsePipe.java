package io.penstock.pipe;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Response bytes and file regions of one connection that its socket has not taken yet.
 *
 * <p>Thread: one producer at a time (a worker, or the reactor for canned answers) and one drainer at a time (whoever holds the
 * connection's write token). Only {@link #awaitRoom} blocks, and only a producer that is no reactor calls it; {@link #refuse} and
 * {@link #fail} end its wait from any thread. Owns its segments and regions; an empty pipe holds none.
 */
public final class ResponsePipe {
    /** What a reactor sends of one file before it looks after its other clients. */
    private static final long REGION_TURN = 256 * 1024;

    private static final int GATHER = 16;
    private static final int SMALL = 1024;
    private static final int MANY = 4;

    /** No bytes behind those of the pipe. */
    public static final ByteBuffer NOTHING = ByteBuffer.allocate(0).asReadOnlyBuffer();

    private final SegmentPool pool;
    private final int capacity;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition roomOrEnd = lock.newCondition();

    @GuardedBy("lock")
    private final ArrayDeque<Object> items = new ArrayDeque<>(4); // Segment or FileRegion

    @GuardedBy("lock")
    private int bytes;

    // Of all bytes that this pipe ever had, and those that went past it: how many came, how many the outlet has taken.
    @GuardedBy("lock")
    private long handedOver;

    @GuardedBy("lock")
    private long sent;

    @GuardedBy("lock")
    private int regions;

    // While true the first items are in the drainer's hands: nobody else releases or changes them.
    @GuardedBy("lock")
    private boolean draining;

    // Why the drainer sends no more: the connection has ended.
    @GuardedBy("lock")
    private @Nullable IOException failure;

    // Why the producer adds no more: its response has been given up, or the connection has ended.
    @GuardedBy("lock")
    private @Nullable IOException refusal;

    @GuardedBy("lock")
    private @Nullable Runnable whenRoom;

    // The drainer's alone: the buffers of the write that is under way.
    private final ByteBuffer[] gathered = new ByteBuffer[GATHER];

    private int gatheredSegments;

    // Written under the lock, read without: what the fast path asks before it tries the socket.
    private volatile boolean empty = true;
    private volatile boolean failed;

    public ResponsePipe(SegmentPool pool, int capacity) {
        this.pool = pool;
        this.capacity = capacity;
    }

    /** Bytes that it holds in memory at most, but for framing and heads, which cannot be left half. */
    public int capacity() {
        return capacity;
    }

    public boolean isEmpty() {
        return empty;
    }

    /** Whether the connection has ended: nothing that is appended will leave. */
    public boolean hasFailed() {
        return failed;
    }

    /** Bytes in memory, file regions not counted. */
    public int size() {
        lock.lock();
        try {
            return bytes;
        } finally {
            lock.unlock();
        }
    }

    /** Bytes in parts of files. What is being sent at this moment may be counted or not. */
    public long inFiles() {
        lock.lock();
        try {
            long sum = 0;
            for (Object item : items) {
                if (item instanceof FileRegion region) {
                    sum += region.remaining();
                }
            }
            return sum;
        } finally {
            lock.unlock();
        }
    }

    /** How many bytes were handed over since the beginning: where among all bytes of the connection the next one will be. */
    public long handedOver() {
        lock.lock();
        try {
            return handedOver;
        } finally {
            lock.unlock();
        }
    }

    /** How many of the bytes that were handed over the outlet has taken. */
    public long sent() {
        lock.lock();
        try {
            return sent;
        } finally {
            lock.unlock();
        }
    }

    // ---- producer

    /**
     * Appends the bytes between position and limit; the segment is the pipe's from here on, also if the call throws.
     *
     * @return where they begin among all bytes of the connection
     */
    public long append(Segment segment) throws IOException {
        lock.lock();
        try {
            long begins = handedOver;
            if (refusal != null || !segment.buffer().hasRemaining()) {
                segment.release();
                throwRefusal();
            } else {
                appendLocked(segment);
            }
            return begins;
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void appendLocked(Segment segment) {
        bytes += segment.buffer().remaining();
        handedOver += segment.buffer().remaining();
        if (joinsLast(segment.buffer())) {
            segment.release();
        } else {
            items.addLast(segment);
            empty = false;
        }
    }

    /** Many small writes to a client that does not read must not hold a segment each. */
    @GuardedBy("lock")
    private boolean joinsLast(ByteBuffer source) {
        if (draining || !(items.peekLast() instanceof Segment last)) {
            return false;
        }
        ByteBuffer buffer = last.buffer();
        int end = buffer.limit();
        int count = source.remaining();
        // A few bytes are cheaper copied than gathered; many segments would be held for little.
        if (buffer.capacity() - end < count || (count > SMALL && items.size() < MANY)) {
            return false;
        }
        buffer.limit(end + count);
        buffer.put(end, source, source.position(), count);
        return true;
    }

    /** Copies bytes as far as the capacity goes; the rest stays in {@code source}. */
    public void appendCopy(ByteBuffer source) throws IOException {
        while (source.hasRemaining()) {
            int room = memory();
            if (room <= 0) {
                return;
            }
            copyOne(source, room);
        }
    }

    /** Copies all bytes, whatever the capacity: for heads and framing, which are small and cannot be left half. */
    public void appendWhole(ByteBuffer source) throws IOException {
        while (source.hasRemaining()) {
            copyOne(source, Integer.MAX_VALUE);
        }
    }

    private void copyOne(ByteBuffer source, int most) throws IOException {
        Segment segment = pool.acquireForOutput();
        ByteBuffer buffer = segment.buffer();
        int count = Math.min(most, Math.min(source.remaining(), buffer.capacity()));
        buffer.put(0, source, source.position(), count);
        buffer.limit(count);
        source.position(source.position() + count);
        append(segment);
    }

    /** Appends part of a file; the channel is the pipe's from here on, also if the call throws. */
    public void append(FileChannel file, long position, long count) throws IOException {
        FileRegion region = new FileRegion(file, position, count);
        lock.lock();
        try {
            if (refusal != null || count == 0) {
                region.close();
                throwRefusal();
                return;
            }
            items.addLast(region);
            handedOver += count;
            regions++;
            empty = false;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Appends bytes of a spool file that are written already; with those before them in the same file they are one part.
     *
     * @throws IOException if nothing more may be added
     */
    public void append(SharedFile file, long position, long count) throws IOException {
        lock.lock();
        try {
            throwRefusal();
            handedOver += count;
            boolean held = draining && items.size() == 1; // in the drainer's hands: nobody else changes it
            if (!held && items.peekLast() instanceof FileRegion last && last.join(file, position, count)) {
                return;
            }
            items.addLast(new FileRegion(file, position, count));
            regions++;
            empty = false;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes the segments out again, in order, if nobody is about to send them and no part of a file is among them; else none. They are
     * the caller's from here on, unless it puts them back.
     */
    public List<Segment> takeOut() {
        lock.lock();
        try {
            if (draining || regions > 0 || failure != null) {
                return List.of();
            }
            List<Segment> taken = new ArrayList<>(items.size());
            for (Object item : items) {
                taken.add((Segment) item);
            }
            handedOver -= remaining(taken);
            items.clear();
            recount();
            return taken;
        } finally {
            lock.unlock();
        }
    }

    /** What {@link #takeOut} returned is first in the pipe again. */
    public void putBack(List<Segment> taken) {
        lock.lock();
        try {
            if (failure != null) {
                taken.forEach(Segment::release);
                return;
            }
            for (int i = taken.size() - 1; i >= 0; i--) {
                items.addFirst(taken.get(i));
            }
            handedOver += remaining(taken);
            recount();
        } finally {
            lock.unlock();
        }
    }

    private static long remaining(List<Segment> segments) {
        long sum = 0;
        for (Segment segment : segments) {
            sum += segment.buffer().remaining();
        }
        return sum;
    }

    /** Whether parts of files are in the pipe. */
    public boolean hasRegions() {
        lock.lock();
        try {
            return regions > 0;
        } finally {
            lock.unlock();
        }
    }

    /** Whether memory has room: bytes behind a region wait for it, but they are few. */
    public boolean hasMemory() {
        lock.lock();
        try {
            return bytes < capacity || refusal != null;
        } finally {
            lock.unlock();
        }
    }

    /** Whether an append would stay within the capacity, and soon leave: a region counts as a full pipe. */
    public boolean hasRoom() {
        lock.lock();
        try {
            return roomLocked() > 0 || refusal != null;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until the client has taken enough that there is room again. */
    public void awaitRoom() throws IOException {
        lock.lock();
        try {
            while (roomLocked() <= 0 && refusal == null) {
                roomOrEnd.await(); // for the drainer: room, or the end of the connection; for abort: the end of the
                // response
            }
            throwRefusal();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while waiting for the client to read", e);
        } finally {
            lock.unlock();
        }
    }

    /** The same for at most {@code nanos} nanoseconds; returns whether there is room for half of what the pipe holds. */
    public boolean awaitRoom(long nanos) throws IOException {
        lock.lock();
        try {
            long left = nanos;
            while (roomLocked() <= 0 && refusal == null && left > 0) {
                left = roomOrEnd.awaitNanos(left); // as above
            }
            throwRefusal();
            return roomLocked() >= capacity / 2;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while waiting for the client to read", e);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Runs {@code action} once as soon as there is room, or nothing more may be added; at once if so. Several may wait: whoever asks for a
     * response that has ended must not take the place of the one who waits for the next.
     */
    public void whenRoom(Runnable action) {
        lock.lock();
        try {
            if (roomLocked() <= 0 && refusal == null) {
                whenRoom = whenRoom == null ? action : inOrder(whenRoom, action);
                return;
            }
        } finally {
            lock.unlock();
        }
        action.run();
    }

    private static Runnable inOrder(Runnable first, Runnable second) {
        return () -> {
            first.run();
            second.run();
        };
    }

    /** Throws why nothing more may be added, if so. */
    public void checkOpen() throws IOException {
        lock.lock();
        try {
            throwRefusal();
        } finally {
            lock.unlock();
        }
    }

    /**
     * The response has been given up, and the connection ends with it: nothing more is added, what is in the pipe still leaves.
     * Whoever waits for room gets the cause. The first cause stays. Any thread.
     */
    public void refuse(IOException cause) {
        Runnable action;
        lock.lock();
        try {
            action = refuseLocked(cause);
        } finally {
            lock.unlock();
        }
        run(action);
    }

    /**
     * Puts an answer in the place of all that was handed over from {@code begins} on, unless some of that has left, or is about to. As after
     * {@link #refuse} nothing more is added. Any thread.
     *
     * @param begins where {@link #append(Segment)} has said that the replaced begins
     * @param answer the pipe's from here on if it is put there, else the caller's
     * @return whether it is put there
     */
    public boolean replace(long begins, Segment answer, IOException cause) {
        Runnable action;
        lock.lock();
        try {
            // What was handed over and is not here is in the hands of its producer, on its way to disk.
            boolean here = handedOver > begins;
            if (!here || draining || sent > begins || refusal != null) {
                return false;
            }
            cutBack(handedOver - begins);
            appendLocked(answer);
            action = refuseLocked(cause);
        } finally {
            lock.unlock();
        }
        run(action);
        return true;
    }

    /** The last {@code count} bytes will not be sent. */
    @GuardedBy("lock")
    private void cutBack(long count) {
        handedOver -= count;
        long left = count;
        while (left > 0) {
            Object last = items.getLast();
            long held = remaining(last);
            if (held > left) {
                shorten(last, left);
                break;
            }
            items.removeLast();
            drop(last);
            regions -= last instanceof FileRegion ? 1 : 0;
            left -= held;
        }
        recount();
    }

    private static long remaining(Object item) {
        return item instanceof FileRegion region
                ? region.remaining()
                : ((Segment) item).buffer().remaining();
    }

    private static void shorten(Object item, long by) {
        if (item instanceof FileRegion region) {
            region.cutBack(by);
        } else {
            ByteBuffer buffer = ((Segment) item).buffer();
            buffer.limit(buffer.limit() - (int) by);
        }
    }

    /** What waited for room, to be run outside the lock. */
    @GuardedBy("lock")
    private @Nullable Runnable refuseLocked(IOException cause) {
        if (refusal != null) {
            return null;
        }
        refusal = cause;
        roomOrEnd.signalAll(); // the producer: no room will be of use
        Runnable action = whenRoom;
        whenRoom = null;
        return action;
    }

    // ---- drainer

    /**
     * Moves into {@code outlet} what it takes.
     *
     * @param behind bytes that are not the pipe's, to follow in the same write; consumed as far as they left
     * @return whether the pipe is empty now; otherwise the outlet takes no more at present, or a file has had its turn
     */
    public boolean drainTo(PipeOutlet outlet, ByteBuffer behind) throws IOException {
        long regionBudget = REGION_TURN;
        while (true) {
            int count;
            FileRegion region;
            lock.lock();
            try {
                Object first = items.peekFirst();
                if (first == null && !behind.hasRemaining()) {
                    return true;
                }
                region = first instanceof FileRegion r ? r : null;
                count = region == null ? gather(behind) : 0;
                draining = true;
            } finally {
                lock.unlock();
            }
            // Outside the lock: what is being drained stays first until the drainer says that it is not.
            boolean left = false;
            long taken = 0;
            int unsentBehind = behind.remaining();
            try {
                if (region == null) {
                    taken = outlet.write(gathered, 0, count);
                } else {
                    taken = region.sendTo(outlet, regionBudget);
                    regionBudget -= taken;
                }
            } finally {
                left = region == null
                        ? releaseWritten(count, taken, unsentBehind - behind.remaining())
                        : releaseSent(region, taken);
            }
            if (!left) {
                return false;
            }
        }
    }

    /** The connection has ended: whatever is in the pipe is dropped, whoever waits gets the cause. The first cause stays. */
    public void fail(IOException cause) {
        Runnable action;
        lock.lock();
        try {
            if (failure != null) {
                return;
            }
            failure = cause;
            failed = true;
            if (!draining) {
                dropAll(); // else the drainer does it
            }
            action = refuseLocked(cause);
        } finally {
            lock.unlock();
        }
        run(action);
    }

    @GuardedBy("lock")
    private void dropAll() {
        for (Object item : items) {
            drop(item);
        }
        items.clear();
        bytes = 0;
        regions = 0;
        empty = true;
    }

    private static void drop(Object item) {
        if (item instanceof Segment segment) {
            segment.release();
        } else if (item instanceof FileRegion region) {
            region.close();
        }
    }

    @GuardedBy("lock")
    private int gather(ByteBuffer behind) {
        int count = 0;
        boolean segmentsOnly = true;
        for (Object item : items) {
            segmentsOnly = count < GATHER && item instanceof Segment;
            if (!segmentsOnly) {
                break;
            }
            gathered[count++] = ((Segment) item).buffer();
        }
        gatheredSegments = count;
        if (segmentsOnly && count < GATHER && behind.hasRemaining()) {
            gathered[count++] = behind;
        }
        return count;
    }

    /** Takes out what has left; returns whether all of the {@code count} gathered buffers have. */
    private boolean releaseWritten(int count, long taken, int takenBehind) {
        boolean all = true;
        Runnable action;
        lock.lock();
        try {
            sent += taken;
            handedOver += takenBehind; // these never were in the pipe
            for (int i = 0; i < count; i++) {
                if (gathered[i].hasRemaining()) {
                    all = false;
                } else if (i < gatheredSegments) {
                    ((Segment) items.removeFirst()).release();
                }
                gathered[i] = NOTHING;
            }
            action = drained();
        } finally {
            lock.unlock();
        }
        run(action);
        return all;
    }

    /** Takes the region out if it has left whole; returns whether it has. */
    private boolean releaseSent(FileRegion region, long taken) {
        boolean all = region.remaining() == 0;
        Runnable action;
        lock.lock();
        try {
            sent += taken;
            if (all) {
                items.removeFirst();
                regions--;
                region.close();
            }
            action = drained();
        } finally {
            lock.unlock();
        }
        run(action);
        return all;
    }

    @GuardedBy("lock")
    private @Nullable Runnable drained() {
        draining = false;
        if (failure != null) {
            dropAll(); // the connection ended while its bytes were in the drainer's hands
            return null;
        }
        int before = bytes;
        recount();
        return bytes < before || regions == 0 ? signalRoom() : null;
    }

    private static void run(@Nullable Runnable action) {
        if (action != null) {
            action.run();
        }
    }

    @GuardedBy("lock")
    private @Nullable Runnable signalRoom() {
        if (roomLocked() < capacity / 2) {
            return null; // a little room is not worth a wake-up
        }
        roomOrEnd.signal(); // the producer: there is room
        Runnable action = whenRoom;
        whenRoom = null;
        return action;
    }

    @GuardedBy("lock")
    private void recount() {
        int sum = 0;
        for (Object item : items) {
            if (item instanceof Segment segment) {
                sum += segment.buffer().remaining();
            }
        }
        bytes = sum;
        empty = items.isEmpty();
    }

    private int memory() throws IOException {
        lock.lock();
        try {
            throwRefusal();
            return capacity - bytes;
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private int roomLocked() {
        return regions > 0 ? 0 : capacity - bytes;
    }

    @GuardedBy("lock")
    private void throwRefusal() throws IOException {
        if (refusal == null) {
            return;
        }
        throw failure == refusal ? new ConnectionEnded(failure) : new IOException(refusal.getMessage(), refusal);
    }
}
