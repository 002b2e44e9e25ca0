package io.penstock.http1;

import io.penstock.events.CloseCause;
import io.penstock.exchange.CannedResponse;
import io.penstock.exchange.DisconnectAction;
import io.penstock.exchange.DispatchRule.Arrived;
import io.penstock.exchange.LinkWriter;
import io.penstock.exchange.QueueWait;
import io.penstock.exchange.RawConnection;
import io.penstock.exchange.RequestObserver;
import io.penstock.exchange.ServerResources;
import io.penstock.http1.ResponseSlot.Parkable;
import io.penstock.limits.Key;
import io.penstock.limits.Switch;
import io.penstock.pipe.ResponsePipe;
import io.penstock.reactor.ConnectionClosed;
import io.penstock.reactor.Link;
import io.penstock.work.RequestQueue.Offered;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * Sends the responses of one connection, in the order of the requests. Only the bytes of the current response go into the response pipe.
 * The next response becomes the current response when all bytes of the response before it are in the pipe. The current response is made by
 * a worker, or is a {@link Http1CannedResponse}. Quick responses to pipelined requests can be sent in one write. A {@link ResponseSlot} keeps
 * the order. Responses are sent through a {@link LinkWriter}. If the socket does not take all bytes of a response at once, a {@link
 * ConnectionOutput} sends the remaining bytes. The {@link ConnectionOutput} also ends the connection, after the client has got its last
 * response. An idle connection drops all of them ({@link Http1Connection}).
 *
 * <p>Thread: the reactor. {@link #finished}: the worker whose exchange is over. {@link #leavesWithNext}: the thread that has put the end of
 * a response into the pipe. {@link #current}, {@link #outdated}, {@link #sendHeld}, {@link #output}, {@link #isClosing} and {@link
 * #onDisconnect}: any.
 *
 * <pre>
 *   request --begin---> parked, while another is current --finished--> queued, or the same worker continues
 *                  \--> queued --taken--> served --finished--> the next
 *                          \--full, too old--> 503
 *                          \--the client has left--> dropped
 *   refusal --refuse--> parked, or sent
 * </pre>
 */
final class ResponseSequence implements QueueWait.Owner {
    private static final int MAX_IN_ROW = 16;
    private static final AtomicReferenceFieldUpdater<ResponseSequence, @Nullable QueueWait> QUEUE_WAIT =
            AtomicReferenceFieldUpdater.newUpdater(ResponseSequence.class, QueueWait.class, "queueWait");
    private static final AtomicReferenceFieldUpdater<ResponseSequence, @Nullable ConnectionOutput> OUTPUT =
            AtomicReferenceFieldUpdater.newUpdater(ResponseSequence.class, ConnectionOutput.class, "output");
    private static final AtomicReferenceFieldUpdater<ResponseSequence, @Nullable DisconnectAction> ON_DISCONNECT =
            AtomicReferenceFieldUpdater.newUpdater(ResponseSequence.class, DisconnectAction.class, "onDisconnect");

    /**
     * When a response ends and at most this many requests are parked, the worker signals the reactor to frame further requests. If the
     * worker waited until no request is parked, it would have nothing to do until the reactor has framed the next request.
     */
    private static final int FEW_PARKED = ResponseSlot.MAX_PARKED / 2;

    private final Http1Connection connection;
    private final RequestReader in;
    private final LinkWriter writer;
    private final ResponseSlot slot = new ResponseSlot();

    // Made when a request must wait for a worker for the first time. Usually a worker is idle, so this field stays
    // null. Any thread can set this field. The reactor sets it to null again.
    private volatile @Nullable QueueWait queueWait;

    // The exchange whose response is the current response; null if the current response is a canned response.
    // Snapshots read this field. A stopping server also reads it, and answers in place of the exchange.
    private volatile @Nullable Http1Exchange current;

    // The object is made when it is needed for the first time, for example when the socket does not take all bytes of a
    // response. Any thread may set this field.
    private volatile @Nullable ConnectionOutput output;

    // Made by the first asynchronous request. Most connections have no asynchronous request. Any thread may set this
    // field.
    private volatile @Nullable DisconnectAction onDisconnect;

    // What the connection has become by its current response; null before an upgrade. Set by the worker of the upgrade.
    private volatile @Nullable RawConnection upgraded;

    ResponseSequence(Http1Connection connection, RequestReader in) {
        ServerResources server = connection.server();
        this.connection = connection;
        this.in = in;
        this.writer = new LinkWriter(
                new ResponsePipe(server.pipeMemory()),
                connection.link(),
                LinkWriter.Files.where(server.config().service().call()));
    }

    /** The reading half of the connection. */
    RequestReader in() {
        return in;
    }

    LinkWriter writer() {
        return writer;
    }

    /** The sending of what the socket did not take at once, and the end of the connection. The first call makes the object. */
    ConnectionOutput output() {
        ConnectionOutput made = output;
        if (made == null) {
            made = new ConnectionOutput(connection, in, writer);
            if (!OUTPUT.compareAndSet(this, null, made)) {
                made = Objects.requireNonNull(output);
            }
        }
        return made;
    }

    /** Whether no more requests will be answered. */
    boolean isClosing() {
        ConnectionOutput sending = output;
        return sending != null && sending.isClosing();
    }

    /** Whether the output has ended, and the input has not. */
    boolean isOutputEnded() {
        ConnectionOutput sending = output;
        return sending != null && sending.isOutputEnded();
    }

    /** Whether all requests have been answered, and all bytes of the responses have been sent. */
    boolean isAllAnswered() {
        return slot.isIdle() && writer.isAllSent();
    }

    /**
     * Ends the use of both halves of the connection, if nothing uses them. Afterwards no thread can send anything through this object.
     * Threads of ended requests may still refer to it. Returns whether the connection can drop the halves.
     */
    boolean endIfUnused() {
        ConnectionOutput sending = output;
        return in.isUnused()
                && slot.isIdle()
                && queueWait == null
                && (sending == null || sending.isUnused())
                && writer.reactorEnd();
    }

    /** The upgraded connection; null before an upgrade. */
    @Nullable
    RawConnection upgraded() {
        return upgraded;
    }

    /** Called when the current exchange continues in another protocol. No response follows. Thread: its worker. */
    void upgraded(RawConnection next) {
        upgraded = next;
    }

    /** Whether no response runs. Any thread. */
    boolean isIdle() {
        return slot.isIdle();
    }

    /** The parked responses in their order. Any thread. */
    List<Parkable> parkedInOrder() {
        return slot.parkedInOrder();
    }

    /** Whether requests wait behind the request that is being answered. */
    boolean isParked() {
        return slot.parked() > 0;
    }

    /** Whether no further request may be framed, because too many requests wait behind the request that is being answered. */
    boolean isAhead() {
        int parked = slot.parked();
        return parked > 0 && parked >= mostParked();
    }

    /**
     * The highest number of requests that may be parked. A parked request with a body holds memory of the pipes. So no further request may
     * be parked behind it. A parked request without a body holds a part of the {@link ServerResources#headBudget}. So only one request may
     * be parked if much of this budget is used.
     */
    private int mostParked() {
        boolean hasBody = slot.lastParked() instanceof Http1Exchange last && last.incoming() != null;
        return hasBody || server().headBudget().isTight() ? 1 : ResponseSlot.MAX_PARKED;
    }

    /** The exchange whose response is the current response, or null. Any thread. */
    @Nullable
    Http1Exchange current() {
        return current;
    }

    /** Called when a worker has put an exchange of this connection into the queue. */
    void queued() {
        QueueWait known = queueWait;
        if (known != null) {
            known.queued();
        }
    }

    /**
     * Whether the client has closed its sending direction, and the server takes such a client for gone ({@code half-close} is off). Any
     * thread.
     */
    @Override
    public boolean hasClientLeft() {
        return in.hasEnded() && server().config().halfClose() == Switch.OFF;
    }

    /**
     * Drops the current exchange, which was removed from the queue, and the requests behind it. Nearly every client that closes its sending
     * direction has gone, so these requests would delay others in vain. The earlier responses are still sent.
     */
    @Override
    public void onClientLeft() throws IOException {
        ConnectionClosed left = new ConnectionClosed(CloseCause.CLIENT_LEFT);
        // No worker has the current exchange, so no other thread changes the state of the ResponseSlot.
        Http1Exchange waited = Objects.requireNonNull(current);
        current = null;
        drop(waited, waited.observer(), left);
        for (Parkable parked : slot.takeParked()) {
            RequestObserver observer = parked instanceof Http1Exchange exchange
                    ? exchange.observer()
                    : ((Http1CannedResponse) parked).response().observer();
            drop(parked, observer, left);
        }
        output().closeWhenSent(left);
    }

    private static void drop(Parkable response, RequestObserver observer, ConnectionClosed cause) {
        observer.lost(cause.getMessage());
        response.discard();
    }

    /**
     * Called when the overloaded queue has dropped this request, whose exchange is the current exchange. The queue drops the requests that
     * have waited longest. Any thread.
     */
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
     * Returns the {@link QueueWait} of the connection. The first call makes the object. If a thread makes it after the connection has
     * closed, this thread notices the close and ends the wait ({@link QueueWait.Request#isClientGone}).
     */
    private QueueWait queueWait() {
        QueueWait known = queueWait;
        if (known == null) {
            known = new QueueWait(connection, this);
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

    /** Drops the {@link QueueWait} if no response runs. No other thread uses it while no response runs. */
    @Override
    public boolean onNoneWaiting() {
        boolean unused = slot.isIdle();
        if (unused) {
            queueWait = null;
        }
        return unused;
    }

    @Override
    public void requestOutdated() {
        link().signal(Signals.OUTDATED);
    }

    /** Returns the cause to report for the close of the connection. */
    ConnectionClosed causeOf(ConnectionClosed close) {
        ConnectionOutput sending = output;
        return sending == null ? close : sending.causeOf(close);
    }

    /** Called first when the connection has closed. */
    void endOutput() {
        ConnectionOutput sending = output;
        if (sending != null) {
            sending.onClosed();
        }
    }

    /** Called when the connection has closed and its pipes have failed. */
    void onClosed(String why) {
        slot.onClosed();
        Http1Exchange cut = current;
        if (cut != null) {
            cut.observer().gone(why);
        }
        QueueWait known = queueWait;
        if (known != null) {
            known.onClosed();
        }
    }

    // ---- disconnected clients

    /** The action for a disconnect of the client. The first call makes the object. */
    DisconnectAction onDisconnect() {
        DisconnectAction made = onDisconnect;
        if (made == null) {
            made = new DisconnectAction(writer.pipe());
            if (!ON_DISCONNECT.compareAndSet(this, null, made)) {
                made = Objects.requireNonNull(onDisconnect);
            }
        }
        return made;
    }

    /** If another thread makes and sets the action later, that thread finds that the pipe has failed, and runs the action itself. */
    void runDisconnectAction() {
        DisconnectAction made = onDisconnect;
        if (made != null) {
            made.run();
        }
    }

    /** Drops the exchange's action for a disconnect, because the exchange is over. Thread: the worker of the exchange. */
    private void dropDisconnectAction() {
        DisconnectAction made = onDisconnect;
        if (made != null) {
            made.exchangeOver();
        }
    }

    // ---- requests

    /** Puts a request into the queue for the workers, or parks it until the earlier responses are complete. */
    void begin(Http1Exchange exchange, Arrived arrived) throws IOException {
        exchange.handOver(arrived);
        switch (slot.begin(exchange)) {
            case CURRENT -> {
                current = exchange;
                enqueue(exchange);
            }
            case PARKED -> output().limitHolding();
            case REFUSED -> exchange.discard(); // the connection has ended
        }
    }

    /** Puts the current exchange into the queue. */
    private void enqueue(Http1Exchange exchange) throws IOException {
        assert link().reactor().isCurrent();
        switch (server().queue().offerOneOfMany(exchange)) {
            case FULL -> refuseWaiting(exchange, exchange.full());
            case OVERLOADED -> refuseWaiting(exchange, Key.OVERLOAD_AFTER);
            case WAITS -> queueWait().begin(exchange);
            case TAKEN -> {
                // an idle worker will take the exchange
            }
        }
    }

    /** Called when the current exchange has waited too long. */
    void tooLate(Http1Exchange exchange, Key bound) throws IOException {
        refuseWaiting(exchange, bound);
        if (isClosing()) {
            in.dropUnread();
        }
    }

    private void refuseWaiting(Http1Exchange exchange, Key bound) throws IOException {
        current = null;
        exchange.release(); // before a listener is called, which may fail
        reached(exchange, bound);
        in.declined(exchange);
        ConnectionClosed closing = closing(exchange, exchange.isBodyComplete(), bound);
        if (closing != null) {
            in.ignoreRest();
        }
        send(busy(exchange, closing, bound));
    }

    private Http1CannedResponse busy(Http1Exchange exchange, @Nullable ConnectionClosed closing, Key bound) {
        CannedResponse answer = CannedResponse.busy(server().queue().secondsToEmpty(exchange), exchange.head())
                .withPage(server().errorDocuments());
        return new Http1CannedResponse(answer.observedBy(exchange.observer(), bound.id()), closing);
    }

    /** Returns why the connection ends after the answer to a refused request; null if the connection stays open. */
    private @Nullable ConnectionClosed closing(Http1Exchange refused, boolean bodyComplete, Key bound) {
        CloseCause cause = Http1Response.endsWithCanned(
                refused.head(), bodyComplete, server().shutdown().closesConnections());
        // The body is unread because no worker has served the request. So the reported cause is the overload.
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

    /** Answers without a worker. The answer is sent after the responses to all earlier requests. */
    void refuse(Http1CannedResponse answer, String reason) throws IOException {
        server().events().refused(connection.id(), answer.response().status(), reason);
        answer(answer);
    }

    /** Answers in the same way as {@link #refuse}, but does not count the answer as a refusal. */
    void answer(Http1CannedResponse answer) throws IOException {
        switch (slot.begin(answer)) {
            case CURRENT -> send(answer);
            case PARKED -> {
                // the thread that ends the response before this one sends it
            }
            case REFUSED -> answer.discard(); // the connection has ended
        }
    }

    /** Sends a canned response, which is the current response. If the connection stays open, the next parked response follows. */
    private void send(Http1CannedResponse answer) throws IOException {
        put(answer);
        output().flush();
        ConnectionClosed closing = answer.closing();
        if (closing != null) {
            output().closeWhenSent(closing);
            return;
        }
        connection.idleSince(link().reactor().now());
        Parkable next = nextAnswer();
        if (next instanceof Http1CannedResponse canned) {
            send(canned);
        } else if (next instanceof Http1Exchange parked) {
            enqueue(parked);
        }
    }

    private void put(Http1CannedResponse answer) throws IOException {
        CannedResponse response = answer.response();
        response.observer().responding(response.status(), response.fields());
        try {
            connection.heads().send(writer.pipe(), answer);
        } catch (IOException e) {
            response.discard();
            throw e;
        }
        writer.responseComplete(response.observer());
        response.release();
    }

    // ---- worker

    /**
     * Called when the current exchange is over. Returns the next exchange if the same worker must serve it, otherwise null. Thread: the
     * worker of the exchange.
     */
    @Nullable
    Http1Exchange finished(Http1Exchange exchange) {
        // Set to null before the next response becomes current, because the next exchange sets this field.
        current = null;
        endWait(exchange);
        dropDisconnectAction();
        ConnectionClosed closing = exchange.closing();
        if (closing != null) {
            if (exchange.needsReset()) {
                // The held responses must be sent before the reset, because a reset drops unsent bytes.
                sendHeld();
                connection.reset(closing);
            } else {
                endAfterLast(closing);
            }
            return null;
        }
        connection.idleSince(link().reactor().nanos());
        while (true) {
            Parkable next = nextAnswer();
            Http1CannedResponse canned;
            if (next instanceof Http1Exchange parked) {
                parked.follows(exchange.inRow());
                if (mayFollow(exchange, parked)) {
                    return parked;
                }
                sendHeld();
                canned = queue(parked);
            } else {
                canned = (Http1CannedResponse) next;
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

    /** Ends the current response. Returns the response that is current now, or null. */
    private @Nullable Parkable nextAnswer() {
        Parkable next = slot.next();
        if (next instanceof Http1Exchange parked) {
            current = parked;
        }
        boolean nothingRuns = next == null;
        if (in.wantsAttention(nothingRuns, nothingRuns || slot.parked() <= FEW_PARKED)
                || (nothingRuns && server().shutdown().isFinishing())) {
            connection.wantAttention();
        }
        return next;
    }

    /**
     * Whether the same worker may serve the parked exchange. The worker must not serve it if one of the two requests streams, spools or
     * belongs to a bulkhead, or if they have different mappings. The reason: until the end of a job, the queue counts the worker only for
     * the first request of the job. So the second request would not be counted, and could exceed a limit. Nor must the worker go on with
     * requests of one client while requests of another mapping wait for a worker. If the client has left, the requests of all other
     * clients come first.
     */
    private boolean mayFollow(Http1Exchange before, Http1Exchange parked) {
        return !parked.isStreaming()
                && !before.isStreaming()
                && parked.lane() == null
                && before.lane() == null
                && parked.mapping() == before.mapping()
                && !server().queue().othersWant(parked.mapping())
                && !parked.isSpooling()
                && !server().queue().currentSpools()
                && (isNextInRow(parked) || !server().queue().wantsWorkers());
    }

    private boolean isNextInRow(Http1Exchange parked) {
        return parked.inRow() < MAX_IN_ROW && !hasClientLeft();
    }

    /**
     * Puts the parked exchange, which is current now, into the queue. If the queue does not take the exchange, returns the refusal that
     * must be sent instead.
     */
    private @Nullable Http1CannedResponse queue(Http1Exchange parked) {
        parked.beginsRow();
        if (!parked.isStreaming() && parked.lane() == null) {
            queueWait().giveWay(parked);
            return null;
        }
        if (queueWait().offerAsWorker(parked) != Offered.FULL) {
            return null;
        }
        Key bound = parked.full();
        current = null;
        parked.refusedByWorker();
        reached(parked, bound);
        return busy(parked, closingAsWorker(parked, bound), bound);
    }

    /**
     * Returns the same cause as {@link #closing}, for a request that a worker refuses. The refusal of a streaming request always ends the
     * connection. The body of this request may still be arriving, and only the reactor could drop its bytes.
     */
    private @Nullable ConnectionClosed closingAsWorker(Http1Exchange refused, Key bound) {
        if (refused.isStreaming()) {
            return new ConnectionClosed(CloseCause.OVERLOADED, bound.id());
        }
        return closing(refused, true, bound);
    }

    /**
     * Whether a complete response in the pipe may be held, to be sent in one write with the next response. The response is held only if the
     * next request is parked, the worker was quick with this response, and the pipe holds at most one segment. If the next response takes
     * long, the reactor sends the held response ({@link ConnectionOutput#limitHolding}).
     */
    boolean leavesWithNext() {
        Http1Exchange ending = current;
        return slot.parked() > 0
                && ending != null
                && ending.wasQuick()
                && writer.pipe().holdsAtMost(server().pool().segmentSize());
    }

    /** Sends the held responses now ({@link #leavesWithNext}). */
    void sendHeld() {
        try {
            writer.workerFlush();
        } catch (IOException e) {
            connection.fail(e);
        }
    }

    /** Sends a canned response. Returns whether the connection stays open. Thread: a worker. */
    private boolean sendAsWorker(Http1CannedResponse canned) {
        try {
            put(canned);
            writer.workerFlush();
        } catch (IOException e) {
            connection.fail(e);
            return false;
        }
        ConnectionClosed closing = canned.closing();
        if (closing != null) {
            endAfterLast(closing);
        }
        return closing == null;
    }

    /**
     * Ends the output after the last response: nothing will be written behind it. If the client has the whole response, this thread sends
     * the end, too, and the reactor closes the connection when it wakes anyway. Thread: a worker.
     */
    private void endAfterLast(ConnectionClosed closing) {
        output().endsFor(closing); // must be set before the client can answer to the end
        if (!server().areConnectionsScarce() && writer.workerEnd()) {
            link().signalLater(Signals.FINISHED_CLOSING);
        } else {
            connection.closeAfterResponse(closing);
        }
    }

    private ServerResources server() {
        return connection.server();
    }

    private Link link() {
        return connection.link();
    }
}
