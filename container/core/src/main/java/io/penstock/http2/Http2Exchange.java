package io.penstock.http2;

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
import io.penstock.http.RequestHead;
import io.penstock.limits.Key;
import io.penstock.reactor.ConnectionClosed;
import io.penstock.work.Client;
import io.penstock.work.ClientJob;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The request and the response of one stream. After an extended CONNECT the exchange continues in another protocol ({@link RawConnection}).
 *
 * <p>Thread: see {@link RunningExchange}.
 */
final class Http2Exchange extends RunningExchange implements ClientJob {
    private final Http2Stream stream;
    private final Http2Response response;

    // The other protocol; null before an upgrade. Set by the worker that makes the upgrade.
    private volatile @Nullable RawConnection upgraded;

    Http2Exchange(
            Http2Stream stream,
            Http2Heads heads,
            RequestHead head,
            @Nullable Peer forwarded,
            Admitted admitted,
            @Nullable IncomingBody incoming,
            int headHeld,
            RequestObserver observer) {
        super(stream, head, forwarded, admitted, incoming, headHeld, observer);
        this.stream = stream;
        this.response = new Http2Response(stream, heads, this, observer);
    }

    @Override
    public String id() {
        return stream.id() + "-" + stream.number();
    }

    @Override
    public String protocolRequestId() {
        return Integer.toString(stream.number());
    }

    // ---- the wait for a worker

    @Override
    public void outdated() {
        stream.queueWait().outdated(this);
    }

    @Override
    public void tooLate(Key bound) throws IOException {
        stream.refuseWaiting(this, bound);
    }

    @Override
    public void discard() {
        super.discard();
        stream.discarded(this);
    }

    // ---- body and response

    @Override
    public Client ofClient() {
        return stream.client();
    }

    /** Each stream has its own output. {@link Http2Output#leave} lets the responses of several streams leave together. */
    @Override
    public boolean leavesWithNext() {
        return false;
    }

    @Override
    public Response response() {
        return response;
    }

    /** Answers 503 in place of the application, or resets the stream if its head may have been sent. Any thread. */
    void answerOrReset(Key bound) {
        ConnectionClosed why = new ConnectionClosed(Causes.of(bound));
        CannedResponse unavailable = CannedResponse.unavailable(head());
        boolean replaced = false;
        try {
            replaced = response.replace(unavailable.status(), why, () -> stream.replacement(unavailable));
        } catch (IOException e) {
            // The stream has ended.
        }
        if (replaced) {
            server().events().refused(stream.id(), unavailable.status(), bound.id());
            stream.sendLater();
        } else if (!response.isWhole()) { // a whole response only waits for its client
            response.abort(why);
            stream.failed(ErrorCode.INTERNAL_ERROR);
        }
    }

    /** The server stops, and waits no longer. */
    void cut() {
        if (upgraded == null) {
            answerUnavailable();
        } else {
            stream.failed(ErrorCode.CANCEL);
        }
    }

    @Override
    protected void answerUnavailable() {
        answerOrReset(Key.SHUTDOWN_TIMEOUT);
    }

    @Override
    protected void overrun() {
        answerOrReset(Key.SERVICE_TIMEOUT);
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

    // ---- another protocol

    @Override
    public boolean isUpgradable() {
        return stream.tunnel() != null && upgraded == null;
    }

    @Override
    public void upgrade(Upgrade next) {
        Tunnel tunnel = stream.tunnel();
        if (tunnel == null || !isUpgradable() || !response.hasSwitched()) {
            throw new IllegalStateException("The stream continues with HTTP");
        }
        upgraded = new RawConnection(tunnel, this, tunnel.incoming(), next);
        continuations().handOver();
    }

    @Override
    public String describe() {
        RawConnection next = upgraded;
        return super.describe() + (next == null ? "" : " upgraded to " + next.protocol());
    }

    // ---- the end

    @Override
    public boolean isDone() {
        RawConnection now = upgraded;
        return now == null ? response.isEnded() : now.isOver();
    }

    @Override
    protected void turnEnded(Continuations.End end) {
        switch (end) {
            case LEFT -> {
                // Another turn may run, so this thread must not use the exchange any more.
            }
            case HANDED_OVER -> Objects.requireNonNull(upgraded).begin();
            case OVER -> {
                over();
                if (upgraded == null) {
                    release();
                    response.close();
                }
                stream.exchangeOver(
                        this,
                        response.isAborted()
                                || response.isWhole() && !stream.output().hasEnd());
            }
        }
    }
}
