package io.penstock.pipe;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The content of a response pipe, in order, with its byte counts: segments in memory, and parts of files. The content begins when bytes are
 * handed to an empty pipe, and ends when all of them have been sent ({@link #isAllSent}). Positions count from its first byte.
 *
 * <p>Thread: the holder of the pipe's lock. While a thread drains, the first items are reserved for that thread: no other thread releases
 * or changes them. Owns its items.
 *
 * <pre>
 *   STILL --drain--> DRAINING --drained--> STILL
 * </pre>
 *
 * <p>In either state the producer may have taken its last items out, until it puts them back or adds them as part of a file.
 */
final class PipeContent {
    private static final int SMALL = 1024;
    private static final int MANY = 4;

    /** Shared by all pipes without content, since most pipes have none. No pipe modifies this object. */
    static final PipeContent EMPTY = new PipeContent();

    private enum State {
        STILL,
        DRAINING
    }

    private final ArrayDeque<Object> items = new ArrayDeque<>(MANY); // Segment or FileRegion
    private State state = State.STILL;
    private int bytes;
    private int regions;

    // Whether the producer has taken items out.
    private boolean takenOut;

    // Counts of bytes: handed over, taken by the outlet, sent by the outlet. They include bytes that were sent without
    // entering the pipe.
    private long handedOver;
    private long taken;
    private long sent;

    boolean isEmpty() {
        return items.isEmpty();
    }

    /** Whether the pipe is empty, the producer has taken nothing out, and the outlet has sent all that it has taken. */
    boolean isAllSent() {
        return items.isEmpty() && !takenOut && isFlushed();
    }

    boolean isDraining() {
        return state == State.DRAINING;
    }

    /** Bytes in memory. */
    int bytes() {
        return bytes;
    }

    /** Bytes in parts of files. The count may include bytes that are being sent. */
    long inFiles() {
        long sum = 0;
        for (Object item : items) {
            if (item instanceof FileRegion region) {
                sum += region.remaining();
            }
        }
        return sum;
    }

    boolean hasRegions() {
        return regions > 0;
    }

    long handedOver() {
        return handedOver;
    }

    long sent() {
        return sent;
    }

    /** Whether the outlet has sent all that it has taken. */
    boolean isFlushed() {
        return sent == taken;
    }

    void flushed() {
        sent = taken;
    }

    /** The outlet has taken {@code count} more bytes. This means that it has sent all bytes that it took before. */
    private void left(long count, boolean flushed) {
        if (count > 0) {
            sent = taken;
            taken += count;
        }
        if (flushed) {
            flushed();
        }
    }

    // ---- in

    /** Adds the bytes between position and limit. */
    void add(Segment segment) {
        ByteBuffer source = segment.buffer();
        int count = source.remaining();
        if (joinsLast(source)) {
            segment.release();
        } else {
            put(segment);
        }
        bytes += count;
        handedOver += count;
    }

    /** Adds the item; releases it if there is no memory for that. */
    private void put(Object item) {
        boolean put = false;
        try {
            items.addLast(item);
            put = true;
        } finally {
            if (!put) {
                remove(item);
            }
        }
    }

    /** Merges small writes. Otherwise each small write would hold a segment when the client does not read. */
    private boolean joinsLast(ByteBuffer source) {
        if (isDraining() || !(items.peekLast() instanceof Segment last)) {
            return false;
        }
        ByteBuffer buffer = last.buffer();
        int end = buffer.limit();
        int count = source.remaining();
        // Copying a few bytes is cheaper than gathering them, and holds fewer segments.
        if (buffer.capacity() - end < count || (count > SMALL && items.size() < MANY)) {
            return false;
        }
        buffer.limit(end + count);
        buffer.put(end, source, source.position(), count);
        return true;
    }

    void add(FileRegion region) {
        regions++;
        put(region);
        handedOver += region.remaining();
    }

    /** Adds part of a file. The part contains all bytes that were taken out, and is merged with an adjacent part before it. */
    void add(SharedFile file, long position, long count) throws IOException {
        addRegion(file, position, count);
        backAgain();
    }

    private void addRegion(SharedFile file, long position, long count) throws IOException {
        boolean held = isDraining() && items.size() == 1; // reserved for the drainer: no other thread changes it
        if (!held && items.peekLast() instanceof FileRegion last && last.join(file, position, count)) {
            handedOver += count;
        } else {
            add(new FileRegion(file, position, count));
        }
    }

    // ---- taken back

    /**
     * Takes the last segments out again, in order. Takes a segment only if all its bytes were handed over from {@code begins} on. Takes
     * none while a thread drains.
     */
    List<Segment> takeOut(long begins) {
        if (isDraining() || items.isEmpty()) {
            return List.of();
        }
        List<Segment> taken = new ArrayList<>(items.size()); // made before any change, since memory may run out here
        while (items.peekLast() instanceof Segment last
                && handedOver - last.buffer().remaining() >= begins) {
            items.removeLast();
            handedOver -= last.buffer().remaining();
            takenOut = true;
            taken.add(last);
        }
        Collections.reverse(taken);
        recount();
        return taken;
    }

    /** Adds what {@link #takeOut} returned. */
    void putBack(List<Segment> taken) {
        for (Segment segment : taken) {
            items.addLast(segment);
        }
        handedOver += remaining(taken);
        backAgain();
        recount();
    }

    /** No bytes are taken out any more. */
    void backAgain() {
        takenOut = false;
    }

    private static long remaining(List<Segment> segments) {
        long sum = 0;
        for (Segment segment : segments) {
            sum += segment.buffer().remaining();
        }
        return sum;
    }

    /**
     * Drops all bytes that were handed over from {@code begins} on.
     *
     * @return false, with nothing dropped, if some of them have been sent, are being sent, or are taken out on their way to disk
     */
    boolean cutBack(long begins) {
        if (isDraining() || takenOut || taken > begins || handedOver <= begins) {
            return false;
        }
        long left = handedOver - begins;
        while (left > 0) {
            Object last = items.getLast();
            long held = remaining(last);
            if (held > left) {
                shorten(last, left);
                break;
            }
            remove(items.removeLast());
            left -= held;
        }
        handedOver = begins;
        recount();
        return true;
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

    /** Releases an item that has left the queue. */
    private void remove(Object item) {
        if (item instanceof FileRegion region) {
            regions--;
            region.close();
        } else {
            ((Segment) item).release();
        }
    }

    void dropAll() {
        while (!items.isEmpty()) {
            remove(items.removeFirst());
        }
        bytes = 0;
    }

    // ---- out

    /** The first item if it is a region; else null. */
    @Nullable
    FileRegion firstRegion() {
        return items.peekFirst() instanceof FileRegion region ? region : null;
    }

    /** The first items are reserved for the drainer until {@link #wrote} or {@link #transferred}. */
    void drains() {
        state = State.DRAINING;
    }

    /** How many segments there are up to the first region; {@code most} if there are more. */
    int segments(int most) {
        if (!hasRegions()) {
            return Math.min(most, items.size());
        }
        int count = 0;
        for (Object item : items) {
            if (count == most || !(item instanceof Segment)) {
                break;
            }
            count++;
        }
        return count;
    }

    /** Puts the buffers of the first {@code count} items, which are segments, into {@code gathered}. */
    void gather(ByteBuffer[] gathered, int count) {
        if (count == 1) {
            gathered[0] = ((Segment) items.getFirst()).buffer(); // the usual case needs no iterator
            return;
        }
        int next = 0;
        for (Object item : items) {
            if (next == count) {
                break;
            }
            gathered[next++] = ((Segment) item).buffer();
        }
    }

    /** Whether the pipe has only {@code count} items. */
    boolean isAll(int count) {
        return items.size() == count;
    }

    /**
     * The drainer has written the first {@code segments} segments as far as it could: removes the bytes that the outlet has taken.
     *
     * @param count how many bytes the outlet has taken, including the caller's behind the pipe's
     * @param behind how many of these were the caller's
     * @param flushed whether the outlet has sent all that it has taken
     * @return whether bytes in memory have become fewer
     */
    boolean wrote(int segments, long count, int behind, boolean flushed) {
        state = State.STILL;
        left(count, flushed);
        handedOver += behind;
        for (int i = 0; i < segments; i++) {
            Segment first = (Segment) items.getFirst();
            if (first.buffer().hasRemaining()) {
                break;
            }
            items.removeFirst();
            first.release();
        }
        int fewer = (int) (count - behind);
        bytes -= fewer;
        return fewer > 0;
    }

    /** The drainer has sent part of the first item, a region: removes the item if it is complete. */
    void transferred(FileRegion region, long count, boolean flushed) {
        state = State.STILL;
        left(count, flushed);
        if (region.remaining() == 0) {
            remove(items.removeFirst());
        }
    }

    private void recount() {
        int sum = 0;
        for (Object item : items) {
            if (item instanceof Segment segment) {
                sum += segment.buffer().remaining();
            }
        }
        bytes = sum;
    }
}
