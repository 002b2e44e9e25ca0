package io.penstock.http1;

import io.penstock.exchange.DispatchRule.Arrived;
import io.penstock.exchange.Peer;
import io.penstock.http.ConnectionOptions;
import io.penstock.http.Fields;
import io.penstock.http.RequestHead;
import io.penstock.http.Version;
import io.penstock.limits.Key;
import io.penstock.pipe.ResponsePipe;
import io.penstock.pipe.Segment;
import io.penstock.pipe.SegmentPool;
import io.penstock.reactor.Link;
import io.penstock.reactor.LinkHandler;
import io.penstock.work.RequestQueue.Offered;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP/1.1 client's conversation: what its {@link Inbound} half has framed is answered in order, what its {@link Outbound} half
 * could not send at once is sent as the client reads, and it is ended so that the client gets its last answer.
 *
 * <p>Thread: the reactor, but for {@link #finished}, {@link #wantAttention} and what {@link Http1Response.Channel} offers, which are a
 * worker's, {@link #overrun}, which is the keeper's, and {@link #whenGone}, which is for any. A failure of the link closes it; the worker
 * learns of it by the pipes.
 */
final class Http1Connection implements LinkHandler, Http1Response.Channel {
    private static final int STALLED = 1;
    private static final int FAILED = 2;
    private static final int ATTENTION = 4;
    private static final int FINISHED_CLOSING = 8;
    private static final int RESET = 16;
    private static final int QUEUED = 32;
    private static final int OVERDUE = 64;
    private static final int MOST_IN_ROW = 16;

    private final Http1Service service;
    private final Link link;
    private final String id;
    private final Peer peer;
    private final Turn turn = new Turn();
    private final Outbound out;
    private final HeadWriter heads;
    private final Inbound in;
    private final Deadline writeDeadline;
    private final QueueWait queueWait;
    private final AtomicReference<@Nullable Runnable> whenGone = new AtomicReference<>();

    private final long opened;

    // The reactor's alone.
    private boolean closing;

    // Who has the turn, if it is a worker's: for the server's end, which answers in its place, and for who looks.
    private volatile @Nullable Http1Exchange running;
    // What runs for so long that its client is given up; at most one exchange at a time has the turn.
    private volatile @Nullable Http1Exchange overdue;

    // When the last answer ended; the worker need not wake the reactor to tell.
    private volatile long idleSince;

    Http1Connection(Http1Service service, Link link, UnfinishedBodies unfinished, String id) {
        this.service = service;
        this.link = link;
        this.id = id;
        this.peer = new Peer(id, link.remote(), link.local(), false);
        this.out = new Outbound(
                new ResponsePipe(service.pool(), service.config().pipes().capacity()),
                link,
                Outbound.Files.where(service.config().service().call()),
                STALLED,
                FAILED);
        this.heads = new HeadWriter(service.pool(), out.pipe(), service.date());
        this.in = new Inbound(service, link, unfinished, this);
        this.writeDeadline = new Deadline(link, this::writeStalled);
        this.queueWait = new QueueWait(service, link, QUEUED, this::aged);
        this.opened = link.reactor().now();
        this.idleSince = opened;
        service.events().opened(id, link.remote());
    }

    // ---- what happens on the link

    @Override
    public void onReadable() throws IOException {
        in.onReadable();
    }

    @Override
    public void onWritable() throws IOException {
        drain();
    }

    @Override
    public void onSignals(int bits) throws IOException {
        if ((bits & FAILED) != 0) {
            link.close(new ClientGone(new IOException("write failed")));
            return;
        }
        if ((bits & RESET) != 0) {
            link.reset(new IOException("response aborted"));
            return;
        }
        if ((bits & STALLED) != 0) {
            drain();
        }
        if ((bits & OVERDUE) != 0) {
            cutOff();
            if (!link.isOpen()) {
                return;
            }
        }
        if ((bits & QUEUED) != 0) {
            queueWait.queued();
        }
        if ((bits & FINISHED_CLOSING) != 0) {
            in.dropUnread();
            closeAfterDrain();
        }
        if ((bits & ATTENTION) != 0 && !closing) {
            attend();
        }
    }

    @Override
    public void onClosed(IOException cause) {
        writeDeadline.remove();
        String why = String.valueOf(cause.getMessage());
        if (cause instanceof ClientGone && isUnanswered()) {
            service.clientGone();
        }
        in.onClosed(cause);
        out.closed(cause);
        turn.close();
        Http1Exchange cut = running;
        if (cut != null) {
            cut.trace().gone(why);
        }
        queueWait.close();
        if (!service.isFinishing()) { // then there may be no worker any more to tell the application
            tellGone();
        }
        service.events().closed(id, why);
    }

    private boolean isUnanswered() {
        return (!closing && !turn.isIdle()) || !out.isEmpty() || out.pipe().hasFailed();
    }

    private void attend() throws IOException {
        in.resume();
        if (link.isOpen() && !closing && turn.isIdle() && (in.isExhausted() || isDone())) {
            closeAfterDrain();
        }
    }

    /** Whether the server ends, and this client has nothing more to get from it. */
    private boolean isDone() {
        return service.isFinishing() && !in.isArriving();
    }

    // ---- the reading half's side

    /** Whether a request waits behind the one that is being answered: no more is framed then. */
    boolean isAhead() {
        return turn.isParked();
    }

    /** Hands a request over: to the queue, or behind the answer that runs. */
    void begin(Http1Exchange exchange, Arrived arrived) throws IOException {
        exchange.handOver(arrived);
        if (turn.begin(exchange) == Turn.Begun.RUNS) {
            running = exchange;
            enqueue(exchange);
        }
    }

    /** An exchange that has the turn needs a worker. */
    private void enqueue(Http1Exchange exchange) throws IOException {
        if (queueWait.offer(exchange) == Offered.FULL) {
            turnAway(exchange, Key.QUEUE);
        }
    }

    /** An exchange that has the turn has waited too long. */
    private void aged(Http1Exchange exchange) throws IOException {
        turnAway(exchange, Key.QUEUE_AGE);
        if (closing) {
            in.dropUnread();
        }
    }

    private void turnAway(Http1Exchange exchange, Key limit) throws IOException {
        running = null;
        busy(limit);
        exchange.release();
        RequestHead head = exchange.head();
        boolean closes = !exchange.isBodyComplete()
                || head.version() == Version.HTTP_1_0
                || !ConnectionOptions.persists(head)
                || service.isDraining();
        if (closes) {
            in.ignoreRest();
        }
        CannedAnswer answer = CannedAnswer.busy(service.queue().secondsToEmpty(), closes, hasBody(head));
        send(answer.told(exchange.trace(), limit.id()));
    }

    /** Answers without a worker, in order: now, or when the running answer is complete. */
    void refuse(CannedAnswer answer, String reason) throws IOException {
        service.events().refused(id, answer.status(), reason);
        if (turn.begin(answer) == Turn.Begun.RUNS) {
            send(answer);
        }
    }

    /** Asks the client for its body; false if earlier answers must go out first. */
    boolean sendContinue() throws IOException {
        if (!turn.isIdle()) {
            return false;
        }
        heads.informational(100, Fields.EMPTY);
        drain();
        return true;
    }

    /** The client has sent its last byte. */
    void inputEnded(boolean nothingUnanswered) throws IOException {
        if (closing) {
            drain(); // what waits still leaves, then the connection ends
        } else if (nothingUnanswered && turn.isIdle()) {
            closeAfterDrain(); // else whoever finishes the running answer calls for it
        }
    }

    /** Nanoseconds that the connection may stay idle from now on; the whole wait if it is not idle. */
    long idleLeft(Duration wait) {
        boolean idle = turn.isIdle() && out.isEmpty();
        return idle ? idleSince + wait.toNanos() - link.reactor().now() : wait.toNanos();
    }

    void timedOut(Key timeout) {
        service.reached(timeout);
        service.events().timedOut(id, timeout.id());
    }

    void close(String cause) {
        link.close(new IOException(cause));
    }

    // ---- worker

    /** The running exchange is over. Returns the next one if its worker is to serve it. Thread: that worker. */
    @Nullable
    Http1Exchange finished(Http1Exchange exchange) {
        running = null; // before the turn is another's
        queueWait.over(exchange);
        if (whenGone.get() != null && !out.pipe().hasFailed()) { // else the reactor is about to tell it
            whenGone.set(null);
        }
        if (exchange.needsReset()) {
            link.signal(RESET); // the reactor: the client must not take what it has for the whole
            return null;
        }
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
            return next(exchange, parked);
        }
        return null;
    }

    /** Something that the reactor waited for has happened. Any thread. */
    void wantAttention() {
        link.signal(ATTENTION); // the reactor: framing may go on, or the connection ends
    }

    /** Ends the running answer's turn; the answer that has it now, if one waits. */
    private Turn.@Nullable Answer nextAnswer() {
        Turn.Answer next = turn.next();
        if (next instanceof Http1Exchange parked) {
            running = parked;
        }
        boolean nothingRuns = next == null;
        if (in.wantsAttention(nothingRuns) || (nothingRuns && service.isFinishing())) {
            wantAttention();
        }
        return next;
    }

    /** Returns the parked exchange if the same worker may serve it; otherwise it waits its turn among the others. */
    private @Nullable Http1Exchange next(Http1Exchange before, Http1Exchange parked) {
        if (parked.isStreaming()) {
            if (queueWait.offerAsWorker(parked) == Offered.FULL) {
                running = null;
                busy(Key.QUEUE);
                parked.release();
                sendAsWorker(CannedAnswer.busy(service.queue().secondsToEmpty(), true, hasBody(parked.head()))
                        .told(parked.trace(), Key.QUEUE.id()));
            }
        } else if (!before.isStreaming()
                && (parked.inRow() < MOST_IN_ROW || !service.queue().wantsWorkers())) {
            return parked; // a worker that counts as streaming must not be kept from that count by what does not stream
        } else {
            parked.beginsRow();
            queueWait.giveWay(parked);
        }
        return null;
    }

    /** Returns whether the connection goes on. */
    private boolean sendAsWorker(CannedAnswer canned) {
        try {
            put(canned);
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

    // ---- gone, or given up

    /** Runs {@code told} if the connection ends before the running exchange is over; at once if it has ended. Any thread. */
    void whenGone(Runnable told) {
        whenGone.set(told);
        if (out.pipe().hasFailed()) {
            tellGone();
        }
    }

    private void tellGone() {
        Runnable told = whenGone.getAndSet(null);
        if (told != null) {
            told.run();
        }
    }

    /** A call of this exchange does not end. Any thread. */
    void overrun(Http1Exchange exchange) {
        service.givenUp();
        overdue = exchange;
        link.signal(OVERDUE); // the reactor: the client is not to wait any longer
    }

    private void cutOff() throws IOException {
        Http1Exchange late = overdue;
        overdue = null;
        if (late == null || closing) {
            return;
        }
        IOException cause = new IOException(Key.SERVICE_TIMEOUT.id());
        if (late.giveUp(Key.SERVICE_TIMEOUT)) {
            service.events().refused(id, 503, Key.SERVICE_TIMEOUT.id());
            in.dropUnread();
            closeAfterDrain();
        } else if (late.cutOff(cause)) { // else the client has its answer
            if (late.needsReset()) {
                link.reset(cause);
            } else {
                link.close(cause);
            }
        }
    }

    // ---- canned answers

    /** Sends a canned answer that has the turn; what is parked behind it, if it goes on, comes next. */
    private void send(CannedAnswer answer) throws IOException {
        put(answer);
        drain();
        if (answer.closes()) {
            closeAfterDrain();
            return;
        }
        idleSince = link.reactor().now();
        Turn.Answer next = nextAnswer();
        if (next instanceof CannedAnswer canned) {
            send(canned);
        } else if (next instanceof Http1Exchange parked) {
            enqueue(parked);
        }
    }

    private void put(CannedAnswer answer) throws IOException {
        answer.trace().responding(answer.status());
        try {
            out.pipe().append(encoded(answer));
        } catch (IOException e) {
            answer.discard();
            throw e;
        }
        out.departs(answer.trace());
    }

    Segment encoded(CannedAnswer answer) {
        Segment segment = service.pool().acquireForOutput();
        answer.encode(segment, service.date());
        return segment;
    }

    private void busy(Key limit) {
        service.reached(limit);
        service.events().refused(id, limit.consequence().status(), limit.id());
    }

    private static boolean hasBody(RequestHead head) {
        return !head.method().equals("HEAD");
    }

    // ---- sending and ending

    /** Sends what waits, and takes care that the rest is sent when the client reads on. */
    private void drain() throws IOException {
        boolean empty = reactorDrain();
        link.wantWritable(!empty);
        if (!empty) {
            writeDeadline.in(service.config().timeouts().writeStall());
        } else {
            writeDeadline.off();
            if (closing) {
                linger();
            }
        }
    }

    private boolean reactorDrain() throws IOException {
        try {
            return out.reactorDrain();
        } catch (IOException e) {
            throw new ClientGone(e);
        }
    }

    private void writeStalled() {
        timedOut(Key.WRITE_STALL_TIMEOUT);
        close(Key.WRITE_STALL_TIMEOUT.id());
    }

    private void closeAfterDrain() throws IOException {
        if (!closing) {
            closing = true;
            in.ignoreRest();
            drain();
        }
    }

    /**
     * Everything is sent: says so to the client, and goes on reading for a while what it is still sending, since a close with unread
     * bytes would be a reset that destroys the answer on its way (RFC 9112 section 9.6).
     */
    private void linger() throws IOException {
        // A server that ends waits for nobody to close, but for those who are sending what it will not serve.
        if (in.hasEnded() || (service.isFinishing() && !service.isCutting())) {
            close("done");
        } else {
            link.shutdownOutput();
            in.linger();
        }
    }

    // ---- the server's end

    /** Nobody is accepted any more: an idle connection ends now, a busy one with its response. */
    void finish() throws IOException {
        in.readOnce(); // what the client has sent before it could know is served
        if (link.isOpen() && !closing) {
            attend();
        }
    }

    /** The server waits no longer: what has not begun its response is answered 503. */
    void cut() throws IOException {
        Http1Exchange current = running;
        if (closing) {
            return;
        }
        if (current != null && current.giveUp()) {
            closeAfterDrain();
        } else if (turn.isIdle()) {
            in.giveUp();
        }
    }

    /** The server has ended: whose response is not whole must not take it for that. */
    void end() {
        Http1Exchange current = running;
        IOException cause = new IOException(Key.SHUTDOWN_TIMEOUT.id());
        if (!out.isEmpty() || (current != null && current.isCutShort(cause))) {
            link.reset(cause);
        } else {
            link.close(cause);
        }
    }

    // ---- what others may know

    /** How it stands, for the operator. Thread: the reactor. */
    Standing standing() {
        return Standing.of(this, in, closing, running);
    }

    /** Nanoseconds since it was opened. Thread: the reactor. */
    long age() {
        return link.reactor().now() - opened;
    }

    String id() {
        return id;
    }

    Peer peer() {
        return peer;
    }

    Link link() {
        return link;
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
    public HeadWriter heads() {
        return heads;
    }

    @Override
    public boolean draining() {
        return service.isDraining();
    }
}
