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
import io.penstock.spool.SpoolFile;
import io.penstock.spool.SpoolShare;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The body of one request while it arrives. Its bytes are decoded here, and go through a pipe to the worker. If the worker needs the
 * complete body, and the body is larger than the pipe, the body goes to disk first.
 *
 * <p>Thread: the reactor, except {@link #discard}.
 */
public final class IncomingBody extends UnfinishedBodies.Entry {
    private final RequestPipe pipe;
    private final RequestPipe.Inlet inlet;
    private final BodySpill disk;
    private final Mode mode;
    private final Owner owner;
    private final BodyDecoder decoder;
    private final long length;
    private final long limit;
    private final Expectation expectation;
    private final RequestObserver observer;

    // The reader's end of a body on disk. Written before the exchange is handed over.
    private @Nullable SpooledBody spooled;
    private long bytes;

    /** The part of a conversation that reads the body. */
    public interface Owner {

        /** Asks the reactor to continue with the body: there may be room again, or the reader waits for the client. Any thread. */
        void wantAttention();

        /** As {@link #wantAttention}: a write to disk has ended, and the memory of its bytes is free. Any thread. */
        void written();

        /** Calls {@link IncomingBody#toDisk}: memory is short, and this body uses the most. Thread: the reactor. */
        void spillForOthers();
    }

    /** Passes on the events of the pipe's reader. */
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
        public void goesOn() {
            observer.goesOn(Side.REQUEST);
        }
    }

    /** The result of {@link #feed}. */
    public enum Fed {
        /** The buffer contained no byte of the body, and is empty; more bytes must arrive. */
        NO_BYTES,
        /** Bytes were taken, and the buffer is empty; more bytes must arrive. */
        TAKEN,
        /** The pipe has no room at present. */
        FULL,
        /** The server's budget has no segment left at present. */
        NO_MEMORY,
        /** The last byte of the body has been taken. */
        COMPLETE
    }

    /** The result of {@link #toDisk}: whether the pipe has room. If not, the owner is called when another attempt is useful. */
    public enum Room {
        YES,
        /** An earlier write of this body is running. */
        OWN_WRITE,
        /** The disk is busy with writes of other bodies. */
        BUSY
    }

    /** The result of {@link #storeWhole}. */
    public enum Stored {
        /** All bytes are in the place from which the worker will read them. */
        WHOLE,
        /** Some bytes are still being written to disk. */
        WRITING
    }

    /**
     * @param share the share of the request's bulkhead; null if the bulkhead does not limit writes
     * @param length declared length in bytes, or -1
     * @param limit largest acceptable body in bytes
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
        this.mode = mode;
        this.pipe =
                new RequestPipe(server.pool(), bounds(server.pipeBounds(), mode, length), new Reader(owner, observer));
        this.inlet = pipe.inlet();
        this.disk = new BodySpill(server.spool(), share, inlet, owner::wantAttention, owner::written);
        this.owner = owner;
        this.decoder = decoder;
        this.length = length;
        this.limit = limit;
        this.expectation = expectation;
        this.observer = observer;
    }

    /** The bounds of the pipe. The pipe may grow only if the whole body fits into memory. */
    private static PipeBounds bounds(PipeBounds bounds, Mode mode, long length) {
        return mode == Mode.BUFFERED && length <= bounds.most() ? bounds : bounds.withoutGrowth();
    }

    /** Moves the body's bytes from the buffer to the pipe, as far as the pipe has room. Throws 400, 413 or 431. */
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
        expectation.meet(); // a client that sends its body does not wait for a 100
        if (bytes > limit) {
            throw new Violation(Key.BODY_LIMIT);
        }
    }

    /** How many of the next bytes certainly belong to the body. */
    public long expected() {
        return decoder.expected();
    }

    /**
     * Whether {@link #read} may be called: the next bytes certainly belong to the body, no worker reads the body yet, and memory is
     * plentiful.
     */
    public boolean canRead() {
        SegmentPool pool = pipe.pool();
        return !streams() && decoder.expected() >= pool.segmentSize() && pool.isPlentiful();
    }

    /**
     * Reads at most {@code most} bytes of the body directly into the pipe. Then {@link #feed} must be called with an empty buffer: it
     * returns whether the body is complete.
     *
     * @return as {@link PipeSource#read(ByteBuffer)}; also 0 if the pipe has no room
     */
    public int read(PipeSource source, int most) throws IOException, Violation {
        int count = inlet.read(source, (int) Math.min(most, decoder.expected()));
        if (count > 0) {
            took(count);
        }
        return count;
    }

    /** Whether the pipe holds more than its assured size, so that other pipes may lack memory. */
    public boolean hasGrown() {
        return inlet.hasGrown();
    }

    /** The bytes for which the pipe has room now. After 0, the owner is called when there is room. */
    public int room() {
        return inlet.room();
    }

    /**
     * The most bytes that one read should take. While memory is plentiful: the {@link #expected} bytes, which certainly belong to the body,
     * plus one segment. Otherwise: one segment. The pipe may have no place for the bytes of this segment.
     */
    public long atOnce() {
        SegmentPool pool = pipe.pool();
        return pool.segmentSize() + (pool.isPlentiful() ? expected() : 0);
    }

    /** Whether reads may pause until memory is free. They must not pause while a worker waits for the client. */
    public boolean tryPauseForMemory() {
        return inlet.tryPauseForMemory();
    }

    // ---- disk

    public boolean streams() {
        return mode == Mode.STREAMING;
    }

    /**
     * Makes room in the pipe by writing its bytes to disk.
     *
     * @throws Violation 503 if the disk has no room
     */
    public Room toDisk() throws Violation {
        checkDisk();
        if (disk.isWriting()) {
            return Room.OWN_WRITE;
        }
        long before = disk.bytes();
        return switch (disk.spill()) {
            case YES -> {
                observer.spilled(Side.REQUEST, disk.bytes() - before);
                yield Room.YES;
            }
            case BUSY -> Room.BUSY;
            case OVER_LIMIT -> throw new Violation(Key.SPOOL_LIMIT);
            case CLOSED -> throw new Violation(503, "the server ends");
        };
    }

    /** Throws 503 if a write to disk has failed. */
    public void checkDisk() throws Violation {
        IOException failure = disk.failure();
        if (failure != null) {
            throw new Violation(503, "the disk failed: " + failure.getMessage());
        }
    }

    /**
     * The last byte has arrived. If part of the body is on disk, writes the rest there, too. Must be called again until it returns {@code
     * WHOLE}.
     */
    public Stored storeWhole() throws Violation {
        if (!disk.hasBegun()) {
            return Stored.WHOLE;
        }
        checkDisk();
        if (!disk.isWhole() && !disk.isWriting()) {
            toDisk();
        }
        return disk.isWhole() ? Stored.WHOLE : Stored.WRITING;
    }

    /** Repeats a write that was not accepted. The memory of the bytes is not freed in any other way. */
    public void retryDisk() throws Violation {
        if (disk.owes() > 0) {
            toDisk();
        }
    }

    /** Bytes in memory that wait to be read or to be written to disk. */
    public long inMemory() {
        return inlet.size() + disk.owes();
    }

    /** Bytes that are on disk or are being written. */
    public long onDisk() {
        return disk.bytes();
    }

    @Override
    protected int spillable() {
        return streams() || disk.isWriting() ? 0 : inlet.size();
    }

    @Override
    protected void spill() {
        owner.spillForOthers();
    }

    // ---- the worker's end

    public Expectation expectation() {
        return expectation;
    }

    /** The last byte is in the pipe: its reader can reach the end. */
    public void finish() {
        observer.bodyArrived(bytes);
        inlet.finish();
    }

    /** The body will not be complete: its reader gets the cause. */
    public void fail(IOException cause) {
        expectation.meet();
        inlet.fail(cause);
        disk.close();
    }

    /** The worker's end of the body. If there is a file, it is complete by now, and the worker reads from it. */
    public RequestBody asBody(PipeBody.FirstRead firstRead) {
        SpoolFile file = disk.file();
        if (file == null) {
            return new PipeBody(pipe.outlet(), length, decoder::trailers, firstRead);
        }
        SpooledBody made = new SpooledBody(file, length, decoder::trailers, pipe.pool());
        spooled = made;
        return made;
    }

    /** The bytes as they arrive, for a streaming body whose reader is not a {@link RequestBody}. */
    public RequestPipe.Outlet outlet() {
        return pipe.outlet();
    }

    /** The body will not be read any more. Any thread. */
    public void discard() {
        pipe.outlet().close();
        SpooledBody read = spooled;
        if (read != null) {
            read.close();
        }
        disk.close();
    }
}
