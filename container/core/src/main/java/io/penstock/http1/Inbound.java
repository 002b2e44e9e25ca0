package io.penstock.http1;

import io.penstock.exchange.Admission;
import io.penstock.exchange.BodySpill;
import io.penstock.exchange.ClientFault;
import io.penstock.exchange.DispatchRule;
import io.penstock.exchange.DispatchRule.Arrived;
import io.penstock.http.BodyDecoder;
import io.penstock.http.BodyFraming;
import io.penstock.http.ChunkedDecoder;
import io.penstock.http.ConnectionOptions;
import io.penstock.http.RequestHead;
import io.penstock.http.RequestHeadParser;
import io.penstock.http.RequestTarget;
import io.penstock.http.Version;
import io.penstock.http.Violation;
import io.penstock.limits.Key;
import io.penstock.limits.Timeouts;
import io.penstock.pipe.RequestPipe;
import io.penstock.pipe.Segment;
import io.penstock.reactor.Link;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The reading half of a connection: frames requests out of whatever pieces arrive, at most one ahead of the one that is being
 * answered, and hands them to the {@link Http1Connection}.
 *
 * <p>Thread: the reactor, but for {@link #wantsAttention}. Owns the bytes that were read too early, the request that is being framed,
 * and the deadline for what must arrive.
 *
 * <pre>
 *   HEAD --head--> BODY --last byte--> SETTLING --all of it in memory or on disk--> HEAD ...
 *     \              \                  \
 *      +--violation---+------------------+--> REFUSING   bytes are read and ignored until the close
 *      +--end of input+------------------|--> ENDED      what runs is still answered
 * </pre>
 */
final class Inbound implements UnfinishedBodies.Starving {

    /** Up to so many bytes a head is not counted. */
    private static final int USUAL_HEAD = 2048;

    private enum State {
        HEAD,
        BODY,
        SETTLING,
        REFUSING,
        ENDED
    }

    private final Http1Service service;
    private final Link link;
    private final Http1Connection connection;
    private final UnfinishedBodies unfinished;
    private final Timeouts timeouts;
    private final RequestHeadParser parser;
    private final Deadline deadline;

    private State state = State.HEAD;
    private @Nullable Segment unread;
    private @Nullable Http1Exchange exchange;
    private @Nullable IncomingBody body;
    private @Nullable BodyPace pace;
    private boolean starving;
    private boolean inLine; // of those who starve; one may be fed before it is his turn
    private boolean called; // his turn has come: once he need not mind those who still starve
    private boolean refusalOwed;
    private int headHeld; // of the budget of heads
    private long requests;
    private long headBegan;
    private Trace trace = Trace.NONE; // of the request whose head has come, until it is another's
    private boolean answerHasBody = true; // false while the head of a HEAD request is judged

    // Written here before the turn is looked at, read by the worker after it has changed the turn.
    private volatile boolean paused;
    private volatile boolean inputEnded;
    private volatile Expectation expectation = Expectation.NONE;

    Inbound(Http1Service service, Link link, UnfinishedBodies unfinished, Http1Connection connection) {
        this.service = service;
        this.unfinished = unfinished;
        this.link = link;
        this.connection = connection;
        this.timeouts = service.config().timeouts();
        this.parser = new RequestHeadParser(service.config().wire());
        this.deadline = new Deadline(link, this::timedOut);
        deadline.in(timeouts.head());
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

    /**
     * Bytes that have a place now. Of a body no more is read than its pipe takes: unread they cost the system's memory, not ours, and
     * hold nothing of the reserve, however many wait for a worker with their pipes full.
     */
    private int mayRead() throws IOException {
        IncomingBody arriving = body;
        if (state != State.BODY || arriving == null) {
            return Integer.MAX_VALUE;
        }
        boolean isShort = called ? unfinished.isUsedUp() : unfinished.isShort();
        called = false;
        if (isShort && arriving.mayStarve()) {
            starve();
            return 0;
        }
        int room = arriving.room();
        return room > 0 ? room : makeRoom(arriving);
    }

    /** The pipe is full: it goes to disk, or the client is not read. */
    private int makeRoom(IncomingBody arriving) throws IOException {
        try {
            if (!arriving.streams() && toDisk(arriving)) {
                return arriving.room();
            }
        } catch (Violation violation) {
            refuse(violation);
            return 0;
        }
        rest(); // the application, or the disk, is waited for now, not the client
        link.wantReadable(false);
        return 0;
    }

    private int read(ByteBuffer buffer) throws IOException {
        try {
            return link.read(buffer);
        } catch (IOException e) {
            throw new ClientGone(e);
        }
    }

    /** Frames what is in the buffer, as far as it can be framed now. */
    private void consume(ByteBuffer in) throws IOException {
        try {
            boolean goesOn = true;
            while (goesOn) {
                goesOn = switch (state) {
                    case HEAD -> head(in);
                    case BODY -> body(in);
                    case SETTLING, REFUSING, ENDED -> false;
                };
            }
        } catch (Violation violation) {
            in.position(in.limit());
            refuse(violation);
        }
    }

    /** What could not be framed yet waits in a segment of this connection, and nothing is read until it is gone. */
    private void keep(ByteBuffer in) throws IOException {
        if (!in.hasRemaining() || isOver()) {
            return;
        }
        Segment kept = service.pool().tryAcquireReserved();
        if (kept == null) {
            service.reached(Key.PIPE_BUDGET);
            refusalOwed = true;
            paused = true;
            refuseIfOwed();
            return;
        }
        kept.buffer().put(in).flip();
        unread = kept;
        paused = true;
        link.wantReadable(false);
        if (state == State.HEAD) {
            goOn(); // the worker may have taken the parked exchange before it could see that reading pauses
        }
    }

    /** There was no memory for bytes that had been read: nothing after them is framed. Answers keep their order, so a parked one comes first. */
    private void refuseIfOwed() throws IOException {
        if (!refusalOwed) {
            return;
        }
        if (state == State.HEAD || isOver()) {
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
            link.wantReadable(!inputEnded && !starving);
            if (inputEnded) {
                endOfInput();
            }
        }
    }

    /** There is no memory for what this client sends; it is read on when there is. */
    private void starve() {
        if (!starving) {
            starving = true;
            called = false;
            rest(); // we are waited for, not the client
            link.wantReadable(false);
            if (!inLine) {
                inLine = true;
                unfinished.starve(this);
            }
        }
    }

    private boolean mayStarve() {
        return body == null || body.mayStarve();
    }

    /** A worker waits for the client who is not read for want of memory: he goes on, and keeps his place in the line. */
    private void feedWaitingReader() throws IOException {
        if (starving && state == State.BODY && !mayStarve()) {
            starving = false;
            link.wantReadable(unread == null && !inputEnded);
        }
    }

    @Override
    public void fed() {
        inLine = false;
        called = true;
        link.contain(() -> {
            starving = false;
            if (!isOver()) {
                link.wantReadable(unread == null && !inputEnded);
                resume();
            }
        });
    }

    /** The client has sent its last byte; what it asked for before is still answered. */
    private void endOfInput() throws IOException {
        inputEnded = true;
        link.wantReadable(false);
        deadline.off();
        if (unread != null || state == State.SETTLING) {
            return; // requests that were read already come first
        }
        if (state == State.BODY) {
            refuse(400, "the body ended early");
        }
        if (state != State.REFUSING) {
            state = State.ENDED;
        }
        connection.inputEnded(state == State.ENDED);
    }

    // ---- heads

    private boolean head(ByteBuffer in) throws IOException, Violation {
        if (!in.hasRemaining() || connection.isAhead()) {
            return false;
        }
        boolean first = !parser.isInside();
        if (first) {
            headBegan = link.reactor().now();
        }
        RequestHead head = parser.parse(in);
        holdHead();
        if (head == null) {
            if (first) {
                deadline.in(timeouts.head());
            }
            return false;
        }
        deadline.in(timeouts.keepAlive());
        requests++;
        trace = Trace.begin(connection, requests, head, headBegan);
        answerHasBody = !head.method().equals("HEAD");
        admit(head, in);
        answerHasBody = true;
        letHeadGo(); // unless a request has taken it over
        if (body == null) {
            trace = Trace.NONE;
        }
        return true;
    }

    /**
     * Many large heads that never end must not fill the heap. Those of the usual size are not counted: there are at most as many as
     * connections, and counting each would be work that all threads share.
     */
    private void holdHead() throws Violation {
        int counted = parser.held() <= USUAL_HEAD ? 0 : parser.held();
        int more = counted - headHeld;
        if (more > 0) {
            if (!service.heads().tryReserve(more)) {
                throw new Violation(Key.HEAD_BUDGET);
            }
            headHeld += more;
        }
    }

    private void letHeadGo() {
        if (headHeld > 0) {
            service.heads().giveBack(headHeld);
            headHeld = 0;
        }
    }

    private Http1Exchange exchange(RequestHead head, Admission.Admitted admitted, @Nullable IncomingBody incoming) {
        Http1Exchange made = new Http1Exchange(connection, requests, head, admitted.route(), incoming, headHeld, trace);
        headHeld = 0;
        return made;
    }

    private void admit(RequestHead head, ByteBuffer in) throws IOException, Violation {
        if (head.target().form() == RequestTarget.Form.AUTHORITY) {
            throw new Violation(501, "CONNECT is for proxies");
        }
        BodyFraming framing = BodyFraming.of(head);
        boolean waits = expectsContinue(head) && !in.hasRemaining();
        Admission.Verdict verdict = service.admission().admit(head);
        if (verdict instanceof Admission.Refused refused) {
            // HTTP/1.0 would need to be told that the connection stays: not worth it for a refusal.
            boolean closes = service.isDraining()
                    || framing.kind() != BodyFraming.Kind.NONE
                    || head.version() == Version.HTTP_1_0
                    || !ConnectionOptions.persists(head);
            if (closes) {
                ignoreRest();
            }
            connection.refuse(
                    new CannedAnswer(refused.status(), refused.fields(), closes, answerHasBody)
                            .told(trace, "admission"),
                    "admission");
            return;
        }
        Admission.Admitted admitted = (Admission.Admitted) verdict;
        if (framing.length() > bodyLimit(admitted)) {
            throw new Violation(Key.BODY_LIMIT);
        }
        if (framing.kind() == BodyFraming.Kind.NONE) {
            connection.begin(exchange(head, admitted, null), Arrived.ALL);
        } else {
            expectBody(head, framing, admitted, waits);
        }
    }

    /** What is to arrive whole must fit on the disk, if not into memory. */
    private long bodyLimit(Admission.Admitted admitted) {
        return admitted.mode() == Admission.Mode.STREAMING
                ? admitted.bodyLimit()
                : Math.min(
                        admitted.bodyLimit(),
                        Math.max(
                                service.config().pipes().capacity(),
                                service.spool().limit()));
    }

    private void expectBody(RequestHead head, BodyFraming framing, Admission.Admitted admitted, boolean waits)
            throws IOException {
        boolean streams = DispatchRule.dispatches(admitted.mode(), Arrived.HEAD_ONLY);
        if (waits) {
            expectation = new Expectation(streams ? Expectation.State.HELD : Expectation.State.OWED);
        }
        BodyDecoder decoder = framing.kind() == BodyFraming.Kind.CHUNKED
                ? new ChunkedDecoder(service.config().wire())
                : BodyDecoder.fixed(framing.length());
        RequestPipe pipe =
                new RequestPipe(service.pool(), service.config().pipes().capacity(), connection::wantAttention);
        IncomingBody incoming = new IncomingBody(
                admitted.mode(),
                pipe,
                new BodySpill(service.spool(), pipe.inlet(), connection::wantAttention),
                decoder,
                framing.length(),
                bodyLimit(admitted),
                expectation,
                this::spillForOthers);
        incoming.toldBy(trace);
        Http1Exchange made = exchange(head, admitted, incoming);
        body = incoming;
        pace = new BodyPace(timeouts);
        exchange = made;
        state = State.BODY;
        awaitBody();
        if (streams) {
            connection.begin(made, Arrived.HEAD_ONLY);
        } else {
            askForBody();
        }
    }

    /** Whether the client waits for 100; any other expectation cannot be met (RFC 9110 section 10.1.1). */
    private static boolean expectsContinue(RequestHead head) throws Violation {
        if (head.version() == Version.HTTP_1_0 || !head.fields().contains("Expect")) {
            return false;
        }
        boolean expects = false;
        for (String expectation : head.fields().all("Expect")) {
            if (!expectation.equalsIgnoreCase("100-continue")) {
                throw new Violation(417, "unknown expectation");
            }
            expects = true;
        }
        return expects;
    }

    /** Asks the client for a body that it holds back, once nothing else is on its way to it. */
    private void askForBody() throws IOException {
        if (expectation.is(Expectation.State.OWED) && connection.sendContinue()) {
            expectation.meet();
            awaitBody();
        }
    }

    // ---- bodies

    private boolean body(ByteBuffer in) throws IOException, Violation {
        IncomingBody arriving = Objects.requireNonNull(body);
        BodyPace arrival = Objects.requireNonNull(pace);
        int before = in.position();
        IncomingBody.Fed fed = arriving.feed(in);
        arrival.arrived(in.position() - before);
        boolean goesOn =
                switch (fed) {
                    case STARVED -> {
                        if (!arrival.waitsForClient()) {
                            awaitBody();
                        }
                        yield false;
                    }
                    case TAKEN -> {
                        awaitBody();
                        yield true;
                    }
                    case FULL -> {
                        rest(); // the application, or the disk, is waited for now, not the client
                        yield !arriving.streams() && toDisk(arriving);
                    }
                    case STARVING -> {
                        starve();
                        yield false;
                    }
                    case COMPLETE -> {
                        state = State.SETTLING;
                        deadline.off();
                        yield settle(arriving);
                    }
                };
        if (body == arriving) {
            unfinished.changed(arriving);
        }
        return goesOn;
    }

    private boolean toDisk(IncomingBody arriving) throws Violation {
        IncomingBody.Room room = arriving.toDisk();
        if (room == IncomingBody.Room.BUSY) {
            service.reached(Key.SPOOL_QUEUE);
        }
        return room == IncomingBody.Room.YES;
    }

    /** Memory is short, and this body holds the most of it. */
    private void spillForOthers() {
        IncomingBody largest = Objects.requireNonNull(body);
        link.contain(() -> {
            try {
                if (largest.toDisk() == IncomingBody.Room.YES) {
                    service.spilled();
                }
                unfinished.changed(largest);
            } catch (Violation violation) {
                refuse(violation);
            }
        });
    }

    /** The last byte is here; once all of them are where the worker will read them, it gets the request. */
    private boolean settle(IncomingBody arrived) throws IOException, Violation {
        if (arrived.settle() == IncomingBody.Settled.WRITING) {
            return false;
        }
        Http1Exchange complete = Objects.requireNonNull(exchange);
        complete.bodyArrived();
        arrived.finish();
        state = State.HEAD;
        deadline.in(timeouts.keepAlive());
        handOver(Arrived.ALL);
        forgetBody();
        return true;
    }

    /** Unless the worker has it already. */
    private void handOver(Arrived arrived) throws IOException {
        Http1Exchange framed = Objects.requireNonNull(exchange);
        if (!framed.isHandedOver()) {
            connection.begin(framed, arrived);
        }
    }

    private void forgetBody() {
        if (body != null) {
            unfinished.remove(body);
        }
        expectation = Expectation.NONE;
        trace = Trace.NONE;
        exchange = null;
        body = null;
        pace = null;
    }

    // ---- the connection's side

    /** Whether the worker, having ended an answer, must call the reactor. Any thread. */
    boolean wantsAttention(boolean nothingRuns) {
        return paused || expectation.is(Expectation.State.OWED) || (nothingRuns && inputEnded);
    }

    /** Something that reading waited for has happened. */
    void resume() throws IOException {
        askForBody();
        feedWaitingReader();
        if (body != null) {
            resume(body);
        }
        goOn();
    }

    private void resume(IncomingBody arriving) throws IOException {
        try {
            if (state == State.SETTLING) {
                if (settle(arriving) && inputEnded && unread == null) {
                    endOfInput();
                }
            } else if (state == State.BODY) {
                arriving.checkDisk();
                unfinished.changed(arriving);
                if (unread == null && !starving) {
                    link.wantReadable(!inputEnded);
                    awaitBody();
                }
            }
        } catch (Violation violation) {
            refuse(violation);
        }
    }

    boolean hasEnded() {
        return inputEnded;
    }

    /** Whether the client has sent its last byte and nothing of it is left to frame. */
    boolean isExhausted() {
        return inputEnded && state != State.BODY && state != State.SETTLING;
    }

    /** Nothing that arrives from here on is read as a request. */
    void ignoreRest() {
        state = State.REFUSING;
        starving = false; // what is read and dropped needs no memory: unread, a client who leaves would not be noticed
        parser.drop();
        letHeadGo();
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
        letHeadGo();
        trace.gone(String.valueOf(cause.getMessage()));
        if (body != null) {
            body.fail(cause);
        }
        if (exchange != null && !exchange.isHandedOver()) {
            exchange.discard();
        }
        forgetBody();
        dropUnread();
    }

    /** What it waits for. */
    Standing.State standing() {
        return switch (state) {
            case HEAD -> parser.isInside() ? Standing.State.HEAD : Standing.State.IDLE;
            case BODY -> Standing.State.BODY;
            case SETTLING -> Standing.State.SETTLING;
            case REFUSING, ENDED -> Standing.State.CLOSING;
        };
    }

    /** The body that is arriving, if one is. */
    @Nullable
    IncomingBody arriving() {
        return body;
    }

    /** Bytes that were read too early. */
    int unread() {
        return unread == null ? 0 : unread.buffer().remaining();
    }

    /** Whether nothing that arrives matters any more. */
    private boolean isOver() {
        return state == State.REFUSING || state == State.ENDED;
    }

    private void refuse(Violation violation) throws IOException {
        if (violation.limit() != null) {
            service.reached(violation.limit());
        }
        refuse(violation.status(), String.valueOf(violation.getMessage()));
    }

    private void refuse(int status, String reason) throws IOException {
        Trace refused = trace;
        if (refused == Trace.NONE) {
            refused = Trace.begin(connection, requests + 1, parser.unfinished(), headBegan);
        }
        Http1Exchange incomplete = exchange;
        if (body != null) {
            body.fail(new ClientFault(status, reason));
        }
        forgetBody();
        ignoreRest();
        if (incomplete != null && incomplete.isHandedOver()) {
            // Its own response tells the client, and closes, since the body is not complete.
            service.events().refused(connection.id(), status, reason);
        } else {
            if (incomplete != null) {
                incomplete.release();
            }
            connection.refuse(CannedAnswer.violation(status, answerHasBody).told(refused, reason), reason);
        }
    }

    // ---- the server's end

    /** Reads what the client has sent already, unless reading pauses. */
    void readOnce() throws IOException {
        if (unread == null && !inputEnded && !starving) {
            onReadable();
        }
    }

    /** Whether part of a request is here, and the rest is still to come. */
    boolean isArriving() {
        return switch (state) {
            case HEAD -> parser.isInside() || unread != null;
            case BODY, SETTLING -> true;
            case REFUSING, ENDED -> false;
        };
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
            case HEAD -> {
                if (parser.isInside()) {
                    refuseLate(Key.HEAD_TIMEOUT);
                } else {
                    idle();
                }
            }
            case BODY -> judgePace();
            case REFUSING -> {
                connection.timedOut(Key.LINGER_TIMEOUT);
                connection.close(Key.LINGER_TIMEOUT.id());
            }
            case SETTLING, ENDED -> deadline.off();
        }
    }

    /** The next bytes of the body are waited for. */
    private void awaitBody() {
        BodyPace arriving = Objects.requireNonNull(pace);
        if (expectation.is(Expectation.State.MET)) {
            long now = link.reactor().now();
            arriving.client(now);
            deadline.in(arriving.safeFor(now));
        } else {
            deadline.in(timeouts.bodyStall()); // the client waits for us, not we for it
        }
    }

    /** No bytes of the body can be taken: its client is not what is waited for. */
    private void rest() {
        deadline.off();
        Objects.requireNonNull(pace).server(link.reactor().now());
    }

    private void judgePace() throws IOException {
        BodyPace arriving = Objects.requireNonNull(pace);
        if (starving || unread != null) { // a client that is not read has not stalled
            rest();
            deadline.in(timeouts.bodyStall());
            return;
        }
        if (!arriving.waitsForClient()) {
            awaitBody();
            return;
        }
        long now = link.reactor().now();
        Key passed = arriving.passed(now);
        if (passed == null) {
            deadline.in(arriving.safeFor(now));
        } else {
            refuseLate(passed);
        }
    }

    private void refuseLate(Key timeout) throws IOException {
        connection.timedOut(timeout);
        refuse(408, timeout.id());
    }

    /** The worker does not tell when an answer has ended: whether the connection is idle is asked here. */
    private void idle() {
        long left = connection.idleLeft(timeouts.keepAlive());
        if (left <= 0 || requests == 0) {
            Key timeout = requests == 0 ? Key.HEAD_TIMEOUT : Key.KEEP_ALIVE_TIMEOUT;
            connection.timedOut(timeout);
            connection.close(timeout.id());
        } else {
            deadline.in(Duration.ofNanos(left));
        }
    }
}
