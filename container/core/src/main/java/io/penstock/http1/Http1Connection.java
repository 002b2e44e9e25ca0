package io.penstock.http1;

import io.penstock.events.CloseCause;
import io.penstock.exchange.AcceptedConnection;
import io.penstock.exchange.Causes;
import io.penstock.exchange.ConnectionSnapshot;
import io.penstock.exchange.ConnectionState;
import io.penstock.exchange.Conversation;
import io.penstock.exchange.Deadline;
import io.penstock.exchange.DisconnectAction;
import io.penstock.exchange.LinkWriter;
import io.penstock.exchange.Peer;
import io.penstock.exchange.RawConnection;
import io.penstock.exchange.RequestObserver;
import io.penstock.exchange.RequestReport;
import io.penstock.exchange.RunningExchange;
import io.penstock.exchange.ServerResources;
import io.penstock.exchange.Shutdown;
import io.penstock.http.Fields;
import io.penstock.http.RequestHead;
import io.penstock.limits.Counter;
import io.penstock.limits.Key;
import io.penstock.reactor.ConnectionClosed;
import io.penstock.reactor.Link;
import io.penstock.reactor.TlsSession;
import io.penstock.time.Saturated;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * The server's side of one HTTP/1.1 connection. It has two halves. A {@link RequestReader} frames the requests, that is, it finds where
 * each request begins and ends. A {@link ResponseSequence} answers the requests in order. Both are made when bytes arrive, and dropped when
 * no request has come for {@link #IDLE_CHECK_NANOS}: most connections are idle, and then need no more than this object, which is itself the
 * deadline for the client's bytes.
 *
 * <p>Thread: the reactor, if a method does not name another thread. Only the reactor drops the halves, while they have nothing to do. If the
 * link fails, the link is closed. A worker then gets the failure from the pipes.
 */
final class Http1Connection extends Deadline implements Conversation, RunningExchange.Stream, RawConnection.Carrier {
    /** So long after a request the reactor looks whether the connection is idle. A connection in use is then looked at less often. */
    private static final long IDLE_CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private static final End[] ENDS = End.values();
    private static final AtomicReferenceFieldUpdater<Http1Connection, @Nullable ResponseSequence> RESPONSES =
            AtomicReferenceFieldUpdater.newUpdater(Http1Connection.class, ResponseSequence.class, "responses");
    private static final AtomicReferenceFieldUpdater<Http1Connection, @Nullable Throwable> FAILURE =
            AtomicReferenceFieldUpdater.newUpdater(Http1Connection.class, Throwable.class, "failure");

    private final HeadStage.Shared shared;
    private final long number;
    private final long opened;
    private long requests;

    /** The steps that are run after the link has closed, in the order of the constants. */
    private enum End {
        DEADLINE,
        SENDING,
        COUNTED,
        READING,
        WRITING,
        ANSWERS,
        UPGRADED,
        APPLICATION,
        EVENTS
    }

    // Both halves; null while the connection is idle. Any thread may set this field if it is null.
    private volatile @Nullable ResponseSequence responses;

    // When the last response ended. The reactor reads this field when the keep-alive time may be over. So the end of a
    // response need not wake the reactor.
    private volatile long idleSince;

    // The first failure of the connection. Later failures are ignored. Any thread may set this field.
    private volatile @Nullable Throwable failure;

    Http1Connection(HeadStage.Shared shared, Link link, AcceptedConnection accepted) {
        super(link);
        this.shared = shared;
        this.number = accepted.number();
        this.opened = accepted.nanos();
        this.idleSince = link.reactor().now();
        // The server may have begun to stop during the TLS handshake.
        if (shared.server.shutdown().isFinishing()) {
            awaitFirstRequest();
        } else {
            awaitRequest();
        }
    }

    // ---- the halves, and the time without requests

    /** The writing half: the responses of this connection, in the order of their requests. Any thread. */
    ResponseSequence responses() {
        ResponseSequence made = responses;
        while (made == null) {
            RESPONSES.compareAndSet(this, null, new ResponseSequence(this, new RequestReader(this)));
            made = responses;
        }
        return made;
    }

    private RequestReader in() {
        return responses().in();
    }

    /** The deadline for the client's bytes. This object is itself the deadline, which saves one object for each connection. */
    Deadline deadline() {
        return this;
    }

    /** Counts a complete head, and waits for the next one. Returns the number of its request on the connection, from 1. */
    long countRequest() {
        requests++;
        awaitRequest();
        return requests;
    }

    /** The number of requests so far. */
    long requests() {
        return requests;
    }

    /** Sets when the connection has become idle. Any thread. */
    void idleSince(long nanos) {
        idleSince = nanos;
    }

    /** Begins to wait for the next request, as if the connection were idle from now on. */
    void awaitRequest() {
        deadline().in(Math.min(IDLE_CHECK_NANOS, mayBeIdle()));
    }

    private long mayBeIdle() {
        return requests == 0 ? shared.headNanos : shared.keepAliveNanos;
    }

    @Override
    protected void passed() throws IOException {
        ResponseSequence now = responses;
        if (now == null) {
            checkIdle();
        } else {
            now.in().timedOut();
        }
    }

    /**
     * Closes the connection if it has been idle for too long, or drops its halves if it is idle. The end of a response usually does not
     * signal the reactor. So the reactor checks the connection when the deadline passes.
     */
    void checkIdle() {
        if (requests == 0 && server().shutdown().isFinishing()) {
            close(new ConnectionClosed(CloseCause.SERVER_STOPPING));
            return;
        }
        ResponseSequence now = responses;
        boolean idle = now == null || now.isAllAnswered();
        long left = idle ? idleSince + mayBeIdle() - link().reactor().now() : mayBeIdle();
        if (left <= 0) {
            Key timeout = requests == 0 ? Key.HEAD_TIMEOUT : Key.KEEP_ALIVE_TIMEOUT;
            timedOut(timeout);
            close(new ConnectionClosed(Causes.of(timeout)));
        } else if (now == null || now.endIfUnused()) {
            RESPONSES.compareAndSet(this, now, null);
            deadline().in(left);
        } else {
            deadline().in(Math.min(4 * IDLE_CHECK_NANOS, left));
        }
    }

    // ---- events of the link

    @Override
    public void onReadable() throws IOException {
        in().onReadable();
    }

    @Override
    public void onWritable() throws IOException {
        output().onWritable();
    }

    @Override
    public void onSignals(int bits) throws IOException {
        if ((bits & Signals.FAILED) != 0) {
            ConnectionClosed failure = failure();
            resetIfFileFailed(failure);
            close(failure);
            return;
        }
        if ((bits & Signals.RESET) != 0) {
            link().reset(output().closing());
            return;
        }
        if ((bits & Signals.STALLED) != 0) {
            output().flush();
        }
        if ((bits & Signals.OVERRUN) != 0) {
            answerOverrun();
            if (!link().isOpen()) {
                return;
            }
        }
        if ((bits & Signals.QUEUED) != 0) {
            responses().queued();
        }
        if ((bits & Signals.OUTDATED) != 0) {
            responses().answerOutdated();
        }
        RawConnection next = responses().upgraded();
        if (next != null) {
            onSignals(bits, next);
        }
        if ((bits & Signals.FINISHED_CLOSING) != 0 && link().isOpen()) {
            in().dropUnread();
            output().closeWhenSent(output().closing());
        }
        if ((bits & Signals.ATTENTION) != 0 && link().isOpen() && !isClosing()) {
            continueInput();
        }
    }

    /** Runs each step even if earlier steps have failed, since the steps release the connection's resources. */
    @Override
    public void onClosed(ConnectionClosed close) {
        ResponseSequence answers = responses;
        ConnectionClosed cause = answers == null ? close : answers.causeOf(close);
        boolean failed = cause.reason() == CloseCause.CLIENT_RESET || cause.reason() == CloseCause.TRUNCATED;
        boolean unanswered =
                cause.reason() == CloseCause.CLIENT_LEFT || (failed && answers != null && isUnanswered(answers));
        Throwable first = null; // the link reports the first failure
        for (End part : ENDS) {
            try {
                end(part, answers, cause, unanswered);
            } catch (RuntimeException | Error e) {
                if (first == null) {
                    first = e;
                } else {
                    server().rounds().handle("The end of a connection failed again", e);
                }
            }
        }
        if (first instanceof Error error) {
            throw error;
        } else if (first instanceof RuntimeException exception) {
            throw exception;
        }
    }

    private void end(End part, @Nullable ResponseSequence answers, ConnectionClosed cause, boolean unanswered) {
        switch (part) {
            case DEADLINE -> deadline().remove();
            case SENDING -> {
                if (answers != null) {
                    answers.endOutput();
                }
            }
            case COUNTED -> {
                if (unanswered) {
                    server().count(Counter.CLIENTS_GONE);
                }
            }
            case READING -> {
                if (answers != null) {
                    answers.in().onClosed(cause);
                }
            }
            case WRITING -> {
                if (answers != null) {
                    answers.writer().onClosed(cause);
                }
            }
            case ANSWERS -> {
                if (answers != null) {
                    answers.onClosed(cause.getMessage());
                }
            }
            case UPGRADED -> {
                RawConnection former = answers == null ? null : answers.upgraded();
                if (former != null) {
                    // The steps READING and WRITING have closed the pipes. The close has woken the threads that waited
                    // for the pipes.
                    former.onClosed(cause);
                }
            }
            case APPLICATION -> {
                // A stopping server closes its queue before it ends its connections: no worker is left for the action.
                if (answers != null && !server().queue().isClosed()) {
                    answers.runDisconnectAction();
                }
            }
            case EVENTS -> {
                if (cause.isFileFailure()) {
                    server().events().failed(id(), cause);
                }
                server().events().closed(id(), cause.reason(), cause.detail());
            }
        }
    }

    private boolean isUnanswered(ResponseSequence answers) {
        return (!answers.isClosing() && !answers.isIdle() && answers.upgraded() == null)
                || !answers.writer().isAllSent()
                || answers.writer().pipe().hasFailed();
    }

    private void continueInput() throws IOException {
        in().resume();
        if (isQuiet() && in().isExhausted()) {
            output().closeWhenSent(new ConnectionClosed(CloseCause.CLIENT_CLOSED));
        } else if (isQuiet() && isDone()) {
            output().closeWhenSent(new ConnectionClosed(CloseCause.SERVER_STOPPING));
        }
    }

    private boolean isQuiet() {
        return link().isOpen() && !isClosing() && responses().isIdle();
    }

    /** Whether the server stops, and this connection is idle. */
    private boolean isDone() {
        return server().shutdown().isFinishing() && !in().isArriving() && !isNew();
    }

    /** Whether the server still waits for the first request of this connection. */
    private boolean isNew() {
        return requests == 0 && firstRequestUntil() - link().reactor().now() > 0;
    }

    private long firstRequestUntil() {
        return opened + Saturated.nanos(Shutdown.FIRST_REQUEST);
    }

    private void awaitFirstRequest() {
        deadline().at(firstRequestUntil());
    }

    // ---- another protocol

    private void onSignals(int bits, RawConnection next) throws IOException {
        if ((bits & Signals.SWITCHED) != 0) {
            server().events().upgraded(id(), next.protocol());
            if (!in().beginUpgrade(next.incoming())) {
                close(new ConnectionClosed(
                        CloseCause.MEMORY_BUDGET, "no room for the bytes that came before the upgrade"));
            }
        }
        if ((bits & Signals.LEAVE) != 0 || server().shutdown().isFinishing()) {
            leave(next);
        }
        if ((bits & Signals.OUTPUT_ENDS) != 0 && link().isOpen()) {
            output().endOutput();
        }
    }

    /** Asks the upgraded connection to end, because the server or the application is stopping. */
    private void leave(RawConnection next) {
        if (server().shutdown().isFinishing()) {
            output().endsFor(new ConnectionClosed(CloseCause.SERVER_STOPPING));
        }
        next.beginLeaving();
        if (link().isOpen() && in().endUpgradedInput()) {
            next.leave();
        }
    }

    /** Called when the current exchange continues in another protocol. No other exchange of the connection follows. Thread: a worker. */
    @Override
    public void upgraded(RawConnection next) {
        responses().upgraded(next);
        link().signal(Signals.SWITCHED); // the reactor then stops framing bytes as HTTP
        if (writer().pipe().hasFailed()) {
            // The reactor may have closed the connection before it could find the upgraded connection.
            next.onClosed(failure());
        }
    }

    /** Called when the last response is in the pipe. The connection ends when this response has been sent. Later causes are ignored. Any thread. */
    @Override
    public void closeAfterResponse(ConnectionClosed cause) {
        output().endsFor(cause);
        link().signal(Signals.FINISHED_CLOSING); // the reactor then closes the connection after the last response
    }

    /** Resets the connection, since nothing else can show the client that a response is incomplete. Later causes are ignored. Any thread. */
    @Override
    public void reset(ConnectionClosed cause) {
        output().endsFor(cause);
        // Without a reset, the client could take a part of the response for the whole response.
        link().signal(Signals.RESET);
    }

    @Override
    public void outputEnds() {
        link().signal(Signals.OUTPUT_ENDS); // the reactor then ends the output after the waiting bytes
    }

    @Override
    public void requestLeave() {
        link().signal(Signals.LEAVE); // the reactor then ends the input
    }

    @Override
    public void fail(Throwable cause) {
        FAILURE.compareAndSet(this, null, cause);
        link().signal(Signals.FAILED); // the reactor then closes the connection at once
    }

    /**
     * Resets the connection if a file could not be read while it was sent. The client is still there, and could take the bytes before the
     * failure for a whole body that ends with the connection.
     */
    void resetIfFileFailed(ConnectionClosed failure) {
        if (failure.isFileFailure()) {
            link().reset(failure);
        }
    }

    /** The failure of the connection: a failed write, or the cause that was passed to {@link #fail}. */
    private ConnectionClosed failure() {
        IOException lost = writer().pipe().failure();
        Throwable first = lost == null ? failure : lost;
        return first == null ? output().closing() : ConnectionClosed.of(first);
    }

    // ---- for the reading half

    /** Sends a 100 (Continue). Returns false if earlier responses must be sent first. */
    boolean sendContinue() throws IOException {
        if (!responses().isIdle()) {
            return false;
        }
        heads().informational(writer().pipe(), 100, Fields.EMPTY);
        output().flush();
        return true;
    }

    /** Called when the client has sent its last byte. */
    void inputEnded(boolean nothingUnanswered) throws IOException {
        ConnectionClosed ended = new ConnectionClosed(CloseCause.CLIENT_CLOSED);
        if (responses().upgraded() != null) {
            output().endsFor(ended); // the application is notified, and ends the connection
        }
        if (isClosing()) {
            output().flush(); // waiting bytes are still sent, then the connection ends
        } else if (responses().isOutputEnded()) {
            output().closeWhenSent(ended); // both directions have ended
        } else if (nothingUnanswered && responses().isIdle()) {
            // If there is a current response, the thread that ends this response signals the reactor.
            output().closeWhenSent(ended);
        }
    }

    @Override
    public void timedOut(Key timeout) {
        server().reached(timeout);
        server().events().timedOut(id(), timeout.id());
    }

    @Override
    public void close(ConnectionClosed cause) {
        link().close(cause);
    }

    /**
     * Makes the observer of a request, if a listener or the response needs one.
     *
     * @param requestNumber the number of the request on its connection, from 1
     * @param head the head of the request; null if the request line could not be parsed
     * @param forwarded the client that a trusted proxy has named; null if the peer of the connection is the client
     * @param began when the first byte of the request was read, by the reactor's clock
     */
    RequestObserver observe(long requestNumber, @Nullable RequestHead head, @Nullable Peer forwarded, long began) {
        return server().followsNow()
                ? RequestReport.begin(this, requestNumber, head, forwarded, began)
                : RequestObserver.NONE;
    }

    // ---- worker

    /** Signals the reactor that reading may continue, or that the connection may have to close. Any thread. */
    @Override
    public void wantAttention() {
        link().signal(Signals.ATTENTION); // the reactor then continues framing, or ends the connection
    }

    @Override
    public boolean hasInputEnded() {
        return in().hasEnded();
    }

    // ---- disconnected clients and overdue answers

    @Override
    public DisconnectAction onDisconnect() {
        return responses().onDisconnect();
    }

    /** Called when the application's call for the current exchange has been interrupted and still runs. Any thread. */
    void overrun() {
        server().count(Counter.SERVICE_CALLS_GIVEN_UP);
        link().signal(Signals.OVERRUN); // the reactor then answers in place of the application
    }

    /** Answers 503 in place of the application. If a part of the application's response has been sent, aborts that response instead. */
    private void answerOverrun() throws IOException {
        Http1Exchange late = responses().current();
        if (late == null || !late.isOverrun() || isClosing()) {
            // The exchange has ended since the signal was sent.
            return;
        }
        ConnectionClosed cause = new ConnectionClosed(CloseCause.SERVICE_TIMEOUT);
        if (late.answerUnavailable(Key.SERVICE_TIMEOUT)) {
            in().dropUnread();
            output().closeWhenSent(cause);
        } else if (late.abortResponse(cause)) { // false if the response is complete
            if (late.needsReset()) {
                link().reset(cause);
            } else if (late.isBehindAnother()) {
                in().dropUnread();
                // The client still gets the remaining bytes of the earlier response.
                output().closeWhenSent(cause);
            } else {
                close(cause);
            }
        }
    }

    // ---- the end of the server

    @Override
    public void finish() throws IOException {
        in().readOnce(); // requests that the client has already sent are served
        RawConnection next = responses().upgraded();
        if (next != null) {
            leave(next);
        }
        if (link().isOpen() && !isClosing()) {
            if (isNew() && !in().isArriving()) {
                awaitFirstRequest();
            }
            continueInput();
        }
    }

    @Override
    public void cut() throws IOException {
        Http1Exchange current = responses().current();
        if (isClosing()) {
            return;
        }
        // The cause is set now, because the workers are interrupted next, and would set another cause.
        output().endsFor(new ConnectionClosed(CloseCause.SHUTDOWN_TIMEOUT));
        if (responses().upgraded() != null) {
            close(new ConnectionClosed(CloseCause.SHUTDOWN_TIMEOUT));
        } else if (current != null && current.answerUnavailable(Key.SHUTDOWN_TIMEOUT)) {
            output().closeWhenSent(new ConnectionClosed(CloseCause.SHUTDOWN_TIMEOUT));
        } else if (responses().isIdle()) {
            in().refuseArriving();
        }
    }

    @Override
    public void end() {
        Http1Exchange current = responses().current();
        ConnectionClosed cause = new ConnectionClosed(CloseCause.SHUTDOWN_TIMEOUT);
        if (!writer().isAllSent() || (current != null && current.abortResponse(cause) && current.needsReset())) {
            link().reset(cause);
        } else {
            close(cause);
        }
    }

    // ---- snapshots

    @Override
    public ConnectionSnapshot snapshot() {
        return Http1Snapshot.of(this, responses);
    }

    @Override
    public ConnectionState state() {
        return Http1Snapshot.state(responses);
    }

    @Override
    public long requestBytes() {
        return Http1Snapshot.requestBytes(responses);
    }

    @Override
    public long responseBytes() {
        return Http1Snapshot.responseBytes(responses);
    }

    @Override
    public long ageNanos() {
        return link().reactor().now() - opened;
    }

    @Override
    public String id() {
        return AcceptedConnection.connectionId(number);
    }

    @Override
    public Peer peer() {
        return Peer.of(id(), link());
    }

    @Override
    public @Nullable TlsSession tls() {
        return link().tls();
    }

    @Override
    public ServerResources server() {
        return shared.server;
    }

    /** The sending of what the socket did not take at once, and the end of the connection. Any thread. */
    ConnectionOutput output() {
        return responses().output();
    }

    /** Whether no more requests will be answered. */
    private boolean isClosing() {
        return responses().isClosing();
    }

    @Override
    public LinkWriter writer() {
        return responses().writer();
    }

    HeadWriter heads() {
        return shared.heads;
    }

    /** The objects that the connections of this reactor share. */
    HeadStage.Shared shared() {
        return shared;
    }
}
