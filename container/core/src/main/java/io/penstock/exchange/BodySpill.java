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
 * Writes a request body to disk. Each write moves all bytes of the pipe to a spool file; one write runs at a time. Meanwhile the pipe
 * accepts further bytes.
 *
 * <p>Thread: the reactor. The last reader of a complete body may also call {@link #close}. Owns: the file, and the segments taken out of
 * the pipe, until they are written.
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

    // While true, the spool thread owns the batch and the file; otherwise the reactor does.
    private volatile boolean writing;
    private List<Segment> batch = List.of();
    private volatile @Nullable IOException failure;
    private volatile @Nullable SpoolFile file;

    // Bytes that have been accepted for writing. Thread: the reactor.
    private long accepted;

    /**
     * @param share the share of the request's bulkhead; null if the bulkhead does not limit writes
     * @param pipe the pipe; it has no reader while it spills
     * @param again signals the reactor to repeat a write that was not accepted; any thread
     * @param ended signals the reactor that a write has ended and the memory of its bytes is free; any thread
     */
    public BodySpill(Spool spool, @Nullable SpoolShare share, RequestPipe.Inlet pipe, Runnable again, Runnable ended) {
        this.spool = spool;
        this.share = share;
        this.pipe = pipe;
        this.again = again;
        this.ended = ended;
    }

    /**
     * Begins to write the bytes of the pipe. The pipe is empty afterwards. No write may be running. If the write is not accepted, the bytes
     * are kept here, and the next call offers them again before the pipe's next bytes ({@link #owes}).
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
            case YES -> accepted += count; // written() follows
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

    /** Bytes that are on disk or are being written. */
    public long bytes() {
        return accepted;
    }

    /** Bytes that have been taken out of the pipe and wait for a write to be accepted. */
    public long owes() {
        return writing
                ? 0
                : batch.stream()
                        .mapToLong(segment -> segment.buffer().remaining())
                        .sum();
    }

    /** Whether bytes have been or are being written to disk. */
    public boolean hasBegun() {
        return file != null;
    }

    public boolean isWriting() {
        return writing;
    }

    /** Whether all bytes that have arrived so far are on disk. */
    public boolean isWhole() {
        // Read in this order: a failed write sets `failure` before it clears `writing`.
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
            releaseBatch(); // otherwise the running write releases the batch at its end
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
