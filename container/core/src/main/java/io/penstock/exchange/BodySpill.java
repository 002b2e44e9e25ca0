package io.penstock.exchange;

import io.penstock.pipe.RequestPipe;
import io.penstock.pipe.Segment;
import io.penstock.spool.SpoolFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes a request body to disk. Each write moves all bytes of the body's {@link RequestPipe} to a spool file. At most one write runs at a
 * time. During a write, the pipe accepts further bytes.
 *
 * <p>Thread: the reactor. The thread that ends the exchange can also call {@link #close}. Owns: the file, and the segments that were taken
 * out of the pipe and have not been written yet.
 *
 * <pre>
 *   IDLE --spill--> WRITING --written--> IDLE      (then the reactor is called)
 *     \
 *      +--spill, too many writes--> IDLE, and the reactor is called when there is room
 * </pre>
 */
public final class BodySpill {
    private final SpoolFile file;
    private final RequestPipe.Inlet pipe;
    private final Runnable again;
    private final Runnable ended;

    // While this field is true, the spool thread owns the batch and the file. Otherwise the reactor owns them.
    private volatile boolean writing;
    private List<Segment> batch = List.of();
    private volatile @Nullable IOException failure;

    // The number of bytes that have been accepted for writing. Used by the reactor only.
    private long accepted;

    /**
     * @param file gets the bytes
     * @param pipe the pipe of the body. No worker reads from this pipe while its bytes are written to disk
     * @param again an action that asks the reactor to repeat a write that was not accepted; it can run on any thread
     * @param ended an action that informs the reactor that a write has ended and the memory of its bytes is free; it can run on any thread
     */
    public BodySpill(SpoolFile file, RequestPipe.Inlet pipe, Runnable again, Runnable ended) {
        this.file = file;
        this.pipe = pipe;
        this.again = again;
        this.ended = ended;
    }

    /**
     * Begins to write the bytes of the pipe. After this call, the pipe is empty. Must not be called while a write is running. If the write
     * is not accepted, this object keeps the bytes ({@link #pendingBytes}), and the next call tries to write them again.
     */
    public SpoolFile.Appended spill() {
        assert !writing : "one write at a time";
        if (batch.isEmpty()) {
            batch = pipe.takeAll();
        }
        ByteBuffer[] buffers = batch.stream().map(Segment::buffer).toArray(ByteBuffer[]::new);
        long count = SpoolFile.bytes(buffers);
        writing = true;
        SpoolFile.Appended appended = file.append(buffers, this::written);
        switch (appended) {
            case YES -> accepted += count; // The spool thread will call written().
            case BUSY -> {
                writing = false;
                file.whenRoom(again);
            }
            case OVER_LIMIT, CLOSED -> {
                releaseBatch();
                writing = false;
            }
        }
        return appended;
    }

    /** The write has ended. Thread: a spool thread. */
    private void written(@Nullable IOException why) {
        failure = why;
        releaseBatch();
        writing = false;
        ended.run();
    }

    /** The number of bytes that are on disk or are being written to disk. */
    public long bytes() {
        return accepted;
    }

    /** The number of bytes that were taken out of the pipe and whose write has not been accepted yet. */
    public long pendingBytes() {
        return writing
                ? 0
                : batch.stream()
                        .mapToLong(segment -> segment.buffer().remaining())
                        .sum();
    }

    public boolean isWriting() {
        return writing;
    }

    /** Whether all bytes that have arrived so far are on disk. */
    public boolean isWhole() {
        // `writing` must be read before `failure`, since a failed write sets `failure` before it clears `writing`.
        return !writing && failure == null && batch.isEmpty() && pipe.size() == 0;
    }

    /** The failure of a write, or null. */
    public @Nullable IOException failure() {
        return failure;
    }

    public SpoolFile file() {
        return file;
    }

    /** Closes the file and releases the bytes, since the body will not be read any more. */
    public void close() {
        if (!writing) {
            // If a write is running, the spool thread releases the batch when the write ends.
            releaseBatch();
        }
        file.close();
    }

    private void releaseBatch() {
        List<Segment> released = batch;
        batch = List.of();
        released.forEach(Segment::release);
    }
}
