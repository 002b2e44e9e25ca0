package io.penstock.http1;

import io.penstock.exchange.Admission.Admitted;
import io.penstock.exchange.CannedResponse;
import io.penstock.exchange.Causes;
import io.penstock.exchange.Continuations;
import io.penstock.exchange.IncomingBody;
import io.penstock.exchange.Peer;
import io.penstock.exchange.RawConnection;
import io.penstock.exchange.RequestObserver;
import io.penstock.exchange.Response;
import io.penstock.exchange.RunningExchange;
import io.penstock.exchange.Upgrade;
import io.penstock.http.BodyDecoder;
import io.penstock.http.DecidingFields;
import io.penstock.http.RequestHead;
import io.penstock.http.Version;
import io.penstock.limits.Key;
import io.penstock.reactor.ConnectionClosed;
import io.penstock.work.Workers;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One request of an HTTP/1.1 connection and its response. The worker that ends an exchange can serve the client's next request directly,
 * without the queue. This is not possible if one of the two requests streams, spools (waits for the disk) or belongs to a bulkhead. While
 * other clients wait, the worker serves at most 16 requests of one client in a row. After a 101 response the exchange continues in another
 * protocol ({@link RawConnection}).
 *
 * <p>Thread: see {@link RunningExchange}.
 */
final class Http1Exchange extends RunningExchange implements ResponseSlot.Parkable {

    private final Http1Connection connection;
    private final ResponseSequence responses;
    private final long number;
    private final Http1Response response;
    private final boolean asksForUpgrade;

    // The upgraded connection; null before an upgrade. Set by the worker that makes the upgrade.
    private volatile @Nullable RawConnection upgraded;

    // Set by the thread that interrupts late calls, before this thread signals the reactor.
    private volatile boolean overrun;

    // A row consists of the requests of a connection that one worker serves directly one after the other. In the first
    // exchange of a row, this field refers to the exchange that the worker serves now. The field is null while the
    // worker serves the first exchange.
    private volatile @Nullable Http1Exchange serving;

    // When the worker began this exchange. Unused in the first exchange of a row. Written before the field {@code
    // serving} of the first exchange. So a thread that has read {@code serving} sees this value.
    private long servedSince;

    // The index of this exchange in its row, from 0.
    private int inRow;

    Http1Exchange(
            Http1Connection connection,
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
        this.responses = connection.responses();
        this.response = new Http1Response(responses.writer(), connection.heads(), this, observer);
        this.asksForUpgrade = head.deciding().has(DecidingFields.Name.UPGRADE)
                && head.version() == Version.HTTP_1_1
                && head.asksFor("upgrade");
    }

    @Override
    public String id() {
        return connection.id() + "-" + number;
    }

    // ---- the wait for a worker

    @Override
    public void outdated() {
        responses.outdated(this);
    }

    @Override
    public void tooLate(Key bound) throws IOException {
        responses.tooLate(this, bound);
    }

    // ---- body and response

    @Override
    public boolean leavesWithNext() {
        return responses.leavesWithNext();
    }

    @Override
    public Response response() {
        return response;
    }

    /**
     * Answers 503 in place of the application, because of the limit {@code bound}. If a part of the response has been sent, this method
     * does nothing and returns false. Otherwise it reports the refusal and returns true. Any thread.
     */
    boolean answerUnavailable(Key bound) throws IOException {
        ConnectionClosed closing = new ConnectionClosed(Causes.of(bound));
        CannedResponse unavailable = CannedResponse.unavailable(head());
        boolean replaced = response.replace(unavailable.status(), closing, () -> connection
                .heads()
                .whole(new Http1CannedResponse(unavailable, closing)));
        if (replaced) {
            connection.server().events().refused(connection.id(), unavailable.status(), bound.id());
        }
        return replaced;
    }

    @Override
    protected void answerUnavailable() throws IOException {
        if (answerUnavailable(Key.SHUTDOWN_TIMEOUT)) {
            responses.writer().workerFlush();
        } else {
            response.abort(new ConnectionClosed(Causes.of(Key.SHUTDOWN_TIMEOUT)));
        }
    }

    @Override
    protected void overrun() {
        overrun = true;
        connection.overrun();
    }

    /** Whether the application's call still runs after its interrupt. If so, the reactor answers in place of the application. */
    boolean isOverrun() {
        return overrun;
    }

    @Override
    protected void abortOutput(Throwable cause) {
        RawConnection now = upgraded;
        if (now == null) {
            response.abort(cause);
        } else {
            now.output().abort(cause);
        }
    }

    /**
     * Aborts the response if it has not ended. Another thread may be writing the response at the same time. Returns whether the response is
     * incomplete. Any thread.
     */
    boolean abortResponse(ConnectionClosed cause) {
        response.abort(cause);
        return response.isAborted();
    }

    /** Whether only a reset of the connection can show the client that the response is incomplete. Any thread. */
    boolean needsReset() {
        return response.needsReset();
    }

    /**
     * Whether an earlier response has not been sent completely. If so, the client has no byte of this response. The result is valid when
     * the head of this response is in the pipe.
     */
    boolean isBehindAnother() {
        return response.isBehindAnother();
    }

    /**
     * The cause for which the connection must end after this exchange; null if the connection stays open. The result is valid when the
     * response has ended.
     */
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

    /** After the last turn of this exchange (see {@link Continuations}), the worker can serve the client's next request. */
    @Override
    protected void turnEnded(Continuations.End end) {
        Http1Exchange next = after(end);
        if (next != null) {
            serveRow(next);
            // The last exchange of the row may continue later on another worker. The responses that were held for a
            // common write must not wait so long.
            responses.sendHeld();
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

    /** Called when a turn of this exchange has ended. Returns the next exchange that the worker must serve, or null. */
    private @Nullable Http1Exchange after(Continuations.End end) {
        switch (end) {
            case LEFT -> {
                // Another turn may run, so this thread must not use the exchange any more.
                return null;
            }
            case HANDED_OVER -> {
                Objects.requireNonNull(upgraded).begin();
                return null;
            }
            case OVER -> {
                over();
                if (upgraded == null) {
                    close();
                }
                return responses.finished(this);
            }
        }
        throw new IllegalStateException("Not a known end of a turn: " + end);
    }

    /** A worker answers this request in place of the application. If the request has asked for an upgrade, the reactor frames on. */
    void refusedByWorker() {
        over();
        release();
    }

    /** Request and response are over: releases their resources. An upgrade has done so before ({@link RawConnection#begin}). */
    private void close() {
        release();
        response.close();
    }

    int inRow() {
        return inRow;
    }

    /**
     * Whether the worker has served this exchange in a short time, so that its response may be held until it can be sent in one write with
     * the next one. Thread: its worker; on other threads the result is false. */
    boolean wasQuick() {
        if (!Workers.isCurrent()) {
            return false;
        }
        long nanos =
                inRow == 0 ? Workers.nanosInJob() : connection.server().queue().nanos() - servedSince;
        return nanos < Workers.QUICK_NANOS;
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
        RawConnection next = upgraded;
        return super.describe() + (next == null ? "" : " upgraded to " + next.protocol());
    }

    @Override
    public long since(long taken) {
        Http1Exchange now = serving;
        if (now == null) {
            return taken;
        }
        long next = now.servedSince;
        // A job can be added after the end of this exchange ({@link Continuations}). If a worker runs such a job now,
        // {@code taken} is the later time, and is the result.
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
        IncomingBody input = RawConnection.input(server(), BodyDecoder.fixed(Long.MAX_VALUE), connection);
        upgraded = new RawConnection(connection, this, input, next);
        continuations().handOver();
    }
}
