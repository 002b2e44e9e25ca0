package io.penstock.http1;

import io.penstock.events.CloseCause;
import io.penstock.exchange.DispatchRule.Arrived;
import io.penstock.exchange.LinkWriter;
import io.penstock.exchange.QueueWait;
import io.penstock.exchange.ServerResources;
import io.penstock.limits.ByteAccount;
import io.penstock.limits.Key;
import io.penstock.reactor.ConnectionClosed;
import io.penstock.reactor.Link;
import io.penstock.time.Saturated;
import io.penstock.work.RequestQueue.Offered;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * The responses of one connection, in the order of its requests. A response has the turn when the response before it is complete in the
 * pipe. Then a worker makes it, or a canned response is sent. Quick responses to pipelined requests may be sent in one write. This class
 * is itself the slot of its connection, so an idle connection needs one object less.
 *
 * <p>Thread: the reactor; {@link #finished} the worker whose exchange is over; {@link #leavesWithNext} the thread that has put the end of a
 * response into the pipe; {@link #running}, {@link #outdated} and {@link #sendHeld} any.
 *
 * <pre>
 *   request --begin---> parked, while another has the turn --finished--> queued, or the same worker continues
 *                  \--> queued --taken--> served --finished--> the next
 *                          \--full, too old--> 503
 *   refusal --refuse--> parked, or sent
 * </pre>
 */
final class ResponseSequence extends ResponseSlot implements QueueWait.Owner {
    private static final int MOST_IN_ROW = 16;
    private static final AtomicReferenceFieldUpdater<ResponseSequence, @Nullable QueueWait> QUEUE_WAIT =
            AtomicReferenceFieldUpdater.newUpdater(ResponseSequence.class, QueueWait.class, "queueWait");

    /** The view that the responses have of their connection. Thread: as for {@link RequestReader.Connection}. */
    interface Connection extends RequestReader.Connection {

        /** The sending half; made if there is none yet. */
        ConnectionOutput output();
    }

    /** With so few parked requests the reactor frames further ones, so that the client's worker does not run out of requests. */
    private static final int FEW_PARKED = MOST_PARKED / 2;

    private final Connection connection;
    private final RequestReader in;

    // Made when a request first has to wait, since usually a worker is idle. Any thread; dropped by the reactor.
    private volatile @Nullable QueueWait queueWait;

    // The exchange that has the turn; null for a canned response. Read by snapshots, and by the stopping server, which
    // answers in its place.
    private volatile @Nullable Http1Exchange running;

    // When the last response ended. The reactor reads it when the keep-alive time may be over, so the end of a response
    // need not wake it.
    private volatile long idleSince;

    ResponseSequence(Connection connection, RequestReader in) {
        this.connection = connection;
        this.in = in;
        this.idleSince = connection.link().reactor().now();
    }

    /** Whether requests wait behind the request that is being answered. */
    boolean isParked() {
        return parked() > 0;
    }

    /** Whether so many requests wait behind the request being answered that no further request is framed. */
    boolean isAhead() {
        int parked = parked();
        return parked > 0 && parked >= mostParked();
    }

    /**
     * How many requests may wait at most. A waiting request with a body holds memory of the pipes, so no request waits behind it. Each
     * other waiting request holds some of the budget of heads.
     */
    private int mostParked() {
        boolean hasBody = lastParked() instanceof Http1Exchange last && last.incoming() != null;
        ByteAccount heads = server().headBudget();
        return hasBody || heads.used() > heads.limit() / 2 ? 1 : MOST_PARKED;
    }

    /** The exchange that has the turn, or null. Any thread. */
    @Nullable
    Http1Exchange running() {
        return running;
    }

    /** Nanoseconds that the connection may stay idle from now on; the whole wait if it is not idle. */
    long idleLeft(Duration wait) {
        boolean idle = isIdle() && writer().isAllSent();
        return idle ? idleSince + Saturated.nanos(wait) - link().reactor().now() : Saturated.nanos(wait);
    }

    /** A worker has put an exchange of this connection into the queue. */
    void queued() {
        QueueWait known = queueWait;
        if (known != null) {
            known.queued();
        }
    }

    /** The overloaded queue has dropped this request, since it is among the requests that have waited longest. It has the turn. Any thread. */
    void outdated(Http1Exchange exchange) {
        queueWait().outdated(exchange);
    }

    /** Answers the exchange that the queue has dropped. */
    void answerOutdated() throws IOException {
        QueueWait known = queueWait;
        if (known != null) {
            known.answerOutdated();
        }
    }

    /**
     * The wait of the connection; made if there is none. A thread that makes it after the connection has closed notices the close, and
     * ends the wait ({@link QueueWait.Request#isClientGone}).
     */
    private QueueWait queueWait() {
        QueueWait known = queueWait;
        if (known == null) {
            known = new QueueWait(server(), link(), this);
            if (!QUEUE_WAIT.compareAndSet(this, null, known)) {
                known = Objects.requireNonNull(queueWait);
            }
        }
        return known;
    }

    @Override
    public void requestQueued() {
        link().signal(Signals.QUEUED);
    }

    /** While nothing runs, no other thread uses the wait, so an idle connection need not keep it. */
    @Override
    public boolean noneWaits() {
        boolean unused = isIdle();
        if (unused) {
            queueWait = null;
        }
        return unused;
    }

    @Override
    public void requestOutdated() {
        link().signal(Signals.OUTDATED);
    }

    /** The connection has closed. */
    void onClosed(String why) {
        onClosed();
        Http1Exchange cut = running;
        if (cut != null) {
            cut.observer().gone(why);
        }
        QueueWait known = queueWait;
        if (known != null) {
            known.onClosed();
        }
    }

    // ---- requests

    /** Hands a request over: to the queue, or behind the running response. */
    void begin(Http1Exchange exchange, Arrived arrived) throws IOException {
        exchange.handOver(arrived);
        switch (begin(exchange)) {
            case RUNS -> {
                running = exchange;
                enqueue(exchange);
            }
            case PARKED -> connection.output().limitHolding();
            case REFUSED -> {
                // the connection has ended
            }
        }
    }

    /** Puts the exchange that has the turn into the queue. */
    private void enqueue(Http1Exchange exchange) throws IOException {
        switch (QueueWait.offer(server(), link(), exchange)) {
            case FULL -> refuseWaiting(exchange, exchange.full());
            case OVERLOADED -> refuseWaiting(exchange, Key.OVERLOAD_AFTER);
            case WAITS -> queueWait().begin(exchange);
            case TAKEN -> {
                // an idle worker will take it
            }
        }
    }

    /** An exchange that has the turn has waited too long. */
    void tooLate(Http1Exchange exchange, Key bound) throws IOException {
        refuseWaiting(exchange, bound);
        if (connection.isClosing()) {
            in.dropUnread();
        }
    }

    private void refuseWaiting(Http1Exchange exchange, Key bound) throws IOException {
        running = null;
        reached(exchange, bound);
        exchange.release();
        in.declined();
        ConnectionClosed closing = closing(exchange, exchange.isBodyComplete(), bound);
        if (closing != null) {
            in.ignoreRest();
        }
        send(busy(exchange, closing, bound));
    }

    private CannedResponse busy(Http1Exchange exchange, @Nullable ConnectionClosed closing, Key bound) {
        CannedResponse answer =
                CannedResponse.busy(server().queue().secondsToEmpty(exchange), closing, exchange.head());
        return answer.observedBy(exchange.observer(), bound.id());
    }

    /** Why the connection ends with the answer to a refused request; null if it stays open. */
    private @Nullable ConnectionClosed closing(Http1Exchange refused, boolean bodyComplete, Key bound) {
        CloseCause cause = Persistence.endsWithCanned(
                refused.head(), bodyComplete, server().shutdown().closesConnections());
        // A worker would have read the body. So the cause is the overload.
        if (cause == CloseCause.BODY_UNREAD) {
            return new ConnectionClosed(CloseCause.OVERLOADED, bound.id());
        }
        return cause == null ? null : new ConnectionClosed(cause);
    }

    private void reached(Http1Exchange exchange, Key bound) {
        exchange.countRefusal(bound);
        server().events().refused(connection.id(), bound.consequence().status(), bound.id());
    }

    // ---- canned answers

    /** Answers without a worker, in order: now, or when the running response is complete. */
    void refuse(CannedResponse answer, String reason) throws IOException {
        server().events().refused(connection.id(), answer.status(), reason);
        answer(answer);
    }

    /** Answers as {@link #refuse}, but the answer does not count as a refusal. */
    void answer(CannedResponse answer) throws IOException {
        if (begin(answer) == Begun.RUNS) {
            send(answer);
        }
    }

    /** Sends a canned response that has the turn. If the connection continues, the parked response comes next. */
    private void send(CannedResponse answer) throws IOException {
        put(answer);
        connection.output().flush();
        ConnectionClosed closing = answer.closing();
        if (closing != null) {
            connection.output().closeWhenSent(closing);
            return;
        }
        idleSince = link().reactor().now();
        Response next = nextAnswer();
        if (next instanceof CannedResponse canned) {
            send(canned);
        } else if (next instanceof Http1Exchange parked) {
            enqueue(parked);
        }
    }

    private void put(CannedResponse answer) throws IOException {
        answer.observer().responding(answer.status());
        try {
            connection.heads().send(writer().pipe(), answer);
        } catch (IOException e) {
            answer.discard();
            throw e;
        }
        writer().responseComplete(answer.observer());
    }

    // ---- worker

    /** The running exchange is over. Returns the next one if its worker is to serve it. Thread: that worker. */
    @Nullable
    Http1Exchange finished(Http1Exchange exchange) {
        running = null; // before another response gets the turn
        endWait(exchange);
        connection.dropDisconnectAction();
        ConnectionClosed closing = exchange.closing();
        if (closing != null) {
            if (exchange.needsReset()) {
                sendHeld(); // must be sent before the reset, which drops unsent bytes
                connection.reset(closing);
            } else {
                connection.closeAfterResponse(closing);
            }
            return null;
        }
        idleSince = link().reactor().nanos();
        while (true) {
            Response next = nextAnswer();
            CannedResponse canned;
            if (next instanceof Http1Exchange parked) {
                parked.follows(exchange.inRow());
                if (mayFollow(exchange, parked)) {
                    return parked;
                }
                sendHeld();
                canned = queue(parked);
            } else {
                canned = (CannedResponse) next;
            }
            if (canned == null || !sendAsWorker(canned)) {
                return null;
            }
        }
    }

    private void endWait(Http1Exchange exchange) {
        QueueWait known = queueWait;
        if (known != null) {
            known.over(exchange);
        }
    }

    /** Ends the turn of the running response; returns the response that has it now, or null. */
    private @Nullable Response nextAnswer() {
        Response next = next();
        if (next instanceof Http1Exchange parked) {
            running = parked;
        }
        boolean nothingRuns = next == null;
        if (in.wantsAttention(nothingRuns, parked() <= FEW_PARKED)
                || (nothingRuns && server().shutdown().isFinishing())) {
            connection.wantAttention();
        }
        return next;
    }

    /**
     * Whether the same worker may serve the parked exchange. It may not if the running or the parked request streams, spools or belongs
     * to a bulkhead. The worker counts in the share of the running request until its job ends, and the parked request needs a place in
     * its own share.
     */
    private boolean mayFollow(Http1Exchange before, Http1Exchange parked) {
        return !parked.isStreaming()
                && !before.isStreaming()
                && parked.share() == null
                && before.share() == null
                && !parked.isSpooling()
                && !server().queue().currentSpools()
                && (parked.inRow() < MOST_IN_ROW || !server().queue().wantsWorkers());
    }

    /** Queues the parked exchange, whose turn it is. If the queue does not take it, returns the refusal to send instead. */
    private @Nullable CannedResponse queue(Http1Exchange parked) {
        parked.beginsRow();
        if (!parked.isStreaming() && parked.share() == null) {
            queueWait().giveWay(parked);
            return null;
        }
        if (queueWait().offerAsWorker(parked) != Offered.FULL) {
            return null;
        }
        Key bound = parked.full();
        running = null;
        reached(parked, bound);
        parked.release();
        return busy(parked, closingAsWorker(parked, bound), bound);
    }

    /**
     * As {@link #closing}, for a worker. The connection always ends with the refusal of a streaming request: the request was handed over
     * while its body was still arriving, so only the reactor could drop the bytes of the body.
     */
    private @Nullable ConnectionClosed closingAsWorker(Http1Exchange refused, Key bound) {
        if (refused.isStreaming()) {
            return new ConnectionClosed(CloseCause.OVERLOADED, bound.id());
        }
        return closing(refused, true, bound);
    }

    /**
     * Whether a response whose end is in the pipe may be sent in one write with the next response. This is so if the next request waits,
     * and the worker was quick with this response. If the next response takes long, the reactor sends the held response ({@link
     * ConnectionOutput#limitHolding}).
     */
    boolean leavesWithNext() {
        Http1Exchange ending = running;
        return parked() > 0
                && ending != null
                && ending.wasQuick()
                && writer().pipe().holdsAtMost(server().pool().segmentSize());
    }

    /** Sends the responses that were held for the next one. */
    void sendHeld() {
        try {
            writer().workerFlush();
        } catch (IOException e) {
            connection.fail(e);
        }
    }

    /** Sends a canned response on a worker; returns whether the connection stays open. */
    private boolean sendAsWorker(CannedResponse canned) {
        try {
            put(canned);
            writer().workerFlush();
        } catch (IOException e) {
            connection.fail(e);
            return false;
        }
        ConnectionClosed closing = canned.closing();
        if (closing != null) {
            connection.closeAfterResponse(closing);
        }
        return closing == null;
    }

    private LinkWriter writer() {
        return connection.writer();
    }

    private ServerResources server() {
        return connection.server();
    }

    private Link link() {
        return connection.link();
    }
}
