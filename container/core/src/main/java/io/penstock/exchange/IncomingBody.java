package io.penstock.exchange;

import io.penstock.events.Side;
import io.penstock.exchange.Admission.Mode;
import io.penstock.http.BodyDecoder;
import io.penstock.http.Violation;
import io.penstock.limits.Key;
import io.penstock.pipe.RequestPipe;
import io.penstock.spool.SpoolFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The body of one request while it arrives. It is unframed here and goes through the pipe to the worker; by way of the disk if it is larger
 * than the pipe and the worker is to have it whole.
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

        /** The reactor is to go on with the body: there may be room again, or its reader waits for the client. Any thread. */
        void wantAttention();

        /** Memory is short, and this body holds the most of it: calls {@link IncomingBody#toDisk}. Thread: the reactor. */
        void spillForOthers();
    }

    /** Passes on what the reader of the pipe does. */
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

    /** What became of the bytes that were offered. */
    public enum Fed {
        /** No byte of the body was in the buffer, which is empty; more must arrive. */
        STARVED,
        /** Bytes were taken, and the buffer is empty; more must arrive. */
        TAKEN,
        /** The pipe takes no more at present. */
        FULL,
        /** The server's budget has no segment left at present. */
        STARVING,
        /** The last byte of the body has been taken. */
        COMPLETE
    }

    /** Whether the pipe has room once its bytes were to go to disk; if not, the connection is called when it may be tried again. */
    public enum Room {
        YES,
        /** The disk is busy with what came before of this body. */
        OWN_WRITE,
        /** The disk is busy with others. */
        BUSY
    }

    /** Where the bytes are once the last has come. */
    public enum Settled {
        /** Where the worker will read them. */
        WHOLE,
        /** Some are on their way to disk. */
        WRITING
    }

    /**
     * @param length declared length in bytes, or -1
     * @param limit largest acceptable body in bytes
     */
    public IncomingBody(
            ServerResources server,
            Mode mode,
            BodyDecoder decoder,
            long length,
            long limit,
            Expectation expectation,
            RequestObserver observer,
            Owner owner) {
        this.mode = mode;
        this.pipe = new RequestPipe(server.pool(), server.config().pipes().capacity(), new Reader(owner, observer));
        this.inlet = pipe.inlet();
        this.disk = new BodySpill(server.spool(), inlet, owner::wantAttention);
        this.owner = owner;
        this.decoder = decoder;
        this.length = length;
        this.limit = limit;
        this.expectation = expectation;
        this.observer = observer;
    }

    /** Takes the body's bytes out of the buffer, as far as the pipe has room; throws 400, 413 or 431. */
    public Fed feed(ByteBuffer in) throws Violation {
        Fed fed = Fed.STARVED;
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
                    return Fed.STARVING;
                }
            }
        }
        return Fed.COMPLETE;
    }

    /** Offers the pipe the next {@code count} bytes, which are the body's. */
    private RequestPipe.Offered offer(ByteBuffer in, int count) throws Violation {
        int start = in.position();
        int end = in.limit();
        RequestPipe.Offered offered = inlet.offer(in.limit(start + count));
        int taken = in.position() - start;
        in.limit(end);
        decoder.taken(taken);
        bytes += taken;
        observer.received(bytes);
        expectation.meet(); // a client that sends has not waited
        if (bytes > limit) {
            throw new Violation(Key.BODY_LIMIT);
        }
        return offered;
    }

    /** Bytes that the pipe takes now; at 0 the connection is called when there is room. */
    public int room() {
        return inlet.room();
    }

    /** Whether the client may be read no more until there is memory: not while a worker waits for it. */
    public boolean mayStarve() {
        return inlet.mayStarve();
    }

    // ---- disk

    public boolean streams() {
        return mode == Mode.STREAMING;
    }

    /**
     * Makes room in the pipe by writing what it holds to disk.
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

    /** Throws 503 if what was written could not be. */
    public void checkDisk() throws Violation {
        IOException failure = disk.failure();
        if (failure != null) {
            throw new Violation(503, "the disk failed: " + failure.getMessage());
        }
    }

    /** The last byte has come: a body that has been on disk goes there whole. Called again until the answer is {@code WHOLE}. */
    public Settled settle() throws Violation {
        if (!disk.hasBegun()) {
            return Settled.WHOLE;
        }
        checkDisk();
        if (!disk.isWhole() && !disk.isWriting()) {
            toDisk();
        }
        return disk.isWhole() ? Settled.WHOLE : Settled.WRITING;
    }

    /** Offers bytes again for which the disk had no time: only that frees their memory. */
    public void retryDisk() throws Violation {
        if (disk.owes() > 0) {
            toDisk();
        }
    }

    /** Bytes that are in memory, and wait to be read or written to disk. */
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

    /** The last byte is in: the reader will come to an end. */
    public void finish() {
        observer.bodyArrived(bytes);
        inlet.finish();
    }

    /** The body will not arrive whole: the reader gets the cause. */
    public void fail(IOException cause) {
        expectation.meet();
        inlet.fail(cause);
        disk.close();
    }

    /** What the worker reads: the file if there is one, which is whole then. */
    public RequestBody asBody(PipeBody.FirstRead firstRead) {
        SpoolFile file = disk.file();
        if (file == null) {
            return new PipeBody(pipe.outlet(), length, decoder::trailers, firstRead);
        }
        SpooledBody made = new SpooledBody(file, length, decoder::trailers, pipe.pool());
        spooled = made;
        return made;
    }

    /** The bytes as they come, for a reader who takes them in its own way: a body that streams. */
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
