package io.penstock.exchange;

import io.penstock.events.CloseCause;
import io.penstock.exchange.DispatchRule.Arrived;
import io.penstock.http.RequestHead;
import io.penstock.limits.ByteAccount;
import io.penstock.limits.Key;
import io.penstock.pipe.ConnectionEnded;
import io.penstock.reactor.ConnectionClosed;
import io.penstock.reactor.TlsSession;
import io.penstock.rules.ResponseRules;
import io.penstock.spool.SpoolShare;
import io.penstock.work.Job;
import io.penstock.work.WorkerShare;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one request on workers, in any protocol. Calls into the application have a time limit, if one is configured. A failure ends only
 * this exchange. Subclasses for a protocol add three things: how the client is asked for the body (100), how the response is written, and
 * how the connection continues.
 *
 * <p>Thread: the reactor creates the exchange and supplies its body. Workers run it in turns, one at a time: the first dispatch, then its
 * jobs. The exchange is over when a worker leaves a turn and the response has ended. {@link Continuations} checks both conditions in one
 * atomic step, so that no other turn can begin in between. A worker that has left its turn must not use the exchange again.
 */
public abstract class RunningExchange
        implements Exchange, QueueWait.Request, Continuations.Owner, ServiceDeadline.Call, PipedResponse.Owner {
    private static final Logger LOG = LoggerFactory.getLogger(RunningExchange.class);

    /** The exchange's view of its connection. */
    public interface Connection {

        ServerResources server();

        /** The connection's name. Any thread. */
        String id();

        /** The peer. Each call makes a new object, since few requests need it. Any thread. */
        Peer peer();

        /** As {@link Peer#tls}. Any thread. */
        @Nullable
        TlsSession tls();

        /** The writer for responses. */
        LinkWriter writer();

        /** Whether the client has ended its input; it may still read. Any thread. */
        boolean hasInputEnded();

        /** The action that runs if the connection ends before the running exchange is over. Any thread. */
        DisconnectAction onDisconnect();

        /** Counts and reports that a timeout has passed. Any thread. */
        void timedOut(Key timeout);

        /** Ends the connection at once. Allocates no memory. Any thread. */
        void fail(Throwable cause);
    }

    /** A call into the application. It may throw any exception. */
    @FunctionalInterface
    public interface ApplicationCode {
        void run() throws Exception;
    }

    private static final AtomicIntegerFieldUpdater<RunningExchange> HEAD_HELD =
            AtomicIntegerFieldUpdater.newUpdater(RunningExchange.class, "headHeld");

    private final Connection connection;
    private final ServerResources server;
    private final RequestHead head;
    private final Admission.Admitted admitted;
    private final @Nullable Peer forwarded;
    private final @Nullable IncomingBody incoming;
    private final RequestObserver observer;
    private final Continuations continuations;

    // Bytes reserved in the budget of heads. The thread that ends the exchange gives them back.
    private volatile int headHeld;

    // Set by the reactor before the exchange is handed over.
    private RequestBody body = NoBody.INSTANCE;
    private boolean streaming;
    private boolean handedOver;

    // Set by the reactor when the last byte of the request has arrived. Read by the reactor, and by the thread that
    // adds the head or ends the response.
    private volatile boolean bodyComplete;

    // Set by the worker that begins to serve the exchange; read for snapshots of its connection.
    private volatile boolean taken;

    // Set by the scheduler: the call has exceeded its time. Later failures are attributed to the timeout.
    private volatile boolean overdue;

    // Set by the worker that ends the exchange.
    private volatile boolean over;

    /**
     * @param forwarded the client if a trusted proxy has sent the request; null for the peer of the connection
     * @param incoming receives the body; null if the request has none
     * @param headHeld bytes reserved in the budget of heads; the exchange takes them over
     */
    protected RunningExchange(
            Connection connection,
            RequestHead head,
            @Nullable Peer forwarded,
            Admission.Admitted admitted,
            @Nullable IncomingBody incoming,
            int headHeld,
            RequestObserver observer) {
        this.connection = connection;
        this.server = connection.server();
        this.head = head;
        this.admitted = admitted;
        this.forwarded = forwarded;
        this.incoming = incoming;
        this.headHeld = headHeld;
        this.observer = observer;
        this.bodyComplete = incoming == null;
        this.continuations = new Continuations(server.queue(), this);
    }

    // ---- the protocol's part

    /** The application reads the body for the first time. Sends a 100 (Continue) if the client waits for it (RFC 9110 section 10.1.1). */
    protected abstract void askForBody() throws IOException;

    /** Answers 503, or aborts the response if a part has been sent. Called if the server ends before the application could run. */
    protected abstract void answerUnavailable() throws IOException;

    /** Aborts the response. May throw any exception. */
    protected abstract void abortOutput(Throwable cause);

    /**
     * A turn has ended with the result {@code end}. After {@link Continuations.End#LEFT}, another turn may run. Thread: the worker of the
     * turn.
     */
    protected abstract void turnEnded(Continuations.End end);

    // ---- reactor

    /** Hands the exchange over to the workers. */
    public final void handOver(Arrived arrived) {
        if (incoming != null) {
            body = incoming.asBody(this::askForBody);
        }
        streaming = DispatchRule.streams(arrived);
        handedOver = true;
        observer.queued();
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
    public final SpoolHistory history() {
        return admitted.history();
    }

    /** The body, as far as it has arrived and has not been read. */
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
        return connection.writer().pipe().hasFailed();
    }

    @Override
    public final void discard() {
        release();
        observer.over(false); // reports the request as lost, with the cause of the pipe's failure
    }

    /** The request will not be read any more: releases its resources. */
    public final void release() {
        if (headHeld > 0) {
            server.headBudget().giveBack(HEAD_HELD.getAndSet(this, 0));
        }
        if (incoming != null) {
            incoming.discard();
        }
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

    @Override
    public final @Nullable WorkerShare share() {
        return admitted.workerShare();
    }

    /** The key of the limit that is exceeded if the queue refuses a job of this exchange. */
    public final Key full() {
        return share() == null ? Key.QUEUE : Key.BULKHEAD_QUEUE;
    }

    @Override
    public final void run() {
        afterTurn(serve());
    }

    /** The first turn. */
    protected final Continuations.End serve() {
        taken = true;
        try {
            observer.taken();
            if (server.shutdown().isCutting()) {
                runApplication(this::answerUnavailable);
            } else {
                runApplication(() -> server.handler().handle(this));
            }
        } catch (OutOfMemoryError e) { // the application has not been called
            abort(e);
            server.rounds().survived(failure(), e);
        }
        body.dropBuffer(); // an asynchronous exchange may wait for a long time
        return continuations.runJobs();
    }

    @Override
    public final void abandon() {
        runApplication(this::answerUnavailable);
        afterTurn(continuations.runJobs());
    }

    /** Ends the turn. If there is no memory for this, ends the connection. */
    @Override
    public final void afterTurn(Continuations.End end) {
        try {
            turnEnded(end);
        } catch (OutOfMemoryError e) {
            connection.fail(e);
            throw e;
        }
    }

    /** The exchange is over. Thread: the worker of its last turn. */
    protected final void over() {
        over = true;
    }

    protected final Continuations continuations() {
        return continuations;
    }

    @Override
    public final void resume(Runnable job) {
        try {
            continuations.add(() -> runContinuation(job));
        } catch (OutOfMemoryError e) { // without the job, the exchange could wait for ever
            connection.fail(e);
            throw e;
        }
    }

    /** As {@link #resume}, but runs {@code job} only when no other job waits. So pending calls of listeners come first. */
    public final void resumeWhenIdle(Runnable job) {
        try {
            continuations.addWhenIdle(() -> runContinuation(job));
        } catch (OutOfMemoryError e) { // as in resume()
            connection.fail(e);
            throw e;
        }
    }

    private void runContinuation(Runnable job) {
        runApplication(job::run);
        body.dropBuffer();
    }

    @Override
    public final void execute(Runnable task) {
        server.queue().resume(new Job() {
            @Override
            public void run() {
                runApplication(task::run);
                followEnd();
            }

            @Override
            public @Nullable WorkerShare share() {
                return RunningExchange.this.share();
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
     * A task has ended. Tasks run outside the exchange's turns. If the response has ended, an empty turn decides whether the exchange is
     * over.
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
        connection.onDisconnect().set(() -> resume(job));
    }

    // ---- the application's code

    /** Runs code of the application within its time limit. Throws nothing, so that the following jobs run. */
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
        } catch (OutOfMemoryError e) { // there was no memory for the deadline
            abort(e);
            server.rounds().survived("A request has no deadline and is aborted", e);
        }
    }

    /**
     * Runs code of the application without a time limit. This is the outermost handler of its exceptions: an exception ends only this
     * exchange.
     */
    public final void runWithoutDeadline(ApplicationCode part) {
        try {
            part.run();
        } catch (Throwable t) {
            // Check before the abort: an aborted response looks like a disconnected client.
            boolean causedByClient = isCausedByClient(t);
            abort(t);
            if (causedByClient) {
                LOG.debug("Request {} ended because its client disconnected", id(), t);
            } else if (isFileFailure(t)) {
                LOG.debug("Request {} ended because a file could not be read, as logged before", id(), t);
            } else {
                server.rounds().survived(failure(), t);
                reportFailure(t);
            }
        }
    }

    /** Whether the client has caused the failure. Clients can cause failures at will, so these failures must not fill the log. */
    private boolean isCausedByClient(Throwable t) {
        boolean withConnection = t instanceof ConnectionEnded || (t instanceof IOException && isClientGone());
        return t instanceof ClientFault || (withConnection && !isFileFailure(t));
    }

    private static boolean isFileFailure(Throwable t) {
        return t instanceof IOException && ConnectionClosed.of(t).isFileFailure();
    }

    /** Aborts the response before all else, so that the client does not wait for a response that will not come. */
    private void abort(Throwable cause) {
        try {
            abortOutput(cause);
        } catch (Throwable t) {
            server.rounds().survived("A response could not be aborted; its connection is closed", t);
            connection.fail(cause);
        }
    }

    private String failure() {
        try {
            return "Request " + id() + " failed in the server, outside of the application";
        } catch (OutOfMemoryError e) {
            return "A request failed in the server, outside of the application";
        }
    }

    private void reportFailure(Throwable cause) {
        try {
            server.events().failed(connection.id(), cause);
        } catch (Throwable t) {
            server.rounds().survived("A listener failed", t);
        }
    }

    @Override
    public final void threw(Throwable thrown) {
        server.rounds().memory().met(thrown);
    }

    // ---- time

    @Override
    public final void overdue() {
        overdue = true;
        timedOut(Key.SERVICE_TIMEOUT);
    }

    @Override
    public final boolean isTransformForbidden() {
        ResponseRules rules = server.responseRules();
        return rules != null && rules.forbidTransform(head);
    }

    @Override
    public final boolean isOverdue() {
        return overdue;
    }

    @Override
    public final void timedOut(Key timeout) {
        connection.timedOut(timeout);
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
        return forwarded == null ? connection.peer() : forwarded;
    }

    @Override
    public final @Nullable TlsSession tls() {
        return forwarded == null ? connection.tls() : forwarded.tls();
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
        return connection.hasInputEnded() ? ClientState.INPUT_ENDED : ClientState.PRESENT;
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
    public final String line() {
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
