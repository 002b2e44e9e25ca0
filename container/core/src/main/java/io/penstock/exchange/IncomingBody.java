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
 * The body of one request while it arrives. It is decoded here and goes through the pipe to the worker. A body that is larger than the pipe
 * goes to disk first if the worker is to have it whole.
 *
 * <p>Thread: the reactor, but for {@link #discard}.
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

    // The reader's view of a body on disk. Written before the exchange is handed over.
    private @Nullable SpooledBody spooled;
    private long bytes;

    /** The part of a conversation that reads the body. */
    public interface Owner {

        /** Asks the reactor to go on with the body: there may be room again, or the reader waits for the client. Any thread. */
        void wantAttention();

        /** A write to disk has ended, and the memory of its bytes is free: as {@link #wantAttention}. Any thread. */
        void written();

        /** Memory is short, and this body holds more of it than any other: calls {@link IncomingBody#toDisk}. Thread: the reactor. */
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
        /** No byte of the body was in the buffer, which is empty; more must arrive. */
        NO_BYTES,
        /** Bytes were taken, and the buffer is empty; more must arrive. */
        TAKEN,
        /** The pipe takes no more at present. */
        FULL,
        /** The server's budget has no segment left at present. */
        NO_MEMORY,
        /** The last byte of the body has been taken. */
        COMPLETE
    }

    /** The result of {@link #toDisk}: whether the pipe has room. If not, the connection is called back when another attempt makes sense. */
    public enum Room {
        YES,
        /** An earlier write of this body is under way. */
        OWN_WRITE,
        /** The disk is busy with writes of other bodies. */
        BUSY
    }

    /** The result of {@link #storeWhole}. */
    public enum Stored {
        /** All bytes are where the worker will read them. */
        WHOLE,
        /** Some bytes are still on their way to disk. */
        WRITING
    }

    /**
     * @param share of the bulkhead of the request; null if its writes to disk are not limited there
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

    /** Only the pipe of a body that fits into memory as a whole grows. */
    private static PipeBounds bounds(PipeBounds bounds, Mode mode, long length) {
        return mode == Mode.BUFFERED && length <= bounds.most() ? bounds : bounds.withoutGrowth();
    }

    /** Takes the body's bytes out of the buffer, as far as the pipe has room; throws 400, 413 or 431. */
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
        expectation.meet(); // a client that sends does not wait for 100
        if (bytes > limit) {
            throw new Violation(Key.BODY_LIMIT);
        }
    }

    /** How many of the next bytes certainly belong to the body. */
    public long expected() {
        return decoder.expected();
    }

    /** Whether {@link #read} may be called: the next bytes certainly belong to the body, have no reader yet, and will find memory. */
    public boolean canRead() {
        SegmentPool pool = pipe.pool();
        return !streams() && decoder.expected() >= pool.segmentSize() && pool.isPlentiful();
    }

    /**
     * Reads at most {@code most} bytes of the body straight into the pipe. {@link #feed} follows, with no bytes, and tells whether the body
     * is complete.
     *
     * @return as {@link PipeSource#read(ByteBuffer)}; 0 also if the pipe takes none
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

    /** Bytes that the pipe takes now. After 0 the connection is called when there is room. */
    public int room() {
        return inlet.room();
    }

    /**
     * The most bytes that one read should take. Except for one segment, these bytes certainly belong to the body and will find memory.
     * Bytes that are read without a place must fit into one segment.
     */
    public long atOnce() {
        SegmentPool pool = pipe.pool();
        return pool.segmentSize() + (pool.isPlentiful() ? expected() : 0);
    }

    /** Whether reading may stop until memory is free. It must not stop while a worker waits for the client. */
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

    /** The last byte has arrived. If part of the body is on disk, the rest goes there, too. Called again until it returns {@code WHOLE}. */
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

    /** Offers bytes to the disk again that it did not accept. Only this frees their memory. */
    public void retryDisk() throws Violation {
        if (disk.owes() > 0) {
            toDisk();
        }
    }

    /** Bytes in memory that wait to be read or to be written to disk. */
    public long inMemory() {
        return inlet.size() + disk.owes();
    }

    /** Bytes that are on disk, or on their way there. */
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

    /** The last byte is in the pipe: the reader will reach the end. */
    public void finish() {
        observer.bodyArrived(bytes);
        inlet.finish();
    }

    /** The body will not arrive whole; the reader gets the cause. */
    public void fail(IOException cause) {
        expectation.meet();
        inlet.fail(cause);
        disk.close();
    }

    /** The body as the worker reads it: from the file if there is one, which is whole by now. */
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

    /** Nobody will read the body any more. Any thread. */
    public void discard() {
        pipe.outlet().close();
        SpooledBody read = spooled;
        if (read != null) {
            read.close();
        }
        disk.close();
    }
}
