package io.penstock.http1;

import io.penstock.exchange.Admission;
import io.penstock.exchange.BodyPace;
import io.penstock.exchange.BodyPermits;
import io.penstock.exchange.Deadline;
import io.penstock.exchange.DispatchRule;
import io.penstock.exchange.DispatchRule.Arrived;
import io.penstock.exchange.Expectation;
import io.penstock.exchange.IncomingBody;
import io.penstock.exchange.MemoryWait;
import io.penstock.exchange.RequestObserver;
import io.penstock.exchange.ServerResources;
import io.penstock.exchange.UnfinishedBodies;
import io.penstock.http.BodyDecoder;
import io.penstock.http.BodyFraming;
import io.penstock.http.ChunkedDecoder;
import io.penstock.http.Violation;
import io.penstock.limits.Counter;
import io.penstock.limits.Key;
import io.penstock.limits.Timeouts;
import io.penstock.reactor.Link;
import io.penstock.reactor.Reactor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads the body of one request. The bytes go into the pipe of an {@link IncomingBody}. When the pipe is full, the stage writes the bytes
 * of the pipe to disk, or pauses reading. If the client waits for a 100 (Continue), the stage sends the 100. A worker gets the request when
 * the body is complete, so the worker need not wait for the client. A streaming request is an exception: a worker gets it when the body
 * begins. Each body has its own stage. A connection has a stage only while a body arrives.
 *
 * <p>Thread: the reactor, except for {@link #mustSendContinue}. Owns the request until the workers get it.
 *
 * <pre>
 *   NONE --expect--> ARRIVING --last byte--> STORING --all bytes are in memory or on disk--> NONE
 *                        \                      \
 *                         +-------leave-----------+--> LEFT   further bytes are not parsed
 *                        any --forget--> NONE
 * </pre>
 */
final class BodyStage implements IncomingBody.Owner {

    enum State {
        NONE,
        ARRIVING,
        STORING,
        LEFT
    }

    /** If the client's bytes come in shorter intervals, the next bytes are expected within microseconds. */
    private static final long STREAM_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

    private final ServerResources server;
    private final Link link;
    private final Reactor clock;
    private final Http1Connection connection;
    private final RequestReader in;
    private final UnfinishedBodies unfinished;
    private final MemoryWait memory;
    private final Timeouts timeouts;
    private final Deadline deadline;

    private State state = State.NONE;
    private @Nullable Http1Exchange exchange;
    private @Nullable IncomingBody body;
    private @Nullable BodyPace pace;
    private RequestObserver observer = RequestObserver.NONE;
    private BodyPermits.@Nullable Permit permit;
    private boolean fast; // whether the last read filled its buffer
    private long lastRead;

    // The reactor writes this field, and then reads the state of the ResponseSlot. A worker changes that state, and
    // then reads this field. So at least one of the two threads sees the change of the other thread.
    private volatile Expectation expectation = Expectation.NONE;

    /** @param deadline the deadline of the reading half. This stage uses the deadline while the body arrives */
    BodyStage(Http1Connection connection, RequestReader in, MemoryWait memory, Deadline deadline) {
        this.server = connection.server();
        this.link = connection.link();
        this.clock = link.reactor();
        this.connection = connection;
        this.in = in;
        this.unfinished = connection.shared().unfinished;
        this.memory = memory;
        this.timeouts = server.config().timeouts();
        this.deadline = deadline;
    }

    State state() {
        return state;
    }

    @Nullable
    IncomingBody body() {
        return body;
    }

    RequestObserver observer() {
        return observer;
    }

    /** The request whose body arrives; null if none does. */
    @Nullable
    Http1Exchange exchange() {
        return exchange;
    }

    /**
     * Whether the request has been handed over to the workers before its body is complete. Only a streaming request is handed over so
     * early.
     */
    boolean isHandedOver() {
        return exchange != null && exchange.isHandedOver();
    }

    /** Whether the client waits for a 100 (Continue) that has not been sent. Any thread. */
    boolean mustSendContinue() {
        return expectation.is(Expectation.State.OWED);
    }

    // ---- beginning

    /**
     * Makes the object that takes the bytes of the body. The caller makes the {@link Http1Exchange} of the request afterwards.
     *
     * @param waits whether the client waits for a 100 (Continue)
     */
    IncomingBody incoming(Admission.Admitted admitted, BodyFraming framing, boolean waits, RequestObserver following) {
        boolean streams = DispatchRule.dispatches(admitted.mode(), Arrived.HEAD_ONLY);
        if (waits) {
            expectation = new Expectation(streams ? Expectation.State.HELD : Expectation.State.OWED);
        }
        observer = following;
        observer.bodyExpected();
        BodyDecoder decoder = framing.kind() == BodyFraming.Kind.CHUNKED
                ? new ChunkedDecoder(server.config().messages())
                : BodyDecoder.fixed(framing.length());
        return new IncomingBody(
                server,
                admitted.spoolShare(),
                admitted.mode(),
                decoder,
                framing.length(),
                server.bodyLimit(admitted),
                expectation,
                observer,
                this);
    }

    /** Begins to read the body of the request {@code framed}. */
    void expect(Http1Exchange framed, IncomingBody incoming) throws IOException {
        body = incoming;
        pace = new BodyPace(timeouts);
        lastRead = clock.now();
        exchange = framed;
        state = State.ARRIVING;
        awaitClient();
        if (incoming.streams()) {
            connection.responses().begin(framed, Arrived.HEAD_ONLY);
        } else {
            askForBody();
        }
    }

    /** Sends the 100 (Continue) for which the client waits, if all earlier responses have been sent. */
    private void askForBody() throws IOException {
        if (expectation.is(Expectation.State.OWED) && connection.sendContinue()) {
            expectation.meet();
            awaitClient();
        }
    }

    // ---- bytes

    /**
     * How many bytes can be read now. While a body arrives, the result is at most the number of bytes that the pipe takes. Unread bytes
     * stay in the buffers of the operating system. So these bytes use no reserved segment of the segment pool, even if many requests wait
     * for a worker.
     */
    int mayRead() throws IOException, Violation {
        IncomingBody arriving = body;
        if (state != State.ARRIVING || arriving == null) {
            return server.pool().segmentSize();
        }
        return (int) Math.min(room(arriving), arriving.atOnce());
    }

    /** How many bytes the pipe takes now. If the result is 0, reading is paused. */
    private int room(IncomingBody arriving) throws Violation {
        if (memory.isShort() && arriving.tryPauseForMemory()) {
            pauseForMemory();
            return 0;
        }
        int room = arriving.room();
        return room > 0 ? room : makeRoom(arriving);
    }

    /** Called when the pipe is full. Writes the bytes of the pipe to disk, or pauses reading. Returns how many bytes the pipe takes now. */
    private int makeRoom(IncomingBody arriving) throws Violation {
        if (!arriving.streams() && toDisk(arriving)) {
            return arriving.room();
        }
        rest(); // the server waits for the application or the disk now, not for the client
        link.wantReadable(false);
        return 0;
    }

    /** Takes bytes of the body. Returns whether the remaining bytes of the buffer may be parsed now. */
    boolean feed(ByteBuffer source) throws IOException, Violation {
        if (state != State.ARRIVING) {
            // The next request is parsed only after all bytes of this body are stored.
            return false;
        }
        IncomingBody arriving = Objects.requireNonNull(body);
        BodyPace arrival = Objects.requireNonNull(pace);
        int before = source.position();
        IncomingBody.Fed fed = arriving.feed(source);
        Objects.requireNonNull(exchange).holdTrailers(arriving.heldByTrailers());
        arrival.arrived(source.position() - before);
        boolean goesOn =
                switch (fed) {
                    case NO_BYTES -> {
                        if (!arrival.waitsForClient()) {
                            awaitClient();
                        }
                        yield false;
                    }
                    case TAKEN -> {
                        awaitClient();
                        yield false;
                    }
                    case FULL -> {
                        rest(); // the server waits for the application or the disk now, not for the client
                        yield !arriving.streams() && toDisk(arriving);
                    }
                    case NO_MEMORY -> {
                        pauseForMemory();
                        yield false;
                    }
                    case COMPLETE -> {
                        state = State.STORING;
                        deadline.off();
                        yield handOverWhenStored(arriving);
                    }
                };
        if (body == arriving) {
            unfinished.changed(arriving);
        }
        return goesOn;
    }

    /**
     * Called when bytes have been read into the reactor's buffer.
     *
     * @param full whether the buffer is full now
     */
    void bufferRead(boolean full) {
        fast = full;
    }

    /** Whether the next bytes should be read by {@link #read}. */
    boolean readsStraight() {
        IncomingBody arriving = body;
        return fast && state == State.ARRIVING && arriving != null && arriving.canRead();
    }

    /**
     * Reads bytes of the body straight into its pipe, without the reactor's buffer. The caller must call {@link #feed} with an empty buffer
     * afterwards. If the read gets less than a segment, the next read uses the reactor's buffer. The reason: a few bytes in that buffer can
     * be copied into a small segment, which needs less memory.
     *
     * @return the number of bytes that were read; the same values as in {@link Link#read(ByteBuffer)}
     */
    int read() throws IOException, Violation {
        IncomingBody arriving = Objects.requireNonNull(body);
        int most = hasPermit(arriving) ? room(arriving) : 0;
        int count = most == 0 ? 0 : arriving.read(link, most);
        fast = count >= server.pool().segmentSize();
        long before = lastRead;
        lastRead = clock.now();
        if (count > 0 && count < most && lastRead - before < STREAM_NANOS && arriving.expected() > 0) {
            clock.expectBytes();
        }
        if (count > 0) {
            Objects.requireNonNull(pace).arrived(count);
            if (permit != null) {
                unfinished.permits().arrived(permit, count);
            }
            awaitClient();
        }
        return count;
    }

    /**
     * Whether this body may be read now, together with other large bodies ({@link BodyPermits}). If not, this method pauses reading until
     * the permit of this body is granted.
     */
    private boolean hasPermit(IncomingBody arriving) {
        BodyPermits.Permit now = permit;
        if (now == null) {
            if (!BodyPermits.concern(arriving)) {
                return true;
            }
            now = new BodyPermits.Permit(() -> link.contain(this::permitGranted));
            permit = now;
        }
        boolean may = unfinished.permits().mayArrive(now);
        if (!may) {
            rest(); // the server waits for other bodies now, not for the client
            link.wantReadable(false);
        }
        return may;
    }

    private void permitGranted() {
        if (state == State.ARRIVING && in.readOn()) {
            awaitClient();
        }
    }

    private boolean toDisk(IncomingBody arriving) throws Violation {
        IncomingBody.Room room = arriving.toDisk();
        if (room == IncomingBody.Room.BUSY) {
            server.reached(Key.SPOOL_QUEUE);
        }
        return room == IncomingBody.Room.YES;
    }

    @Override
    public void wantAttention() {
        connection.wantAttention();
    }

    @Override
    public void written() {
        connection.wantAttention();
        unfinished.freed();
    }

    @Override
    public void spillForOthers() {
        IncomingBody largest = Objects.requireNonNull(body);
        link.contain(() -> {
            try {
                if (largest.toDisk() == IncomingBody.Room.YES) {
                    server.count(Counter.PIPES_SPILLED);
                }
                unfinished.changed(largest);
            } catch (Violation violation) {
                in.refuse(violation);
            }
        });
    }

    /**
     * Called when the last byte has arrived. If all bytes are in memory or on disk, this method hands the request over to the workers and
     * returns true.
     */
    private boolean handOverWhenStored(IncomingBody arrived) throws IOException, Violation {
        if (arrived.storeWhole() == IncomingBody.Stored.WRITING) {
            return false;
        }
        Http1Exchange complete = Objects.requireNonNull(exchange);
        state = State.NONE;
        connection.awaitRequest();
        // The upgrade stage must exist before the worker of a streaming request can end the request.
        in.awaitUpgradeDecision(complete);
        complete.bodyArrived();
        arrived.finish();
        boolean grown = arrived.hasGrown();
        // A streaming request was handed over when its body began.
        if (!complete.isHandedOver()) {
            connection.responses().begin(complete, Arrived.ALL);
        }
        if (grown) {
            // Wakes the worker now, before the reactor handles other connections. Other bodies may find no memory until
            // the worker has read this body.
            server.queue().wakeChosen();
        }
        forget();
        return true;
    }

    // ---- memory

    /** Pauses reading until memory has room for this client's bytes. */
    private void pauseForMemory() {
        if (!memory.isWaiting()) {
            rest(); // the server waits for memory now, not for the client
            link.wantReadable(false);
            memory.begin();
        }
    }

    /**
     * If a worker waits for the client's bytes, continues to read although memory is full. The connection keeps its place in the queue for
     * memory.
     */
    private void feedWaitingReader(IncomingBody arriving) {
        if (memory.isWaiting() && state == State.ARRIVING && !arriving.tryPauseForMemory()) {
            memory.end();
            in.readOn();
        }
    }

    // ---- continuing

    /**
     * Continues to read the body after an event for which this stage waited. Returns whether the body is complete, and all its bytes are in
     * memory or on disk.
     */
    boolean resume() throws IOException, Violation {
        askForBody();
        IncomingBody arriving = body;
        if (arriving == null) {
            return false;
        }
        feedWaitingReader(arriving);
        switch (state) {
            case STORING -> {
                return handOverWhenStored(arriving);
            }
            case ARRIVING -> {
                arriving.checkDisk();
                arriving.retryDisk();
                unfinished.changed(arriving);
                if (in.readOn()) {
                    awaitClient();
                }
            }
            case NONE, LEFT -> {
                // No more bytes of the body are parsed, so this method has nothing to do.
            }
        }
        return false;
    }

    // ---- ending

    /** Parses no more bytes of the body. A worker can still read the bytes in the pipe. */
    void leave() {
        // Dropped bytes need no memory. Reading must continue, since only a read notices the end of the connection.
        memory.end();
        if (state != State.NONE) {
            state = State.LEFT;
        }
    }

    /**
     * Called when the body will not arrive completely. Returns the request of the body; null if this stage has no request. It is possible
     * that the workers already have the request.
     */
    @Nullable
    Http1Exchange fail(IOException cause) {
        Http1Exchange incomplete = exchange;
        if (body != null) {
            body.fail(cause);
        }
        forget();
        return incomplete;
    }

    private void forget() {
        if (permit != null) {
            unfinished.permits().release(permit);
            permit = null;
        }
        if (body != null) {
            unfinished.remove(body);
        }
        state = State.NONE;
        expectation = Expectation.NONE;
        observer = RequestObserver.NONE;
        exchange = null;
        body = null;
        pace = null;
    }

    // ---- time

    /** Begins to wait for the client's next bytes, and sets the deadline for these bytes. */
    private void awaitClient() {
        BodyPace arriving = Objects.requireNonNull(pace);
        if (expectation.is(Expectation.State.MET)) {
            long now = clock.now();
            deadline.at(now + arriving.awaitClient(now));
        } else {
            deadline.in(timeouts.bodyStall()); // the client waits for the 100 (Continue)
        }
    }

    /** Turns the client's deadline off, because the body takes no bytes at present. */
    private void rest() {
        deadline.off();
        Objects.requireNonNull(pace).awaitServer(clock.now());
    }

    /** Called when the deadline has passed. Returns the limit that the client has exceeded; null if the client has exceeded no limit. */
    @Nullable
    Key passed() {
        BodyPace arriving = Objects.requireNonNull(pace);
        // While reading is paused, a delay is not the client's fault.
        if (!in.canReadSocket()) {
            rest();
            deadline.in(timeouts.bodyStall());
            return null;
        }
        if (!arriving.waitsForClient()) {
            awaitClient();
            return null;
        }
        long now = clock.now();
        Key passed = arriving.passed(now);
        if (passed == null) {
            deadline.at(now + arriving.safeFor(now));
        }
        return passed;
    }
}
