package io.penstock.http1;

import io.penstock.exchange.ClientFault;
import io.penstock.http.Violation;
import io.penstock.limits.Key;
import io.penstock.limits.Timeouts;
import io.penstock.pipe.Segment;
import io.penstock.reactor.Link;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The reading half of a connection: reads what arrives, in whatever pieces, and has its {@link HeadStage} and {@link BodyStage} frame
 * requests out of it, at most one ahead of the one that is being answered; its {@link RawStage} takes what belongs to another protocol.
 *
 * <p>Thread: the reactor, but for {@link #wantsAttention}. Owns the bytes that were read too early, and the deadline for what must
 * arrive.
 *
 * <pre>
 *   FRAMING --violation---> REFUSING   bytes are read and ignored until the close
 *      \
 *       +---end of input--> ENDED      what runs is still answered
 * </pre>
 */
final class Inbound {

    private enum State {
        FRAMING,
        REFUSING,
        ENDED
    }

    private final Http1Service service;
    private final Link link;
    private final Http1Connection connection;
    private final Timeouts timeouts;
    private final Deadline deadline;
    private final MemoryWait memory;
    private final BodyStage body;
    private final HeadStage head;
    private final RawStage raw;

    private State state = State.FRAMING;
    private @Nullable Segment unread;
    private boolean refusalOwed;

    // Written here before the turn is looked at, read by the worker after it has changed the turn.
    private volatile boolean paused;
    private volatile boolean inputEnded;

    Inbound(Http1Service service, Link link, UnfinishedBodies unfinished, Http1Connection connection) {
        this.service = service;
        this.link = link;
        this.connection = connection;
        this.timeouts = service.config().timeouts();
        this.deadline = new Deadline(link) {
            @Override
            void passed() throws IOException {
                timedOut();
            }
        };
        this.memory = new MemoryWait(unfinished, link, this::memoryAgain);
        this.body = new BodyStage(service, link, connection, this, unfinished, deadline);
        this.head = new HeadStage(service, link, connection, this, body, deadline);
        this.raw = new RawStage(service, link, connection, this, deadline);
    }

    // ---- bytes

    void onReadable() throws IOException {
        int most = mayRead();
        if (most == 0) {
            return;
        }
        ByteBuffer buffer = link.reactor().readBuffer();
        buffer.limit(Math.min(most, buffer.limit()));
        int count = read(buffer);
        if (count < 0) {
            endOfInput();
        } else if (count > 0) {
            consume(buffer.flip());
            keep(buffer);
        }
    }

    private int mayRead() throws IOException {
        try {
            return Math.min(body.mayRead(), raw.mayRead());
        } catch (Violation violation) {
            refuse(violation);
            return 0;
        }
    }

    private int read(ByteBuffer buffer) throws IOException {
        try {
            return link.read(buffer);
        } catch (IOException e) {
            throw new ClientGone(e);
        }
    }

    /** Frames what is in the buffer, as far as it can be framed now. */
    private void consume(ByteBuffer source) throws IOException {
        try {
            boolean goesOn = true;
            while (goesOn && state == State.FRAMING) {
                goesOn = switch (raw.state()) {
                    case NONE -> frame(source);
                    case DECIDING -> false;
                    case RAW -> raw.feed(source);
                };
            }
        } catch (Violation violation) {
            source.position(source.limit());
            refuse(violation);
        }
    }

    private boolean frame(ByteBuffer source) throws IOException, Violation {
        return switch (body.state()) {
            case NONE -> head.feed(source);
            case ARRIVING -> body.feed(source);
            case SETTLING, LEFT -> false;
        };
    }

    /** What could not be framed yet waits in a segment of this connection, and nothing is read until it is gone. */
    private void keep(ByteBuffer source) throws IOException {
        if (!source.hasRemaining() || isOver()) {
            return;
        }
        Segment kept = service.pool().tryAcquireReserved();
        if (kept == null) {
            service.reached(Key.PIPE_BUDGET);
            if (raw.state() == RawStage.State.RAW) { // nothing that we could say would be understood
                connection.close(Key.PIPE_BUDGET.id());
                return;
            }
            refusalOwed = true;
            paused = true;
            refuseIfOwed();
            return;
        }
        kept.buffer().put(source).flip();
        unread = kept;
        paused = true;
        link.wantReadable(false);
        if (isBetweenRequests()) {
            goOn(); // the worker may have taken the parked exchange before it could see that reading pauses
        }
    }

    /** There was no memory for bytes that had been read: nothing after them is framed. Answers keep their order, so a parked one comes first. */
    private void refuseIfOwed() throws IOException {
        if (!refusalOwed) {
            return;
        }
        if (isBetweenRequests() || raw.state() == RawStage.State.DECIDING || isOver()) {
            ignoreRest();
            if (connection.isAhead()) {
                return; // whoever takes the parked one sees that reading pauses, and calls
            }
        }
        refusalOwed = false;
        paused = false;
        refuse(Key.PIPE_BUDGET.consequence().status(), Key.PIPE_BUDGET.id());
    }

    /** Frames what was kept: the pipe has room again, or the parked exchange has been taken. */
    private void goOn() throws IOException {
        refuseIfOwed();
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

    /** Whether nothing here keeps the client from being read. */
    boolean mayReadOn() {
        return unread == null && !memory.isWaiting();
    }

    /** The client is read if nothing here keeps it from that; returns whether so. */
    boolean readOn() {
        boolean may = mayReadOn();
        link.wantReadable(may && !inputEnded);
        return may;
    }

    /** The wait for memory of whatever arrives, be it a body or another protocol. */
    MemoryWait memory() {
        return memory;
    }

    /** The client was not read for want of memory, and is again. */
    private void memoryAgain() throws IOException {
        if (!isOver()) {
            readOn();
            resume();
        }
    }

    /** The client has sent its last byte; what it asked for before is still answered. */
    private void endOfInput() throws IOException {
        inputEnded = true;
        link.wantReadable(false);
        deadline.off();
        if (unread != null || body.state() == BodyStage.State.SETTLING || raw.state() == RawStage.State.DECIDING) {
            return; // requests that were read already come first
        }
        if (raw.state() == RawStage.State.RAW && !isOver()) {
            raw.finish();
            connection.inputEnded(false);
            return;
        }
        if (body.state() == BodyStage.State.ARRIVING) {
            refuse(400, "the body ended early");
        }
        if (state != State.REFUSING) {
            state = State.ENDED;
        }
        connection.inputEnded(state == State.ENDED);
    }

    // ---- other protocols

    /** A request has come whole; if it asks for another protocol, nothing behind it is framed until it is answered. */
    void awaitDecision(Http1Exchange complete) {
        raw.awaitDecision(complete);
    }

    /** A request that may have asked for another protocol is answered without a worker. */
    void declined() throws IOException {
        if (raw.decline()) {
            endIfEnded();
        }
    }

    private void endIfEnded() throws IOException {
        if (inputEnded && unread == null) {
            endOfInput();
        }
    }

    /**
     * The connection speaks another protocol: what comes goes to {@code to} as it is. Returns false if what has come already was too much,
     * or nothing is read any more.
     */
    boolean becomeRaw(IncomingBody to) throws IOException {
        if (isOver() || !raw.begin(to)) {
            return false;
        }
        if (unread != null) {
            goOn();
        } else {
            endIfEnded();
        }
        return true;
    }

    /** The server ends: nothing more is read of an upgraded connection. Returns whether it is one. */
    boolean endRawInput() {
        if (isOver() || raw.state() != RawStage.State.RAW) {
            return false;
        }
        raw.finish();
        return true;
    }

    // ---- the connection's side

    /** Whether the worker, having ended an answer, must call the reactor. Any thread. */
    boolean wantsAttention(boolean nothingRuns) {
        return paused || raw.isUndecided() || body.owesContinue() || (nothingRuns && inputEnded);
    }

    /** Something that reading waited for has happened. */
    void resume() throws IOException {
        if (raw.isDeclined()) {
            endIfEnded();
        }
        raw.resume();
        try {
            if (body.resume()) {
                endIfEnded();
            }
        } catch (Violation violation) {
            refuse(violation);
        }
        goOn();
    }

    boolean hasEnded() {
        return inputEnded;
    }

    /** Whether the client has sent its last byte and nothing of it is left to frame. */
    boolean isExhausted() {
        boolean more = raw.state() == RawStage.State.RAW ? unread != null : raw.state() == RawStage.State.DECIDING;
        return inputEnded && !isBodyExpected() && (isOver() || !more);
    }

    private boolean isBodyExpected() {
        return body.state() == BodyStage.State.ARRIVING || body.state() == BodyStage.State.SETTLING;
    }

    /** Nothing that arrives from here on is read as a request. */
    void ignoreRest() {
        state = State.REFUSING;
        body.leave();
        raw.leave();
        head.drop();
        deadline.off();
    }

    /** Reads what a refused client is still sending, for a while. */
    void linger() {
        state = State.REFUSING;
        link.wantReadable(true);
        deadline.in(timeouts.linger());
    }

    /** Gives the bytes back that were read too early; they will not be framed any more. */
    void dropUnread() {
        if (unread != null) {
            unread.release();
            unread = null;
        }
    }

    void onClosed(IOException cause) {
        deadline.remove();
        state = State.ENDED;
        head.letGo();
        body.trace().gone(String.valueOf(cause.getMessage()));
        Http1Exchange incomplete = body.fail(cause);
        if (incomplete != null && !incomplete.isHandedOver()) {
            incomplete.discard();
        }
        dropUnread();
    }

    /** What it waits for. */
    Standing.State standing() {
        if (state != State.FRAMING) {
            return Standing.State.CLOSING;
        }
        if (raw.state() == RawStage.State.RAW) {
            return Standing.State.UPGRADED;
        }
        return switch (body.state()) {
            case NONE -> head.isInside() ? Standing.State.HEAD : Standing.State.IDLE;
            case ARRIVING -> Standing.State.BODY;
            case SETTLING -> Standing.State.SETTLING;
            case LEFT -> Standing.State.CLOSING;
        };
    }

    /** What tells of the request whose body is arriving, if one is. */
    Trace told() {
        return isBodyExpected() ? body.trace() : Trace.NONE;
    }

    /** The body that is arriving, if one is. */
    @Nullable
    IncomingBody arriving() {
        return raw.body() == null ? body.body() : raw.body();
    }

    /** Bytes that were read too early. */
    int unread() {
        return unread == null ? 0 : unread.buffer().remaining();
    }

    /** Whether nothing that arrives matters any more. */
    private boolean isOver() {
        return state != State.FRAMING;
    }

    /** Whether what arrives next belongs to a head. */
    private boolean isBetweenRequests() {
        return state == State.FRAMING && body.state() == BodyStage.State.NONE && raw.state() == RawStage.State.NONE;
    }

    // ---- refusals

    void refuse(Violation violation) throws IOException {
        if (violation.limit() != null) {
            service.reached(violation.limit());
        }
        refuse(violation.status(), String.valueOf(violation.getMessage()));
    }

    private void refuse(int status, String reason) throws IOException {
        Trace refused = body.state() == BodyStage.State.NONE ? head.refused() : body.trace();
        Http1Exchange incomplete = body.fail(new ClientFault(status, reason));
        ignoreRest();
        if (incomplete != null && incomplete.isHandedOver()) {
            // Its own response tells the client, and closes, since the body is not complete.
            service.events().refused(connection.id(), status, reason);
        } else {
            if (incomplete != null) {
                incomplete.release();
            }
            CannedAnswer answer = CannedAnswer.violation(status, head.answerHasBody());
            connection.refuse(answer.told(refused, reason), reason);
        }
    }

    // ---- the server's end

    /** Reads what the client has sent already, unless reading pauses. */
    void readOnce() throws IOException {
        if (mayReadOn() && !inputEnded) {
            onReadable();
        }
    }

    /** Whether part of a request is here, and the rest is still to come. */
    boolean isArriving() {
        return state == State.FRAMING
                && raw.state() == RawStage.State.NONE
                && (isBodyExpected() || head.isInside() || unread != null);
    }

    /** What is still arriving will not be served. */
    void giveUp() throws IOException {
        if (isArriving()) {
            refuse(Key.SHUTDOWN_TIMEOUT.consequence().status(), Key.SHUTDOWN_TIMEOUT.id());
        }
    }

    // ---- time

    private void timedOut() throws IOException {
        switch (state) {
            case FRAMING -> framingTimedOut();
            case REFUSING -> {
                connection.timedOut(Key.LINGER_TIMEOUT);
                connection.close(Key.LINGER_TIMEOUT.id());
            }
            case ENDED -> deadline.off();
        }
    }

    private void framingTimedOut() throws IOException {
        if (raw.state() != RawStage.State.NONE) {
            raw.timedOut();
            return;
        }
        switch (body.state()) {
            case NONE -> {
                if (head.isInside()) {
                    refuseLate(Key.HEAD_TIMEOUT);
                } else {
                    idle();
                }
            }
            case ARRIVING -> {
                Key passed = body.passed();
                if (passed != null) {
                    refuseLate(passed);
                }
            }
            case SETTLING, LEFT -> deadline.off();
        }
    }

    private void refuseLate(Key timeout) throws IOException {
        connection.timedOut(timeout);
        refuse(408, timeout.id());
    }

    /** The worker does not tell when an answer has ended: whether the connection is idle is asked here. */
    private void idle() {
        long left = connection.idleLeft(timeouts.keepAlive());
        if (left <= 0 || head.requests() == 0) {
            Key timeout = head.requests() == 0 ? Key.HEAD_TIMEOUT : Key.KEEP_ALIVE_TIMEOUT;
            connection.timedOut(timeout);
            connection.close(timeout.id());
        } else {
            deadline.in(Duration.ofNanos(left));
        }
    }
}
