package io.penstock.exchange;

import io.penstock.events.CloseCause;
import io.penstock.exchange.DispatchRule.Arrived;
import io.penstock.http.Fields;
import io.penstock.http.RequestHead;
import io.penstock.http.RequestTarget;
import io.penstock.http.ResponseHead;
import io.penstock.http.Violation;
import io.penstock.limits.Key;
import io.penstock.memory.ByteAccount;
import io.penstock.memory.HeapSize;
import io.penstock.pipe.ConnectionEnded;
import io.penstock.reactor.ConnectionClosed;
import io.penstock.reactor.Link;
import io.penstock.reactor.TlsSession;
import io.penstock.rules.ErrorDocuments;
import io.penstock.rules.ResponseRules;
import io.penstock.spool.SpoolShare;
import io.penstock.work.Job;
import io.penstock.work.Lane;
import io.penstock.work.Mapping;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one exchange (a request and its response) on workers. This class is the common part of all protocols. Calls into the application
 * have a time limit if a limit is configured. A failure ends only this exchange. The subclass for a protocol adds two things: how the
 * response is written, and how the connection continues after the exchange.
 *
 * <p>Thread: the reactor creates the exchange and supplies its body. Workers run the exchange in turns. A turn is a period in which one
 * worker runs code of this exchange; there is at most one turn at a time. The first turn calls the application. Later turns run jobs that
 * were passed to {@link #resume}. The exchange is over when a turn has ended and the response has ended. {@link Continuations} checks both
 * conditions in one atomic step, so that no other turn can begin between the two checks. A worker that has ended its turn must not use the
 * exchange again.
 */
public abstract class RunningExchange implements Exchange, QueueWait.Request, Continuations.Owner, Response.Owner {
    private static final Logger LOG = LoggerFactory.getLogger(RunningExchange.class);

    /**
     * What carries one exchange: in HTTP/1.1 the whole connection, and in a protocol with many requests at a time one stream of the
     * connection. Thread: any.
     */
    public interface Stream {

        ServerResources server();

        /** The connection's name. */
        String id();

        /** The link of the connection. Other streams may use it, too. */
        Link link();

        /** The peer of the connection. Each call creates a new object, since few requests need the peer. */
        Peer peer();

        /** The TLS session of the connection; null if the connection does not use TLS. */
        @Nullable
        TlsSession tls();

        /**
         * The writer for the responses of this stream. Its pipe fails when the stream ends, also if it ends because the link has closed.
         * That is how exchanges, observers and {@link #onDisconnect} learn of the end.
         */
        ResponseWriter writer();

        /** Whether the client sends no more bytes of this stream. The client can still read the response. */
        boolean hasInputEnded();

        /** The holder of the action that runs if the stream ends before the current exchange is over. */
        DisconnectAction onDisconnect();

        /** Counts and reports that this timeout has expired. */
        void timedOut(Key timeout);

        /** Ends the stream at once. Allocates no memory. */
        void fail(Throwable cause);

        /**
         * Runs code of this stream, unless the link has closed. A failure of the code ends the stream, as {@link #fail} does, but not other
         * streams of the connection. Allocates no memory itself. Thread: the reactor.
         */
        default void contain(Link.Part part) {
            if (!link().isOpen()) {
                return;
            }
            try {
                part.run();
            } catch (IOException e) {
                fail(e);
            } catch (Throwable t) {
                fail(t);
                server().rounds().handle("A request's handler failed in the server, and its stream ends", t);
                report(this, t);
            }
        }
    }

    /**
     * A call into the application. The call may throw any exception. It gets its exchange, so that the call of each request needs no object.
     */
    @FunctionalInterface
    public interface ApplicationCode {
        void run(RunningExchange exchange) throws Exception;
    }

    private static final AtomicIntegerFieldUpdater<RunningExchange> HEAD_HELD =
            AtomicIntegerFieldUpdater.newUpdater(RunningExchange.class, "headHeld");
    private static final AtomicIntegerFieldUpdater<RunningExchange> TRAILERS_HELD =
            AtomicIntegerFieldUpdater.newUpdater(RunningExchange.class, "trailersHeld");

    /** The value of {@code trailersHeld} after the release. */
    private static final int RELEASED = 1;

    private final Stream stream;
    private final ServerResources server;
    private RequestHead head; // changed only by an upgrade
    private final Admission.Admitted admitted;
    private final @Nullable Lane lane;
    private final @Nullable Mapping mapping;
    private final @Nullable Peer forwarded;
    private final @Nullable IncomingBody incoming;
    private RequestObserver observer; // changed only by an upgrade
    private final Continuations continuations;

    // Reservations of the HeadBudget, for the head and for the trailer section. The thread that ends the exchange
    // gives them back.
    private volatile int headHeld;
    private volatile int trailersHeld;

    // Set by the reactor before the exchange is handed over to the workers.
    private RequestBody body = NoBody.INSTANCE;
    private boolean streaming;
    private boolean handedOver;

    // Set by the reactor when the last byte of the request has arrived. Read by the reactor and by the threads that
    // write the response.
    private volatile boolean bodyComplete;

    // Set by the worker that begins to serve the exchange. Read for snapshots of the connection.
    private volatile boolean taken;

    // Set by the scheduler when the call into the application has exceeded its time limit. Later failures of the
    // exchange are attributed to the timeout.
    private volatile boolean overdue;

    // Set by the worker that ends the exchange.
    private volatile boolean over;

    /**
     * @param forwarded the client that a trusted proxy has described; null if the client is the peer of the connection
     * @param incoming the body of the request while it arrives; null if the request has no body
     * @param headHeld the reservation of the head in the {@link HeadBudget}. The exchange must give it back
     */
    protected RunningExchange(
            Stream stream,
            RequestHead head,
            @Nullable Peer forwarded,
            Admission.Admitted admitted,
            @Nullable IncomingBody incoming,
            int headHeld,
            RequestObserver observer) {
        this.stream = stream;
        this.server = stream.server();
        this.head = head;
        this.admitted = admitted;
        this.lane = admitted.lane();
        this.mapping = admitted.mapping();
        this.forwarded = forwarded;
        this.incoming = incoming;
        this.headHeld = headHeld;
        this.observer = observer;
        this.bodyComplete = incoming == null;
        this.continuations = new Continuations(server.queue(), this);
    }

    // ---- the protocol's part

    /**
     * Sends a response with the status 503, or aborts the response if a part of it has been sent. Called if the server stops before the
     * application is called.
     */
    protected abstract void answerUnavailable() throws IOException;

    /** Aborts the response. May throw any exception. */
    protected abstract void abortOutput(Throwable cause);

    /**
     * Called when a turn has ended with the result {@code end}. After {@link Continuations.End#LEFT}, another turn may already run. Thread:
     * the worker of the turn.
     */
    protected abstract void turnEnded(Continuations.End end);

    /**
     * Called if the call into the application is still running after twice its time limit, although its worker was interrupted. This method
     * must let the server send a response, or abort the response and end the stream. Thread: the scheduler.
     */
    protected abstract void overrun();

    // ---- reactor

    /** Prepares the exchange for the workers. The caller queues the exchange after this call. */
    public final void handOver(Arrived arrived) {
        if (incoming != null) {
            body = incoming.asBody(() -> askFor(incoming));
        }
        streaming = arrived != Arrived.ALL; // the worker may have to wait for the client
        handedOver = true;
        observer.queued();
    }

    /**
     * Called when the application reads the body for the first time. Sends 100 (Continue) if the client waits for this response (RFC 9110
     * section 10.1.1).
     */
    private void askFor(IncomingBody held) throws IOException {
        if (held.expectation().is(Expectation.State.HELD)) {
            response().informational(100, Fields.EMPTY);
            held.expectationMet();
        }
    }

    public final boolean isHandedOver() {
        return handedOver;
    }

    public final void bodyArrived() {
        bodyComplete = true;
    }

    // ---- any thread

    @Override
    public final boolean isBodyComplete() {
        return bodyComplete;
    }

    @Override
    public final ServerResources server() {
        return server;
    }

    @Override
    public final boolean isStopping() {
        return server.shutdown().closesConnections();
    }

    @Override
    public final SpoolHistory history() {
        return admitted.history();
    }

    /** The body of the request while it arrives; null if the request has no body. */
    public final @Nullable IncomingBody incoming() {
        return incoming;
    }

    public final RequestObserver observer() {
        return observer;
    }

    /** Whether a worker has begun to serve the exchange. */
    public final boolean isTaken() {
        return taken;
    }

    @Override
    public final boolean isOver() {
        return over;
    }

    @Override
    public final boolean isClientGone() {
        return stream.writer().pipe().hasFailed();
    }

    @Override
    public void discard() {
        release();
        // The observer reports the request as lost, with the cause of the pipe's failure.
        observer.over(false);
    }

    /** Takes the reservation of the head over from the exchange. */
    public final HeadBudget.Kept takeHead() {
        return new HeadBudget.Kept(server.headBudget(), HEAD_HELD.getAndSet(this, 0));
    }

    /**
     * Reserves memory for what has arrived of the trailer section. Thread: the reactor.
     *
     * @param bytes the memory of the whole trailer section
     */
    public final void holdTrailers(int bytes) throws Violation {
        int former = trailersHeld;
        if (former == RELEASED || bytes <= -former) {
            return;
        }
        int next = server.headBudget().reserve(former, bytes, true);
        if (!TRAILERS_HELD.compareAndSet(this, former, next)) {
            server.headBudget().giveBack(next - former); // a worker has released the exchange meanwhile
        }
    }

    /** Releases the resources of the request. After this call, neither the head nor the body may be read. */
    public final void release() {
        if (headHeld != 0) {
            server.headBudget().leaveTo(observer, HEAD_HELD.getAndSet(this, 0));
        }
        releaseBody();
    }

    private void releaseBody() {
        if (incoming != null) {
            int trailers = TRAILERS_HELD.getAndSet(this, RELEASED);
            if (trailers < 0) {
                server.headBudget().giveBack(trailers);
            }
            incoming.discard();
        }
    }

    /**
     * As {@link #release}, for an upgraded connection: what is kept of the head stays reserved until {@link #releaseRest}. Thread: the worker
     * of the turn that has asked for the upgrade.
     */
    final void releaseForUpgrade() {
        int whole = headHeld;
        int rest = server.headBudget().part(whole, Math.min(keptByUpgrade(), Math.abs(whole)));
        if (HEAD_HELD.compareAndSet(this, whole, rest)) {
            server.headBudget().leaveTo(observer, whole);
        } else {
            server.headBudget().giveBack(rest); // the connection has ended meanwhile
        }
        releaseBody();
    }

    /** The upgraded connection has ended: releases what {@link #releaseForUpgrade} has left. */
    final void releaseRest() {
        server.headBudget().giveBack(HEAD_HELD.getAndSet(this, 0));
    }

    /** The path stays here. A WebSocket session also keeps the URI, and the query and the path parameters, which are parts of the target. */
    private int keptByUpgrade() {
        RequestTarget target = head.target();
        String authority = head.authority();
        int raw = target.raw().length();
        return HeapSize.text(target.path().length())
                + HeapSize.text((authority == null ? 0 : authority.length()) + raw)
                + HeapSize.text(raw);
    }

    /**
     * Drops all of the request and the response that no report needs, since an upgraded connection can last for hours. Thread: the worker of
     * the turn that has asked for the upgrade, when its response has been closed. A request that the application keeps has no fields any
     * more.
     */
    final void forgetRequest() {
        head = head.withoutFields();
        observer = RequestObserver.NONE; // an observer refers to the head
        response().forget();
    }

    // ---- turns

    @Override
    public final boolean isStreaming() {
        return streaming;
    }

    @Override
    public final boolean isSpooling() {
        return admitted.history().isExpected();
    }

    @Override
    public final @Nullable SpoolShare spoolShare() {
        return admitted.spoolShare();
    }

    /** A reactor that begins turns, as it does for the messages of many clients, wakes a worker at the end of its round. */
    @Override
    public final boolean wakesLater() {
        return stream.link().reactor().isCurrent();
    }

    @Override
    public final @Nullable Lane lane() {
        return lane;
    }

    @Override
    public final @Nullable Mapping mapping() {
        return mapping;
    }

    /** Counts a refusal of this exchange, because of the limit {@code bound}. The bulkhead of the exchange counts it, too. Any thread. */
    public final void countRefusal(Key bound) {
        if (lane != null) {
            lane.refuse();
        }
        server.reached(bound, mapping);
    }

    /** The key of the limit that is exceeded if the queue refuses this exchange. */
    public final Key full() {
        return lane == null ? Key.QUEUE : Key.BULKHEAD_QUEUE;
    }

    @Override
    public final void run() {
        afterTurn(serve());
    }

    /** Runs the first turn. */
    protected final Continuations.End serve() {
        taken = true;
        try {
            observer.taken();
            runApplication(
                    server.shutdown().isCutting() ? RunningExchange::answerUnavailable : RunningExchange::callHandler);
        } catch (OutOfMemoryError e) {
            // The error occurred before the application was called.
            abort(e);
            server.rounds().handle(failure(), e);
        }
        if (incoming != null) {
            // An asynchronous exchange can wait for a long time, and needs no buffer meanwhile.
            body.dropBuffer();
        }
        return continuations.runJobs();
    }

    private void callHandler() throws Exception {
        server.handler().handle(this);
    }

    @Override
    public final void abandon() {
        runApplication(RunningExchange::answerUnavailable);
        afterTurn(continuations.runJobs());
    }

    /** Ends the turn. If there is too little memory to end the turn, ends the stream. */
    @Override
    public final void afterTurn(Continuations.End end) {
        try {
            turnEnded(end);
        } catch (OutOfMemoryError e) {
            stream.fail(e);
            throw e;
        }
    }

    /** There was no memory for a continuation. Without it the exchange could wait for ever, so its response is aborted. */
    @Override
    public final void jobFailed(Throwable thrown) {
        abort(thrown);
        server.rounds().handle(failure(), thrown);
    }

    /** The exchange is over. Thread: the worker of its last turn. */
    protected final void over() {
        over = true;
    }

    protected final Continuations continuations() {
        return continuations;
    }

    final ResponseWriter writer() {
        return stream.writer();
    }

    @Override
    public final void resume(Runnable job) {
        try {
            continuations.add(() -> runContinuation(job));
        } catch (OutOfMemoryError e) {
            // Without the job, the exchange could wait for ever.
            stream.fail(e);
            throw e;
        }
    }

    /**
     * As {@link #resume}, but runs {@code job} only when no other job of this exchange waits. So pending calls of the application's read
     * and write listeners run before {@code job}.
     */
    public final void resumeWhenIdle(Runnable job) {
        try {
            continuations.addWhenIdle(() -> runContinuation(job));
        } catch (OutOfMemoryError e) {
            // Without the job, the exchange could wait for ever.
            stream.fail(e);
            throw e;
        }
    }

    private void runContinuation(Runnable job) {
        runApplication(exchange -> job.run());
        body.dropBuffer();
    }

    @Override
    public final void execute(Runnable task) {
        server.queue().resume(new Job() {
            @Override
            public void run() {
                runApplication(exchange -> task.run());
                followEnd();
            }

            @Override
            public @Nullable Lane lane() {
                return RunningExchange.this.lane();
            }

            @Override
            public @Nullable Mapping mapping() {
                return RunningExchange.this.mapping();
            }

            @Override
            public void abandon() {
                response().abort(new ConnectionClosed(CloseCause.SHUTDOWN_TIMEOUT));
                followEnd();
            }

            @Override
            public String describe() {
                return "a task of " + RunningExchange.this.describe();
            }
        });
    }

    /**
     * Called when a task of {@link #execute} has ended. Tasks do not run in turns. If the response has ended, an empty turn decides whether
     * the exchange is over.
     */
    private void followEnd() {
        if (isDone()) {
            continuations.endTurn();
        }
    }

    @Override
    public final Timeout resumeAfter(Duration delay, Runnable job) {
        Future<?> pending = server.scheduler().after(delay, () -> resume(job));
        return () -> pending.cancel(false);
    }

    @Override
    public final void whenGone(Runnable job) {
        stream.onDisconnect().set(() -> resume(job));
    }

    // ---- the application's code

    /** Runs code of the application with a time limit. Does not throw, so that the next jobs of the exchange run. */
    private void runApplication(ApplicationCode part) {
        try {
            Duration most = server.callTime();
            ServiceDeadline deadline = most == null ? null : ServiceDeadline.begin(server, this, most);
            try {
                runWithoutDeadline(part);
            } finally {
                if (deadline != null) {
                    deadline.end();
                }
            }
        } catch (OutOfMemoryError e) {
            // There was no memory for the deadline.
            abort(e);
            server.rounds().handle("A request has no deadline and is aborted", e);
        }
    }

    /**
     * Runs code of the application without a time limit. This method catches all exceptions of that code. An exception ends only this
     * exchange.
     */
    public final void runWithoutDeadline(ApplicationCode part) {
        try {
            part.run(this);
        } catch (Throwable t) {
            // This check must come before the abort, because an aborted response looks like a disconnected client.
            boolean causedByClient = isCausedByClient(t);
            abort(t);
            if (causedByClient) {
                LOG.debug("Request {} ended because its client disconnected", id(), t);
            } else if (isFileFailure(t)) {
                LOG.debug("Request {} ended because a file could not be read, as logged before", id(), t);
            } else {
                server.rounds().handle(failure(), t);
                report(stream, t);
            }
        }
    }

    /**
     * Whether the client has caused the failure. Such failures are logged at the level DEBUG only, since a client could otherwise fill the
     * log.
     */
    private boolean isCausedByClient(Throwable t) {
        boolean withConnection = t instanceof ConnectionEnded || (t instanceof IOException && isClientGone());
        return t instanceof ClientFault || (withConnection && !isFileFailure(t));
    }

    private static boolean isFileFailure(Throwable t) {
        return t instanceof IOException && ConnectionClosed.of(t).isFileFailure();
    }

    /** Aborts the response. Called before the failure is logged, so that the client does not wait for a response that will never come. */
    private void abort(Throwable cause) {
        try {
            abortOutput(cause);
        } catch (Throwable t) {
            server.rounds().handle("A response could not be aborted; its stream ends", t);
            stream.fail(cause);
        }
    }

    private String failure() {
        try {
            return "Request " + id() + " failed in the server, outside of the application";
        } catch (OutOfMemoryError e) {
            return "A request failed in the server, outside of the application";
        }
    }

    private static void report(Stream stream, Throwable cause) {
        ServerResources server = stream.server();
        try {
            server.events().failed(stream.id(), cause);
        } catch (Throwable t) {
            server.rounds().handle("A listener failed", t);
        }
    }

    @Override
    public final void threw(Throwable thrown) {
        server.rounds().memory().met(thrown);
    }

    // ---- time

    /** The call into the application has exceeded its time limit. Its worker will be interrupted after this call. Thread: the scheduler. */
    final void overdue() {
        overdue = true;
        timedOut(Key.SERVICE_TIMEOUT);
    }

    @Override
    public final boolean isTransformForbidden(ResponseHead response) {
        ResponseRules rules = server.responseRules();
        return rules != null && rules.forbidTransform(head, response);
    }

    @Override
    public final boolean isOverdue() {
        return overdue;
    }

    @Override
    public final void timedOut(Key timeout) {
        stream.timedOut(timeout);
    }

    // ---- what the application may know

    @Override
    public final RequestHead head() {
        return head;
    }

    @Override
    public final RequestBody body() {
        return body;
    }

    @Override
    public final Peer peer() {
        return forwarded == null ? stream.peer() : forwarded;
    }

    @Override
    public final @Nullable TlsSession tls() {
        return forwarded == null ? stream.tls() : forwarded.tls();
    }

    @Override
    public final Object route() {
        return admitted.route();
    }

    @Override
    public final ClientState client() {
        if (isClientGone()) {
            return ClientState.GONE;
        }
        return stream.hasInputEnded() ? ClientState.INPUT_ENDED : ClientState.PRESENT;
    }

    @Override
    public final ByteAccount disk() {
        return server.spool().account();
    }

    @Override
    public final void user(String name) {
        observer.user(name);
    }

    @Override
    public final void session(String id) {
        observer.session(id);
    }

    @Override
    public final void attribute(String name, @Nullable Object value) {
        observer.attribute(name, value);
    }

    @Override
    public final ErrorDocuments.@Nullable Document errorPage(int status) {
        ErrorDocuments pages = server.errorDocuments();
        return pages == null ? null : pages.find(status, head);
    }

    /** The method and path of the request, for the log. */
    final String line() {
        return head.method() + ' ' + head.target().path();
    }

    @Override
    public String describe() {
        return id() + " " + line();
    }

    @Override
    public long since(long taken) {
        return taken;
    }
}
