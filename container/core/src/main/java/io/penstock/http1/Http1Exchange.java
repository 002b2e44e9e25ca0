package io.penstock.http1;

import io.penstock.exchange.Admission.Admitted;
import io.penstock.exchange.Causes;
import io.penstock.exchange.Continuations;
import io.penstock.exchange.Expectation;
import io.penstock.exchange.IncomingBody;
import io.penstock.exchange.Peer;
import io.penstock.exchange.RequestObserver;
import io.penstock.exchange.ResponseSink;
import io.penstock.exchange.RunningExchange;
import io.penstock.exchange.Upgrade;
import io.penstock.http.ConnectionOptions;
import io.penstock.http.DecidingFields;
import io.penstock.http.Fields;
import io.penstock.http.RequestHead;
import io.penstock.http.Version;
import io.penstock.limits.Key;
import io.penstock.reactor.ConnectionClosed;
import io.penstock.work.WorkerShare;
import io.penstock.work.Workers;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One request of an HTTP/1.1 connection and its response. The worker that ends the exchange continues with the client's next request if
 * that request has arrived, neither of the two requests streams, and the next one is not expected to spool. While other clients wait, the
 * worker serves at most 16 requests in a row. After a 101 response the exchange continues in another protocol ({@link Upgraded}).
 *
 * <p>Thread: see {@link RunningExchange}. The worker of the last turn continues with the connection's next request.
 */
final class Http1Exchange extends RunningExchange implements ResponseSlot.Response {

    /** A worker that took longer than this for a response does not wait for the next response before it sends this one. */
    private static final long QUICK_NANOS = 1_000_000;

    /** The exchange's view of its connection. */
    interface Connection extends RunningExchange.Connection, Http1Response.Channel {

        /** Signals the reactor that an event has happened for which reading or closing waited. Any thread. */
        void wantAttention();

        /** The running exchange is over. Returns the next one if its worker is to serve it. Thread: that worker. */
        @Nullable
        Http1Exchange finished(Http1Exchange exchange);

        /** A worker serves no further request of the client now: sends the responses that were held for the next one. Any thread. */
        void rowEnded();

        /** The exchange is over, so its action for a disconnect is dropped. Thread: its worker. */
        void dropDisconnectAction();

        /** The overloaded queue has dropped this request, since it is among the requests that have waited longest. Any thread. */
        void outdated(Http1Exchange exchange);

        /**
         * No worker will get the request, because of {@code bound}: it has waited too long, or the queue is overloaded. Thread: the
         * reactor.
         */
        void tooLate(Http1Exchange exchange, Key bound) throws IOException;

        /** A call of the running exchange has been interrupted and still runs. Any thread. */
        void overrun();

        /** The exchange that has the turn continues in another protocol and keeps the turn. Thread: a worker. */
        void upgraded(Upgraded next);
    }

    private final Connection connection;
    private final long number;
    private final Http1Response response;
    private final boolean asksForUpgrade;

    // The upgraded connection; set by the worker in whose turn the upgrade happens.
    private volatile @Nullable Upgraded upgraded;

    // Set by the scheduler before it signals the reactor.
    private volatile boolean overrun;

    // Set on the first exchange of a row: the exchange that the worker serves now; null if it is this one. A row
    // consists of the requests of a connection that one worker serves without going back to the queue.
    private volatile @Nullable Http1Exchange serving;

    // When the worker began this exchange; unused for the first of a row. Written before the field {@code serving} of
    // the first exchange; the write of {@code serving} publishes it.
    private long servedSince;

    // The place of this exchange in its row, from 0.
    private int inRow;

    Http1Exchange(
            Connection connection,
            long number,
            RequestHead head,
            @Nullable Peer forwarded,
            Admitted admitted,
            @Nullable IncomingBody incoming,
            int headHeld,
            RequestObserver observer) {
        super(connection, head, forwarded, admitted, incoming, headHeld, observer);
        this.connection = connection;
        this.number = number;
        this.response = new Http1Response(connection, this, head, observer);
        this.asksForUpgrade = head.version() == Version.HTTP_1_1
                && head.deciding().has(DecidingFields.Name.UPGRADE)
                && ConnectionOptions.contains(head, "upgrade");
    }

    @Override
    public String id() {
        return connection.id() + "-" + number;
    }

    // ---- the wait for a worker

    @Override
    public void outdated() {
        connection.outdated(this);
    }

    @Override
    public void tooLate(Key bound) throws IOException {
        connection.tooLate(this, bound);
    }

    // ---- body and response

    @Override
    protected void askForBody() throws IOException {
        IncomingBody body = incoming();
        if (body != null && body.expectation().is(Expectation.State.HELD)) {
            response.informational(100, Fields.EMPTY);
            body.expectation().meet();
            connection.wantAttention(); // the reactor waits for the client from here on
        }
    }

    @Override
    public ResponseSink response() {
        return response;
    }

    /** The exchange is refused because of this limit. Counts the refusal, also in the exchange's bulkhead if it has one. Any thread. */
    void countRefusal(Key bound) {
        WorkerShare share = share();
        if (share != null) {
            share.refuse();
        }
        connection.server().reached(bound);
    }

    /**
     * Answers 503 in place of the application, because of this limit, unless a part of the response has been sent. If it has answered,
     * reports the refusal and returns true. Any thread.
     */
    boolean answerUnavailable(Key bound) throws IOException {
        ConnectionClosed closing = new ConnectionClosed(Causes.of(bound));
        CannedResponse unavailable = CannedResponse.unavailable(closing, head());
        boolean replaced = response.replace(
                unavailable.status(), closing, () -> connection.heads().whole(unavailable));
        if (replaced) {
            connection.server().events().refused(connection.id(), unavailable.status(), bound.id());
        }
        return replaced;
    }

    @Override
    protected void answerUnavailable() throws IOException {
        if (answerUnavailable(Key.SHUTDOWN_TIMEOUT)) {
            connection.writer().workerFlush();
        } else {
            response.abort(new ConnectionClosed(Causes.of(Key.SHUTDOWN_TIMEOUT)));
        }
    }

    @Override
    public void overrun() {
        overrun = true;
        connection.overrun();
    }

    /** Whether a call still runs after its interrupt, so that the reactor answers in its place. */
    boolean isOverrun() {
        return overrun;
    }

    @Override
    protected void abortOutput(Throwable cause) {
        Upgraded now = upgraded;
        if (now == null) {
            response.abort(cause);
        } else {
            now.output().abort(cause);
        }
    }

    /** Aborts the response unless it has ended, even while a thread writes it; returns whether it is incomplete. Any thread. */
    boolean abortResponse(ConnectionClosed cause) {
        response.abort(cause);
        return response.isAborted();
    }

    /** Whether only a reset of the connection can show the client that the response is incomplete. Any thread. */
    boolean needsReset() {
        return response.needsReset();
    }

    /**
     * Whether an earlier response has not been sent completely, so that the client has no byte of this one. Valid once the head of this one
     * is in the pipe.
     */
    boolean isBehindAnother() {
        return response.isBehindAnother();
    }

    /** The cause for which the connection must end with this exchange; null if the connection stays open. Valid once the response has ended. */
    @Nullable
    ConnectionClosed closing() {
        return response.closing();
    }

    // ---- the end, and the client's next request

    /** An upgraded exchange ends with its connection. */
    @Override
    public boolean isDone() {
        return upgraded == null && response.isEnded();
    }

    /** After the last turn its worker serves the client's next request. */
    @Override
    protected void turnEnded(Continuations.End end) {
        Http1Exchange next = after(end);
        if (next != null) {
            serveRow(next);
            // The last exchange may continue later on another worker. A response held for it must not wait so long.
            connection.rowEnded();
        }
    }

    private void serveRow(Http1Exchange second) {
        Http1Exchange next = second;
        while (next != null) {
            next.servedSince = connection.server().queue().nanos();
            serving = next;
            Thread.interrupted(); // an interrupt of the previous request must not hit this request
            next = next.after(next.serve());
        }
    }

    /** The next exchange for this worker after a turn that has ended; null if there is none. */
    private @Nullable Http1Exchange after(Continuations.End end) {
        switch (end) {
            case LEFT -> {
                return null; // do not touch the exchange any more: another turn may run
            }
            case HANDED_OVER -> {
                Objects.requireNonNull(upgraded).begin();
                return null;
            }
            case OVER -> {
                over();
                close();
                return connection.finished(this);
            }
        }
        throw new IllegalStateException("No end of a turn: " + end);
    }

    /** Request and response are over: releases their resources. */
    void close() {
        release();
        response.close();
    }

    int inRow() {
        return inRow;
    }

    /** Whether the worker has served this exchange in a short time. Thread: its worker; on other threads the result is false. */
    boolean wasQuick() {
        if (!Workers.isCurrent()) {
            return false;
        }
        long nanos =
                inRow == 0 ? Workers.nanosInJob() : connection.server().queue().nanos() - servedSince;
        return nanos < QUICK_NANOS;
    }

    void beginsRow() {
        inRow = 0;
    }

    void follows(int before) {
        inRow = before + 1;
    }

    @Override
    public String describe() {
        Http1Exchange now = serving;
        if (now != null) {
            return now.describe();
        }
        Upgraded next = upgraded;
        return super.describe() + (next == null ? "" : " upgraded to " + next.protocol());
    }

    @Override
    public long since(long taken) {
        Http1Exchange now = serving;
        if (now == null) {
            return taken;
        }
        long next = now.servedSince;
        // A late job of this exchange may have begun after the exchange being served. Then the job's start counts.
        return next - taken > 0 ? next : taken;
    }

    // ---- another protocol

    /** Whether the client asks for another protocol (RFC 9110 section 7.8). */
    boolean asksForUpgrade() {
        return asksForUpgrade;
    }

    @Override
    public boolean isUpgradable() {
        return asksForUpgrade && isBodyComplete() && upgraded == null;
    }

    @Override
    public void upgrade(Upgrade next) {
        if (!isUpgradable() || !response.hasSwitched()) {
            throw new IllegalStateException("The connection continues with HTTP");
        }
        upgraded = new Upgraded(connection, this, continuations(), next);
        continuations().handOver();
    }
}
