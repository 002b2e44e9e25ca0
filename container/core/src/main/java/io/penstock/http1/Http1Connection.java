package io.penstock.http1;

import io.penstock.events.CloseCause;
import io.penstock.exchange.AcceptedConnection;
import io.penstock.exchange.ConnectionSnapshot;
import io.penstock.exchange.ConnectionState;
import io.penstock.exchange.Conversation;
import io.penstock.exchange.DisconnectAction;
import io.penstock.exchange.LinkWriter;
import io.penstock.exchange.Peer;
import io.penstock.exchange.RequestObserver;
import io.penstock.exchange.RequestReport;
import io.penstock.exchange.RunningExchange;
import io.penstock.exchange.ServerResources;
import io.penstock.exchange.Shutdown;
import io.penstock.http.Fields;
import io.penstock.http.RequestHead;
import io.penstock.limits.Counter;
import io.penstock.limits.Key;
import io.penstock.pipe.ResponsePipe;
import io.penstock.reactor.ConnectionClosed;
import io.penstock.reactor.Link;
import io.penstock.reactor.TlsSession;
import io.penstock.time.Saturated;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * The server's side of one HTTP/1.1 connection. A {@link RequestReader} frames the requests, that is, it finds where each request begins
 * and ends. A {@link ResponseSequence} answers the requests in order. Each response is sent through a {@link LinkWriter}. If the socket
 * does not take all bytes of a response at once, a {@link ConnectionOutput} sends the remaining bytes. The {@link ConnectionOutput} also
 * ends the connection, after the client has got its last response.
 *
 * <p>Thread: the reactor, if a method does not name another thread. If the link fails, the link is closed. A worker then gets the failure
 * from the pipes.
 */
final class Http1Connection implements Conversation, RunningExchange.Stream {
    private static final End[] ENDS = End.values();
    private static final AtomicReferenceFieldUpdater<Http1Connection, @Nullable ConnectionOutput> OUTPUT =
            AtomicReferenceFieldUpdater.newUpdater(Http1Connection.class, ConnectionOutput.class, "output");
    private static final AtomicReferenceFieldUpdater<Http1Connection, @Nullable DisconnectAction> ON_DISCONNECT =
            AtomicReferenceFieldUpdater.newUpdater(Http1Connection.class, DisconnectAction.class, "onDisconnect");
    private static final AtomicReferenceFieldUpdater<Http1Connection, @Nullable Throwable> FAILURE =
            AtomicReferenceFieldUpdater.newUpdater(Http1Connection.class, Throwable.class, "failure");

    private final ReactorParts parts;
    private final Link link;
    private final long number;
    private final LinkWriter writer;
    private final RequestReader in;
    private final ResponseSequence responses;
    private final long opened;

    /** The steps that are run after the link has closed, in the order of the constants. */
    private enum End {
        SENDING,
        COUNTED,
        READING,
        WRITING,
        ANSWERS,
        UPGRADED,
        APPLICATION,
        EVENTS
    }

    // The object is made when it is needed for the first time, for example when the socket does not take all bytes of a
    // response. Any thread may set this field.
    private volatile @Nullable ConnectionOutput output;

    // Made by the first asynchronous request. Most connections have no asynchronous request. Any thread may set this
    // field.
    private volatile @Nullable DisconnectAction onDisconnect;

    // The first failure of the connection. Later failures are ignored. Any thread may set this field.
    private volatile @Nullable Throwable failure;

    // The upgraded connection; null before an upgrade.
    private volatile @Nullable Upgraded upgraded;

    Http1Connection(ReactorParts parts, Link link, AcceptedConnection accepted) {
        this.parts = parts;
        this.link = link;
        this.number = accepted.number();
        ServerResources server = parts.server();
        this.writer = new LinkWriter(
                new ResponsePipe(server.pipeMemory()),
                link,
                LinkWriter.Files.where(server.config().service().call()));
        this.in = new RequestReader(link, this);
        this.responses = new ResponseSequence(this, in);
        this.opened = accepted.nanos();
        // The server may have begun to stop during the TLS handshake.
        if (server.shutdown().isFinishing()) {
            awaitFirstRequest();
        }
    }

    // ---- events of the link

    @Override
    public void onReadable() throws IOException {
        in.onReadable();
    }

    @Override
    public void onWritable() throws IOException {
        output().flush();
    }

    @Override
    public void onSignals(int bits) throws IOException {
        if ((bits & Signals.FAILED) != 0) {
            link.close(failure());
            return;
        }
        if ((bits & Signals.RESET) != 0) {
            link.reset(output().closing());
            return;
        }
        if ((bits & Signals.STALLED) != 0) {
            output().flush();
        }
        if ((bits & Signals.OVERRUN) != 0) {
            answerOverrun();
            if (!link.isOpen()) {
                return;
            }
        }
        if ((bits & Signals.QUEUED) != 0) {
            responses.queued();
        }
        if ((bits & Signals.OUTDATED) != 0) {
            responses.answerOutdated();
        }
        Upgraded next = upgraded;
        if (next != null) {
            onSignals(bits, next);
        }
        if ((bits & Signals.FINISHED_CLOSING) != 0 && link.isOpen()) {
            in.dropUnread();
            output().closeWhenSent(output().closing());
        }
        if ((bits & Signals.ATTENTION) != 0 && link.isOpen() && !isClosing()) {
            continueInput();
        }
    }

    /** Runs each step even if earlier steps have failed, since the steps release the connection's resources. */
    @Override
    public void onClosed(ConnectionClosed close) {
        ConnectionOutput sending = output;
        ConnectionClosed cause = sending == null ? close : sending.causeOf(close);
        boolean failed = cause.reason() == CloseCause.CLIENT_RESET || cause.reason() == CloseCause.TRUNCATED;
        boolean unanswered = cause.reason() == CloseCause.CLIENT_LEFT || (failed && isUnanswered());
        Throwable first = null; // the link reports the first failure
        for (End part : ENDS) {
            try {
                end(part, cause, unanswered);
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

    private void end(End part, ConnectionClosed cause, boolean unanswered) {
        switch (part) {
            case SENDING -> {
                ConnectionOutput sending = output;
                if (sending != null) {
                    sending.onClosed();
                }
            }
            case COUNTED -> {
                if (unanswered) {
                    server().count(Counter.CLIENTS_GONE);
                }
            }
            case READING -> in.onClosed(cause);
            case WRITING -> writer.onClosed(cause);
            case ANSWERS -> responses.onClosed(cause.getMessage());
            case UPGRADED -> {
                Upgraded former = upgraded;
                if (former != null) {
                    // The steps READING and WRITING have closed the pipes. The close has woken the threads that waited
                    // for the pipes.
                    former.onClosed(cause);
                }
            }
            case APPLICATION -> {
                // A stopping server may have no worker for the action.
                if (!server().shutdown().isFinishing()) {
                    runDisconnectAction();
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

    /** If another thread makes and sets the action later, that thread finds that the pipe has failed, and runs the action itself. */
    private void runDisconnectAction() {
        DisconnectAction made = onDisconnect;
        if (made != null) {
            made.run();
        }
    }

    private boolean isUnanswered() {
        return (!isClosing() && !responses.isIdle() && upgraded == null)
                || !writer.isAllSent()
                || writer.pipe().hasFailed();
    }

    private void continueInput() throws IOException {
        in.resume();
        if (isQuiet() && in.isExhausted()) {
            output().closeWhenSent(new ConnectionClosed(CloseCause.CLIENT_CLOSED));
        } else if (isQuiet() && isDone()) {
            output().closeWhenSent(new ConnectionClosed(CloseCause.SERVER_STOPPING));
        }
    }

    private boolean isQuiet() {
        return link.isOpen() && !isClosing() && responses.isIdle();
    }

    /** Whether the server stops, and this connection is idle. */
    private boolean isDone() {
        return server().shutdown().isFinishing() && !in.isArriving() && !isNew();
    }

    /** Whether the server still waits for the first request of this connection. */
    private boolean isNew() {
        return in.requests() == 0 && firstRequestUntil() - link.reactor().now() > 0;
    }

    private long firstRequestUntil() {
        return opened + Saturated.nanos(Shutdown.FIRST_REQUEST);
    }

    private void awaitFirstRequest() {
        in.deadline().at(firstRequestUntil());
    }

    // ---- another protocol

    private void onSignals(int bits, Upgraded next) throws IOException {
        if ((bits & Signals.SWITCHED) != 0) {
            server().events().upgraded(id(), next.protocol());
            if (!in.beginUpgrade(next.incoming())) {
                close(new ConnectionClosed(
                        CloseCause.MEMORY_BUDGET, "no room for the bytes that came before the upgrade"));
            }
        }
        if ((bits & Signals.LEAVE) != 0 || server().shutdown().isFinishing()) {
            leave(next);
        }
        if ((bits & Signals.OUTPUT_ENDS) != 0 && link.isOpen()) {
            output().endOutput();
        }
    }

    /** Asks the upgraded connection to end, because the server or the application is stopping. */
    private void leave(Upgraded next) {
        if (server().shutdown().isFinishing()) {
            output().endsFor(new ConnectionClosed(CloseCause.SERVER_STOPPING));
        }
        next.beginLeaving();
        if (link.isOpen() && in.endUpgradedInput()) {
            next.leave();
        }
    }

    /** Called when the current exchange continues in another protocol. No other exchange of the connection follows. Thread: a worker. */
    void upgraded(Upgraded next) {
        upgraded = next;
        link.signal(Signals.SWITCHED); // the reactor then stops framing bytes as HTTP
        if (writer.pipe().hasFailed()) {
            // The reactor may have closed the connection before the field {@code upgraded} was set.
            next.onClosed(failure());
        }
    }

    /** Called when the last response is in the pipe. The connection ends when this response has been sent. Later causes are ignored. Any thread. */
    void closeAfterResponse(ConnectionClosed cause) {
        output().endsFor(cause);
        link.signal(Signals.FINISHED_CLOSING); // the reactor then closes the connection after the last response
    }

    /** Resets the connection, since nothing else can show the client that a response is incomplete. Later causes are ignored. Any thread. */
    void reset(ConnectionClosed cause) {
        output().endsFor(cause);
        // Without a reset, the client could take a part of the response for the whole response.
        link.signal(Signals.RESET);
    }

    @Override
    public void fail(Throwable cause) {
        FAILURE.compareAndSet(this, null, cause);
        link.signal(Signals.FAILED); // the reactor then closes the connection at once
    }

    /** The failure of the connection: a failed write, or the cause that was passed to {@link #fail}. */
    private ConnectionClosed failure() {
        IOException lost = writer.pipe().failure();
        Throwable first = lost == null ? failure : lost;
        return first == null ? output().closing() : ConnectionClosed.of(first);
    }

    // ---- for the reading half

    /** Sends a 100 (Continue). Returns false if earlier responses must be sent first. */
    boolean sendContinue() throws IOException {
        if (!responses.isIdle()) {
            return false;
        }
        heads().informational(writer.pipe(), 100, Fields.EMPTY);
        output().flush();
        return true;
    }

    /** Called when the client has sent its last byte. */
    void inputEnded(boolean nothingUnanswered) throws IOException {
        ConnectionClosed ended = new ConnectionClosed(CloseCause.CLIENT_CLOSED);
        if (upgraded != null) {
            output().endsFor(ended); // the application is notified, and ends the connection
        }
        if (isClosing()) {
            output().flush(); // waiting bytes are still sent, then the connection ends
        } else if (isOutputEnded()) {
            output().closeWhenSent(ended); // both directions have ended
        } else if (nothingUnanswered && responses.isIdle()) {
            // If there is a current response, the thread that ends this response signals the reactor.
            output().closeWhenSent(ended);
        }
    }

    private boolean isOutputEnded() {
        ConnectionOutput sending = output;
        return sending != null && sending.isOutputEnded();
    }

    @Override
    public void timedOut(Key timeout) {
        server().reached(timeout);
        server().events().timedOut(id(), timeout.id());
    }

    @Override
    public void close(ConnectionClosed cause) {
        link.close(cause);
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
    void wantAttention() {
        link.signal(Signals.ATTENTION); // the reactor then continues framing, or ends the connection
    }

    @Override
    public boolean hasInputEnded() {
        return in.hasEnded();
    }

    // ---- disconnected clients and overdue answers

    @Override
    public DisconnectAction onDisconnect() {
        DisconnectAction made = onDisconnect;
        if (made == null) {
            made = new DisconnectAction(writer.pipe());
            if (!ON_DISCONNECT.compareAndSet(this, null, made)) {
                made = Objects.requireNonNull(onDisconnect);
            }
        }
        return made;
    }

    /** Drops the exchange's action for a disconnect, because the exchange is over. Thread: the worker of the exchange. */
    void dropDisconnectAction() {
        DisconnectAction made = onDisconnect;
        if (made != null) {
            made.exchangeOver();
        }
    }

    /** Called when the application's call for the current exchange has been interrupted and still runs. Any thread. */
    void overrun() {
        server().count(Counter.SERVICE_CALLS_GIVEN_UP);
        link.signal(Signals.OVERRUN); // the reactor then answers in place of the application
    }

    /** Answers 503 in place of the application. If a part of the application's response has been sent, aborts that response instead. */
    private void answerOverrun() throws IOException {
        Http1Exchange late = responses.current();
        if (late == null || !late.isOverrun() || isClosing()) {
            // The exchange has ended since the signal was sent.
            return;
        }
        ConnectionClosed cause = new ConnectionClosed(CloseCause.SERVICE_TIMEOUT);
        if (late.answerUnavailable(Key.SERVICE_TIMEOUT)) {
            in.dropUnread();
            output().closeWhenSent(cause);
        } else if (late.abortResponse(cause)) { // false if the response is complete
            if (late.needsReset()) {
                link.reset(cause);
            } else if (late.isBehindAnother()) {
                in.dropUnread();
                // The client still gets the remaining bytes of the earlier response.
                output().closeWhenSent(cause);
            } else {
                link.close(cause);
            }
        }
    }

    // ---- the end of the server

    @Override
    public void finish() throws IOException {
        in.readOnce(); // requests that the client has already sent are served
        Upgraded next = upgraded;
        if (next != null) {
            leave(next);
        }
        if (link.isOpen() && !isClosing()) {
            if (isNew() && !in.isArriving()) {
                awaitFirstRequest();
            }
            continueInput();
        }
    }

    @Override
    public void cut() throws IOException {
        Http1Exchange current = responses.current();
        if (isClosing()) {
            return;
        }
        // The cause is set now, because the workers are interrupted next, and would set another cause.
        output().endsFor(new ConnectionClosed(CloseCause.SHUTDOWN_TIMEOUT));
        if (upgraded != null) {
            close(new ConnectionClosed(CloseCause.SHUTDOWN_TIMEOUT));
        } else if (current != null && current.answerUnavailable(Key.SHUTDOWN_TIMEOUT)) {
            output().closeWhenSent(new ConnectionClosed(CloseCause.SHUTDOWN_TIMEOUT));
        } else if (responses.isIdle()) {
            in.refuseArriving();
        }
    }

    @Override
    public void end() {
        Http1Exchange current = responses.current();
        ConnectionClosed cause = new ConnectionClosed(CloseCause.SHUTDOWN_TIMEOUT);
        if (!writer.isAllSent() || (current != null && current.abortResponse(cause) && current.needsReset())) {
            link.reset(cause);
        } else {
            link.close(cause);
        }
    }

    // ---- snapshots

    @Override
    public ConnectionSnapshot snapshot() {
        return Http1Snapshot.of(this, in, isClosing(), responses.current());
    }

    @Override
    public ConnectionState state() {
        return Http1Snapshot.state(in, writer.pipe(), isClosing(), responses.current());
    }

    @Override
    public long requestBytes() {
        return Http1Snapshot.requestBytes(in, responses.current());
    }

    @Override
    public long responseBytes() {
        return writer.pipe().size() + writer.pipe().inFiles();
    }

    @Override
    public long ageNanos() {
        return link.reactor().now() - opened;
    }

    @Override
    public String id() {
        return AcceptedConnection.connectionId(number);
    }

    @Override
    public Peer peer() {
        return Peer.of(id(), link);
    }

    @Override
    public @Nullable TlsSession tls() {
        return link.tls();
    }

    @Override
    public Link link() {
        return link;
    }

    @Override
    public ServerResources server() {
        return parts.server();
    }

    /** The sending of what the socket did not take at once, and the end of the connection. The first call makes the object. Any thread. */
    ConnectionOutput output() {
        ConnectionOutput made = output;
        if (made == null) {
            made = new ConnectionOutput(this, in, writer);
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

    @Override
    public LinkWriter writer() {
        return writer;
    }

    HeadWriter heads() {
        return parts.heads();
    }

    /** The objects that the connections of this reactor share. */
    ReactorParts parts() {
        return parts;
    }

    /** The responses of this connection, in the order of their requests. */
    ResponseSequence responses() {
        return responses;
    }
}
