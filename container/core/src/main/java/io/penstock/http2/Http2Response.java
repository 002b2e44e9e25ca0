package io.penstock.http2;

import io.penstock.events.CloseCause;
import io.penstock.exchange.RequestObserver;
import io.penstock.exchange.Response;
import io.penstock.exchange.ServerTiming;
import io.penstock.http.Fields;
import io.penstock.http.ResponseHead;
import io.penstock.http.Status;
import io.penstock.pipe.Segment;
import io.penstock.reactor.ConnectionClosed;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One response in HTTP/2 (RFC 9113 section 8.1). The pipe of its stream holds the bytes of the body without framing; the {@link StreamOutput}
 * frames them when they are sent.
 *
 * <p>Thread: see {@link Response}.
 */
final class Http2Response extends Response {
    private static final byte[] NO_TRAILERS = {};

    private final Http2Stream stream;
    private final Http2Heads heads;

    // Set with the head, by the writing thread under the monitor.
    private boolean bodiless;
    private boolean switches; // the head opens a tunnel; read by the worker after the response is complete

    // The bytes of the body that the head has promised and the application has not written yet; -1 if it has promised
    // none. The writing thread changes it without the monitor.
    private long remaining;

    // The bytes of the body that have been handed over.
    private long handedOver;
    private boolean ended;

    Http2Response(Http2Stream stream, Http2Heads heads, Owner owner, RequestObserver observer) {
        super(stream.output(), owner, observer);
        this.stream = stream;
        this.heads = heads;
    }

    /** Whether the whole response has been handed over and opens a tunnel. Any thread. */
    boolean hasSwitched() {
        return isWhole() && switches && !out.pipe().hasFailed();
    }

    // ---- heads

    @Override
    protected void putInformational(int status, Fields fields) {
        stream.output().head(heads.informational(stream.number(), status, fields));
    }

    @Override
    protected long putHead(ResponseHead head, long length, @Nullable ServerTiming timing) {
        int status = head.status();
        boolean toHead = owner.head().method().equals("HEAD");
        bodiless = toHead || Status.isBodiless(status);
        remaining = length;
        boolean tunnel = stream.tunnel() != null;
        switches = tunnel && status == Status.SWITCHING_PROTOCOLS;
        if (switches) {
            stream.output().switches();
        }
        boolean said = length >= 0
                && !switches
                && (!bodiless || status == Status.RESET_CONTENT || head.contentLength() >= 0 || toHead && length > 0);
        ResponseHead sent = tunnel ? Tunnel.onTheWire(head) : head;
        stream.output().head(heads.head(stream.number(), owner.head(), sent, timing, said ? length : -1));
        return stream.output().pipe().handedOver();
    }

    @Override
    protected boolean putHead(
            ResponseHead head, long length, @Nullable ServerTiming timing, Segment body, boolean last) {
        ByteBuffer bytes = body.buffer();
        if (length >= 0 && bytes.remaining() > length && !mayOverrun(head)) {
            return false; // beginBytes() throws the cause
        }
        putHead(head, length, timing);
        if (bodiless) {
            bytes.limit(bytes.position());
        }
        return frame(body, last);
    }

    private boolean mayOverrun(ResponseHead head) {
        return owner.head().method().equals("HEAD") || Status.isBodiless(head.status());
    }

    // ---- the body

    @Override
    protected boolean frame(Segment body, boolean last) {
        int count = body.buffer().remaining();
        if (bodiless && count > 0 || !bodiless && remaining >= 0 && count > remaining) {
            return false;
        }
        account(count);
        endBytes(last);
        return true;
    }

    private void account(long count) {
        handedOver += count;
        if (remaining >= 0) {
            remaining -= count;
        }
    }

    @Override
    protected boolean beginBytes(long count) throws IOException {
        if (bodiless) {
            return false;
        }
        if (remaining >= 0 && count > remaining) {
            throw new IOException("The response body is longer than its Content-Length");
        }
        account(count);
        return count > 0;
    }

    @Override
    protected void endBytes(boolean last) {
        if (last) {
            end(NO_TRAILERS);
        }
    }

    @Override
    protected void endBody(Fields trailers) {
        end(trailers.size() == 0 || bodiless ? NO_TRAILERS : heads.trailers(stream.number(), trailers));
    }

    private void end(byte[] trailers) {
        if (!ended && isComplete()) {
            ended = true;
            if (switches) {
                return; // the stream goes on
            }
            stream.output().endAt(handedOver, trailers);
        }
    }

    private boolean isComplete() {
        return bodiless || remaining <= 0;
    }

    /** The head goes past the pipe. */
    @Override
    protected boolean mayReplaceHead() {
        return false;
    }

    /** A body that is too short must not look complete: the stream is reset instead ({@link Http2Exchange}). */
    @Override
    protected @Nullable ConnectionClosed closingAtEnd() {
        return isComplete() ? null : new ConnectionClosed(CloseCause.RESPONSE_INCOMPLETE);
    }
}
