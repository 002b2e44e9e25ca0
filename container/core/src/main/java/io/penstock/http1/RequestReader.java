package io.penstock.http1;

import io.penstock.events.CloseCause;
import io.penstock.exchange.CannedResponse;
import io.penstock.exchange.Causes;
import io.penstock.exchange.ClientFault;
import io.penstock.exchange.ConnectionState;
import io.penstock.exchange.Deadline;
import io.penstock.exchange.HeadBudget;
import io.penstock.exchange.IncomingBody;
import io.penstock.exchange.MemoryWait;
import io.penstock.exchange.RequestObserver;
import io.penstock.exchange.ServerResources;
import io.penstock.http.Fields;
import io.penstock.http.RequestHead;
import io.penstock.http.Violation;
import io.penstock.limits.Key;
import io.penstock.limits.Timeouts;
import io.penstock.pipe.Segment;
import io.penstock.pipe.SegmentPool;
import io.penstock.reactor.ConnectionClosed;
import io.penstock.reactor.Link;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The reading half of a connection. It reads the client's bytes and frames them, that is, it finds where each request begins and ends. A
 * {@link HeadStage} frames the head of a request, and a {@link BodyStage} its body. The client may send at most {@link
 * ResponseSlot#MAX_PARKED} requests ahead of the request that is being answered. After an upgrade, an {@link UpgradeStage} takes the bytes
 * of the other protocol. A stage is made when its part of a request begins to arrive. It is dropped when this part has arrived. An idle
 * connection drops the reading half, too ({@link Http1Connection}).
 *
 * <p>Thread: the reactor. {@link #wantsAttention} and {@link #hasEnded}: any. Owns the stages, and the bytes that were read before they
 * could be framed. Uses the deadline of the connection, for the client's bytes.
 *
 * <pre>
 *   FRAMING --violation,-----------------> REFUSING   bytes are read and ignored until the close
 *     |  |    bytes behind the last request  ^
 *     |  |                               more bytes
 *     |  |                                   |
 *     |  +--last response----------------> LAST       the client has asked for the close, so it sends no more
 *     +--end of input--------------------> ENDED      running requests are still answered
 * </pre>
 */
final class RequestReader {

    /**
     * The highest number of reads in one call of {@link #onReadable}. A client that sends a large body fast must not keep the reactor from
     * other clients.
     */
    private static final int MAX_READS = 4;

    /** For this time, the selector does not watch the socket of a client that has sent its last request ({@link #rest}). */
    private static final Duration MOMENT = Duration.ofMillis(20);

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0).asReadOnlyBuffer();

    private enum State {
        FRAMING,
        LAST,
        REFUSING,
        ENDED
    }

    private final Http1Connection connection;
    private final ServerResources server;
    private final Link link;

    private State state = State.FRAMING;
    private @Nullable HeadStage head;
    private @Nullable MemoryWait memory; // for the bytes of a body or of another protocol
    private @Nullable Segment unread;
    private boolean refusalPending;
    private boolean lastFramed; // whether the head of a request has arrived that asks for the close

    // The reactor writes these fields, and then reads the state of the ResponseSlot. A worker changes that state, and
    // then reads these fields. So at least one of the two threads sees the change of the other thread.
    private volatile @Nullable BodyStage body;
    private volatile @Nullable UpgradeStage upgrade;
    private volatile boolean paused;
    private volatile boolean inputEnded;

    RequestReader(Http1Connection connection) {
        this.connection = connection;
        this.server = connection.server();
        this.link = connection.link();
    }

    // ---- stages

    private BodyStage.State bodyState() {
        BodyStage now = body;
        return now == null ? BodyStage.State.NONE : now.state();
    }

    private UpgradeStage.State upgradeState() {
        UpgradeStage now = upgrade;
        return now == null ? UpgradeStage.State.NONE : now.state();
    }

    private boolean isInsideHead() {
        return head != null && head.isInside();
    }

    /** Makes the stage for the body of the request whose head has just arrived. */
    BodyStage beginBody() {
        BodyStage begun = new BodyStage(connection, this, memory(), deadline());
        body = begun;
        return begun;
    }

    Http1Connection connection() {
        return connection;
    }

    /** The deadline for the client's bytes. */
    Deadline deadline() {
        return connection.deadline();
    }

    private MemoryWait memory() {
        MemoryWait wait = memory;
        if (wait == null) {
            wait = new MemoryWait(connection.shared().unfinished, connection, this::onMemoryFree);
            memory = wait;
        }
        return wait;
    }

    /** Drops each stage whose part of the request has arrived or will never arrive. */
    private void dropStages() {
        if (bodyState() == BodyStage.State.NONE) {
            body = null;
        }
        if (upgradeState() == UpgradeStage.State.NONE) {
            upgrade = null;
        }
        if (body == null && upgrade == null && memory != null && memory.isAtRest()) {
            memory = null;
        }
    }

    private Timeouts timeouts() {
        return server.config().timeouts();
    }

    // ---- bytes

    /**
     * Reads the socket. While a body arrives, one call reads several times. Otherwise each read would need its own pass through the
     * reactor's loop.
     */
    void onReadable() throws IOException {
        int left = MAX_READS;
        while (readSome() && --left > 0 && bodyState() == BodyStage.State.ARRIVING && canReadSocket()) {
            // The last read filled its buffer, so the socket may hold more bytes of the body.
        }
    }

    /** Reads once. Returns whether the read filled the reactor's buffer. If so, the socket may hold more bytes. */
    private boolean readSome() throws IOException {
        BodyStage arriving = body;
        if (arriving != null && arriving.readsStraight()) {
            readStraight(arriving);
            // A read straight into the pipe can take four times as many bytes as a read into the buffer (with the
            // default sizes). So the reactor continues with other clients after one read.
            return false;
        }
        int most = mayRead();
        if (most == 0) {
            return false;
        }
        ByteBuffer buffer = link.reactor().readBuffer();
        buffer.limit(Math.min(most, buffer.limit()));
        int count = read(buffer);
        boolean full = !buffer.hasRemaining();
        if (count < 0) {
            endOfInput();
        } else if (count > 0) {
            if (state == State.LAST) {
                // The client has asked for the close, but has sent further bytes.
                state = State.REFUSING;
            }
            consume(buffer.flip());
            keep(buffer);
        }
        BodyStage now = body;
        if (now != null) {
            now.bufferRead(full);
        }
        return full;
    }

    private void readStraight(BodyStage arriving) throws IOException {
        int count;
        try {
            count = arriving.read();
        } catch (Violation violation) {
            refuse(violation);
            return;
        } catch (IOException e) {
            throw ConnectionClosed.of(e);
        }
        if (count < 0) {
            endOfInput();
        } else if (count > 0) {
            consume(NOTHING);
        }
    }

    private int mayRead() throws IOException {
        try {
            BodyStage arriving = body;
            UpgradeStage other = upgrade;
            // Bytes that do not belong to a body may have to be kept in one segment. So at most one segment of bytes is
            // read.
            int most = arriving == null ? server.pool().segmentSize() : arriving.mayRead();
            return other == null ? most : Math.min(most, other.mayRead());
        } catch (Violation violation) {
            refuse(violation);
            return 0;
        }
    }

    private int read(ByteBuffer buffer) throws IOException {
        try {
            return link.read(buffer);
        } catch (IOException e) {
            throw ConnectionClosed.of(e);
        }
    }

    /** Frames as many bytes of the buffer as possible. */
    private void consume(ByteBuffer source) throws IOException {
        try {
            boolean goesOn = true;
            while (goesOn && state == State.FRAMING) {
                UpgradeStage other = upgrade;
                if (other == null) {
                    goesOn = frame(source);
                } else {
                    other.feed(source);
                    goesOn = false;
                }
            }
        } catch (Violation violation) {
            source.position(source.limit());
            refuse(violation);
        }
    }

    private boolean frame(ByteBuffer source) throws IOException, Violation {
        BodyStage arriving = body;
        if (arriving == null) {
            return frameHead(source);
        }
        boolean goesOn = arriving.feed(source);
        // If framing continues, the body may be complete.
        if (goesOn) {
            dropStages();
        }
        return goesOn;
    }

    /**
     * Frames the next head. Does nothing if too many requests wait ({@link ResponseSequence#isAhead}). If the client has asked for the close,
     * ignores its further bytes. Returns whether the remaining bytes of the buffer may be framed.
     */
    private boolean frameHead(ByteBuffer source) throws IOException, Violation {
        ResponseSequence earlier = connection.responses();
        if (!source.hasRemaining()) {
            return false;
        }
        if (lastFramed) {
            ignoreRest(); // no request behind it may be processed (RFC 9112 section 9.6)
            return false;
        }
        if (earlier.isAhead()) {
            return false;
        }
        HeadStage.Shared stages = connection.shared();
        HeadStage arriving = head;
        if (arriving == null) {
            arriving = stages.begin(earlier.isParked());
            head = arriving;
        }
        boolean whole = arriving.feed(this, source);
        if (whole) {
            head = null;
            lastFramed = stages.end(arriving);
            if (lastFramed && !source.hasRemaining() && isBetweenRequests()) {
                rest();
            }
        } else if (!arriving.isInside()) {
            head = null; // only an empty line has come
        }
        return whole;
    }

    /**
     * Stops watching the socket for {@link #MOMENT}, because the client has sent its last request. Most requests are answered within this
     * time. Afterwards the selector watches the socket again, so that the server notices if the client disconnects.
     */
    private void rest() {
        link.wantReadable(false);
        deadline().in(MOMENT);
    }

    /**
     * Keeps the bytes that cannot be framed yet. They are stored in a segment. The socket is not read until these bytes are framed. If the
     * pool has no free segment, the bytes are dropped, and the client is refused.
     */
    private void keep(ByteBuffer source) throws IOException {
        if (!source.hasRemaining() || isOver()) {
            return;
        }
        SegmentPool pool = server.pool();
        // At most one segment of bytes can be kept. A read gets more than one segment of bytes only while a body
        // arrives and memory is plentiful.
        Segment kept = source.remaining() > pool.segmentSize() ? null : pool.tryAcquireReserved();
        if (kept == null) {
            server.reached(Key.PIPE_BUDGET);
            // After an upgrade, the client would not understand an HTTP response.
            if (upgradeState() == UpgradeStage.State.UPGRADED) {
                connection.close(new ConnectionClosed(CloseCause.MEMORY_BUDGET, Key.PIPE_BUDGET.id()));
                return;
            }
            refusalPending = true;
            paused = true;
            sendPendingRefusal();
            return;
        }
        kept.buffer().put(source).flip();
        unread = kept;
        paused = true;
        link.wantReadable(false);
        if (isBetweenRequests()) {
            // A worker may have taken a parked exchange before this thread paused reading. In this case the worker
            // sends no signal, so this thread continues itself.
            consumeKept();
        }
    }

    /**
     * Refuses the client if bytes were dropped because memory was full. The bytes behind the dropped bytes cannot be framed. If too many
     * requests are parked, there is no place for the refusal yet. In this case the client is refused later, when a worker has taken a
     * parked request.
     */
    private void sendPendingRefusal() throws IOException {
        if (!refusalPending) {
            return;
        }
        if (isBetweenRequests() || upgradeState() == UpgradeStage.State.DECIDING || isOver()) {
            ignoreRest();
            if (connection.responses().isAhead()) {
                // The thread that takes the next parked response sees that reading is paused. That thread calls the
                // reactor.
                return;
            }
        }
        refusalPending = false;
        paused = false;
        refuse(Key.PIPE_BUDGET);
    }

    /** Frames the kept bytes. Called when the pipe may have room again, or when a parked exchange has been taken. */
    private void consumeKept() throws IOException {
        sendPendingRefusal();
        Segment kept = unread;
        if (kept == null) {
            return;
        }
        consume(kept.buffer());
        if (unread != null && (isOver() || !kept.buffer().hasRemaining())) {
            kept.release();
            unread = null;
            paused = false;
            readOn();
            if (inputEnded) {
                endOfInput();
            }
        }
    }

    /** Whether the client's socket may be read now. */
    boolean canReadSocket() {
        return unread == null && (memory == null || !memory.isWaiting());
    }

    /** Continues to read if possible. Returns whether reading continues. */
    boolean readOn() {
        boolean may = canReadSocket();
        link.wantReadable(may && !inputEnded);
        return may;
    }

    /** Memory is free again: continues to read. */
    private void onMemoryFree() throws IOException {
        if (!isOver()) {
            readOn();
            resume();
        }
    }

    /** Called when the client has sent its last byte. The requests that have arrived are still answered, unless they wait too long. */
    private void endOfInput() throws IOException {
        inputEnded = true;
        link.wantReadable(false);
        deadline().off();
        UpgradeStage other = upgrade;
        if (unread != null || bodyState() == BodyStage.State.STORING || upgradeState() == UpgradeStage.State.DECIDING) {
            // The bytes that have been read must be framed first. This method is called again afterwards.
            return;
        }
        if (other != null && !isOver()) {
            other.finish();
            connection.inputEnded(false);
            return;
        }
        if (bodyState() == BodyStage.State.ARRIVING) {
            refuse(400, "the body ended early", CloseCause.REQUEST_INCOMPLETE);
        }
        if (isInsideHead()) {
            connection.output().endsFor(new ConnectionClosed(CloseCause.REQUEST_INCOMPLETE));
        }
        if (state == State.FRAMING) {
            state = State.ENDED;
        }
        connection.inputEnded(state == State.ENDED);
    }

    // ---- other protocols

    /**
     * Called when a request has arrived completely. If the request asks for another protocol, the next bytes are not framed until the
     * request is answered.
     */
    void awaitUpgradeDecision(Http1Exchange complete) {
        if (complete.asksForUpgrade()) {
            upgrade = new UpgradeStage(connection, this, memory(), deadline(), complete);
        }
    }

    /** Called when {@code answered} has been answered without a worker. This request may have asked for another protocol. */
    void declined(Http1Exchange answered) throws IOException {
        UpgradeStage asked = upgrade;
        if (asked != null && asked.decline(answered)) {
            dropStages();
            endIfEnded();
        }
    }

    private void endIfEnded() throws IOException {
        if (inputEnded && unread == null) {
            endOfInput();
        }
    }

    /**
     * Switches the connection to another protocol. From now on {@code to} takes the client's bytes. Returns false if reading has ended, for
     * example because too many bytes arrived before the upgrade.
     */
    boolean beginUpgrade(IncomingBody to) throws IOException {
        UpgradeStage asked = upgrade;
        if (isOver() || asked == null || !asked.begin(to)) {
            return false;
        }
        if (unread != null) {
            consumeKept();
        } else {
            endIfEnded();
        }
        return true;
    }

    /** Ends the input of an upgraded connection. Returns false if the connection is not upgraded, or if reading has ended. */
    boolean endUpgradedInput() {
        UpgradeStage other = upgrade;
        if (isOver() || other == null || other.state() != UpgradeStage.State.UPGRADED) {
            return false;
        }
        other.finish();
        return true;
    }

    // ---- for the connection

    /**
     * Whether a worker that has ended a response must call the reactor. Any thread.
     *
     * @param nothingRuns whether no response runs
     * @param fewParked whether so few responses are parked that further requests may be framed
     */
    boolean wantsAttention(boolean nothingRuns, boolean fewParked) {
        UpgradeStage asked = upgrade;
        BodyStage arriving = body;
        return (paused && fewParked)
                || (asked != null && asked.isUndecided())
                || (arriving != null && arriving.mustSendContinue())
                || (nothingRuns && inputEnded);
    }

    /** Called after an event that may end a pause of reading, for example free memory. Continues to read. */
    void resume() throws IOException {
        UpgradeStage other = upgrade;
        if (other != null) {
            if (other.isDeclined()) {
                dropStages();
                endIfEnded();
            }
            other.resume();
        }
        try {
            BodyStage arriving = body;
            if (arriving != null && arriving.resume()) {
                dropStages();
                endIfEnded();
            }
        } catch (Violation violation) {
            refuse(violation);
        }
        consumeKept();
    }

    /** Whether the client has sent its last byte. Any thread. */
    boolean hasEnded() {
        return inputEnded;
    }

    /** Whether the client has sent its last byte and all its bytes have been framed. */
    boolean isExhausted() {
        boolean more = upgradeState() == UpgradeStage.State.UPGRADED
                ? unread != null
                : upgradeState() == UpgradeStage.State.DECIDING;
        return inputEnded && !isBodyExpected() && (isOver() || !more);
    }

    private boolean isBodyExpected() {
        return bodyState() == BodyStage.State.ARRIVING || bodyState() == BodyStage.State.STORING;
    }

    /** Frames no more requests: further bytes are dropped. */
    void ignoreRest() {
        state = State.REFUSING;
        if (body != null) {
            body.leave();
        }
        if (upgrade != null) {
            upgrade.leave();
        }
        if (head != null) {
            head.release();
            head = null;
        }
        dropStages();
        deadline().off();
    }

    /** Does the same as {@link #ignoreRest}, for a client whose last request has asked for the close (RFC 9112 section 9.6). */
    void ignoreRestAfterLast() {
        boolean nothingBehind = isBetweenRequests()
                && head == null
                && unread == null
                && !connection.responses().isParked();
        ignoreRest();
        if (nothingBehind) {
            state = State.LAST;
        }
    }

    /**
     * Whether the client has asked for the close and has sent nothing since. If so, the server can close the connection at once. No unread
     * bytes can cause a reset.
     */
    boolean sendsNoMore() throws IOException {
        if (state == State.LAST && !inputEnded && read(link.reactor().readBuffer()) > 0) {
            state = State.REFUSING;
        }
        return state == State.LAST;
    }

    /** Reads and drops the client's further bytes for the time {@link Timeouts#linger}. */
    void linger() {
        state = State.REFUSING;
        link.wantReadable(true);
        deadline().in(timeouts().linger());
    }

    /** Drops the bytes that were read but not framed. */
    void dropUnread() {
        if (unread != null) {
            unread.release();
            unread = null;
        }
    }

    void onClosed(ConnectionClosed cause) {
        state = State.ENDED;
        if (head != null) {
            head.release();
        }
        BodyStage arriving = body;
        Http1Exchange incomplete = null;
        if (arriving != null) {
            arriving.observer().gone(cause.getMessage());
            incomplete = arriving.fail(cause);
        }
        if (incomplete != null && !incomplete.isHandedOver()) {
            incomplete.release();
            incomplete.observer().lost(cause.getMessage());
        }
        dropUnread();
    }

    /** The state of the reading half. */
    ConnectionState state() {
        if (state != State.FRAMING) {
            return ConnectionState.CLOSING;
        }
        if (upgradeState() == UpgradeStage.State.UPGRADED) {
            return ConnectionState.UPGRADED;
        }
        return switch (bodyState()) {
            case NONE -> isInsideHead() ? ConnectionState.HEAD : ConnectionState.IDLE;
            case ARRIVING -> ConnectionState.BODY;
            case STORING -> ConnectionState.STORING;
            case LEFT -> ConnectionState.CLOSING;
        };
    }

    /** The request whose body is arriving, or null. */
    @Nullable
    Http1Exchange incomplete() {
        BodyStage arriving = body;
        return arriving != null && isBodyExpected() ? arriving.exchange() : null;
    }

    /** The body that is arriving, or null. */
    @Nullable
    IncomingBody arriving() {
        UpgradeStage other = upgrade;
        IncomingBody itsBody = other == null ? null : other.body();
        if (itsBody != null) {
            return itsBody;
        }
        BodyStage arriving = body;
        return arriving == null ? null : arriving.body();
    }

    /** The number of bytes that were read but not framed. */
    int unread() {
        return unread == null ? 0 : unread.buffer().remaining();
    }

    /** Whether further bytes are ignored. */
    private boolean isOver() {
        return state != State.FRAMING;
    }

    /** Whether nothing of a request is here, so that the connection can drop this object. */
    boolean isUnused() {
        return isBetweenRequests() && head == null && memory == null && unread == null && !paused && !inputEnded;
    }

    /** Whether the next bytes belong to a head. */
    private boolean isBetweenRequests() {
        return state == State.FRAMING
                && bodyState() == BodyStage.State.NONE
                && upgradeState() == UpgradeStage.State.NONE;
    }

    // ---- refusals

    void refuse(Violation violation) throws IOException {
        if (violation.limit() != null) {
            server.reached(violation.limit());
        }
        refuse(violation.status(), String.valueOf(violation.getMessage()), Causes.of(violation));
    }

    private void refuse(Key bound) throws IOException {
        refuse(bound.consequence().status(), bound.id(), Causes.of(bound));
    }

    private void refuse(int status, String reason, CloseCause cause) throws IOException {
        ConnectionClosed closing = new ConnectionClosed(cause, reason);
        BodyStage arriving = body;
        HeadStage judged = head;
        RequestHead known = judged == null ? null : judged.refusedHead();
        RequestObserver refused = refusedObserver(arriving, judged, known);
        HeadBudget.Kept kept = judged == null ? null : judged.keep();
        if (arriving != null && arriving.isHandedOver()) {
            // Sets the cause before the worker fails, because only the first cause is kept.
            connection.output().endsFor(closing);
        }
        Http1Exchange incomplete = arriving == null ? null : arriving.fail(new ClientFault(status, reason));
        ignoreRest();
        if (incomplete != null && incomplete.isHandedOver()) {
            // The application's response is still sent. Afterwards the connection is closed, because the body of the
            // request is incomplete.
            server.events().refused(connection.id(), status, reason);
        } else {
            if (incomplete != null) {
                known = incomplete.head();
                kept = incomplete.takeHead();
                incomplete.release();
            }
            CannedResponse answer = new CannedResponse(status, Fields.EMPTY, known)
                    .withPage(server.errorDocuments())
                    .observedBy(refused, reason)
                    .holding(kept);
            // The connection ends, since the beginning of the next request is unknown.
            connection.responses().refuse(new Http1CannedResponse(answer, closing), reason);
        }
    }

    /**
     * The observer of the refused request. This is the request whose body is arriving. If no body is arriving, it is the request whose head
     * is arriving or expected next.
     */
    private RequestObserver refusedObserver(
            @Nullable BodyStage arriving, @Nullable HeadStage judged, @Nullable RequestHead known) {
        if (arriving != null && arriving.state() != BodyStage.State.NONE) {
            return arriving.observer();
        }
        return judged == null
                ? connection.observe(
                        connection.requests() + 1, null, null, link.reactor().now())
                : judged.refusedObserver(this, known);
    }

    // ---- the end of the server

    /** Reads the bytes that the client has already sent, unless reading is paused. */
    void readOnce() throws IOException {
        if (canReadSocket() && !inputEnded) {
            onReadable();
        }
    }

    /** Whether a request has arrived only in part. */
    boolean isArriving() {
        return state == State.FRAMING
                && upgradeState() == UpgradeStage.State.NONE
                && (isBodyExpected() || isInsideHead() || unread != null);
    }

    /** Refuses the request that is still arriving, if there is one. */
    void refuseArriving() throws IOException {
        if (isArriving()) {
            refuse(Key.SHUTDOWN_TIMEOUT);
        }
    }

    // ---- time

    /** Called when the deadline has passed. */
    void timedOut() throws IOException {
        switch (state) {
            case FRAMING -> framingTimedOut();
            case REFUSING -> {
                connection.timedOut(Key.LINGER_TIMEOUT);
                connection.close(connection.output().closing());
            }
            case LAST, ENDED -> deadline().off();
        }
    }

    private void framingTimedOut() throws IOException {
        UpgradeStage other = upgrade;
        BodyStage arriving = body;
        if (other != null) {
            other.timedOut();
            return;
        }
        switch (bodyState()) {
            case NONE -> {
                if (isInsideHead()) {
                    refuseLate(Key.HEAD_TIMEOUT);
                } else {
                    readOn(); // rest() may have stopped the selector from watching the socket
                    dropStages();
                    connection.checkIdle();
                }
            }
            case ARRIVING -> {
                Key passed = Objects.requireNonNull(arriving).passed();
                if (passed != null) {
                    refuseLate(passed);
                }
            }
            case STORING, LEFT -> deadline().off();
        }
    }

    private void refuseLate(Key timeout) throws IOException {
        connection.timedOut(timeout);
        refuse(408, timeout.id(), Causes.of(timeout));
    }
}
