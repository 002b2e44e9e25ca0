package io.penstock.pipe;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The content of a {@link ResponsePipe}: an ordered list of items, and counts of bytes. An item is a segment in memory or a part of a file.
 * A pipe makes a content object when bytes are added to an empty pipe. It drops the object when all bytes have been sent ({@link
 * #isAllSent}). Positions are counted from the first byte of this content.
 *
 * <p>Thread: the holder of the pipe's lock. While a thread drains the pipe, the first items are reserved for that thread. No other thread
 * releases or changes the reserved items. The content owns its items.
 *
 * <pre>
 *   STILL --drain--> DRAINING --drained--> STILL
 * </pre>
 *
 * <p>In each state it is possible that the producer has taken out the last items ({@link #takeOut}). The producer later puts the items
 * back, or adds a part of a file with the bytes of the items.
 */
final class PipeContent {
    private static final int SMALL = 1024;
    private static final int MANY = 4;

    /** The highest number of segments in one write. */
    private static final int MAX_GATHERED = 16;

    /** The content of all empty pipes. Most pipes are empty, so they share this object. No pipe modifies this object. */
    static final PipeContent EMPTY = new PipeContent();

    private enum State {
        STILL,
        DRAINING
    }

    private final ArrayDeque<Object> items = new ArrayDeque<>(MANY); // instances of Segment or FileRegion
    private State state = State.STILL;

    // How many of the first items are reserved for the drainer. The items behind them may be changed.
    private int held;

    private int bytes;
    private int regions;

    // Whether the producer has taken out items, and has not put them back yet.
    private boolean takenOut;

    // The numbers of bytes that the producer has added (handedOver), and that the outlet has taken and sent. These
    // numbers include bytes that the producer sent without adding them to the pipe.
    private long handedOver;
    private long taken;
    private long sent;

    boolean isEmpty() {
        return items.isEmpty();
    }

    /**
     * Whether all bytes have been sent. The list of items is empty, the producer holds no items from {@link #takeOut}, and the outlet has
     * sent all bytes that it has taken.
     */
    boolean isAllSent() {
        return items.isEmpty() && !takenOut && isFlushed();
    }

    boolean isDraining() {
        return state == State.DRAINING;
    }

    /** The number of bytes in memory. */
    int bytes() {
        return bytes;
    }

    /** The number of bytes in parts of files. The number can include bytes that the drainer is sending now. */
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

    /** Whether the outlet has sent all bytes that it has taken. */
    boolean isFlushed() {
        return sent == taken;
    }

    void flushed() {
        sent = taken;
    }

    /**
     * Counts {@code count} more bytes that the outlet has taken. An outlet takes more bytes only after it has sent all earlier bytes, so
     * these earlier bytes are counted as sent.
     */
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

    /** Adds the bytes between the position and the limit of the segment's buffer. */
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

    /** Adds the item to the list. If no memory is left for the list, the item is released. */
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

    /**
     * Copies the bytes of a small write into the last segment. Without this copy, each small write would need a segment of its own while
     * the client does not read, also while a thread drains the pipe again and again. Returns whether the bytes have been copied.
     */
    private boolean joinsLast(ByteBuffer source) {
        if (items.size() <= held || !(items.peekLast() instanceof Segment last)) {
            return false;
        }
        ByteBuffer buffer = last.buffer();
        int end = buffer.limit();
        int count = source.remaining();
        // For a few bytes a copy costs less than a separate buffer in the gathering write. With the copy, the pipe also
        // needs fewer segments.
        if (buffer.capacity() - end < count || (count > SMALL && items.size() < MANY)) {
            return false;
        }
        buffer.limit(end + count);
        buffer.put(end, source, source.position(), count);
        return true;
    }

    /** Counts {@code count} bytes that the outlet has taken from the producer, before the present bytes of this content. */
    void passed(int count, boolean flushed) {
        handedOver += count;
        left(count, flushed);
    }

    void add(FileRegion region) {
        regions++;
        put(region);
        handedOver += region.remaining();
    }

    /**
     * Adds a part of a file. The part must contain all bytes that were taken out. If the last item is the preceding part of the same file,
     * the two parts are merged.
     */
    void add(SharedFile file, long position, long count) throws IOException {
        addRegion(file, position, count);
        endTakingOut();
    }

    private void addRegion(SharedFile file, long position, long count) throws IOException {
        // A reserved item must not be changed.
        if (items.size() > held && items.peekLast() instanceof FileRegion last && last.join(file, position, count)) {
            handedOver += count;
        } else {
            add(new FileRegion(file, position, count));
        }
    }

    // ---- taken back

    /**
     * Removes the last segments and returns them in order. A segment is removed only if all its bytes lie at or after the position {@code
     * begins}, and after the first {@code begun} bytes. While a thread drains the pipe, no segment is removed.
     */
    List<Segment> takeOut(long begins, IntSupplier begun) {
        if (isDraining() || items.isEmpty()) {
            return List.of();
        }
        long from = Math.max(begins, taken + begun.getAsInt());
        // The list is made before any change, because memory can run out on this line.
        List<Segment> out = new ArrayList<>(items.size());
        while (items.peekLast() instanceof Segment last
                && handedOver - last.buffer().remaining() >= from) {
            items.removeLast();
            handedOver -= last.buffer().remaining();
            takenOut = true;
            out.add(last);
        }
        Collections.reverse(out);
        recount();
        return out;
    }

    /** Adds the segments that {@link #takeOut} returned. */
    void putBack(List<Segment> taken) {
        long count = remaining(taken);
        for (Segment segment : taken) {
            items.addLast(segment);
        }
        handedOver += count;
        // The other segments are not counted again: the outlet may be taking their bytes at this moment.
        bytes += (int) count;
        endTakingOut();
    }

    /** Notes that the producer no longer holds items from {@link #takeOut}. */
    void endTakingOut() {
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
     * Drops all bytes at or after the position {@code begins}.
     *
     * @return whether the bytes were dropped. False if some of these bytes have been sent, if a thread is draining the pipe, or if the
     *     producer has taken out items
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

    /** Releases an item that has been removed from the list. */
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

    /** The first item if this item is a part of a file; otherwise null. */
    @Nullable
    FileRegion firstRegion() {
        return items.peekFirst() instanceof FileRegion region ? region : null;
    }

    /** Reserves the part of a file that is the first item for the drainer, until {@link #transferred} is called. */
    void drainsRegion() {
        state = State.DRAINING;
        held = 1;
    }

    /**
     * Returns the buffers of the first segments for one write. If these are all items, {@code behind} follows them. The segments are
     * reserved for the drainer until {@link #wrote} is called.
     *
     * @param behind bytes of the producer
     */
    ByteBuffer[] gather(ByteBuffer behind) {
        int count = segments();
        boolean follows = count < MAX_GATHERED && behind.hasRemaining() && count == items.size();
        ByteBuffer[] gathered = new ByteBuffer[follows ? count + 1 : count];
        if (count == 1) {
            // The usual case needs no iterator.
            gathered[0] = ((Segment) items.getFirst()).buffer();
        } else {
            int next = 0;
            for (Object item : items) {
                if (next == count) {
                    break;
                }
                gathered[next++] = ((Segment) item).buffer();
            }
        }
        if (follows) {
            gathered[count] = behind;
        }
        // Nothing fails from here on.
        state = State.DRAINING;
        held = count;
        return gathered;
    }

    /** The number of segments before the first part of a file, but at most {@link #MAX_GATHERED}. */
    private int segments() {
        if (!hasRegions()) {
            return Math.min(MAX_GATHERED, items.size());
        }
        int count = 0;
        for (Object item : items) {
            if (count == MAX_GATHERED || !(item instanceof Segment)) {
                break;
            }
            count++;
        }
        return count;
    }

    /**
     * Removes the bytes that the outlet has taken from the first segments. The drainer calls this method after a write of {@link #gather}.
     *
     * @param count the number of bytes that the outlet has taken
     * @param behind how many of these bytes came from the producer's own buffer
     * @param flushed whether the outlet has sent all bytes that it has taken
     * @return whether the pipe now holds fewer bytes in memory
     */
    boolean wrote(long count, int behind, boolean flushed) {
        still();
        left(count, flushed);
        handedOver += behind;
        while (items.peekFirst() instanceof Segment first && !first.buffer().hasRemaining()) {
            items.removeFirst();
            first.release();
        }
        int fewer = (int) (count - behind);
        bytes -= fewer;
        return fewer > 0;
    }

    /**
     * Counts the bytes that the outlet has taken from the first item, which is a part of a file. If all bytes of the item have been taken,
     * the item is removed.
     */
    void transferred(FileRegion region, long count, boolean flushed) {
        still();
        left(count, flushed);
        if (region.remaining() == 0) {
            remove(items.removeFirst());
        }
    }

    private void still() {
        state = State.STILL;
        held = 0;
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
