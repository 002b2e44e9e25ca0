package io.penstock.http2;

import io.penstock.exchange.BodyPace;
import io.penstock.exchange.BodyPermits;
import io.penstock.exchange.CannedResponse;
import io.penstock.exchange.ConnectionState;
import io.penstock.exchange.Deadline;
import io.penstock.exchange.DisconnectAction;
import io.penstock.exchange.DispatchRule.Arrived;
import io.penstock.exchange.Expectation;
import io.penstock.exchange.IncomingBody;
import io.penstock.exchange.MemoryWait;
import io.penstock.exchange.Peer;
import io.penstock.exchange.QueueWait;
import io.penstock.exchange.RequestObserver;
import io.penstock.exchange.ResponseWriter;
import io.penstock.exchange.RunningExchange;
import io.penstock.exchange.ServerResources;
import io.penstock.http.Fields;
import io.penstock.http.Violation;
import io.penstock.limits.Counter;
import io.penstock.limits.Key;
import io.penstock.pipe.ResponsePipe;
import io.penstock.pipe.Segment;
import io.penstock.pipe.SegmentPool;
import io.penstock.reactor.ConnectionClosed;
import io.penstock.reactor.Link;
import io.penstock.reactor.TlsSession;
import io.penstock.work.Client;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * One stream of a connection: one request and its response (RFC 9113 section 5). It counts as open until its exchange is over and its output
 * has ended, also if the client has reset it before: so resets do not let a client begin more requests than the server can hold.
 *
 * <p>Thread: the reactor, if a method does not name another thread.
 */
final class Http2Stream implements RunningExchange.Stream, IncomingBody.Owner, QueueWait.Owner {
    private static final AtomicReferenceFieldUpdater<Http2Stream, @Nullable QueueWait> QUEUE_WAIT =
            AtomicReferenceFieldUpdater.newUpdater(Http2Stream.class, QueueWait.class, "queueWait");
    private static final AtomicReferenceFieldUpdater<Http2Stream, @Nullable DisconnectAction> ON_DISCONNECT =
            AtomicReferenceFieldUpdater.newUpdater(Http2Stream.class, DisconnectAction.class, "onDisconnect");
    private static final AtomicIntegerFieldUpdater<Http2Stream> ASKED =
            AtomicIntegerFieldUpdater.newUpdater(Http2Stream.class, "asked");

    private static final byte[] NOTHING = {};

    /** What other threads ask the reactor to do for a stream; bits of {@code asked}. */
    static final int LISTED = 1;

    /** The widest window. With 50 ms for a round trip, it lets 20 MB of a body arrive in a second. */
    static final int MAX_WIDE = 1 << 20;

    /** Only a body whose first bytes arrive within this time needs a permit ({@link BodyPermits}). */
    private static final long FAST = TimeUnit.MILLISECONDS.toNanos(20);

    private static final int RESUME = 2;
    private static final int QUEUED = 4;
    private static final int OUTDATED = 8;
    private static final int FAILED = 16;
    private static final int ENDED = 32;

    private final Http2Connection connection;
    private final int number;
    private final StreamOutput output;

    /** The next stream in the connection's table, and in the list of streams that ask for attention. */
    @Nullable
    Http2Stream nextInTable;

    @Nullable
    Http2Stream nextAsking;

    private volatile int asked;
    private volatile @Nullable QueueWait queueWait;
    private volatile @Nullable DisconnectAction onDisconnect;
    private volatile @Nullable Http2Exchange exchange; // until it is over
    private volatile boolean inputEnded;
    private volatile ErrorCode failure = ErrorCode.INTERNAL_ERROR;
    private volatile boolean resetWanted;
    private volatile boolean cut; // so that a frame that has begun cannot be completed

    // ---- the body of the request
    private @Nullable IncomingBody body;
    private @Nullable StreamDecoder decoder;
    private @Nullable BodyPace pace;
    private @Nullable Deadline deadline;
    private @Nullable MemoryWait memory;
    private BodyPermits.@Nullable Permit permit;
    private @Nullable Tunnel tunnel; // of an extended CONNECT
    private long bodyBegins;
    private boolean storing;

    /** How many bytes the client may still send. */
    private int window;

    /** How far the window opens if it opens wider than the pipe; 0 if it does not. */
    private int wide;

    /** How many octets of the present DATA frame have not arrived. They need room in the pipe, too. */
    private int unarrived;

    /** Whether the pipe has no room for octets that have arrived. The connection is read again when it has. */
    private boolean full;

    // The bytes that had been sent at the last check, and the checks without progress.
    private long sentAtCheck;
    private int stalledChecks;

    /** The client has reset the stream, or the server has: what still arrives is dropped. */
    private boolean reset;

    private int held;

    Http2Stream(Http2Connection connection, int number, int receiveWindow, int sendWindow) {
        this.connection = connection;
        this.number = number;
        this.window = receiveWindow;
        ServerResources server = connection.server();
        this.output = new StreamOutput(
                number,
                connection.output(),
                new ResponsePipe(server.pipeMemory()),
                sendWindow,
                this::outputEnded,
                this::frameComplete,
                this::cut);
    }

    int number() {
        return number;
    }

    /** The client of all streams of the connection. Any thread. */
    Client client() {
        return connection.output().client();
    }

    StreamOutput output() {
        return output;
    }

    @Nullable
    Http2Exchange exchange() {
        return exchange;
    }

    boolean isReset() {
        return reset;
    }

    boolean hasEndedInput() {
        return inputEnded;
    }

    /** What the stream waits for. */
    ConnectionState state() {
        Http2Exchange now = exchange;
        if (now == null) {
            return output.isEmpty() ? ConnectionState.IDLE : ConnectionState.DRAINING;
        }
        if (!now.isHandedOver()) {
            return storing ? ConnectionState.STORING : ConnectionState.BODY;
        }
        ConnectionState taken = tunnel != null && tunnel.isOpen() ? ConnectionState.UPGRADED : ConnectionState.RUNNING;
        return now.isTaken() ? taken : ConnectionState.QUEUED;
    }

    /** Whether the stream can be forgotten. */
    boolean isOver() {
        return exchange == null && output.hasEnded() && (inputEnded || reset);
    }

    // ---- memory

    /** The stream holds this reservation of the budget of heads until it is over. */
    void holds(int reservation) {
        held = reservation;
    }

    /** The stream is over, or its connection has closed. */
    void release() {
        server().headBudget().giveBack(held);
        held = 0;
        if (tunnel != null) {
            tunnel.release();
        }
    }

    // ---- the request

    /** The whole request has arrived with its head. */
    void begin(Http2Exchange whole) throws IOException {
        exchange = whole;
        inputEnded = true;
        whole.handOver(Arrived.ALL);
        enqueue(whole);
    }

    /** The head has arrived, and a body follows. */
    void begin(Http2Exchange head, IncomingBody incoming, StreamDecoder ofBody) throws IOException {
        exchange = head;
        body = incoming;
        decoder = ofBody;
        pace = new BodyPace(server().config().timeouts());
        bodyBegins = link().reactor().now();
        awaitClient();
        if (incoming.streams()) {
            head.handOver(Arrived.HEAD_ONLY);
            enqueue(head);
        }
    }

    /** The head of an extended CONNECT has arrived. For the application it is a whole request. */
    void beginTunnel(Http2Exchange whole) throws IOException {
        Tunnel made = new Tunnel(connection, this);
        tunnel = made;
        exchange = whole;
        body = made.incoming();
        decoder = made.decoder();
        whole.handOver(Arrived.ALL);
        enqueue(whole);
    }

    /** Null for any other request than an extended CONNECT. Any thread that has the exchange. */
    @Nullable
    Tunnel tunnel() {
        return tunnel;
    }

    private void enqueue(Http2Exchange queued) throws IOException {
        connection.output().queued(queued);
        assert link().reactor().isCurrent();
        switch (server().queue().offerOneOfMany(queued)) {
            case FULL -> refuseWaiting(queued, queued.full());
            case OVERLOADED -> refuseWaiting(queued, Key.OVERLOAD_AFTER);
            case WAITS -> queueWait().begin(queued);
            case TAKEN -> {
                // an idle worker will take the exchange
            }
        }
    }

    /** Answers 503, since no worker will take the request. */
    void refuseWaiting(Http2Exchange refused, Key bound) throws IOException {
        exchange = null;
        if (reset) {
            refused.discard(); // the client has left meanwhile
            connection.forgetIfOver(this);
            return;
        }
        refused.release();
        refused.countRefusal(bound);
        server().events().refused(id(), bound.consequence().status(), bound.id());
        CannedResponse busy = CannedResponse.busy(server().queue().secondsToEmpty(refused), refused.head())
                .withPage(server().errorDocuments());
        answer(busy.observedBy(refused.observer(), bound.id()));
    }

    /** The client has made a mistake, or the response cannot be completed. */
    void reset(ErrorCode code, String reason) throws IOException {
        connection.reset(this, code, reason);
    }

    /** Answers without a worker. */
    void answer(CannedResponse answer) throws IOException {
        RequestObserver observer = answer.observer();
        int length = answer.sendsBody() ? answer.length() : 0;
        byte[] head = connection.heads().canned(number, answer);
        try {
            int own = answer.page() == null ? length : 0; // all responses share the page
            held = server().headBudget().reserve(held, Math.abs(held) + own, false);
        } catch (Violation full) { // the answer may wait long for its client
            server().reached(Key.HEAD_BUDGET);
            answer.discard();
            reset(ErrorCode.REFUSED_STREAM, String.valueOf(full.getMessage()));
            return;
        }
        observer.responding(answer.status(), answer.fields());
        output.whole(head, length);
        output.pipe().append(answer.sendsBody() ? answer.body() : SegmentPool.segment(NOTHING));
        output.responseComplete(observer);
        answer.release();
        dropBody(new IOException("The request has been refused"));
        connection.output().ready(output);
        connection.flush();
        output.hold();
    }

    /** Lets the reactor send what waits. Any thread. */
    void sendLater() {
        connection.output().sendLater(output);
        output.hold();
    }

    /** Begins an answer in place of the application's. Returns its body. Any thread. */
    Segment replacement(CannedResponse answer) {
        byte[] body = answer.sendsBody() ? answer.line() : NOTHING;
        output.whole(connection.heads().canned(number, answer), body.length);
        return SegmentPool.segment(body);
    }

    // ---- DATA

    /** Whether the stream takes octets of its body now. Otherwise the connection is not read until it does. */
    boolean takesData() {
        return body == null || !full && (memory == null || !memory.isWaiting());
    }

    /** The bytes of the body have no room now: the connection is read again when they have. */
    private void awaitMemory() {
        MemoryWait wait = memory;
        if (wait == null) {
            wait = new MemoryWait(connection.unfinished(), this, connection::resumeReading);
            memory = wait;
        }
        if (!wait.isWaiting()) {
            rest();
            wait.begin();
        }
    }

    /** A DATA frame begins. Returns false if the client had no permission for it. */
    boolean permits(int length) {
        window -= length;
        unarrived = length;
        return window >= 0;
    }

    /** Returns false if the body is longer than its head has declared. */
    boolean data(ByteBuffer octets) throws IOException, Violation {
        IncomingBody ofStream = body;
        StreamDecoder ofBody = decoder;
        if (ofStream == null || ofBody == null) {
            octets.position(octets.limit());
            return true;
        }
        if (ofBody.isTooLong(octets.remaining())) {
            return false;
        }
        int before = octets.position();
        IncomingBody.Fed fed = ofStream.feed(octets);
        if (fed == IncomingBody.Fed.FULL && !ofStream.streams() && ofStream.toDisk() == IncomingBody.Room.YES) {
            fed = ofStream.feed(octets);
        }
        int taken = octets.position() - before;
        unarrived -= taken;
        if (tunnel != null) {
            tunnel.arrived();
        } else {
            Objects.requireNonNull(pace).arrived(taken);
        }
        if (permit != null) {
            connection.unfinished().permits().arrived(permit, taken);
        }
        connection.unfinished().changed(ofStream);
        switch (fed) {
            case NO_BYTES, TAKEN, COMPLETE -> awaitClient();
            case FULL -> {
                full = true; // the pipe or the disk asks for attention
                rest();
            }
            case NO_MEMORY -> awaitMemory();
        }
        return true;
    }

    /** A DATA frame is complete. */
    void endFrame() {
        unarrived = 0;
    }

    /** The client knows the window of the server's SETTINGS now, and has begun this stream before. */
    void shrinkWindow(int by) throws IOException {
        window -= by;
        try {
            credit();
        } catch (Violation violation) {
            refuse(violation);
        }
    }

    /**
     * Whether the window may become larger than what the pipe can hold. A window for each round trip bounds the speed of an upload. A body
     * that is stored on disk before a worker gets the request empties its pipe soon; if the disk is slow, the connection is not read
     * meanwhile.
     */
    private boolean mayOpenWider(IncomingBody arriving) {
        return !arriving.streams() && server().pool().isPlentiful() && (wide > 0 || connection.mayOpenWider());
    }

    /**
     * Whether the client may send more of this body now, beside other large bodies. If not, the stream asks for attention when it may: the
     * client then has its first window for each of its streams, and sends the rest of one body after the other.
     */
    private boolean hasPermit(IncomingBody arriving) {
        BodyPermits.Permit now = permit;
        if (now == null) {
            boolean fast = link().reactor().now() - bodyBegins < FAST;
            if (!fast || !BodyPermits.concern(arriving)) {
                return true;
            }
            now = new BodyPermits.Permit(this::wantAttention);
            permit = now;
        }
        return connection.unfinished().permits().mayArrive(now);
    }

    /** Gives the client back what it may send again. */
    void credit() throws Violation {
        IncomingBody ofStream = body;
        if (ofStream == null || inputEnded || reset) {
            return;
        }
        if (!hasPermit(ofStream)) {
            if (window <= 0) {
                rest(); // the server waits for other bodies now, not for the client
            }
            return;
        }
        int whole = connection.receiveWindow();
        int room = ofStream.room(whole / 2);
        if (room < whole / 2 && !ofStream.streams()) {
            if (ofStream.toDisk() == IncomingBody.Room.BUSY) {
                server().reached(Key.SPOOL_QUEUE);
            }
            room = ofStream.room(whole / 2);
        }
        int open = Math.min(room - unarrived, whole);
        if (open >= whole / 2 && mayOpenWider(ofStream)) {
            wide = permit == null ? Math.min(MAX_WIDE, 2 * Math.max(wide, whole)) : MAX_WIDE;
            open = wide;
        }
        int more = open - window;
        if (more >= Math.max(whole, open) / 2) {
            window += more;
            connection.output().control(Frame.windowUpdate(number, more));
        }
        if (window <= 0) {
            rest();
        }
    }

    /**
     * The client has ended the stream.
     *
     * @return false if the body is shorter than its head has declared
     */
    boolean endInput(Fields trailers) throws IOException, Violation {
        inputEnded = true;
        if (tunnel != null) {
            wantAttention(); // perhaps both directions have ended now
        }
        StreamDecoder ofBody = decoder;
        IncomingBody arriving = body;
        if (ofBody == null || arriving == null) {
            return true;
        }
        if (!ofBody.isWhole()) {
            return false;
        }
        ofBody.end(trailers);
        storing = true;
        stopDeadline();
        handOverWhenStored(arriving);
        return true;
    }

    private void handOverWhenStored(IncomingBody arrived) throws IOException, Violation {
        if (!storing || arrived.storeWhole() == IncomingBody.Stored.WRITING) {
            return;
        }
        Http2Exchange complete = exchange;
        if (complete == null) {
            forgetBody(); // answered without it
            return;
        }
        complete.bodyArrived();
        arrived.finish();
        forgetBody();
        if (!complete.isHandedOver()) {
            complete.handOver(Arrived.ALL);
            enqueue(complete);
        }
    }

    void forgetBody() {
        IncomingBody former = body;
        stopDeadline();
        if (former != null) {
            connection.unfinished().remove(former);
        }
        if (memory != null) {
            memory.end();
        }
        if (wide > 0) {
            wide = 0;
            connection.opensLess();
        }
        if (permit != null) {
            connection.unfinished().permits().release(permit);
            permit = null;
        }
        body = null;
        decoder = null;
        pace = null;
        storing = false;
        full = false;
    }

    private void dropBody(IOException cause) {
        IncomingBody former = body;
        if (former != null) {
            former.fail(cause);
            forgetBody();
        }
    }

    // ---- time

    private void awaitClient() {
        BodyPace arriving = pace;
        if (arriving == null) {
            return;
        }
        Deadline set = deadline;
        if (set == null) {
            set = new Deadline(link()) {
                @Override
                protected void passed() {
                    contain(Http2Stream.this::bodyLate);
                }
            };
            deadline = set;
        }
        IncomingBody awaited = body;
        if (awaited != null && !awaited.expectation().is(Expectation.State.MET)) {
            set.in(server().config().timeouts().bodyStall()); // the client waits for the 100 (Continue)
            return;
        }
        long now = link().reactor().now();
        set.at(now + arriving.awaitClient(now));
    }

    private void rest() {
        if (deadline != null && pace != null) {
            deadline.off();
            pace.awaitServer(link().reactor().now());
        }
    }

    /**
     * Resets the stream if its client has taken no byte of its response for some checks. Other streams go on.
     *
     * @param others whether the client takes bytes of other streams, for which this one may have to wait
     */
    void checkStall(boolean others) throws IOException {
        long now = output.sent();
        boolean waitsForOthers = others && !output.isWindowClosed();
        if (reset || output.isEmpty() || now != sentAtCheck || waitsForOthers) {
            sentAtCheck = now;
            stalledChecks = 0;
        } else if (++stalledChecks > Http2Connection.STALL_CHECKS) {
            timedOut(Key.WRITE_STALL_TIMEOUT);
            reset(ErrorCode.CANCEL, "the client takes no byte of the response");
        }
    }

    private void stopDeadline() {
        if (deadline != null) {
            deadline.remove();
            deadline = null;
        }
    }

    private void bodyLate() throws IOException {
        BodyPace arriving = pace;
        if (arriving == null) {
            return;
        }
        if (!connection.isReading()) {
            rest();
            Objects.requireNonNull(deadline).in(server().config().timeouts().bodyStall());
            return;
        }
        if (!arriving.waitsForClient()) {
            awaitClient();
            return;
        }
        long now = link().reactor().now();
        Key passed = arriving.passed(now);
        if (passed == null) {
            Objects.requireNonNull(deadline).at(now + arriving.safeFor(now));
            return;
        }
        timedOut(passed);
        refuse(new Violation(passed));
    }

    /** Answers a request that violates a rule while it arrives, if its response has not begun; otherwise resets the stream. */
    void refuse(Violation violation) throws IOException {
        Http2Exchange refused = exchange;
        if (refused == null) {
            dropBody(new IOException(violation.getMessage())); // answered without it; the response stays as it is
            return;
        }
        Key limit = violation.limit();
        if (limit != null) {
            server().reached(limit);
        }
        if (refused.isHandedOver()) {
            dropBody(new IOException(violation.getMessage()));
            reset(ErrorCode.CANCEL, String.valueOf(violation.getMessage()));
            return;
        }
        exchange = null;
        server().events().refused(id(), violation.status(), String.valueOf(violation.getMessage()));
        CannedResponse answer = new CannedResponse(violation.status(), Fields.EMPTY, refused.head())
                .withPage(server().errorDocuments());
        refused.release();
        answer(answer.observedBy(refused.observer(), String.valueOf(violation.getMessage())));
    }

    // ---- other threads ask for attention

    private void ask(int what, boolean now) {
        int before = ASKED.getAndAccumulate(this, what | LISTED, (a, b) -> a | b);
        if ((before & LISTED) == 0) {
            connection.list(this);
        }
        if (now || connection.isFinishing()) { // asked last, since finish() attends after it has begun to finish
            link().signal(Http2Connection.ATTENTION);
        }
    }

    /** Does what other threads have asked for. */
    void attend() throws IOException {
        int what = asked == 0 ? 0 : ASKED.getAndSet(this, 0);
        if ((what & FAILED) != 0) {
            reset(failure, failure == ErrorCode.ENHANCE_YOUR_CALM ? Key.HEAD_BUDGET.id() : "the request failed");
        }
        QueueWait known = queueWait;
        if (known != null && (what & QUEUED) != 0) {
            known.queued();
        }
        if (known != null && (what & OUTDATED) != 0) {
            known.answerOutdated();
        }
        if ((what & RESUME) != 0) {
            resume();
        }
        Tunnel other = tunnel;
        if (other != null) {
            other.attend();
        }
        if (exchange == null && output.hasEnded() && !inputEnded && !reset && (other == null || !other.lingers())) {
            // The response is complete before its request. The client need not send the rest (RFC 9113 section 8.1).
            reset(ErrorCode.NO_ERROR, "answered");
        }
        connection.forgetIfOver(this);
    }

    /** The connection ends with its last stream, and a tunnel must end. What the stream has asked for stays so. */
    void finish() throws IOException {
        if (tunnel != null) {
            tunnel.attend();
        }
        connection.forgetIfOver(this);
    }

    private void resume() throws IOException {
        IncomingBody ofStream = body;
        if (ofStream == null) {
            return;
        }
        full = false;
        try {
            if (storing) {
                handOverWhenStored(ofStream);
            } else {
                ofStream.checkDisk();
                ofStream.retryDisk();
                connection.unfinished().changed(ofStream);
                credit();
                if (window > 0) {
                    awaitClient();
                }
            }
        } catch (Violation violation) {
            refuse(violation);
        }
        feedWaitingReader(ofStream);
        connection.resumeReading();
    }

    /** A worker that waits for bytes of the client gets them, even if no memory is free. */
    private void feedWaitingReader(IncomingBody ofStream) {
        MemoryWait wait = memory;
        if (wait != null && wait.isWaiting() && !ofStream.tryPauseForMemory()) {
            wait.end();
        }
    }

    @Override
    public void wantAttention() {
        ask(RESUME, true);
    }

    @Override
    public void written() {
        ask(RESUME, true);
        connection.unfinished().freed();
    }

    @Override
    public void spillForOthers() {
        contain(() -> {
            IncomingBody largest = body;
            if (largest == null) {
                return;
            }
            try {
                if (largest.toDisk() == IncomingBody.Room.YES) {
                    server().count(Counter.PIPES_SPILLED);
                }
                connection.unfinished().changed(largest);
            } catch (Violation violation) {
                refuse(violation);
            }
        });
    }

    // ---- QueueWait.Owner

    /** Made when the request must wait for a worker. Any thread. */
    QueueWait queueWait() {
        QueueWait known = queueWait;
        if (known == null) {
            known = new QueueWait(this, this);
            if (!QUEUE_WAIT.compareAndSet(this, null, known)) {
                known = Objects.requireNonNull(queueWait);
            }
        }
        return known;
    }

    @Override
    public void requestQueued() {
        ask(QUEUED, true);
    }

    @Override
    public void requestOutdated() {
        ask(OUTDATED, true);
    }

    @Override
    public boolean onNoneWaiting() {
        return true;
    }

    /** A client whose connection has ended has closed its streams; a stream alone has no half-closed client. */
    @Override
    public boolean hasClientLeft() {
        return false;
    }

    @Override
    public void onClientLeft() {
        throw new IllegalStateException("the client of a stream leaves with its connection");
    }

    // ---- ends

    /** The end of the response has been handed over to the link. Thread: the holder of the connection's token. */
    private void outputEnded() {
        output.observer().sent(output.sent()); // the pipe does not count the present write yet
        ask(ENDED, !inputEnded || tunnel != null);
    }

    /**
     * The exchange is over. Thread: its worker.
     *
     * @param incomplete whether the client must see that the response is incomplete
     */
    void exchangeOver(Http2Exchange over, boolean incomplete) {
        QueueWait known = queueWait;
        if (known != null) {
            known.over(over);
        }
        DisconnectAction action = onDisconnect;
        if (action != null) {
            action.exchangeOver();
        }
        exchange = null;
        if (incomplete && !output.hasEnded()) {
            ask(FAILED, true);
        } else {
            ask(ENDED, !inputEnded || tunnel != null);
        }
    }

    /** Puts the reset off until the frame that has begun is complete. Returns false if none has. */
    boolean resetBehindFrame(ErrorCode code) {
        failure = code;
        resetWanted = true;
        return !cut && connection.output().isWithinFrame(output);
    }

    /** Thread: the holder of the connection's token. */
    private void frameComplete() {
        if (resetWanted) {
            ask(FAILED, true);
        }
    }

    /** The stream must be reset. Any thread. */
    void failed(ErrorCode code) {
        failure = code;
        ask(FAILED, true);
    }

    @Override
    public void fail(Throwable cause) {
        failed(ErrorCode.INTERNAL_ERROR);
    }

    /** The output cannot go on: a file cannot be read, or its head or trailers have no room while they wait for the client. Any thread. */
    private void cut(Exception cause) {
        cut = true;
        if (cause instanceof Violation) {
            server().reached(Key.HEAD_BUDGET);
            failed(ErrorCode.ENHANCE_YOUR_CALM);
        } else {
            failed(ErrorCode.INTERNAL_ERROR);
        }
    }

    /** The stream has been reset, by either side, or its connection has closed. */
    void onReset(ConnectionClosed cause) {
        reset = true;
        output.reset();
        output.pipe().fail(cause);
        dropBody(cause);
        if (tunnel != null) {
            tunnel.onReset(cause);
        }
        QueueWait known = queueWait;
        if (known != null) {
            known.onClosed();
        }
        try {
            endExchange(cause);
        } finally {
            try {
                output.observer().lost(cause.getMessage());
            } finally {
                DisconnectAction action = onDisconnect;
                if (action != null && !server().queue().isClosed()) {
                    action.run();
                }
            }
        }
    }

    private void endExchange(ConnectionClosed cause) {
        Http2Exchange cut = exchange;
        if (cut == null) {
            return;
        }
        try {
            cut.observer().gone(cause.getMessage());
        } finally {
            // Otherwise its head would stay reserved.
            if (!cut.isHandedOver()) {
                exchange = null;
                cut.discard();
            }
        }
    }

    /** The waiting request has been taken out of the queue, since its stream has ended. */
    void discarded(Http2Exchange dropped) {
        if (exchange == dropped) {
            exchange = null;
        }
        ask(ENDED, true);
    }

    // ---- RunningExchange.Stream

    @Override
    public ServerResources server() {
        return connection.server();
    }

    @Override
    public String id() {
        return connection.id();
    }

    @Override
    public Link link() {
        return connection.link();
    }

    @Override
    public Peer peer() {
        return connection.peer();
    }

    @Override
    public @Nullable TlsSession tls() {
        return link().tls();
    }

    @Override
    public ResponseWriter writer() {
        return output;
    }

    @Override
    public boolean hasInputEnded() {
        return false;
    }

    @Override
    public DisconnectAction onDisconnect() {
        DisconnectAction made = onDisconnect;
        if (made == null) {
            made = new DisconnectAction(output.pipe());
            if (!ON_DISCONNECT.compareAndSet(this, null, made)) {
                made = Objects.requireNonNull(onDisconnect);
            }
        }
        return made;
    }

    @Override
    public void timedOut(Key timeout) {
        server().reached(timeout);
        server().events().timedOut(id(), timeout.id());
    }
}
