package io.penstock.http1;

import io.penstock.events.CloseCause;
import io.penstock.exchange.LinkWriter;
import io.penstock.exchange.PipedResponse;
import io.penstock.exchange.RequestObserver;
import io.penstock.exchange.ResponseSpill;
import io.penstock.exchange.ServerTiming;
import io.penstock.http.Fields;
import io.penstock.http.RequestHead;
import io.penstock.http.ResponseHead;
import io.penstock.http.Status;
import io.penstock.http.Version;
import io.penstock.pipe.SegmentPool;
import io.penstock.reactor.ConnectionClosed;
import java.io.IOException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One response in HTTP/1.1: decides its framing when the head leaves, frames the body, and says at the end whether the connection can go on
 * (RFC 9112 sections 6 and 7).
 *
 * <p>Thread: as {@link PipedResponse} says.
 */
final class Http1Response extends PipedResponse {

    /** What a response needs of its connection. */
    interface Channel {

        LinkWriter writer();

        SegmentPool pool();

        HeadWriter newHeadWriter();

        /** Whether every response closes its connection. */
        boolean draining();

        /** The last response is in the pipe: when it has left, the connection ends. The first cause stays. Any thread. */
        void closeAfterResponse(ConnectionClosed cause);

        /** A response is incomplete, and only a reset of the connection can say so. The first cause stays. Any thread. */
        void reset(ConnectionClosed cause);

        /** Ends the connection at once. Takes no memory. Any thread. */
        void fail(Throwable cause);

        /** Calls the reactor, by one of {@link Signals}. Any thread. */
        void signal(int signal);
    }

    private final Channel channel;
    private final RequestHead request;
    private final BooleanSupplier bodyComplete;

    // The writer's; decided under the monitor as the head leaves. Other threads read the framing once the response is
    // aborted, and whether it switches once it is whole.
    private Framing framing = Framing.UNDECIDED;
    private long remaining;
    private @Nullable CloseCause endsWith; // why the connection cannot be used again, as far as the head tells
    private boolean switches; // the head that has left is 101

    /** @param bodyComplete whether the request's body has arrived whole */
    Http1Response(
            Channel channel,
            ResponseSpill spill,
            RequestHead request,
            BooleanSupplier bodyComplete,
            RequestObserver observer) {
        super(channel.writer(), channel.pool(), spill, observer);
        this.channel = channel;
        this.request = request;
        this.bodyComplete = bodyComplete;
    }

    /** Whether only a reset can tell the client that this response is incomplete: its end is the end of the connection. */
    boolean needsReset() {
        return isAborted() && framing == Framing.CLOSE;
    }

    /** Whether all of it has been handed over, and what follows on the connection is another protocol. Any thread. */
    boolean hasSwitched() {
        return isWhole() && switches && !channel.writer().pipe().hasFailed();
    }

    // ---- heads

    @Override
    public void informational(int status, Fields fields) throws IOException {
        if (request.version() != Version.HTTP_1_0) {
            super.informational(status, fields);
        }
    }

    @Override
    protected void putInformational(int status, Fields fields) throws IOException {
        channel.newHeadWriter().informational(status, fields);
    }

    @Override
    protected long putHead(ResponseHead head, long length, ServerTiming timing) throws IOException {
        int status = head.status();
        framing = Framing.of(request, status, length);
        remaining = length;
        switches = status == Status.SWITCHING_PROTOCOLS;
        endsWith = switches
                ? CloseCause.UPGRADE_ENDED
                : Persistence.endsWith(
                        request, head, framing != Framing.CLOSE, bodyComplete.getAsBoolean(), channel.draining());
        return channel.newHeadWriter().send(request, head, timing, framing, length, endsWith == null);
    }

    // ---- the body

    @Override
    protected boolean beginBytes(long count) throws IOException {
        if (framing == Framing.LENGTH) {
            if (count > remaining) {
                throw new IOException("The response body is longer than its Content-Length");
            }
            remaining -= count;
        }
        boolean sent = framing != Framing.NONE && count > 0;
        if (sent && framing == Framing.CHUNKED) {
            frame(Chunks.open(count));
        }
        return sent;
    }

    @Override
    protected void endBytes(boolean last) throws IOException {
        if (framing == Framing.CHUNKED) {
            frame(Chunks.close(last));
        }
    }

    @Override
    protected void endBody(Fields trailers) throws IOException {
        if (framing == Framing.CHUNKED) {
            frame(Chunks.end(trailers));
        }
    }

    @Override
    protected @Nullable ConnectionClosed closingAtEnd() {
        boolean whole = framing != Framing.LENGTH || remaining == 0;
        CloseCause cause = Persistence.endsAfter(endsWith, whole, bodyComplete.getAsBoolean());
        return cause == null ? null : new ConnectionClosed(cause);
    }
}
