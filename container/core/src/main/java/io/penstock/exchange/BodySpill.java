package io.penstock.exchange;

import io.penstock.pipe.RequestPipe;
import io.penstock.pipe.Segment;
import io.penstock.spool.Spool;
import io.penstock.spool.SpoolFile;
import io.penstock.spool.SpoolShare;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes a request body to disk. The bytes in its pipe are written to a spool file, all at once and one write at a time, while the pipe
 * takes the bytes that arrive next.
 *
 * <p>Thread: the reactor. {@link #close} may also be called by the last reader of a body that is whole. Owns the file,
 * and the segments that were taken out of the pipe until they are written.
 *
 * <pre>
 *   IDLE --spill--> WRITING --written--> IDLE      (then the reactor is called)
 *     \
 *      +--spill, too many writes--> IDLE, and the reactor is called when there is room
 * </pre>
 */
public final class BodySpill {
    private final Spool spool;
    private final @Nullable SpoolShare share;
    private final RequestPipe.Inlet pipe;
    private final Runnable again;
    private final Runnable ended;

    // While true, the spool thread owns the batch and may append; otherwise the reactor.
    private volatile boolean writing;
    private List<Segment> batch = List.of();
    private volatile @Nullable IOException failure;
    private volatile @Nullable SpoolFile file;

    // Bytes that have been accepted for writing. Thread: the reactor.
    private long accepted;

    /**
     * @param share of the bulkhead of the request; null if its writes are not limited there
     * @param pipe has no reader while it spills
     * @param again calls the reactor: a write that was not accepted may be tried again; any thread
     * @param ended calls the reactor: a write has ended, and the memory of its bytes is free; any thread
     */
    public BodySpill(Spool spool, @Nullable SpoolShare share, RequestPipe.Inlet pipe, Runnable again, Runnable ended) {
        this.spool = spool;
        this.share = share;
        this.pipe = pipe;
        this.again = again;
        this.ended = ended;
    }

    /**
     * Begins to write the bytes of the pipe, which is empty afterwards. No write may be under way. Bytes that were not accepted are kept.
     * They must be offered again before the pipe's next bytes: {@link #owes}.
     */
    public SpoolFile.Appended spill() {
        assert !writing : "one write at a time";
        SpoolFile to = file;
        if (to == null) {
            to = spool.create(share);
            file = to;
        }
        if (batch.isEmpty()) {
            batch = pipe.takeAll();
        }
        ByteBuffer[] buffers = batch.stream().map(Segment::buffer).toArray(ByteBuffer[]::new);
        long count = SpoolFile.bytes(buffers);
        writing = true;
        SpoolFile.Appended appended = to.append(buffers, this::written);
        switch (appended) {
            case YES -> accepted += count; // written() goes on
            case BUSY -> {
                writing = false;
                to.whenRoom(again);
            }
            case OVER_LIMIT, CLOSED -> {
                releaseBatch();
                writing = false;
            }
        }
        return appended;
    }

    /** Thread: the spool's. */
    private void written(@Nullable IOException why) {
        failure = why;
        releaseBatch();
        writing = false;
        ended.run();
    }

    /** Bytes that are on disk, or on their way there. */
    public long bytes() {
        return accepted;
    }

    /** Bytes that have been taken out of the pipe, and wait until the disk accepts them. */
    public long owes() {
        return writing
                ? 0
                : batch.stream()
                        .mapToLong(segment -> segment.buffer().remaining())
                        .sum();
    }

    /** Whether anything has been, or is being, written to disk. */
    public boolean hasBegun() {
        return file != null;
    }

    public boolean isWriting() {
        return writing;
    }

    /** Whether everything that has come so far is on disk. */
    public boolean isWhole() {
        // In this order: a write that has just failed sets its failure first, and then is no longer under way.
        return !writing && failure == null && batch.isEmpty() && pipe.size() == 0;
    }

    /** The failure of a write, or null. */
    public @Nullable IOException failure() {
        return failure;
    }

    /** The file; null if nothing has been spilled. */
    public @Nullable SpoolFile file() {
        return file;
    }

    /** The body will not be read any more. */
    public void close() {
        if (!writing) {
            releaseBatch(); // otherwise the running write releases the file at its end
        }
        SpoolFile made = file;
        if (made != null) {
            made.close();
        }
    }

    private void releaseBatch() {
        List<Segment> released = batch;
        batch = List.of();
        released.forEach(Segment::release);
    }
}
