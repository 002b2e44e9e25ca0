package io.penstock.http1;

import io.penstock.exchange.Admission;
import io.penstock.exchange.ClientFault;
import io.penstock.exchange.DispatchRule;
import io.penstock.exchange.DispatchRule.Arrived;
import io.penstock.exchange.NoBody;
import io.penstock.exchange.Peer;
import io.penstock.exchange.PipeBody;
import io.penstock.exchange.RequestBody;
import io.penstock.http.BodyDecoder;
import io.penstock.http.BodyFraming;
import io.penstock.http.ChunkedDecoder;
import io.penstock.http.ConnectionOptions;
import io.penstock.http.Fields;
import io.penstock.http.RequestHead;
import io.penstock.http.RequestHeadParser;
import io.penstock.http.RequestTarget;
import io.penstock.http.Version;
import io.penstock.http.Violation;
import io.penstock.limits.Key;
import io.penstock.pipe.RequestPipe;
import io.penstock.pipe.ResponsePipe;
import io.penstock.pipe.Segment;
import io.penstock.pipe.SegmentPool;
import io.penstock.reactor.Link;
import io.penstock.reactor.LinkHandler;
import io.penstock.time.TimerWheel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP/1.1 client's conversation, as the reactor leads it: reads what is there, frames requests, hands them over one at a time,
 * sends what the socket did not take before, and ends it.
 *
 * <p>Thread: the reactor, but for {@link #finished} and what {@link Http1Response.Channel} offers, which are a worker's. Owns the link,
 * the bytes that were read too early, and the exchange that is being framed.
 *
 * <pre>
 *   reading   HEAD --head--> BODY --last byte--> HEAD ...
 *               \              \
 *                +--violation---+--> REFUSING (bytes are read and ignored until the close)
 *                +--end of input--> ENDED (what runs is still answered)
 * </pre>
 *
 * A failure of the link closes it; the worker learns of it by the pipes.
 */
final class Http1Connection implements LinkHandler, Http1Response.Channel {
    private static final int STALLED = 1;
    private static final int FAILED = 2;
    private static final int RESUME = 4;
    private static final int FINISHED_CLOSING = 8;
    private static final int MOST_IN_ROW = 16;

    private enum Reading {
        HEAD,
        BODY,
        REFUSING,
        ENDED
    }

    private final Http1Service service;
    private final Link link;
    private final String id;
    private final Peer peer;
    private final Turn turn = new Turn();
    private final Outbound out;
    private final RequestHeadParser parser;
    private final ReadDeadline readDeadline = new ReadDeadline();
    private final WriteDeadline writeDeadline = new WriteDeadline();

    // The reactor's alone.
    private Reading reading = Reading.HEAD;
    private @Nullable Segment unread;
    private @Nullable Http1Exchange framing;
    private @Nullable BodyDecoder decoder;
    private RequestPipe.@Nullable Inlet inlet;
    private AtomicBoolean continueHeld =
            new AtomicBoolean(); // of the request being framed, until the application reads
    private long bodyLimit;
    private long bodyBytes;
    private long requests;
    private boolean closing;

    // Between reactor and worker: written before the turn is looked at, read after it has been changed.
    private volatile boolean readingPaused;
    private volatile boolean continueOwed;
    private volatile boolean inputEnded;
    private volatile long idleSince;

    Http1Connection(Http1Service service, Link link, String id) {
        this.service = service;
        this.link = link;
        this.id = id;
        this.peer = new Peer(id, link.remote(), link.local(), false);
        this.out = new Outbound(
                new ResponsePipe(service.pool(), service.config().pipes().capacity()), link, STALLED, FAILED);
        this.parser = new RequestHeadParser(service.config().wire());
        this.idleSince = link.reactor().now();
        readDeadline.set(service.config().timeouts().head());
        service.events().opened(id, link.remote());
    }

    // ---- reading

    @Override
    public void onReadable() throws IOException {
        ByteBuffer buffer = link.reactor().readBuffer();
        int count = link.read(buffer);
        if (count < 0) {
            endOfInput();
        } else if (count > 0) {
            consume(buffer.flip());
            keep(buffer);
        }
    }

    /** Frames what is in the buffer, as far as it can be framed now. */
    private void consume(ByteBuffer in) throws IOException {
        try {
            boolean goesOn = true;
            while (goesOn) {
                goesOn = switch (reading) {
                    case HEAD -> head(in);
                    case BODY -> body(in);
                    case REFUSING, ENDED -> false;
                };
            }
        } catch (Violation violation) {
            in.position(in.limit());
            if (violation.limit() != null) {
                service.reached(violation.limit());
            }
            refuse(violation.status(), String.valueOf(violation.getMessage()));
        }
    }

    private boolean head(ByteBuffer in) throws IOException, Violation {
        if (!in.hasRemaining() || turn.isParked()) {
            return false;
        }
        boolean first = !parser.isInside();
        RequestHead head = parser.parse(in);
        if (head == null) {
            if (first) {
                readDeadline.set(service.config().timeouts().head());
            }
            return false;
        }
        readDeadline.set(service.config().timeouts().keepAlive());
        requests++;
        admit(head, in);
        return true;
    }

    private void admit(RequestHead head, ByteBuffer in) throws IOException, Violation {
        if (head.target().form() == RequestTarget.Form.AUTHORITY) {
            throw new Violation(501, "CONNECT is for proxies");
        }
        BodyFraming body = BodyFraming.of(head);
        boolean expectsContinue = expectsContinue(head);
        Admission.Verdict verdict = service.admission().admit(head);
        if (verdict instanceof Admission.Refused refused) {
            boolean closes = body.kind() != BodyFraming.Kind.NONE || !ConnectionOptions.persists(head);
            service.events().refused(id, refused.status(), "admission");
            answer(new CannedAnswer(refused.status(), refused.fields(), closes, !isHead(head)));
            if (closes) {
                refusing();
            }
            return;
        }
        Admission.Admitted admitted = (Admission.Admitted) verdict;
        if (body.length() > admitted.bodyLimit()) {
            throw new Violation(Key.BODY_LIMIT);
        }
        if (body.kind() == BodyFraming.Kind.NONE) {
            begin(new Http1Exchange(this, requests, head, admitted.route(), NoBody.INSTANCE, null), Arrived.ALL);
            return;
        }
        expectBody(head, body, admitted, expectsContinue && !in.hasRemaining());
    }

    private void expectBody(RequestHead head, BodyFraming body, Admission.Admitted admitted, boolean owesContinue)
            throws IOException {
        BodyDecoder newDecoder = body.kind() == BodyFraming.Kind.CHUNKED
                ? new ChunkedDecoder(service.config().wire())
                : BodyDecoder.fixed(body.length());
        RequestPipe pipe =
                new RequestPipe(service.pool(), service.config().pipes().capacity(), () -> link.signal(RESUME));
        boolean streams = DispatchRule.dispatches(admitted.mode(), Arrived.HEAD_ONLY);
        AtomicBoolean held = new AtomicBoolean(owesContinue && streams);
        Http1Exchange[] made = new Http1Exchange[1];
        RequestBody requestBody =
                new PipeBody(pipe.outlet(), body.length(), newDecoder::trailers, () -> continueFrom(made[0], held));
        Http1Exchange exchange = new Http1Exchange(this, requests, head, admitted.route(), requestBody, pipe.outlet());
        made[0] = exchange;
        framing = exchange;
        decoder = newDecoder;
        inlet = pipe.inlet();
        bodyLimit = admitted.bodyLimit();
        bodyBytes = 0;
        reading = Reading.BODY;
        readDeadline.set(service.config().timeouts().bodyStall());
        if (streams) {
            continueHeld = held;
            begin(exchange, Arrived.HEAD_ONLY);
        } else if (owesContinue) {
            continueOwed = true;
            payContinue();
        }
    }

    /** The first read of a streaming request asks the client for the body (RFC 9110 section 10.1.1). Thread: a worker. */
    private void continueFrom(@Nullable Http1Exchange exchange, AtomicBoolean held) throws IOException {
        if (held.get() && exchange != null) {
            exchange.response().informational(100, Fields.EMPTY);
            held.set(false);
            link.signal(RESUME); // the reactor: from here on the client is waited for
        }
    }

    private boolean body(ByteBuffer in) throws IOException, Violation {
        BodyDecoder from = Objects.requireNonNull(decoder);
        RequestPipe.Inlet to = Objects.requireNonNull(inlet);
        int count = from.advance(in);
        if (count == BodyDecoder.END) {
            bodyEnded(to);
            return true;
        }
        if (count == 0) {
            return false;
        }
        int start = in.position();
        int limit = in.limit();
        RequestPipe.Offered offered = to.offer(in.limit(start + count));
        int taken = in.position() - start;
        in.limit(limit);
        from.taken(taken);
        bodyBytes += taken;
        continueOwed = false; // the client has not waited for it
        continueHeld.set(false);
        if (bodyBytes > bodyLimit) {
            throw new Violation(Key.BODY_LIMIT);
        }
        readDeadline.set(service.config().timeouts().bodyStall());
        return switch (offered) {
            case ALL -> true;
            case FULL -> {
                pipeFull();
                yield false;
            }
            case OVER_BUDGET -> throw new Violation(Key.PIPE_BUDGET);
        };
    }

    private void bodyEnded(RequestPipe.Inlet to) throws IOException {
        Http1Exchange exchange = Objects.requireNonNull(framing);
        exchange.bodyArrived();
        to.finish();
        reading = Reading.HEAD;
        readDeadline.set(service.config().timeouts().keepAlive());
        forgetBody();
        if (!exchange.isHandedOver()) {
            begin(exchange, Arrived.ALL);
        }
    }

    private void pipeFull() throws IOException {
        Http1Exchange exchange = Objects.requireNonNull(framing);
        readDeadline.off(); // now the application is waited for, not the client
        if (!exchange.isHandedOver()) {
            begin(exchange, Arrived.PIPE_FULL);
        }
    }

    /** What could not be framed yet waits in a segment of this connection, and nothing is read until it is gone. */
    private void keep(ByteBuffer in) throws IOException {
        if (!in.hasRemaining() || isOver()) {
            return;
        }
        Segment kept = service.pool().acquireForOutput();
        kept.buffer().put(in).flip();
        unread = kept;
        readingPaused = true;
        link.wantReadable(false);
        if (reading == Reading.HEAD) {
            resumeReading(); // the worker may have taken the parked exchange before it could see that reading pauses
        }
    }

    /** Whether nothing that arrives matters any more. */
    private boolean isOver() {
        return reading == Reading.REFUSING || reading == Reading.ENDED;
    }

    private void resumeReading() throws IOException {
        Segment kept = unread;
        if (kept == null) {
            return;
        }
        consume(kept.buffer());
        if (unread != null && (isOver() || !kept.buffer().hasRemaining())) {
            kept.release();
            unread = null;
            readingPaused = false;
            link.wantReadable(!inputEnded);
            if (inputEnded) {
                endOfInput();
            }
        }
    }

    /** The client has sent its last byte; what it asked for before is still answered. */
    private void endOfInput() throws IOException {
        inputEnded = true;
        link.wantReadable(false);
        readDeadline.off();
        if (unread != null) {
            return; // requests that were read already come first
        }
        if (reading == Reading.BODY) {
            refuse(400, "the body ended early");
        }
        if (closing) {
            drain(); // what waits still leaves, then the connection ends
        } else if (reading != Reading.REFUSING) {
            reading = Reading.ENDED;
            if (turn.isIdle()) {
                closeAfterDrain(); // else whoever finishes the running answer calls for it
            }
        }
    }

    // ---- handing over and answering

    private void begin(Http1Exchange exchange, Arrived arrived) throws IOException {
        exchange.handOver(arrived);
        if (turn.begin(exchange) == Turn.Begun.RUNS && !service.queue().offer(exchange)) {
            queueFull();
            exchange.discard();
            boolean closes = !exchange.isBodyComplete() || !ConnectionOptions.persists(exchange.head());
            send(CannedAnswer.queueFull(closes, !isHead(exchange.head())));
            if (closes) {
                refusing();
            }
        }
    }

    private void queueFull() {
        service.reached(Key.QUEUE);
        service.events().refused(id, 503, Key.QUEUE.id());
    }

    /** Answers in order: now, or when the running response is complete. */
    private void answer(CannedAnswer answer) throws IOException {
        if (turn.begin(answer) == Turn.Begun.RUNS) {
            send(answer);
        }
    }

    /** Sends a canned answer that has the turn. */
    private void send(CannedAnswer answer) throws IOException {
        out.pipe().append(encoded(answer));
        drain();
        turn.next();
        if (answer.closes()) {
            closeAfterDrain();
        }
    }

    private Segment encoded(CannedAnswer answer) {
        Segment segment = service.pool().acquireForOutput();
        answer.encode(segment, service.date());
        return segment;
    }

    private void refuse(int status, String reason) throws IOException {
        service.events().refused(id, status, reason);
        Http1Exchange exchange = framing;
        RequestPipe.Inlet to = inlet;
        refusing();
        forgetBody();
        if (exchange != null && to != null) {
            to.fail(new ClientFault(status, reason));
            if (exchange.isHandedOver()) {
                return; // its own response tells the client, and closes, since the body is not complete
            }
        }
        answer(CannedAnswer.violation(status));
    }

    private void refusing() {
        reading = Reading.REFUSING;
        readDeadline.off();
    }

    private void forgetBody() {
        continueOwed = false;
        continueHeld.set(false);
        framing = null;
        decoder = null;
        inlet = null;
    }

    private void payContinue() throws IOException {
        if (continueOwed && turn.isIdle()) {
            continueOwed = false;
            Segment segment = service.pool().acquireForOutput();
            HeadEncoder.statusLine(segment.buffer(), 100);
            HeadEncoder.crlf(segment.buffer());
            segment.buffer().flip();
            out.pipe().append(segment);
            drain();
            readDeadline.set(service.config().timeouts().bodyStall());
        }
    }

    // ---- worker

    /** The running exchange is over. Returns the next one if its worker is to serve it. Thread: that worker. */
    @Nullable
    Http1Exchange finished(Http1Exchange exchange) {
        if (exchange.closes()) {
            link.signal(FINISHED_CLOSING); // the reactor: the last response is in the pipe
            return null;
        }
        idleSince = link.reactor().nanos();
        Turn.Answer next = nextAnswer();
        while (next instanceof CannedAnswer canned) {
            if (!sendAsWorker(canned)) {
                return null;
            }
            next = nextAnswer();
        }
        if (next instanceof Http1Exchange parked) {
            parked.follows(exchange.inRow());
            return next(parked);
        }
        return null;
    }

    /** Ends the running answer's turn; the answer that has it now, if one waits. */
    private Turn.@Nullable Answer nextAnswer() {
        Turn.Answer next = turn.next();
        if (readingPaused || continueOwed || (next == null && (inputEnded || service.isDraining()))) {
            link.signal(RESUME); // the reactor: framing may go on, or the connection ends
        }
        return next;
    }

    /** Returns the parked exchange if the same worker may serve it; otherwise it waits its turn among the others. */
    private @Nullable Http1Exchange next(Http1Exchange parked) {
        if (parked.isStreaming()) {
            if (!service.queue().offer(parked)) {
                queueFull();
                parked.discard();
                sendAsWorker(CannedAnswer.queueFull(true, !isHead(parked.head())));
            }
        } else if (parked.inRow() < MOST_IN_ROW || service.queue().size() == 0) {
            return parked;
        } else {
            service.queue().resume(parked);
        }
        return null;
    }

    /** Returns whether the connection goes on. */
    private boolean sendAsWorker(CannedAnswer canned) {
        try {
            out.pipe().append(encoded(canned));
            out.workerDrain();
        } catch (IOException e) {
            link.signal(FAILED); // the reactor: the client is gone
            return false;
        }
        if (canned.closes()) {
            link.signal(FINISHED_CLOSING); // the reactor: the last response is in the pipe
        }
        return !canned.closes();
    }

    // ---- writing and ending

    @Override
    public void onWritable() throws IOException {
        drain();
    }

    @Override
    public void onSignals(int bits) throws IOException {
        if ((bits & FAILED) != 0) {
            close("write failed");
            return;
        }
        if ((bits & STALLED) != 0) {
            drain();
        }
        if ((bits & FINISHED_CLOSING) != 0) {
            dropUnread();
            closeAfterDrain();
        }
        if ((bits & RESUME) != 0 && !closing) {
            resumed();
        }
    }

    private void resumed() throws IOException {
        payContinue();
        if (reading == Reading.BODY && unread == null) {
            readDeadline.set(service.config().timeouts().bodyStall());
        }
        resumeReading();
        boolean nothingToCome = inputEnded && reading != Reading.BODY;
        // A stopping server waits for what runs, not for what has not arrived yet.
        if (link.isOpen() && !closing && turn.isIdle() && (nothingToCome || service.isDraining())) {
            closeAfterDrain();
        }
    }

    /** Sends what waits, and takes care that the rest is sent when the client reads on. */
    private void drain() throws IOException {
        boolean empty = out.reactorDrain();
        link.wantWritable(!empty);
        if (empty) {
            writeDeadline.off();
            if (closing) {
                linger();
            }
        } else {
            writeDeadline.set();
        }
    }

    private void closeAfterDrain() throws IOException {
        if (!closing) {
            closing = true;
            refusing();
            drain();
        }
    }

    /**
     * Everything is sent: says so to the client, and goes on reading for a while what it is still sending, since a close with unread
     * bytes would be a reset that destroys the answer on its way (RFC 9112 section 9.6).
     */
    private void linger() throws IOException {
        if (inputEnded || service.isDraining()) {
            close("done");
            return;
        }
        link.shutdownOutput();
        link.wantReadable(true);
        readDeadline.set(service.config().timeouts().linger());
    }

    private void dropUnread() {
        if (unread != null) {
            unread.release();
            unread = null;
        }
    }

    /** The server stops: an idle connection ends now, a busy one with its response. Any thread. */
    void drainSoon() {
        link.signal(RESUME); // the reactor: the service is draining
    }

    private void close(String cause) {
        link.close(new IOException(cause));
    }

    @Override
    public void onClosed(IOException cause) {
        readDeadline.remove();
        writeDeadline.remove();
        reading = Reading.ENDED;
        if (inlet != null) {
            inlet.fail(cause);
        }
        Http1Exchange unfinished = framing;
        if (unfinished != null && !unfinished.isHandedOver()) {
            unfinished.discard();
        }
        forgetBody();
        dropUnread();
        out.pipe().fail(cause);
        turn.close();
        service.events().closed(id, String.valueOf(cause.getMessage()));
    }

    // ---- small questions

    private static boolean isHead(RequestHead head) {
        return head.method().equals("HEAD");
    }

    /** Whether the client waits for 100; any other expectation cannot be met (RFC 9110 section 10.1.1). */
    private static boolean expectsContinue(RequestHead head) throws Violation {
        String expect = head.fields().first("Expect");
        if (expect == null || head.version() == Version.HTTP_1_0) {
            return false;
        }
        if (!expect.toLowerCase(Locale.ROOT).equals("100-continue")) {
            throw new Violation(417, "unknown expectation");
        }
        return true;
    }

    String id() {
        return id;
    }

    Peer peer() {
        return peer;
    }

    Http1Service service() {
        return service;
    }

    @Override
    public Outbound outbound() {
        return out;
    }

    @Override
    public SegmentPool pool() {
        return service.pool();
    }

    @Override
    public void putDate(ByteBuffer buffer) {
        service.date().put(buffer);
    }

    @Override
    public boolean draining() {
        return service.isDraining();
    }

    /** How long the client is waited for while something of it must arrive. */
    private final class ReadDeadline extends TimerWheel.Timer {

        void set(Duration wait) {
            link.reactor().wheel().set(this, link.reactor().now() + wait.toNanos());
        }

        void off() {
            link.reactor().wheel().cancel(this);
        }

        void remove() {
            link.reactor().wheel().remove(this);
        }

        @Override
        protected void expired() {
            link.contain(Http1Connection.this::readTimedOut);
        }
    }

    private void readTimedOut() throws IOException {
        if (closing) {
            close(Key.LINGER_TIMEOUT.id());
        } else if (reading == Reading.BODY && (continueOwed || continueHeld.get())) {
            readDeadline.set(service.config().timeouts().bodyStall()); // the client waits for us, not we for it
        } else if (reading == Reading.BODY) {
            timedOut(Key.BODY_STALL_TIMEOUT);
            refuse(408, Key.BODY_STALL_TIMEOUT.id());
        } else if (reading == Reading.HEAD && parser.isInside()) {
            timedOut(Key.HEAD_TIMEOUT);
            refuse(408, Key.HEAD_TIMEOUT.id());
        } else if (reading == Reading.HEAD) {
            idleTimedOut();
        }
    }

    private void writeTimedOut() {
        timedOut(Key.WRITE_STALL_TIMEOUT);
        close(Key.WRITE_STALL_TIMEOUT.id());
    }

    private void timedOut(Key timeout) {
        service.reached(timeout);
        service.events().timedOut(id, timeout.id());
    }

    private void idleTimedOut() {
        long wait = service.config().timeouts().keepAlive().toNanos();
        long left = turn.isIdle() && out.isEmpty()
                ? idleSince + wait - link.reactor().now()
                : wait;
        if (left <= 0 || requests == 0) {
            Key waited = requests == 0 ? Key.HEAD_TIMEOUT : Key.KEEP_ALIVE_TIMEOUT;
            timedOut(waited);
            close(waited.id());
        } else {
            readDeadline.set(Duration.ofNanos(left));
        }
    }

    /** How long the client may take nothing of what waits for it. */
    private final class WriteDeadline extends TimerWheel.Timer {

        void set() {
            link.reactor()
                    .wheel()
                    .set(
                            this,
                            link.reactor().now()
                                    + service.config().timeouts().writeStall().toNanos());
        }

        void off() {
            link.reactor().wheel().cancel(this);
        }

        void remove() {
            link.reactor().wheel().remove(this);
        }

        @Override
        protected void expired() {
            link.contain(Http1Connection.this::writeTimedOut);
        }
    }
}
