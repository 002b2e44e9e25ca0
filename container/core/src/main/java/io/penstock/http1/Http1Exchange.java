package io.penstock.http1;

import io.penstock.events.CloseCause;
import io.penstock.exchange.ClientFault;
import io.penstock.exchange.Continuations;
import io.penstock.exchange.DisconnectAction;
import io.penstock.exchange.DispatchRule;
import io.penstock.exchange.DispatchRule.Arrived;
import io.penstock.exchange.Exchange;
import io.penstock.exchange.Expectation;
import io.penstock.exchange.IncomingBody;
import io.penstock.exchange.NoBody;
import io.penstock.exchange.Peer;
import io.penstock.exchange.QueueWait;
import io.penstock.exchange.RequestBody;
import io.penstock.exchange.RequestObserver;
import io.penstock.exchange.ResponseSink;
import io.penstock.exchange.ResponseSpill;
import io.penstock.exchange.ServerResources;
import io.penstock.exchange.ServiceDeadline;
import io.penstock.exchange.Upgrade;
import io.penstock.http.ConnectionOptions;
import io.penstock.http.DecidingFields;
import io.penstock.http.Fields;
import io.penstock.http.RequestHead;
import io.penstock.http.Version;
import io.penstock.limits.ByteAccount;
import io.penstock.limits.Key;
import io.penstock.pipe.ConnectionEnded;
import io.penstock.reactor.ConnectionClosed;
import io.penstock.work.Job;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request of a connection and its response: a job for a worker, and what the application's side knows of the protocol.
 *
 * <p>Thread: the reactor makes and feeds it. Workers run it in turns, one at a time: the first dispatch, then its jobs. It is over when a
 * worker leaves a turn and the response has ended. {@link Continuations} decides this in one step, so that no other turn runs. The worker of
 * the last turn ends the exchange, and the connection goes on. A worker that has left its turn does not touch the exchange again.
 */
final class Http1Exchange
        implements Exchange, QueueWait.Request, ResponseSlot.Response, Continuations.Owner, ServiceDeadline.Call {
    private static final Logger LOG = LoggerFactory.getLogger(Http1Exchange.class);

    /** What an exchange needs of its connection. */
    interface Connection extends Http1Response.Channel {

        ServerResources server();

        /** Its name. Any thread. */
        String id();

        /** Made for each caller: an idle connection need not hold it. Any thread. */
        Peer peer();

        /** Whether the client has ended its input; it may still read. Any thread. */
        boolean hasInputEnded();

        /** The action that runs if the connection ends before the running exchange is over. Any thread. */
        DisconnectAction onDisconnect();

        /** Counts and reports that a bound of time was reached. Any thread. */
        void timedOut(Key timeout);

        /** Something that the reactor waited for has happened. Any thread. */
        void wantAttention();

        /** The running exchange is over. Returns the next one if its worker is to serve it. Thread: that worker. */
        @Nullable
        Http1Exchange finished(Http1Exchange exchange);

        /** The queue has dropped this exchange, for which it had no more room. Any thread. */
        void outdated(Http1Exchange exchange);

        /** The exchange has waited too long for a worker, by this bound. Thread: the reactor. */
        void tooLate(Http1Exchange exchange, Key bound) throws IOException;

        /** A call of this exchange does not end. Any thread. */
        void overrun(Http1Exchange exchange);

        /** The exchange that has the turn keeps it, as another protocol. Thread: a worker. */
        void upgraded(Upgraded next);
    }

    private static final AtomicIntegerFieldUpdater<Http1Exchange> HEAD_HELD =
            AtomicIntegerFieldUpdater.newUpdater(Http1Exchange.class, "headHeld");

    private final Connection connection;
    private final ServerResources server;
    private final Peer peer;
    private final RequestHead head;
    private final Object route;
    private final @Nullable IncomingBody incoming;
    private final RequestObserver observer;
    private final Http1Response response;
    private final Continuations continuations;
    private final long number;
    private final boolean asksForUpgrade;

    // Set by the worker that ends the exchange.
    private volatile boolean over;

    // What the connection has become; set by the worker in whose turn it did.
    private volatile @Nullable Upgraded upgraded;

    // Of the budget of heads; given back by the thread that ends the exchange.
    private volatile int headHeld;

    // Set by the reactor before the exchange is handed over.
    private RequestBody body = NoBody.INSTANCE;
    private boolean streaming;
    private boolean handedOver;

    // Set by the reactor with the last byte; the end of the response asks for it.
    private volatile boolean bodyComplete;

    // Set by the worker that begins to serve it; read for snapshots of its connection.
    private volatile boolean taken;

    // Set on the first exchange of a row: the one that the worker serves now, null if it is this one. A row is the
    // requests of a connection that one worker serves without going back to the queue.
    private volatile @Nullable Http1Exchange serving;

    // When the worker began to serve it, unless it is the first of its row. Written before the first one's serving,
    // which publishes it.
    private long servedSince;

    // Set by the keeper: the call has taken more time than it may, and failures from then on are put down to that.
    private volatile boolean overdue;

    // Its place in its row, from 0.
    private int inRow;

    Http1Exchange(
            Connection connection,
            long number,
            RequestHead head,
            Object route,
            @Nullable IncomingBody incoming,
            int headHeld,
            RequestObserver observer) {
        this.connection = connection;
        this.server = connection.server();
        this.peer = connection.peer();
        this.number = number;
        this.head = head;
        this.route = route;
        this.incoming = incoming;
        this.headHeld = headHeld;
        this.observer = observer;
        this.response = new Http1Response(
                connection,
                new ResponseSpill(server, connection.writer(), this::isStreaming, observer),
                head,
                this::isBodyComplete,
                observer);
        this.bodyComplete = incoming == null;
        this.asksForUpgrade = head.version() == Version.HTTP_1_1
                && head.deciding().has(DecidingFields.Name.UPGRADE)
                && ConnectionOptions.contains(head, "upgrade");
        this.continuations = new Continuations(server.queue(), this);
    }

    // ---- reactor

    /** The exchange leaves the reactor's hands. */
    void handOver(Arrived arrived) {
        if (incoming != null) {
            body = incoming.asBody(this::askForBody);
        }
        streaming = DispatchRule.streams(arrived);
        handedOver = true;
        observer.queued();
    }

    void bodyArrived() {
        bodyComplete = true;
    }

    boolean isHandedOver() {
        return handedOver;
    }

    // ---- any thread

    /** Whether the request's last byte has arrived. */
    boolean isBodyComplete() {
        return bodyComplete;
    }

    /** Whether the client would go over to another protocol (RFC 9110 section 7.8). */
    boolean asksForUpgrade() {
        return asksForUpgrade;
    }

    @Override
    public void discard() {
        release();
        observer.over(false); // for the cause that the pipe has
    }

    /** The request will not be read any more. */
    void release() {
        if (headHeld > 0) {
            server.headBudget().giveBack(HEAD_HELD.getAndSet(this, 0));
        }
        if (incoming != null) {
            incoming.discard();
        }
    }

    RequestObserver observer() {
        return observer;
    }

    /** Whether a worker has begun to serve it. */
    boolean isTaken() {
        return taken;
    }

    /** The body, as far as it has arrived and has not been read. */
    @Nullable
    IncomingBody incoming() {
        return incoming;
    }

    // ---- worker

    @Override
    public boolean isStreaming() {
        return streaming;
    }

    @Override
    public void run() {
        goOn(serve());
    }

    private Continuations.End serve() {
        taken = true;
        try {
            observer.taken();
            if (server.shutdown().isCutting()) {
                runApplication(this::answerUnavailable);
            } else {
                runApplication(() -> server.handler().handle(this));
            }
        } catch (OutOfMemoryError e) { // it has not begun
            abort(e);
            server.rounds().survived(failure(), e);
        }
        body.dropBuffer(); // an asynchronous exchange may wait for long
        return continuations.drain();
    }

    /** The server has ended before the application could begin. */
    private void answerUnavailable() throws IOException {
        if (answerUnavailable(Key.SHUTDOWN_TIMEOUT)) {
            connection.writer().workerDrain();
        } else {
            response.abort(new ConnectionClosed(CloseCause.SHUTDOWN_TIMEOUT));
        }
    }

    /** Runs a part of the application within its time. Throws nothing: the jobs behind it run. */
    private void runApplication(ApplicationCode part) {
        try {
            ServiceDeadline deadline = ServiceDeadline.begin(server, this);
            try {
                runWithoutDeadline(part);
            } finally {
                if (deadline != null) {
                    deadline.end();
                }
            }
        } catch (OutOfMemoryError e) { // of the deadline
            abort(e);
            server.rounds().survived("A request has no deadline and is aborted", e);
        }
    }

    /** The one catch-all around the application: a failure that came through the dispatcher ends this exchange only. */
    void runWithoutDeadline(ApplicationCode part) {
        try {
            part.run();
        } catch (Throwable t) {
            boolean clientsDoing =
                    isClientsDoing(t); // asked first: an aborted response looks like a client that has gone
            abort(t);
            if (clientsDoing) {
                LOG.debug("Request {} ended with its client", id(), t);
            } else {
                server.rounds().survived(failure(), t);
                reportFailure(t);
            }
        }
    }

    private String failure() {
        try {
            return "Request " + id() + " failed below the application";
        } catch (OutOfMemoryError e) {
            return "A request failed below the application";
        }
    }

    private void reportFailure(Throwable cause) {
        try {
            server.events().failed(connection.id(), cause);
        } catch (Throwable t) {
            server.rounds().survived("A listener failed", t);
        }
    }

    /** First of all: the client must not wait for a response that will not come. */
    private void abort(Throwable cause) {
        try {
            Upgraded now = upgraded;
            if (now == null) {
                response.abort(cause);
            } else {
                now.output().abort(cause);
            }
        } catch (Throwable t) {
            server.rounds().survived("A response could not be aborted; its connection is closed", t);
            connection.fail(cause);
        }
    }

    @Override
    public void threw(Throwable thrown) {
        server.rounds().memory().met(thrown);
    }

    /** What a client can bring about at will must not fill the log. */
    private boolean isClientsDoing(Throwable t) {
        return t instanceof ClientFault || t instanceof ConnectionEnded || (t instanceof IOException && isClientGone());
    }

    /** May throw anything. */
    interface ApplicationCode {
        void run() throws Exception;
    }

    /** The client's next request, if there is one; where there is no memory for it, the end of the connection. */
    private void goOn(Continuations.End end) {
        try {
            serveNext(end);
        } catch (OutOfMemoryError e) {
            connection.fail(e);
            throw e;
        }
    }

    /** If the turn was the last, its worker serves what the same client has asked for next. */
    private void serveNext(Continuations.End end) {
        Http1Exchange next = after(end);
        while (next != null) {
            next.servedSince = System.nanoTime();
            serving = next;
            Thread.interrupted(); // an interrupt of the former request was not meant for this one
            next = next.after(next.serve());
        }
    }

    /** The exchange that this worker is to serve after the turn that has ended, if another waits. */
    private @Nullable Http1Exchange after(Continuations.End end) {
        switch (end) {
            case LEFT -> {
                return null; // no look at the exchange any more: another turn may run
            }
            case HANDED_OVER -> {
                Objects.requireNonNull(upgraded).begin();
                return null;
            }
            case OVER -> {
                over = true;
                close();
                return connection.finished(this);
            }
        }
        throw new IllegalStateException("No end of a turn: " + end);
    }

    /** An upgraded exchange ends with its connection. */
    @Override
    public boolean isDone() {
        return upgraded == null && response.isEnded();
    }

    /** Request and response are done with. */
    void close() {
        release();
        response.close();
    }

    @Override
    public void abandon() {
        runApplication(this::answerUnavailable);
        goOn(continuations.drain());
    }

    @Override
    public void outdated() {
        connection.outdated(this);
    }

    @Override
    public void tooLate(Key bound) throws IOException {
        connection.tooLate(this, bound);
    }

    /** Answers 503 in the application's place, for this bound, if nothing of its response has left; returns whether so. Reports it. Any thread. */
    boolean answerUnavailable(Key bound) throws IOException {
        ConnectionClosed closing = new ConnectionClosed(Causes.of(bound));
        CannedResponse unavailable =
                CannedResponse.unavailable(closing, !head.method().equals("HEAD"));
        boolean replaced = response.replace(
                unavailable.status(), closing, () -> connection.newHeadWriter().whole(unavailable));
        if (replaced) {
            server.events().refused(connection.id(), unavailable.status(), bound.id());
        }
        return replaced;
    }

    /** Aborts the response unless it has ended, even while a thread writes it; returns whether it is incomplete. Any thread. */
    boolean abortResponse(ConnectionClosed cause) {
        response.abort(cause);
        return response.isAborted();
    }

    /** A turn that came after the worker had left. */
    @Override
    public void settled(Continuations.End end) {
        goOn(end);
    }

    @Override
    public String describe() {
        Http1Exchange now = serving;
        if (now != null) {
            return now.describe();
        }
        Upgraded next = upgraded;
        return id() + " " + line() + (next == null ? "" : " upgraded to " + next.protocol());
    }

    @Override
    public long since(long taken) {
        Http1Exchange now = serving;
        if (now == null) {
            return taken;
        }
        long next = now.servedSince;
        return next - taken > 0
                ? next
                : taken; // jobs of this exchange that come after its end are taken later than that one
    }

    /** Whether only a reset of the connection can tell the client that the response is incomplete. Any thread. */
    boolean needsReset() {
        return response.needsReset();
    }

    /** Whether the client still has to be sent an earlier response, and so has nothing of this one. */
    boolean isBehindAnother() {
        return response.isBehindAnother();
    }

    @Nullable
    ConnectionClosed closing() {
        return response.closing();
    }

    @Override
    public boolean isOver() {
        return over;
    }

    @Override
    public boolean isClientGone() {
        return connection.writer().pipe().hasFailed();
    }

    // ---- time

    @Override
    public void overdue() {
        overdue = true;
        connection.timedOut(Key.SERVICE_TIMEOUT);
    }

    @Override
    public void overrun() {
        connection.overrun(this);
    }

    @Override
    public String line() {
        return head.method() + ' ' + head.target().path();
    }

    int inRow() {
        return inRow;
    }

    void beginsRow() {
        inRow = 0;
    }

    void follows(int before) {
        inRow = before + 1;
    }

    /** The first read asks a client for the body that it holds back (RFC 9110 section 10.1.1). */
    private void askForBody() throws IOException {
        if (incoming != null && incoming.expectation().is(Expectation.State.HELD)) {
            response.informational(100, Fields.EMPTY);
            incoming.expectation().meet();
            connection.wantAttention(); // from here on the client is waited for
        }
    }

    // ---- the application's side

    @Override
    public RequestHead head() {
        return head;
    }

    @Override
    public RequestBody body() {
        return body;
    }

    @Override
    public ResponseSink response() {
        return response;
    }

    @Override
    public Peer peer() {
        return peer;
    }

    @Override
    public Object route() {
        return route;
    }

    @Override
    public String id() {
        return connection.id() + "-" + number;
    }

    @Override
    public void execute(Runnable task) {
        server.queue().resume(new Job() {
            @Override
            public void run() {
                runApplication(task::run);
                followEnd();
            }

            @Override
            public void abandon() {
                response.abort(new ConnectionClosed(CloseCause.SHUTDOWN_TIMEOUT));
                followEnd();
            }

            @Override
            public String describe() {
                return "a task of " + Http1Exchange.this.describe();
            }
        });
    }

    /** A task runs beside the exchange's turns: if the response has ended by it, a turn sees to what comes next. */
    private void followEnd() {
        if (response.isEnded()) {
            continuations.endTurn();
        }
    }

    @Override
    public boolean isUpgradable() {
        return asksForUpgrade && bodyComplete && upgraded == null;
    }

    @Override
    public void upgrade(Upgrade next) {
        if (!isUpgradable() || !response.hasSwitched()) {
            throw new IllegalStateException("The connection speaks HTTP and goes on with it");
        }
        upgraded = new Upgraded(connection, this, continuations, next);
        continuations.handOver();
    }

    @Override
    public void resume(Runnable job) {
        try {
            continuations.add(() -> runContinuation(job));
        } catch (OutOfMemoryError e) { // the job is lost, and the exchange may wait for it for ever
            connection.fail(e);
            throw e;
        }
    }

    /** Runs {@code job} as {@link #resume} does, but only once no other job waits: the calls of listeners that are due come first. */
    void resumeWhenIdle(Runnable job) {
        try {
            continuations.addWhenIdle(() -> runContinuation(job));
        } catch (OutOfMemoryError e) { // as above
            connection.fail(e);
            throw e;
        }
    }

    private void runContinuation(Runnable job) {
        runApplication(job::run);
        body.dropBuffer();
    }

    @Override
    public void whenGone(Runnable job) {
        connection.onDisconnect().set(() -> resume(job));
    }

    @Override
    public ClientState client() {
        if (isClientGone()) {
            return ClientState.GONE;
        }
        return connection.hasInputEnded() ? ClientState.INPUT_ENDED : ClientState.PRESENT;
    }

    @Override
    public ByteAccount disk() {
        return server.spool().account();
    }

    @Override
    public void user(String name) {
        observer.user(name);
    }

    @Override
    public boolean isOverdue() {
        return overdue;
    }

    @Override
    public void timedOut(Key timeout) {
        connection.timedOut(timeout);
    }

    @Override
    public Timeout resumeAfter(Duration delay, Runnable job) {
        Future<?> pending = server.keeper().after(delay, () -> resume(job));
        return () -> pending.cancel(false);
    }
}
