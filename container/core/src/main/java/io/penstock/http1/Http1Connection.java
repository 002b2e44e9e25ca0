package io.penstock.http1;

import io.penstock.events.CloseCause;
import io.penstock.exchange.Arrival;
import io.penstock.exchange.ConnectionSnapshot;
import io.penstock.exchange.ConnectionState;
import io.penstock.exchange.Conversation;
import io.penstock.exchange.DisconnectAction;
import io.penstock.exchange.DispatchRule.Arrived;
import io.penstock.exchange.LinkWriter;
import io.penstock.exchange.Peer;
import io.penstock.exchange.RequestObserver;
import io.penstock.exchange.RequestReport;
import io.penstock.exchange.ServerResources;
import io.penstock.http.Fields;
import io.penstock.http.RequestHead;
import io.penstock.limits.Counter;
import io.penstock.limits.Key;
import io.penstock.pipe.ResponsePipe;
import io.penstock.pipe.SegmentPool;
import io.penstock.reactor.ConnectionClosed;
import io.penstock.reactor.Link;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP/1.1 client's conversation. A {@link RequestReader} frames requests. They are answered in order ({@link ResponseSequence}). Bytes that
 * the {@link LinkWriter} could not send at once are sent as the client reads, and the connection ends so that the client gets its last response
 * ({@link ConnectionOutput}).
 *
 * <p>Thread: the reactor, but for what {@link Http1Exchange.Connection} offers. A failure of the link closes it; the worker
 * learns of it by the pipes.
 */
final class Http1Connection implements Conversation, RequestReader.Connection {
    private static final End[] ENDS = End.values();
    private static final AtomicReferenceFieldUpdater<Http1Connection, @Nullable Throwable> FAILURE =
            AtomicReferenceFieldUpdater.newUpdater(Http1Connection.class, Throwable.class, "failure");

    private final ServerResources server;
    private final DateField date;
    private final Link link;
    private final String id;
    private final LinkWriter writer;
    private final RequestReader in;
    private final ConnectionOutput output;
    private final ResponseSequence responses;
    private final DisconnectAction onDisconnect;

    private final long opened;

    /** What has to be done when the link has closed, in this order. */
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

    // What has broken the connection; the first stays. Any thread.
    private volatile @Nullable Throwable failure;

    // What the connection has become.
    private volatile @Nullable Upgraded upgraded;

    // What runs on after its interrupt, and is answered without it; at most one exchange at a time has the turn.
    private volatile @Nullable Http1Exchange overrun;

    Http1Connection(ServerResources server, DateField date, Link link, Arrival arrival) {
        this.server = server;
        this.date = date;
        this.link = link;
        this.id = arrival.connectionId();
        this.writer = new LinkWriter(
                new ResponsePipe(server.pool(), server.config().pipes().capacity()),
                link,
                LinkWriter.Files.where(server.config().service().call()),
                Signals.STALLED,
                Signals.FAILED);
        this.in = new RequestReader(link, arrival.unfinished(), this);
        this.output = new ConnectionOutput(this, in, writer);
        this.responses = new ResponseSequence(this, in, writer, output);
        this.onDisconnect = new DisconnectAction(writer.pipe());
        this.opened = arrival.nanos();
    }

    // ---- what happens on the link

    @Override
    public void onReadable() throws IOException {
        in.onReadable();
    }

    @Override
    public void onWritable() throws IOException {
        output.drain();
    }

    @Override
    public void onSignals(int bits) throws IOException {
        if ((bits & Signals.FAILED) != 0) {
            link.close(failure());
            return;
        }
        if ((bits & Signals.RESET) != 0) {
            link.reset(output.closing());
            return;
        }
        if ((bits & Signals.STALLED) != 0) {
            output.drain();
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
            output.closeAfterDrain(output.closing());
        }
        if ((bits & Signals.ATTENTION) != 0 && link.isOpen() && !output.isClosing()) {
            attend();
        }
    }

    /** Each part has its turn, whatever becomes of those before: they give back what the connection holds. */
    @Override
    public void onClosed(ConnectionClosed close) {
        ConnectionClosed cause = output.causeOf(close);
        boolean unanswered = cause.reason() == CloseCause.CLIENT_RESET && isUnanswered();
        Throwable first = null; // the link reports it
        for (End part : ENDS) {
            try {
                end(part, cause, unanswered);
            } catch (RuntimeException | Error e) {
                if (first == null) {
                    first = e;
                } else {
                    server.rounds().survived("The end of a connection failed again", e);
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
            case SENDING -> output.onClosed();
            case COUNTED -> {
                if (unanswered) {
                    server.count(Counter.CLIENTS_GONE);
                }
            }
            case READING -> in.onClosed(cause);
            case WRITING -> writer.onClosed(cause);
            case ANSWERS -> responses.onClosed(cause.getMessage());
            case UPGRADED -> {
                Upgraded former = upgraded;
                if (former != null) {
                    former.onClosed(cause); // after the pipes: threads that wait at them hear of it first
                }
            }
            case APPLICATION -> {
                if (!server.shutdown().isFinishing()) { // then there may be no worker any more to run it
                    onDisconnect.run();
                }
            }
            case EVENTS -> server.events().closed(id, cause.reason(), cause.detail());
        }
    }

    private boolean isUnanswered() {
        return (!output.isClosing() && !responses.isIdle() && upgraded == null)
                || !writer.isAllSent()
                || writer.pipe().hasFailed();
    }

    private void attend() throws IOException {
        in.resume();
        if (isQuiet() && in.isExhausted()) {
            output.closeAfterDrain(new ConnectionClosed(CloseCause.CLIENT_CLOSED));
        } else if (isQuiet() && isDone()) {
            output.closeAfterDrain(new ConnectionClosed(CloseCause.SERVER_STOPPING));
        }
    }

    private boolean isQuiet() {
        return link.isOpen() && !output.isClosing() && responses.isIdle();
    }

    /** Whether the server ends, and this client has nothing more to get from it. */
    private boolean isDone() {
        return server.shutdown().isFinishing() && !in.isArriving();
    }

    // ---- another protocol

    private void onSignals(int bits, Upgraded next) throws IOException {
        if ((bits & Signals.SWITCHED) != 0) {
            server.events().upgraded(id, next.protocol());
            if (!in.beginUpgrade(next.incoming())) {
                close(new ConnectionClosed(
                        CloseCause.MEMORY_BUDGET, "there was no room for what came before the upgrade"));
            }
        }
        if ((bits & Signals.LEAVE) != 0 || server.shutdown().isFinishing()) {
            leave(next);
        }
        if ((bits & Signals.OUTPUT_ENDS) != 0 && link.isOpen()) {
            output.endOutput();
        }
    }

    /** The server, or the application, ends. */
    private void leave(Upgraded next) {
        if (server.shutdown().isFinishing()) {
            output.endsFor(new ConnectionClosed(CloseCause.SERVER_STOPPING));
        }
        next.beginLeaving();
        if (link.isOpen() && in.endUpgradedInput()) {
            next.leave();
        }
    }

    @Override
    public void upgraded(Upgraded next) {
        upgraded = next;
        link.signal(Signals.SWITCHED); // the reactor: bytes go past framing from here on
        if (writer.pipe().hasFailed()) {
            next.onClosed(failure()); // the reactor may not have seen it
        }
    }

    @Override
    public void closeAfterResponse(ConnectionClosed cause) {
        output.endsFor(cause);
        link.signal(Signals.FINISHED_CLOSING); // the reactor: the last response is in the pipe
    }

    @Override
    public void reset(ConnectionClosed cause) {
        output.endsFor(cause);
        link.signal(Signals.RESET); // the reactor: the client must not take what it has for the whole
    }

    @Override
    public void fail(Throwable cause) {
        FAILURE.compareAndSet(this, null, cause);
        link.signal(Signals.FAILED); // the reactor: nothing more can be said
    }

    /** What has broken the connection: a write, or a part that failed. */
    private ConnectionClosed failure() {
        IOException lost = writer.pipe().failure();
        Throwable first = lost == null ? failure : lost;
        return first == null ? output.closing() : ConnectionClosed.of(first);
    }

    @Override
    public void signal(int signal) {
        link.signal(signal);
    }

    // ---- the reading half's side

    @Override
    public boolean isAhead() {
        return responses.isAhead();
    }

    @Override
    public void begin(Http1Exchange exchange, Arrived arrived) throws IOException {
        responses.begin(exchange, arrived);
    }

    @Override
    public void refuse(CannedResponse answer, String reason) throws IOException {
        responses.refuse(answer, reason);
    }

    @Override
    public boolean sendContinue() throws IOException {
        if (!responses.isIdle()) {
            return false;
        }
        newHeadWriter().informational(100, Fields.EMPTY);
        output.drain();
        return true;
    }

    @Override
    public void inputEnded(boolean nothingUnanswered) throws IOException {
        ConnectionClosed ended = new ConnectionClosed(CloseCause.CLIENT_CLOSED);
        if (upgraded != null) {
            output.endsFor(ended); // its application is told, and ends it
        }
        if (output.isClosing()) {
            output.drain(); // what waits still leaves, then the connection ends
        } else if (output.isOutputEnded()) {
            output.closeAfterDrain(ended); // both sides are done
        } else if (nothingUnanswered && responses.isIdle()) {
            output.closeAfterDrain(ended); // else the thread that finishes the running response calls for it
        }
    }

    @Override
    public long idleLeft(Duration wait) {
        return responses.idleLeft(wait);
    }

    @Override
    public void timedOut(Key timeout) {
        server.reached(timeout);
        server.events().timedOut(id, timeout.id());
    }

    @Override
    public void close(ConnectionClosed cause) {
        link.close(cause);
    }

    @Override
    public void endsFor(ConnectionClosed cause) {
        output.endsFor(cause);
    }

    @Override
    public ConnectionClosed closing() {
        return output.closing();
    }

    @Override
    public RequestObserver observe(long number, @Nullable RequestHead head, long began) {
        return RequestReport.begin(server, link, writer.pipe(), id, number, head, began);
    }

    // ---- worker

    @Override
    public @Nullable Http1Exchange finished(Http1Exchange exchange) {
        return responses.finished(exchange);
    }

    @Override
    public void outdated(Http1Exchange exchange) {
        responses.outdated(exchange);
    }

    @Override
    public void tooLate(Http1Exchange exchange, Key bound) throws IOException {
        responses.tooLate(exchange, bound);
    }

    @Override
    public void wantAttention() {
        link.signal(Signals.ATTENTION); // the reactor: framing may go on, or the connection ends
    }

    @Override
    public boolean hasInputEnded() {
        return in.hasEnded();
    }

    // ---- the client has gone, or waits no longer

    @Override
    public DisconnectAction onDisconnect() {
        return onDisconnect;
    }

    @Override
    public void overrun(Http1Exchange exchange) {
        server.count(Counter.SERVICE_CALLS_GIVEN_UP);
        overrun = exchange;
        link.signal(Signals.OVERRUN); // the reactor: the client is not to wait any longer
    }

    /** Answers 503 in the application's place; if part of its response has left, aborts that. */
    private void answerOverrun() throws IOException {
        Http1Exchange late = overrun;
        overrun = null;
        if (late == null || output.isClosing()) {
            return;
        }
        ConnectionClosed cause = new ConnectionClosed(CloseCause.SERVICE_TIMEOUT);
        if (late.answerUnavailable(Key.SERVICE_TIMEOUT)) {
            in.dropUnread();
            output.closeAfterDrain(cause);
        } else if (late.abortResponse(cause)) { // else the client has its answer
            if (late.needsReset()) {
                link.reset(cause);
            } else if (late.isBehindAnother()) {
                in.dropUnread();
                output.closeAfterDrain(cause); // the client gets the rest of the earlier response
            } else {
                link.close(cause);
            }
        }
    }

    // ---- the server's end

    @Override
    public void finish() throws IOException {
        in.readOnce(); // what the client has sent before it could know is served
        Upgraded next = upgraded;
        if (next != null) {
            leave(next);
        }
        if (link.isOpen() && !output.isClosing()) {
            attend();
        }
    }

    @Override
    public void cut() throws IOException {
        Http1Exchange current = responses.running();
        if (output.isClosing()) {
            return;
        }
        output.endsFor(
                new ConnectionClosed(CloseCause.SHUTDOWN_TIMEOUT)); // workers are interrupted next, and fail for that
        if (upgraded != null) {
            close(new ConnectionClosed(CloseCause.SHUTDOWN_TIMEOUT));
        } else if (current != null && current.answerUnavailable(Key.SHUTDOWN_TIMEOUT)) {
            output.closeAfterDrain(new ConnectionClosed(CloseCause.SHUTDOWN_TIMEOUT));
        } else if (responses.isIdle()) {
            in.refuseArriving();
        }
    }

    @Override
    public void end() {
        Http1Exchange current = responses.running();
        ConnectionClosed cause = new ConnectionClosed(CloseCause.SHUTDOWN_TIMEOUT);
        if (!writer.isAllSent() || (current != null && current.abortResponse(cause) && current.needsReset())) {
            link.reset(cause);
        } else {
            link.close(cause);
        }
    }

    // ---- what others may know

    @Override
    public ConnectionSnapshot snapshot() {
        return Http1Snapshot.of(this, in, output.isClosing(), responses.running());
    }

    @Override
    public ConnectionState state() {
        return Http1Snapshot.state(in, writer.pipe(), output.isClosing(), responses.running());
    }

    @Override
    public long requestBytes() {
        return Http1Snapshot.requestBytes(in, responses.running());
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
        return id;
    }

    @Override
    public Peer peer() {
        return Peer.of(id, link);
    }

    @Override
    public Link link() {
        return link;
    }

    @Override
    public ServerResources server() {
        return server;
    }

    @Override
    public LinkWriter writer() {
        return writer;
    }

    @Override
    public SegmentPool pool() {
        return server.pool();
    }

    @Override
    public HeadWriter newHeadWriter() {
        return new HeadWriter(server.pool(), writer.pipe(), date); // nothing that an idle connection need hold
    }

    @Override
    public boolean draining() {
        return server.shutdown().isDraining();
    }
}
