package io.penstock.exchange;

import io.penstock.events.Side;
import io.penstock.exchange.Admission.Mode;
import io.penstock.http.BodyDecoder;
import io.penstock.http.Violation;
import io.penstock.limits.Key;
import io.penstock.pipe.PipeBounds;
import io.penstock.pipe.PipeSource;
import io.penstock.pipe.RequestPipe;
import io.penstock.pipe.SegmentPool;
import io.penstock.spool.SpoolShare;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The body of one request while it arrives. This class decodes the bytes of the body and puts them into a {@link RequestPipe}. A worker
 * reads them from the pipe. If the worker needs the complete body, and the body is larger than the pipe, the body is written to a file on
 * disk first.
 *
 * <p>Thread: the reactor, except {@link #discard}.
 */
public final class IncomingBody extends UnfinishedBodies.Entry {
    private final RequestPipe pipe;
    private final RequestPipe.Inlet inlet;
    private final ServerResources server;
    private final @Nullable SpoolShare share;

    // Made by the reactor at the first write. Most bodies stay in memory.
    private volatile @Nullable BodySpill disk;

    private final Mode mode;
    private final Owner owner;
    private final BodyDecoder decoder;
    private final long length;
    private final long limit;
    private final Expectation expectation;
    private final RequestObserver observer;

    // The body for the worker if the body is on disk. Written before the exchange is handed over to a worker.
    private @Nullable SpooledBody spooled;
    private long bytes;

    /** The part of a {@link Conversation} that receives the body from the client. */
    public interface Owner {

        /**
         * Asks the reactor to continue with the body. Called if there may be room in the pipe again, or if the worker waits for bytes of
         * the client. Any thread.
         */
        void wantAttention();

        /** As {@link #wantAttention}, but called if a write to disk has ended and the memory of the written bytes is free. Any thread. */
        void written();

        /**
         * Must call {@link IncomingBody#toDisk}. This body was selected because memory is short and this body uses the most memory. Thread:
         * the reactor.
         */
        void spillForOthers();
    }

    /** Passes the events of the pipe to the owner and to the observer. */
    private record Reader(Owner owner, RequestObserver observer) implements RequestPipe.RoomListener {
        @Override
        public void roomInPipe() {
            owner.wantAttention();
        }

        @Override
        public void waits() {
            observer.waits(Side.REQUEST);
        }

        @Override
        public void resumed() {
            observer.resumed(Side.REQUEST);
        }
    }

    /** The result of {@link #feed}. */
    public enum Fed {
        /** The buffer contained no byte of the body, and is empty now. More bytes must arrive. */
        NO_BYTES,
        /** Bytes were taken, and the buffer is empty now. More bytes must arrive. */
        TAKEN,
        /** The pipe has no room now. */
        FULL,
        /** The server's memory budget has no free segment now. */
        NO_MEMORY,
        /** The last byte of the body has been taken. */
        COMPLETE
    }

    /**
     * The result of {@link #toDisk}: whether the pipe has room. If the result is not {@link #YES}, the {@link Owner} is called when another
     * attempt is useful.
     */
    public enum Room {
        YES,
        /** An earlier write of this body is running. */
        OWN_WRITE,
        /** The disk is busy with writes of other bodies. */
        BUSY
    }

    /** The result of {@link #storeWhole}. */
    public enum Stored {
        /** The body is complete and ready to be read: either all bytes are in the pipe, or all bytes are on disk. */
        WHOLE,
        /** Some bytes are still being written to disk. */
        WRITING
    }

    /**
     * @param share the bulkhead's share of the writes to disk; null if no bulkhead limits them
     * @param length the declared length in bytes; -1 if no length is declared
     * @param limit the largest acceptable length in bytes
     */
    public IncomingBody(
            ServerResources server,
            @Nullable SpoolShare share,
            Mode mode,
            BodyDecoder decoder,
            long length,
            long limit,
            Expectation expectation,
            RequestObserver observer,
            Owner owner) {
        this.server = server;
        this.share = share;
        this.mode = mode;
        this.pipe =
                new RequestPipe(server.pool(), bounds(server.pipeBounds(), mode, length), new Reader(owner, observer));
        this.inlet = pipe.inlet();
        this.owner = owner;
        this.decoder = decoder;
        this.length = length;
        this.limit = limit;
        this.expectation = expectation;
        this.observer = observer;
    }

    /** Returns the bounds of the pipe. The pipe may grow only if the body is buffered and fits completely into the pipe. */
    private static PipeBounds bounds(PipeBounds bounds, Mode mode, long length) {
        return mode == Mode.BUFFERED && length <= bounds.most() ? bounds : bounds.withoutGrowth();
    }

    /**
     * Moves bytes of the body from the buffer to the pipe, while the pipe has room.
     *
     * @throws Violation with the status 400, 413 or 431 if the body is not acceptable
     */
    public Fed feed(ByteBuffer in) throws Violation {
        Fed fed = Fed.NO_BYTES;
        for (int count = decoder.advance(in); count != BodyDecoder.END; count = decoder.advance(in)) {
            if (count == 0) {
                return fed;
            }
            switch (offer(in, count)) {
                case ALL -> fed = Fed.TAKEN;
                case FULL -> {
                    return Fed.FULL;
                }
                case OVER_BUDGET -> {
                    return Fed.NO_MEMORY;
                }
            }
        }
        return Fed.COMPLETE;
    }

    /** Offers the pipe the next {@code count} bytes, which belong to the body. */
    private RequestPipe.Offered offer(ByteBuffer in, int count) throws Violation {
        int start = in.position();
        int end = in.limit();
        RequestPipe.Offered offered = inlet.offer(in.limit(start + count));
        int taken = in.position() - start;
        in.limit(end);
        took(taken);
        return offered;
    }

    private void took(int count) throws Violation {
        decoder.taken(count);
        bytes += count;
        observer.received(bytes);
        // The client has begun to send the body, so the client does not need 100 (Continue) any more.
        expectation.meet();
        if (bytes > limit) {
            throw new Violation(Key.BODY_LIMIT);
        }
    }

    /** How many bytes of memory the chunk extensions and the trailer section take ({@link BodyDecoder#held}). */
    public int heldByTrailers() {
        return decoder.held();
    }

    /**
     * The number of bytes that come next on the connection and certainly belong to the body: the remaining bytes of the body or of the
     * current chunk.
     */
    public long expected() {
        return decoder.expected();
    }

    /**
     * Whether {@link #read} may be called. There are three conditions: the {@link #expected} bytes fill at least one segment, no worker
     * reads the body yet, and memory is plentiful.
     */
    public boolean canRead() {
        SegmentPool pool = pipe.pool();
        return !streams() && decoder.expected() >= pool.segmentSize() && pool.isPlentiful();
    }

    /**
     * Reads at most {@code most} bytes of the body directly into the pipe. After this call, {@link #feed} must be called with an empty
     * buffer, to find out whether the body is complete.
     *
     * @return the result of {@link PipeSource#read(ByteBuffer)}, or 0 if the pipe has no room
     */
    public int read(PipeSource source, int most) throws IOException, Violation {
        int count = inlet.read(source, (int) Math.min(most, decoder.expected()));
        if (count > 0) {
            took(count);
        }
        return count;
    }

    /**
     * Whether the pipe contains more bytes than its assured size ({@link PipeBounds#assured}). The additional bytes use memory that other
     * pipes may need.
     */
    public boolean hasGrown() {
        return inlet.hasGrown();
    }

    /** The number of bytes for which the pipe has room now. If the result is 0, the {@link Owner} is called when there is room. */
    public int room() {
        return inlet.room();
    }

    /** As {@link #room()}, but the {@link Owner} is also called if the result is less than {@code wanted}. */
    public int room(int wanted) {
        return inlet.room(wanted);
    }

    /** How many bytes of the body the pipe has taken and does not hold any more ({@link RequestPipe.Inlet#consumed}). */
    public long consumed() {
        return inlet.consumed();
    }

    /**
     * The largest number of bytes that one read from the connection should take. While memory is plentiful, the result is the number of
     * {@link #expected} bytes plus the size of one segment. Otherwise the result is the size of one segment. The pipe might not have room
     * for all these bytes.
     */
    public long atOnce() {
        SegmentPool pool = pipe.pool();
        return pool.segmentSize() + (pool.isPlentiful() ? expected() : 0);
    }

    /**
     * Tries to pause the reads of the connection until memory is free. Returns false if a worker waits for bytes of the client, since the
     * connection must read in this case.
     */
    public boolean tryPauseForMemory() {
        return inlet.tryPauseForMemory();
    }

    // ---- disk

    public boolean streams() {
        return mode == Mode.STREAMING;
    }

    /**
     * Writes the bytes of the pipe to disk, so that the pipe has room.
     *
     * @throws Violation with the status 503 if the disk has no room
     */
    public Room toDisk() throws Violation {
        checkDisk();
        BodySpill to = disk;
        if (to == null) {
            to = new BodySpill(server.spool().create(share), inlet, owner::wantAttention, owner::written);
            disk = to;
        }
        if (to.isWriting()) {
            return Room.OWN_WRITE;
        }
        long before = to.bytes();
        return switch (to.spill()) {
            case YES -> {
                observer.spilled(Side.REQUEST, to.bytes() - before);
                yield Room.YES;
            }
            case BUSY -> Room.BUSY;
            case OVER_LIMIT -> throw new Violation(Key.SPOOL_LIMIT);
            case CLOSED -> throw new Violation(503, "the server ends");
        };
    }

    /** Throws a violation with the status 503 if a write to disk has failed. */
    public void checkDisk() throws Violation {
        BodySpill begun = disk;
        IOException failure = begun == null ? null : begun.failure();
        if (failure != null) {
            throw new Violation(503, "the disk failed: " + failure.getMessage());
        }
    }

    /**
     * Called when the last byte has arrived. If part of the body is on disk, writes the remaining bytes to disk, too. The caller must
     * repeat this call until the result is {@link Stored#WHOLE}.
     */
    public Stored storeWhole() throws Violation {
        BodySpill begun = disk;
        if (begun == null) {
            return Stored.WHOLE;
        }
        checkDisk();
        if (!begun.isWhole() && !begun.isWriting()) {
            toDisk();
        }
        return begun.isWhole() ? Stored.WHOLE : Stored.WRITING;
    }

    /** Repeats a write to disk that was not accepted. The memory of these bytes becomes free only by this write. */
    public void retryDisk() throws Violation {
        BodySpill begun = disk;
        if (begun != null && begun.pendingBytes() > 0) {
            toDisk();
        }
    }

    /** The number of bytes in memory that a worker has not read yet, or that are not written to disk yet. */
    public long inMemory() {
        BodySpill begun = disk;
        return inlet.size() + (begun == null ? 0 : begun.pendingBytes());
    }

    /** The number of bytes that are on disk or are being written to disk. */
    public long onDisk() {
        BodySpill begun = disk;
        return begun == null ? 0 : begun.bytes();
    }

    @Override
    protected int spillable() {
        BodySpill begun = disk;
        return streams() || (begun != null && begun.isWriting()) ? 0 : inlet.size();
    }

    @Override
    protected void spill() {
        owner.spillForOthers();
    }

    // ---- the worker's end

    /** The client has been told to send the body, so from now on the reactor waits for its bytes. Any thread. */
    void expectationMet() {
        expectation.meet();
        owner.wantAttention();
    }

    public Expectation expectation() {
        return expectation;
    }

    /** Called when the last byte is in the pipe. After this call, the reader of the pipe can reach the end of the body. */
    public void finish() {
        observer.bodyArrived(bytes);
        inlet.finish();
    }

    /** Called if the body will never be complete. The reader of the body gets the cause as an exception. */
    public void fail(IOException cause) {
        expectation.meet();
        inlet.fail(cause);
        closeDisk();
    }

    /** Returns the body for the worker. If the body has a file, the file is already complete, and the worker reads from the file. */
    public RequestBody asBody(PipeBody.FirstRead firstRead) {
        BodySpill begun = disk;
        if (begun == null) {
            return new PipeBody(pipe.outlet(), length, decoder::trailers, firstRead);
        }
        SpooledBody made = new SpooledBody(begun.file(), length, decoder::trailers, pipe.pool());
        spooled = made;
        return made;
    }

    /**
     * Returns the side of the pipe from which bytes are read. Used for streaming bodies that are not read through a {@link RequestBody}.
     */
    public RequestPipe.Outlet outlet() {
        return pipe.outlet();
    }

    /** Releases all bytes of the body, which will not be read any more. Any thread. */
    public void discard() {
        pipe.outlet().close();
        SpooledBody read = spooled;
        if (read != null) {
            read.close();
        }
        closeDisk();
    }

    private void closeDisk() {
        BodySpill begun = disk;
        if (begun != null) {
            begun.close();
        }
    }
}
